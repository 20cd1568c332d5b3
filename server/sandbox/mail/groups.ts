import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { recordActivity } from '../customers/activity.ts';
import { invalid } from '../http/errors.ts';
import { id, integer } from '../http/schema.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofCustomer, type Path } from '../resource/owners.ts';
import { findRow } from '../resource/rows.ts';
import type { Database, Tables } from '../tables.ts';
import { requireDistinct, summariseAddresses } from './mailbox.ts';

type Group = Selectable<Tables['distribution_groups']>;

const countMembers = () => sql`(select count(*) from mailboxes m join users u on u.id = m.user_id
  where m.customer_id = distribution_groups.customer_id and distribution_groups.name = any(u.groups))`;
const addressOf = (group: RawBuilder<unknown>) =>
  sql<string>`(select address from mail_addresses where group_id = ${group})`;

/** The distribution groups of a customer, with how many mailboxes each reaches. */
export const groups: Resource<Group> = {
  noun: 'distribution group',
  tag: 'mail',
  table: 'distribution_groups',
  path: '/api/customers/:customerId/distribution-groups',
  key: 'groupId',
  owner: ofCustomer,
  title: 'Name',
  fields: [
    { name: 'GroupId', column: 'id', shape: id },
    { name: 'Name' },
    { name: 'Address', column: () => addressOf(sql`distribution_groups.id`) },
    { name: 'Members', column: countMembers, shape: integer },
  ],
  list: { needs: view('customers'), sort: 'Name' },
};

/** Every mailbox of the customer by address, and whether it is a member. */
const mailboxesOf = async (db: Database, { customer_id, name }: Group) =>
  await db
    .selectFrom('mailboxes as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('mail_addresses as a', join => join.onRef('a.mailbox_id', '=', 'm.id').on('a.is_primary', '=', true))
    .where('a.customer_id', '=', customer_id)
    .select(['u.id', 'a.address', sql<boolean>`${name} = any(u.groups)`.as('isMember')])
    .orderBy(sql`lower(a.address) collate "C"`)
    .execute();

/**
 * Reads a distribution group with the customer's mailboxes in two lists, members and others.
 * @throws {CloudError} 404 when the caller does not see the group
 */
export async function readMembers(db: Database, caller: Caller, path: Path) {
  const group = await findRow(db, groups, caller, path);
  const all = await mailboxesOf(db, group);
  const of = (isMember: boolean) =>
    all.filter(one => one.isMember === isMember).map(one => ({ EmailAddress: one.address }));
  const { rows } = await sql<{ address: string }>`select ${addressOf(sql`${group.id}`)} as address`.execute(db);
  return { Name: group.name, Address: rows[0]?.address ?? '', Members: of(true), Others: of(false) };
}

/**
 * Replaces the members of a distribution group and records the activity.
 * @throws {CloudError} 404 when the caller does not see the group, 400 for an address that is named twice or is no
 * mailbox of the customer
 */
export async function changeMembers(
  db: Database,
  caller: Caller,
  path: Path,
  Members: readonly string[],
  now: Date,
): Promise<void> {
  const wanted = new Set(requireDistinct('Members', Members));
  await db.transaction().execute(async trx => {
    const group = await findRow(trx, groups, caller, path);
    const all = await mailboxesOf(trx, group);
    const known = new Set(all.map(one => one.address.toLowerCase()));
    const unknown = [...wanted].find(address => !known.has(address));
    if (unknown !== undefined) throw invalid({ Members: [`There is no mailbox ${unknown} here any more.`] });
    const joins = all.filter(one => !one.isMember && wanted.has(one.address.toLowerCase()));
    const leaves = all.filter(one => one.isMember && !wanted.has(one.address.toLowerCase()));
    if (joins.length + leaves.length === 0) return;
    await sql`update users set groups = array_append(groups, ${group.name})
      where id = any(${joins.map(one => one.id)})`.execute(trx);
    await sql`update users set groups = array_remove(groups, ${group.name})
      where id = any(${leaves.map(one => one.id)})`.execute(trx);
    const told = (those: typeof all) =>
      those.length === 0 ? 'None' : summariseAddresses(those.map(one => one.address));
    const event = { action: 'Distribution group changed', target: group.name } as const;
    const change = { before: `Removed: ${told(leaves)}`, after: `Added: ${told(joins)}` };
    await recordActivity(trx, group.customer_id, caller, now, { ...event, ...change });
  });
}
