import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { invalid } from '../http/errors.ts';
import { refuseField } from '../http/refusals.ts';
import { list, object, string } from '../http/schema.ts';
import type { Path } from '../resource/owners.ts';
import { findRow } from '../resource/rows.ts';
import type { Database } from '../tables.ts';
import { type DistributionGroup, groups } from './groups.ts';
import { requireDistinct, summariseAddresses, tellPages, type Writing } from './mailbox.ts';
import type { GroupRole, GroupSenders } from './tables.ts';

/** People that have one role at a group at most. */
const mostPeople = 500;

/** Entries of a list of people as they are read. */
export const people = list(object({ EmailAddress: string, Name: string }));

type Person = { readonly id: number; readonly address: string; readonly name: string; readonly hasRole: boolean };

/** The users of the customer with a mailbox by address, and whether they have this role at the group. */
async function readPeople(db: Database, group: DistributionGroup, role: GroupRole): Promise<Person[]> {
  const { rows } = await sql<Person>`
    select u.id, a.address, u.display_name as name, p.user_id is not null as "hasRole"
    from mail_addresses a join mailboxes m on m.id = a.mailbox_id join users u on u.id = m.user_id
    left join group_people p on p.group_id = ${group.id} and p.role = ${role} and p.user_id = u.id
    where a.customer_id = ${group.customer_id} and a.is_primary
    order by lower(a.address) collate "C"`.execute(db);
  return rows;
}

const named = (those: readonly Person[]) => those.map(({ address, name }) => ({ EmailAddress: address, Name: name }));

/**
 * Reads the managers of a group, and who else could be one.
 * @throws {CloudError} 404 when the caller does not see the group
 */
export async function readManagers(db: Database, caller: Caller, path: Path) {
  const all = await readPeople(db, await findRow(db, groups, caller, path), 'Manager');
  return { Managers: named(all.filter(one => one.hasRole)), Others: named(all.filter(one => !one.hasRole)) };
}

/**
 * Reads whose mail a group takes, with the chosen senders and who else could be one.
 * @throws {CloudError} 404 when the caller does not see the group
 */
export async function readSenders(db: Database, caller: Caller, path: Path) {
  const group = await findRow(db, groups, caller, path);
  const all = await readPeople(db, group, 'Sender');
  return {
    Senders: group.senders,
    Chosen: named(all.filter(one => one.hasRole)),
    Others: named(all.filter(one => !one.hasRole)),
  };
}

/**
 * Replaces the managers of a group and records the activity.
 * @throws {CloudError} 404 when the caller does not see the group; 400 as `replacePeople`
 */
export async function changeManagers(writing: Writing, path: Path, Managers: readonly string[]): Promise<void> {
  const group = await findRow(writing.trx, groups, writing.caller, path);
  const { before, after } = await replacePeople(writing, group, 'Manager', 'Managers', Managers);
  await tell(writing, group, { Managers: before }, { Managers: after });
}

type SendersBody = { readonly Senders: GroupSenders; readonly Chosen?: readonly string[] };

/**
 * Says whose mail a group takes and records the activity. Who is chosen stays so while others may send.
 * @throws {CloudError} 404 when the caller does not see the group; 400 as `replacePeople`, and where nobody is chosen
 */
export async function changeSenders(writing: Writing, path: Path, { Senders, Chosen }: SendersBody): Promise<void> {
  const { trx, caller } = writing;
  const group = await findRow(trx, groups, caller, path);
  if (Senders === 'Chosen' && (Chosen ?? []).length === 0) throw refuseField('Chosen', 'GroupSendersMissing');
  const { before, after } = await replacePeople(writing, group, 'Sender', 'Chosen', Chosen);
  await trx.updateTable('distribution_groups').set({ senders: Senders }).where('id', '=', group.id).execute();
  const words = (senders: GroupSenders, chosen: string) => ({
    'Who may send': sendersInWords[senders],
    'Chosen senders': chosen,
  });
  await tell(writing, group, words(group.senders, before), words(Senders, after));
}

const sendersInWords: Readonly<Record<GroupSenders, string>> = {
  Everyone: 'Everyone',
  Organisation: 'People of the organisation',
  Members: 'Members',
  Chosen: 'Chosen people',
};

/**
 * Replaces who has a role at a group; without a list all stay.
 * @throws {CloudError} 400 for an address that is named twice or is no mailbox of a user of the customer, and for too many
 */
async function replacePeople(
  { trx }: Writing,
  group: DistributionGroup,
  role: GroupRole,
  field: string,
  addresses: readonly string[] | undefined,
): Promise<{ readonly before: string; readonly after: string }> {
  const all = await readPeople(trx, group, role);
  const inWords = (those: readonly Person[]) =>
    those.length === 0 ? 'None' : summariseAddresses(those.map(one => one.address));
  const before = inWords(all.filter(one => one.hasRole));
  if (addresses === undefined) return { before, after: before };
  const wanted = new Set(requireDistinct(field, addresses));
  if (wanted.size > mostPeople) throw refuseField(field, 'GroupPeopleFull', { Most: String(mostPeople) });
  const known = new Set(all.map(one => one.address.toLowerCase()));
  const unknown = [...wanted].find(address => !known.has(address));
  if (unknown !== undefined) throw invalid({ [field]: [`There is no mailbox ${unknown} here any more.`] });
  const chosen = all.filter(one => wanted.has(one.address.toLowerCase()));
  await trx.deleteFrom('group_people').where('group_id', '=', group.id).where('role', '=', role).execute();
  await sql`
    insert into group_people (group_id, user_id, role)
    select ${group.id}, id, ${role} from unnest(${chosen.map(one => one.id)}::bigint[]) id`.execute(trx);
  return { before, after: inWords(chosen) };
}

type Words = Readonly<Record<string, string>>;

async function tell(
  { trx, caller, now }: Writing,
  group: DistributionGroup,
  before: Words,
  after: Words,
): Promise<void> {
  const told = differences(before, after);
  if (isSame(told)) return;
  const event = { action: 'Distribution group changed', target: group.name, ...told } as const;
  await recordActivity(trx, group.customer_id, caller, now, event);
  await tellPages(trx, caller, group.customer_id);
}
