/** Searches in invoices and pre-bills without accents. */
export const documentSearchKeys = `
alter table invoice_lines drop column search_text;
alter table invoice_lines add column search_text text collate "C" not null
  generated always as (search_key(customer || ' ' || service)) stored;
create index invoice_lines_search on invoice_lines (invoice_id, customer collate "C", service collate "C", id)
  include (search_text, amount);

alter table invoice_groups drop column search_text;
alter table invoice_groups add column search_text text collate "C" not null
  generated always as (search_key(name)) stored;
create index invoice_groups_search on invoice_groups (invoice_id, kind, amount desc, key) include (search_text);
create index invoice_groups_changes on invoice_groups (invoice_id, kind, change desc, key) include (search_text);
create index invoice_groups_names on invoice_groups using gin (search_text gin_trgm_ops);

alter table pre_bill_changes drop constraint pre_bill_changes_pkey;
alter table pre_bill_changes drop column search_text;
alter table pre_bill_changes add column search_text text collate "C" not null
  generated always as (search_key(customer || ' ' || service)) stored;
alter table pre_bill_changes add primary key (pre_bill_id, place) include (reason, search_text);

alter table pre_bill_lines drop column search_text;
alter table pre_bill_lines add column search_text text collate "C" not null
  generated always as (search_key(customer || ' ' || service)) stored;
create index pre_bill_lines_search on pre_bill_lines (pre_bill_id, customer collate "C", service collate "C", key)
  include (search_text);
`;
