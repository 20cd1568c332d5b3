/**
 * Distribution groups with members by their ids, in place of names on the users; whose mail they take, who manages them,
 * and more than one address.
 */
export const groupMembers = `
alter table distribution_groups
  add column hidden boolean not null default false,
  add column senders text not null default 'Everyone'
    check (senders in ('Everyone', 'Organisation', 'Members', 'Chosen')),
  add column created timestamptz not null default now();
update distribution_groups g set created = c.created from customers c where c.id = g.customer_id;
alter table distribution_groups drop constraint distribution_groups_customer_id_name_key;

-- Some users were in groups that were no distribution groups yet.
insert into distribution_groups (customer_id, name, created)
select distinct on (u.customer_id, lower(given)) u.customer_id, given, c.created
from users u join customers c on c.id = u.customer_id, unnest(u.groups) given
where not exists (select from distribution_groups g where g.customer_id = u.customer_id and lower(g.name) = lower(given))
order by u.customer_id, lower(given);
create unique index distribution_groups_name on distribution_groups (customer_id, lower(name));

drop index mail_addresses_group;
create index mail_addresses_group on mail_addresses (group_id);
create unique index mail_addresses_group_primary on mail_addresses (group_id) where is_primary;
insert into mail_addresses (customer_id, group_id, address, is_primary, created)
select g.customer_id, g.id, lower(regexp_replace(g.name, '[^A-Za-z0-9]+', '-', 'g')) || '-' || g.id || '@' || c.domain, true,
  g.created
from distribution_groups g join customers c on c.id = g.customer_id
where not exists (select from mail_addresses a where a.group_id = g.id)
on conflict do nothing;

create table group_members (
  group_id bigint not null references distribution_groups on delete cascade,
  user_id bigint references users on delete cascade,
  mailbox_id bigint references mailboxes on delete cascade,
  member_group_id bigint references distribution_groups on delete cascade check (member_group_id <> group_id),
  constraint group_members_one check (num_nonnulls(user_id, mailbox_id, member_group_id) = 1)
);
create unique index group_members_user on group_members (group_id, user_id) where user_id is not null;
create unique index group_members_mailbox on group_members (group_id, mailbox_id) where mailbox_id is not null;
create unique index group_members_group on group_members (group_id, member_group_id) where member_group_id is not null;
create index group_members_of_user on group_members (user_id) where user_id is not null;
create index group_members_of_mailbox on group_members (mailbox_id) where mailbox_id is not null;
create index group_members_of_group on group_members (member_group_id) where member_group_id is not null;

create table group_people (
  group_id bigint not null references distribution_groups on delete cascade,
  user_id bigint not null references users on delete cascade,
  role text not null check (role in ('Manager', 'Sender')),
  primary key (group_id, role, user_id)
);
create index group_people_user on group_people (user_id);

insert into group_members (group_id, user_id)
select distinct g.id, u.id from users u, unnest(u.groups) given
join distribution_groups g on lower(g.name) = lower(given) where g.customer_id = u.customer_id;

-- What is kept of a deleted user.
update deleted_users d set kept = jsonb_set(d.kept, '{rows,group_members}', coalesce((
  select jsonb_agg(jsonb_build_object('group_id', g.id, 'user_id', d.user_id))
  from jsonb_array_elements_text(d.kept -> 'rows' -> 'users' -> 0 -> 'groups') given
  join distribution_groups g on lower(g.name) = lower(given) and g.customer_id = d.customer_id), '[]'))
where jsonb_typeof(d.kept -> 'rows' -> 'users' -> 0 -> 'groups') = 'array';

alter table users drop column groups;
`;
