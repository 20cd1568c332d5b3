/**
 * Lets activity be read across the customers of a reseller, and belong to the reseller itself where it is about no
 * customer. `account_id` is who did it, kept when the account is gone.
 */
export const activityOfResellers = `
alter table activity alter column customer_id drop not null;
alter table activity add column reseller_id integer references resellers;
alter table activity add column account_id bigint;
update activity a set reseller_id = c.reseller_id from customers c where c.id = a.customer_id;
alter table activity alter column reseller_id set not null;
alter table activity add column search_text text collate "C" not null generated always as (search_key(
  actor || chr(10) || real_actor || chr(10) || action || chr(10) || target || chr(10) || detail || chr(10) ||
  before || chr(10) || after)) stored;

create function set_activity_reseller() returns trigger language plpgsql as $$
begin
  if new.reseller_id is null then
    select reseller_id into new.reseller_id from customers where id = new.customer_id;
  end if;
  return new;
end
$$;
create trigger activity_inserted before insert on activity for each row execute function set_activity_reseller();

create index activity_of_reseller on activity (reseller_id, at desc, id desc);
create index activity_by_account on activity (reseller_id, account_id, at desc, id desc);
create index activity_by_actor on activity (reseller_id, actor, at desc, id desc);
create index activity_by_real_actor on activity (reseller_id, real_actor) where real_actor <> '';
create index activity_by_action on activity (reseller_id, action, at desc, id desc);
create index activity_failed on activity (reseller_id, at desc, id desc) where action like '% failed';
create index activity_search on activity using gin (search_text gin_trgm_ops);
`;
