/** The number of an invoice or a credit memo at the billing platform, which numbers both kinds its own way. */
export const externalInvoices = `
alter table invoices add column external_id text not null
  generated always as ((case kind when 'Invoice' then 'INV' else 'CRE' end) || lpad(number::text, 8, '0')) stored;
create unique index invoices_external_id on invoices (external_id);
-- The lines of one customer of a long invoice.
create index invoice_lines_of_organisation on invoice_lines (invoice_id, organisation_id);
`;
