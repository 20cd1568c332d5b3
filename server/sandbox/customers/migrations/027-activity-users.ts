/** Fills in whom the activity of before concerned: by e-mail address, mailbox, and services that only one row can mean. */
export const findActivityUsers = `
insert into activity_users (activity_id, user_id)
select a.id, u.id
from activity a
join users u on u.customer_id = a.customer_id
where (a.action = 'User created' and right(a.after, length(u.email) + 9) = '; Email: ' || u.email)
  or (a.action in ('Mailbox permissions changed', 'Mail recovery started') and a.target = u.mailbox_address)
union
select a.id, held.user_id
from activity a
join service_instances i on i.customer_id = a.customer_id and i.created <= a.at
join products p on p.service_id = i.service_id and p.sub_id = i.sub_id and p.name = a.target
join user_services held on held.instance_id = i.id
where a.action in ('Service changed', 'Service retried', 'Service activated', 'Service activation failed',
    'Service deletion requested', 'Service deleted', 'Service deletion failed')
  and not exists (select from service_instances other where other.customer_id = i.customer_id
    and other.service_id = i.service_id and other.sub_id = i.sub_id and other.id <> i.id)
on conflict do nothing;
`;

/** Whose account or service an activity changed. */
export const activityUsers = `
create table activity_users (
  user_id bigint not null references users on delete cascade,
  activity_id bigint not null references activity on delete cascade,
  primary key (user_id, activity_id)
);
create index activity_users_activity on activity_users (activity_id);
${findActivityUsers}`;
