/**
 * What a service is charged per month, in one place for every figure that adds it up. It is charged from its order on
 * until it is deleted or replaced. Not while its activation has failed, unless it was active before and a change failed;
 * nor before it takes over from the service that it is to replace, which is charged until then.
 */
export const monthlyCharge = `
alter table service_instances add column was_active boolean not null default false;
update service_instances i set was_active = true
where status not in ('Activating', 'ActivationFailed')
  or exists (select from orders o where o.id = i.order_id and o.action = 'Modify');

create function note_activation() returns trigger language plpgsql as $$
begin
  if new.status = 'Active' or (tg_op = 'INSERT' and new.status not in ('Activating', 'ActivationFailed')) then
    new.was_active := true;
  end if;
  return new;
end $$;
create trigger service_instances_activation before insert or update of status on service_instances
  for each row execute function note_activation();

alter table service_instances add column monthly_charge numeric(12, 2) not null generated always as (case
  when status in ('Deleted', 'Upgraded') then 0
  when was_active or (status = 'Activating' and replaces is null) then quantity * monthly_price
  else 0 end) stored;

update customers c set monthly_spend = held.spend
from (select customer_id, sum(monthly_charge) as spend from service_instances group by customer_id) held
where held.customer_id = c.id and c.monthly_spend <> held.spend;
`;
