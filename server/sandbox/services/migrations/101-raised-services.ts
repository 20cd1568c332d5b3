/** Outcome of a bulk order for a customer who holds the product already. */
export const raisedServices = `
alter table bulk_items add column if_held text check (if_held in ('New', 'Raise', 'Second'));
`;
