/**
 * What a business system knows of each line of a contract, so that an invoice can be compared with it: which of its
 * lines it is, since when it bills, and what it thinks that a unit costs the reseller.
 */
export const invoiceMatching = `
alter table psa_stand_in_lines add column cost numeric(12, 2);

alter table psa_lines
  -- The id there; null where several lines of one contract bill the same.
  add column line text,
  -- Null: it does not say.
  add column since timestamptz,
  add column cost numeric(12, 2);
`;
