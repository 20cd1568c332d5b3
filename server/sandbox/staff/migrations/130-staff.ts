/** People who manage: the own ones of a reseller and the administrators of its customers, as one list. */
export const staffList = `
alter table accounts add column last_sign_in timestamptz;
update accounts a set last_sign_in = g.newest
from (select account_id, max(created) as newest from grants where actor_id is null group by account_id) g
where g.account_id = a.id;
create index accounts_staff on accounts (reseller_id) where user_type <> 'endUser';

-- An account whose owner has not chosen a password yet. It goes once one is chosen.
create table invitations (
  account_id bigint primary key references accounts on delete cascade,
  invited_by text not null,
  sent timestamptz not null,
  expires timestamptz not null
);

-- What holds for all of a kind at a reseller: a second factor, and what new sign-in names have before the @.
create table sign_in_rules (
  reseller_id bigint not null references resellers on delete cascade,
  user_type text not null check (user_type in ('reseller', 'admin', 'endUserAdmin')),
  mfa_required boolean not null default false,
  suffix text not null default '',
  primary key (reseller_id, user_type)
);

-- Without joins of its own, so that its rows can be locked and written.
create view staff as
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
  a.enabled, a.login_flow, a.mfa_required, a.mfa_key, a.mfa_offer, a.mfa_step
from accounts a
where a.user_type <> 'endUser';
`;
