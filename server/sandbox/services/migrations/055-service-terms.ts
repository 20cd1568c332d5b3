/** When a service began its term: with its order, or with the change that chose another term. */
export const serviceTerms = `
alter table service_instances add column term_started timestamptz;
`;
