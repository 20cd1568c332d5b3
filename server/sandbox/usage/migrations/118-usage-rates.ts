/** The currency that each usage file from now on is in, and the rate at which its costs became the reseller's. */
export const usageRates = `
alter table usage_files add column file_currency text;
alter table usage_files add column rate numeric;
`;
