/**
 * Counts what an update of customers changes in one go and in the order of the groups: of two that turn customers both
 * ways between two groups, each held the one that the other waited for. Groups that keep their figures are let be.
 */
export const countsInOrder = `
create or replace function count_customers() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into customer_counts as c
    select reseller_id, status_group, count(*), sum(users), sum(monthly_spend)
    from new_rows group by reseller_id, status_group order by reseller_id, status_group
    on conflict (reseller_id, status_group) do update set
      customers = c.customers + excluded.customers,
      users = c.users + excluded.users,
      monthly_spend = c.monthly_spend + excluded.monthly_spend;
  elsif tg_op = 'UPDATE' then
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
  else
    update customer_counts c
    set customers = c.customers - o.customers, users = c.users - o.users, monthly_spend = c.monthly_spend - o.spend
    from (select reseller_id, status_group, count(*) as customers, sum(users) as users, sum(monthly_spend) as spend
          from old_rows group by reseller_id, status_group) o
    where c.reseller_id = o.reseller_id and c.status_group = o.status_group;
  end if;
  return null;
end $$;
`;
