/** Finds the orders for a user: they stand in the way of deleting them, and no longer name them afterwards. */
export const ordersOfUsers = `
create index orders_of_user on orders (user_id) where user_id is not null;
`;
