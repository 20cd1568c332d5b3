import { type RawBuilder, sql } from 'kysely';

/**
 * SQL for the rows `r` of everything of a customer that can be in a distribution group, each with its primary address,
 * its name, the columns by which a group names it, and whether this group has it.
 */
export const recipientsOf = (group: { readonly id: number; readonly customer_id: string }): RawBuilder<unknown> => sql`(
  select pa.address, m.user_id, case when m.user_id is null then pa.mailbox_id end as mailbox_id,
    pa.contact_id, pa.group_id as member_group_id,
    case when pa.contact_id is not null then 'Contact' when pa.group_id is not null then 'Group' else 'Mailbox' end as kind,
    coalesce(u.display_name, nullif(m.name, ''), g.name, k.name, pa.address) as name,
    coalesce(mu.group_id, mm.group_id, mk.group_id, mg.group_id) is not null as is_member
  from mail_addresses pa
    left join mailboxes m on m.id = pa.mailbox_id
    left join users u on u.id = m.user_id
    left join distribution_groups g on g.id = pa.group_id
    left join mail_contacts k on k.id = pa.contact_id
    left join group_members mu on mu.group_id = ${group.id} and mu.user_id = m.user_id
    left join group_members mm on mm.group_id = ${group.id} and mm.mailbox_id = pa.mailbox_id
    left join group_members mk on mk.group_id = ${group.id} and mk.contact_id = pa.contact_id
    left join group_members mg on mg.group_id = ${group.id} and mg.member_group_id = pa.group_id
  where pa.customer_id = ${group.customer_id} and pa.is_primary and pa.group_id is distinct from ${group.id}) r`;

/** SQL for the number of members that a group reaches; `group` is its id. A user counts while there is a mailbox. */
export const countMembers = (group: RawBuilder<unknown>): RawBuilder<number> => sql<number>`(
  select count(*)::int from group_members gm
  where gm.group_id = ${group} and (gm.user_id is null or exists (select from mailboxes m where m.user_id = gm.user_id)))`;

/** SQL for the groups, with id and name, that a user is in, also through groups that are in others; `user` is the id. */
export const groupsAround = (user: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  with recursive held (id) as (
    select gm.group_id from group_members gm where gm.user_id = ${user}
    union
    select gm.group_id from held h join group_members gm on gm.member_group_id = h.id
  )
  select g.id, g.name from held h join distribution_groups g on g.id = h.id)`;
