/**
 * Counts what an update of customers changes in one go and in the order of the groups: of two that turn customers both
 * ways between two groups, each held the one that the other waited for. Groups that keep their figures are let be.
 */
export const countsInOrder = `
create function count_moved_customers() returns trigger language plpgsql as $$
begin
  insert into customer_counts as c
  select reseller_id, status_group, sum(one), sum(users), sum(spend)
  from (
    select reseller_id, status_group, -1 as one, -users as users, -monthly_spend as spend from old_rows
    union all
    select reseller_id, status_group, 1, users, monthly_spend from new_rows
  ) moved
  group by reseller_id, status_group
  having sum(one) <> 0 or sum(users) <> 0 or sum(spend) <> 0
  order by reseller_id, status_group
  on conflict (reseller_id, status_group) do update set
    customers = c.customers + excluded.customers,
    users = c.users + excluded.users,
    monthly_spend = c.monthly_spend + excluded.monthly_spend;
  return null;
end $$;
drop trigger customers_updated on customers;
create trigger customers_updated after update on customers
  referencing old table as old_rows new table as new_rows for each statement execute function count_moved_customers();
`;
