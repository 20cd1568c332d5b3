/** What of 100,000 customers each costs more or less than on the document before, asked within milliseconds. */
export const customerChanges = `
-- Computed once, with the changes by customer and service.
create table invoice_customer_changes (
  invoice_id bigint not null references invoices on delete cascade,
  -- 1 is the largest.
  place integer not null,
  key text not null,
  name text not null,
  before numeric(14, 2) not null,
  amount numeric(14, 2) not null,
  -- False for a customer whom only the document before charges.
  is_charged boolean not null,
  primary key (invoice_id, place)
);
-- Documents that have been compared lack these: they are compared again when that is asked for.
truncate invoice_changes, invoice_change_sums;
-- How many customers cost more or less.
alter table invoice_change_sums add column customers integer not null;
`;
