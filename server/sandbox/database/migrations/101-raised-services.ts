/** What an order for many makes of what a customer holds already. */
export const raisedServices = `
alter table bulk_items add column if_held text check (if_held in ('New', 'Raise', 'Second'));
`;
