/**
 * What a document of 100,000 lines is asked within milliseconds: why it is more or less than the one before, and a
 * search in it.
 */
export const longInvoices = `
-- The largest changes against the document of the month before, computed once: neither document changes any more.
create table invoice_changes (
  invoice_id bigint not null references invoices on delete cascade,
  -- 1 is the largest.
  place integer not null,
  organisation_id bigint not null,
  customer text not null,
  service text not null,
  reason text not null,
  before numeric,
  after numeric,
  change numeric(14, 2) not null,
  primary key (invoice_id, place)
);
-- What the others come to; a document without a row has not been compared yet.
create table invoice_change_sums (
  invoice_id bigint primary key references invoices on delete cascade,
  rest numeric(14, 2) not null,
  rest_count integer not null
);

alter table invoice_lines add column search_text text collate "C" not null
  generated always as (lower((customer || ' ' || service) collate "und-x-icu") collate "C") stored;
-- A search reads all lines of a document from the index alone, in the order in which they are shown.
create index invoice_lines_search on invoice_lines (invoice_id, customer collate "C", service collate "C", id)
  include (search_text, amount);
drop index invoice_lines_in_order;

-- The same for the sums by customer or service.
alter table invoice_groups add column search_text text collate "C" not null
  generated always as (lower(name collate "und-x-icu") collate "C") stored;
create index invoice_groups_search on invoice_groups (invoice_id, kind, amount desc, key) include (search_text);
drop index invoice_groups_in_order;
`;
