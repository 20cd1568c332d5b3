/** When an order was cancelled: placed already, or of a customer of a bulk whose turn had not come. */
export const cancelledOrders = `
alter table orders add column cancelled timestamptz;
alter table bulk_items add column cancelled timestamptz;
`;
