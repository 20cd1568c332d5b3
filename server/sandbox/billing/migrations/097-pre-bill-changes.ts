/** How an invoice of 100,000 lines differs from its pre-bill, and a search in either, asked within milliseconds. */
export const preBillChanges = `
-- What differs by customer and service, computed once: neither side changes any more.
create table pre_bill_changes (
  pre_bill_id bigint not null references pre_bills on delete cascade,
  -- 1 is the largest.
  place integer not null,
  organisation_id bigint not null,
  customer text not null,
  service text not null,
  reason text not null,
  before numeric,
  after numeric,
  price_before numeric,
  price_after numeric,
  pre_amount numeric(14, 2),
  post_amount numeric(14, 2),
  change numeric(14, 2) not null,
  search_text text collate "C" not null
    generated always as (lower((customer || ' ' || service) collate "und-x-icu") collate "C") stored,
  primary key (pre_bill_id, place) include (reason, search_text)
);
-- How many differ, by reason, and how many do not; a pre-bill without a row has not been compared yet.
create table pre_bill_counts (
  pre_bill_id bigint primary key references pre_bills on delete cascade,
  added integer not null,
  gone integer not null,
  changed integer not null,
  unchanged integer not null
);

alter table pre_bill_lines add column search_text text collate "C" not null
  generated always as (lower((customer || ' ' || service) collate "und-x-icu") collate "C") stored;
create index pre_bill_lines_search on pre_bill_lines (pre_bill_id, customer collate "C", service collate "C", key)
  include (search_text);
drop index pre_bill_lines_in_order;
`;
