/** When an invoice is due, and days that could not be added to a reseller. */
export const paymentTerms = `
-- The day on which an invoice is due now follows from the term, which was 27 days for everybody who pays by hand.
alter table payment_settings alter column payment_term set default 'Days30';
update payment_settings set payment_term = 'Days30' where payment_term = 'OnInvoice' and not auto_pay;

-- What a day adds to a reseller and could not be added: it is tried again, the oldest day first.
create table missing_days (
  reseller_id bigint not null references resellers on delete cascade,
  day date not null,
  area text not null,
  primary key (reseller_id, day, area)
);
`;
