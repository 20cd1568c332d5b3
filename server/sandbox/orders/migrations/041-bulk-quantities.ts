/** In an order for many each customer has a quantity of its own; null where it is that of the order. */
export const bulkQuantities = `
alter table bulk_items add column quantity integer check (quantity > 0);
`;
