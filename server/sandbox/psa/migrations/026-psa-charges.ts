/** What customers are charged for the cloud platform is a report of the business system too. */
export const psaCharges = `
alter table psa_reports drop constraint psa_reports_kind_check;
alter table psa_reports add check (kind in ('movement', 'reconciliation', 'charges'));
`;
