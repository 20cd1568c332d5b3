/** Payments of invoices: by card, by direct debit, out of the credit, or by bank transfer. */
export const invoicePayments = `
-- Null: the billing run pays, or a bank transfer came in.
alter table payments alter column account_id drop not null;
-- Null: no stored method was charged.
alter table payments alter column method_id drop not null;
alter table payments alter column invoice_id type bigint using null;
alter table payments add foreign key (invoice_id) references invoices on delete cascade;
alter table payments add column means text not null default 'Card'
  check (means in ('Card', 'DirectDebit', 'Credit', 'BankTransfer'));
create index payments_invoice on payments (invoice_id, id desc) where invoice_id is not null;
-- What nobody pressed has a name of its own, so that two processes make one payment.
create unique index payments_unpressed on payments (press) where account_id is null;

-- An invoice cannot be paid twice, whatever the code does.
alter table invoices add check (prepaid + paid <= gross);

insert into payments (reseller_id, amount, currency, invoice_id, means, press, status, created, settled)
select reseller_id, (paid * 100)::bigint, currency, id, 'BankTransfer', 'transfer-' || id, 'Paid', paid_on, paid_on
from invoices where kind = 'Invoice' and paid > 0;
`;
