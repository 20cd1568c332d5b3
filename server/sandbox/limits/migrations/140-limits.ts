/**
 * Accounts of the reseller's staff that are limited to certain customers: those ticked for them, and those whose name
 * contains a word. What a limited account sees stands in one table, whose rows by the word follow every name, so that
 * each look-up is one step in an index.
 */
export const limits = `
alter table accounts add column limited boolean not null default false;
alter table accounts add column limit_word text;
create index accounts_limited on accounts (reseller_id) where limited;

create table account_customers (
  account_id bigint not null references accounts on delete cascade,
  customer_id uuid not null references customers on delete cascade,
  -- Chosen by somebody, or added by the account itself.
  ticked boolean not null,
  -- Its name contains the word of the account.
  matched boolean not null,
  primary key (account_id, customer_id),
  check (ticked or matched)
);
create index account_customers_customer on account_customers (customer_id);

-- Names are unique at a reseller, whoever sees which of them.
create view customer_names as select id, reseller_id, name from customers;

-- Some products a reseller may have once, whoever sees which of its services.
create view reseller_services as select reseller_id, service_id, sub_id, status from service_instances;

create function limit_added_customers() returns trigger language plpgsql set search_path from current as $$
declare
  adding bigint := nullif(current_setting('sandbox.account', true), '')::bigint;
begin
  insert into account_customers (account_id, customer_id, ticked, matched)
  select a.id, c.id, coalesce(a.id = adding, false), c.matched
  from accounts a
  cross join lateral (
    select id, coalesce(position(search_key(a.limit_word) in search_key(name)) > 0, false) as matched
    from new_rows where reseller_id = a.reseller_id) c
  where a.limited and (c.matched or a.id = adding)
  order by c.id, a.id;
  return null;
end $$;
create trigger customers_limited after insert on customers
  referencing new table as new_rows for each statement execute function limit_added_customers();

create function limit_renamed_customer() returns trigger language plpgsql set search_path from current as $$
begin
  -- Whoever changes a limit at this moment holds the reseller.
  perform from resellers where id = new.reseller_id for key share;
  insert into account_customers as known (account_id, customer_id, ticked, matched)
  select a.id, new.id, false, true from accounts a
  where a.reseller_id = new.reseller_id and a.limited
    and position(search_key(a.limit_word) in search_key(new.name)) > 0
  order by a.id
  on conflict (account_id, customer_id) do update set matched = true where not known.matched;
  delete from account_customers k using accounts a
  where k.customer_id = new.id and k.matched and not k.ticked and a.id = k.account_id
    and position(search_key(a.limit_word) in search_key(new.name)) = 0;
  update account_customers k set matched = false from accounts a
  where k.customer_id = new.id and k.matched and k.ticked and a.id = k.account_id
    and position(search_key(a.limit_word) in search_key(new.name)) = 0;
  return null;
end $$;
create trigger customers_renamed after update of name on customers
  for each row when (old.name <> new.name) execute function limit_renamed_customer();

-- They add up all of a reseller, whoever changes its customers.
alter function count_customers() set search_path from current;
alter function count_moved_customers() set search_path from current;

-- sees_more: the connection is for a limited account that does not see all customers that this person sees or will see.
create or replace view staff as
select a.id, a.reseller_id, a.customer_id, a.user_id, a.username, a.email,
  a.display_name collate "und-x-icu" as display_name,
  a.user_type as kind,
  case when a.customer_id is null then 'own' else 'customers' end as team,
  case when exists (select from invitations i where i.account_id = a.id) then 'Invited'
    when a.enabled then 'Active' else 'Disabled' end as state,
  case when a.login_flow = 'SSO' then 'Elsewhere' when a.mfa_key is not null then 'On'
    when a.mfa_required or exists (
      select from sign_in_rules s where s.reseller_id = a.reseller_id and s.user_type = a.user_type and s.mfa_required)
    then 'Required' else 'Off' end as second_factor,
  greatest(a.last_sign_in, (select u.last_sign_in from users u where u.id = a.user_id)) as last_sign_in,
  (select c.organisation_id from customers c where c.id = a.customer_id) as organisation_id,
  (select c.name from customers c where c.id = a.customer_id) as customer_name,
  (select string_agg(r.name, ', ' order by r.name, r.id) from account_roles h join roles r on r.id = h.role_id
    where h.account_id = a.id) as roles,
  a.enabled, a.login_flow, a.mfa_required, a.mfa_key, a.mfa_offer, a.mfa_step,
  a.limited, a.limit_word,
  case when nullif(current_setting('sandbox.account', true), '') is null then false
    when a.customer_id is not null then false
    else not a.limited
      or exists (
        select from account_customers k where k.account_id = a.id and not exists (
          select from account_customers own
          where own.account_id = nullif(current_setting('sandbox.account', true), '')::bigint and own.customer_id = k.customer_id))
      or (a.limit_word is not null and not exists (
        select from accounts own where own.id = nullif(current_setting('sandbox.account', true), '')::bigint
          and position(search_key(own.limit_word) in search_key(a.limit_word)) > 0))
  end as sees_more
from accounts a
where a.user_type <> 'endUser';
`;
