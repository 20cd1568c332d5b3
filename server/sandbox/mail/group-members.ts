import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { invalid } from '../http/errors.ts';
import { refuseField } from '../http/refusals.ts';
import { string } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import type { Path } from '../resource/owners.ts';
import { findRow } from '../resource/rows.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database, Write } from '../tables.ts';
import { type DistributionGroup, groups } from './groups.ts';
import { requireDistinct, summariseAddresses, tellPages, type Writing } from './mailbox.ts';
import { recipientsOf } from './recipients.ts';

/** Members that a group has at most. */
const mostMembers = 20_000;

export const memberKinds = ['Mailbox', 'Contact', 'Group'] as const;
const member = fields('r', [
  { name: 'Name' },
  { name: 'EmailAddress', column: 'address' },
  { name: 'Kind', shape: { ...string, enum: memberKinds } },
]);

export { member as memberFields };

type Recipient = {
  readonly address: string;
  readonly name: string;
  readonly user_id: number | null;
  readonly mailbox_id: number | null;
  readonly contact_id: number | null;
  readonly member_group_id: number | null;
  readonly isMember: boolean;
};

/** All that can be in the group, by address. */
async function readRecipients(db: Database, group: DistributionGroup): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select r.address, r.name, r.user_id, r.mailbox_id, r.contact_id, r.member_group_id, r.is_member as "isMember"
    from ${recipientsOf(group)} order by lower(r.address) collate "C"`.execute(db);
  return rows;
}

type MembersQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly sort: string;
  readonly kind?: string;
};

/** SQL for the order of each parameter `sort`. */
const orders: Readonly<Record<string, string>> = {
  Name: `r.name, lower(r.address) collate "C"`,
  '-Name': `r.name desc, lower(r.address) collate "C" desc`,
  EmailAddress: 'lower(r.address) collate "C"',
  '-EmailAddress': 'lower(r.address) collate "C" desc',
};
export const memberOrders = Object.keys(orders);

/**
 * Lists a page of the members of a group.
 * @throws {CloudError} 404 when the caller does not see the group
 */
export async function listMembers(db: Database, caller: Caller, path: Path, query: MembersQuery) {
  const group = await findRow(db, groups, caller, path);
  return await listPage(db, query, {
    fields: member,
    from: recipientsOf(group),
    where: sql`r.is_member`,
    filters: {
      search: words => sql`${searchKeyOf(sql`r.name || ' ' || r.address`)} like ${containing(words)}`,
      kind: kind => sql`r.kind = ${kind}`,
    },
    counts: { filter: 'kind', values: memberKinds },
    order: sql.raw(orders[query.sort]!),
  });
}

const named = (those: readonly Recipient[]) => those.map(({ address }) => ({ EmailAddress: address }));

/**
 * Reads a group with all that can be in it in two lists, members and others.
 * @throws {CloudError} 404 when the caller does not see the group
 */
export async function readMembership(db: Database, caller: Caller, path: Path) {
  const group = await findRow(db, groups, caller, path);
  const all = await readRecipients(db, group);
  return { Members: named(all.filter(one => one.isMember)), Others: named(all.filter(one => !one.isMember)) };
}

/**
 * Replaces the members of a group and records the activity.
 * @throws {CloudError} 404 when the caller does not see the group; 400 for an address that is named twice or is nothing of
 * the customer that can be in it, and for a group that has this one in it
 */
export async function changeMembers(writing: Writing, path: Path, Members: readonly string[]): Promise<void> {
  const wanted = new Set(requireDistinct('Members', Members));
  const { trx, caller } = writing;
  const group = await findRow(trx, groups, caller, path);
  const all = await readRecipients(trx, group);
  const known = new Set(all.map(one => one.address.toLowerCase()));
  const unknown = [...wanted].find(address => !known.has(address));
  if (unknown !== undefined)
    throw invalid({ Members: [`There is no mailbox, contact or group ${unknown} here any more.`] });
  const isWanted = ({ address }: Recipient) => wanted.has(address.toLowerCase());
  const joins = all.filter(one => !one.isMember && isWanted(one));
  const leaves = all.filter(one => one.isMember && !isWanted(one));
  await write(writing, group, 'Members', { joins, leaves });
}

/** Addresses stand on lines of their own, or between commas, semicolons and spaces. */
const split = (typed: string): string[] => [
  ...new Set(
    typed
      .split(/[\s,;]+/)
      .filter(part => part !== '')
      .map(part => part.replace(/^<|>$/g, '').toLowerCase()),
  ),
];

/**
 * Puts the holders of some addresses into a group, all or none; aliases will do. Gives how many were put in and how many
 * were there already.
 * @throws {CloudError} 404 when the caller does not see the group; 400 where an address is nothing of the customer, or of
 * a group that has this one in it
 */
export async function addMembers(writing: Writing, path: Path, typed: string) {
  const { trx, caller } = writing;
  const group = await findRow(trx, groups, caller, path);
  const wanted = split(typed);
  if (wanted.length === 0) throw refuseField('Addresses', 'GroupMembersMissing');
  const { rows: holders } = await sql<{ given: string; primary: string }>`
    select lower(a.address) as given, lower(p.address) as primary from mail_addresses a
    join mail_addresses p on p.is_primary and (p.mailbox_id = a.mailbox_id or p.group_id = a.group_id or p.contact_id = a.contact_id)
    where a.customer_id = ${group.customer_id} and lower(a.address) = any(${wanted})`.execute(trx);
  const primaryOf = new Map(holders.map(({ given, primary }) => [given, primary]));
  const unknown = wanted.filter(address => !primaryOf.has(address));
  if (unknown.length > 0)
    throw refuseField('Addresses', 'GroupMembersUnknown', { Addresses: summariseAddresses(unknown) });
  const all = new Map((await readRecipients(trx, group)).map(one => [one.address.toLowerCase(), one]));
  const chosen = [...new Set(primaryOf.values())].map(address => all.get(address));
  // The group itself is not among those that can be in it.
  if (chosen.includes(undefined)) throw refuseField('Addresses', 'GroupInItself', { Group: group.name });
  const joins = (chosen as Recipient[]).filter(one => !one.isMember);
  await write(writing, group, 'Addresses', { joins, leaves: [] });
  return { Added: joins.length, Already: chosen.length - joins.length };
}

/**
 * Takes a member out of a group.
 * @throws {CloudError} 404 when the caller does not see the group; 400 where it has no such member any more
 */
export async function removeMember(writing: Writing, path: Path, address: string): Promise<void> {
  const { trx, caller } = writing;
  const group = await findRow(trx, groups, caller, path);
  const all = await readRecipients(trx, group);
  const leaves = all.filter(one => one.isMember && one.address.toLowerCase() === address.toLowerCase());
  if (leaves.length === 0) throw refuseField('Address', 'GroupMemberGone');
  await write(writing, group, 'Address', { joins: [], leaves });
}

type Change = { readonly joins: readonly Recipient[]; readonly leaves: readonly Recipient[] };
const idsOf = (those: readonly Recipient[], column: 'user_id' | 'mailbox_id' | 'contact_id' | 'member_group_id') =>
  those.flatMap(one => one[column] ?? []);

async function write(
  writing: Writing,
  group: DistributionGroup,
  field: string,
  { joins, leaves }: Change,
): Promise<void> {
  const { trx, caller, now } = writing;
  if (joins.length + leaves.length === 0) return;
  await refuseRings(trx, group, field, idsOf(joins, 'member_group_id'));
  await sql`
    delete from group_members where group_id = ${group.id} and (user_id = any(${idsOf(leaves, 'user_id')})
      or mailbox_id = any(${idsOf(leaves, 'mailbox_id')}) or contact_id = any(${idsOf(leaves, 'contact_id')})
      or member_group_id = any(${idsOf(leaves, 'member_group_id')}))`.execute(trx);
  await sql`
    insert into group_members (group_id, user_id, mailbox_id, contact_id, member_group_id)
    select ${group.id}, * from unnest(${joins.map(one => one.user_id)}::bigint[],
      ${joins.map(one => one.mailbox_id)}::bigint[], ${joins.map(one => one.contact_id)}::bigint[],
      ${joins.map(one => one.member_group_id)}::bigint[])
    on conflict do nothing`.execute(trx);
  const { count } = await trx
    .selectFrom('group_members')
    .where('group_id', '=', group.id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) > mostMembers) throw refuseField(field, 'GroupFull', { Most: mostMembers.toLocaleString('en-GB') });
  const told = (those: readonly Recipient[]) =>
    those.length === 0 ? 'None' : summariseAddresses(those.map(one => one.address));
  const event = { action: 'Distribution group changed', target: group.name } as const;
  const change = { before: `Removed: ${told(leaves)}`, after: `Added: ${told(joins)}` };
  await recordActivity(trx, group.customer_id, caller, now, { ...event, ...change });
  await tellPages(trx, caller, group.customer_id);
}

/** Refuses groups that have this one in them, at any depth: a mail would go round for ever. */
async function refuseRings(
  trx: Write,
  group: DistributionGroup,
  field: string,
  joining: readonly number[],
): Promise<void> {
  if (joining.length === 0) return;
  const { rows } = await sql<{ name: string }>`
    with recursive below (root, id) as (
      select id, id from unnest(${joining}::bigint[]) id
      union
      select b.root, gm.member_group_id from below b join group_members gm on gm.group_id = b.id
      where gm.member_group_id is not null
    )
    select g.name from below b join distribution_groups g on g.id = b.root where b.id = ${group.id} limit 1`.execute(
    trx,
  );
  const [ring] = rows;
  if (ring) throw refuseField(field, 'GroupCircular', { Group: ring.name });
}

/** Puts a user into groups of the customer by their names; gives whether all of these are there. */
export async function joinGroups(
  trx: Write,
  user: { readonly id: number; readonly customer_id: string },
  names: readonly string[],
): Promise<boolean> {
  if (names.length === 0) return true;
  const wanted = [...new Set(names.map(name => name.toLowerCase()))];
  const { rows } = await sql<{ id: number }>`
    select id from distribution_groups where customer_id = ${user.customer_id} and lower(name) = any(${wanted})`.execute(
    trx,
  );
  await sql`
    insert into group_members (group_id, user_id) select id, ${user.id} from unnest(${rows.map(({ id }) => id)}::bigint[]) id
    on conflict do nothing`.execute(trx);
  return rows.length === wanted.length;
}
