/**
 * A service is charged per month from its first activation on: not from its order, so that each figure per month is the
 * sum of what works. A change or a deletion that is under way, or that has failed, leaves it charged, since it goes on
 * working until it is deleted or replaced.
 */
export const activeCharge = `
alter table service_instances drop column monthly_charge;
alter table service_instances add column monthly_charge numeric(12, 2) not null generated always as (case
  when was_active and status not in ('Deleted', 'Upgraded') then quantity * monthly_price
  else 0 end) stored;

update customers c set monthly_spend = held.spend
from (select customer_id, sum(monthly_charge) as spend from service_instances group by customer_id) held
where held.customer_id = c.id and c.monthly_spend <> held.spend;
`;
