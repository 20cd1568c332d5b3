/** What the business system's stand-in says of additions that are not billed in full, and of agreements that end. */
export const billedAdditions = `
alter table psa_stand_in_contracts add column ends timestamptz;
alter table psa_stand_in_lines
  add column less_included integer not null default 0,
  add column bill_customer text not null default 'Billable'
    check (bill_customer in ('Billable', 'DoNotBill', 'NoCharge'));
`;
