import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { conflict, invalid } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import type { TypeOf } from '../http/route.ts';
import { boolean, list, object, partial, string, text } from '../http/schema.ts';
import type { Database, Write } from '../tables.ts';
import { findMailbox, given, type Mailbox, requireDistinct, summariseAddresses, tellOfMailbox } from './mailbox.ts';
import { type Grant, keepChange } from './permission-changes.ts';
import { type PermissionKind, permissionKinds } from './tables.ts';

const listed = list(object({ EmailAddress: string, IsSelected: boolean, Name: string, IsGroup: boolean }));

/** Document 2, section 3: mailbox permission info; with a third kind, the names, and what a change is checked by. */
export const permissionInfo = object({
  NoDistributionGroupsExist: boolean,
  UsersWithNoPermissions: listed,
  UsersWithFullAccess: listed,
  UsersWithSendAs: listed,
  UsersWithSendOnBehalf: listed,
  Version: string,
});

/** The same, as it is written. Without the third list those who send on behalf stay. */
export const permissionModel = partial(
  {
    NoDistributionGroupsExist: boolean,
    UsersWithNoPermissions: given,
    UsersWithFullAccess: given,
    UsersWithSendAs: given,
    UsersWithSendOnBehalf: given,
    Version: text(100),
  },
  'UsersWithFullAccess',
  'UsersWithSendAs',
);

/** Who may hold permissions on a mailbox: the person of another one, or a security group. */
type Holder = {
  /** Of the user, or of the group. */
  readonly id: number;
  readonly isGroup: boolean;
  readonly address: string;
  readonly name: string;
  readonly kinds: readonly PermissionKind[];
};

/** The possible holders of permissions on a mailbox by address, each with what it may do with this one. */
async function readHolders(db: Database, { id, customerId }: Mailbox): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    with held as materialized (
      select user_id, group_id, array_agg(kind order by kind) as kinds from mailbox_permissions
      where mailbox_id = ${id} group by user_id, group_id
    ), possible as (
      select m.user_id as id, false as "isGroup", a.address, coalesce(u.display_name, a.address) as name, h.kinds
      from mailboxes m
        join mail_addresses a on a.mailbox_id = m.id and a.is_primary
        join users u on u.id = m.user_id
        left join held h on h.user_id = m.user_id
      where a.customer_id = ${customerId} and m.id <> ${id}
      union all
      select g.id, true, a.address, g.name, h.kinds
      from distribution_groups g join mail_addresses a on a.group_id = g.id and a.is_primary left join held h on h.group_id = g.id
      where g.customer_id = ${customerId} and g.is_security
    )
    select id, "isGroup", address, name, coalesce(kinds, '{}') as kinds from possible
    order by lower(address) collate "C"`.execute(db);
  return rows;
}

async function hasGroups(db: Database, { customerId }: Mailbox): Promise<boolean> {
  const found = await db
    .selectFrom('distribution_groups')
    .select('id')
    .where('customer_id', '=', customerId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Stands for who holds which permissions: another text once somebody has changed them. */
function versionOf(holders: readonly Holder[]): string {
  const held = holders.flatMap(({ id, isGroup, kinds }) => (kinds.length > 0 ? [`${isGroup}${id}:${kinds}`] : []));
  return createHash('sha256').update(held.join()).digest('base64url').slice(0, 16);
}

/**
 * Lists who holds no permission, full access, send as and send on behalf of a mailbox; who holds several kinds is in
 * several lists.
 * @throws {CloudError} 404 as `findMailbox`
 */
export async function readPermissions(db: Database, caller: Caller, key: string, address: string) {
  const mailbox = await findMailbox(db, caller, key, address);
  const holders = await readHolders(db, mailbox);
  const entry = ({ address: EmailAddress, name: Name, isGroup: IsGroup }: Holder) => ({
    ...{ EmailAddress, IsSelected: false, Name, IsGroup },
  });
  const of = (kind: PermissionKind) => holders.filter(({ kinds }) => kinds.includes(kind)).map(entry);
  return {
    NoDistributionGroupsExist: !(await hasGroups(db, mailbox)),
    UsersWithNoPermissions: holders.filter(({ kinds }) => kinds.length === 0).map(entry),
    UsersWithFullAccess: of('FullAccess'),
    UsersWithSendAs: of('SendAs'),
    UsersWithSendOnBehalf: of('SendOnBehalf'),
    Version: versionOf(holders),
  };
}

const words: Readonly<Record<PermissionKind | 'None', string>> = {
  FullAccess: 'Full access',
  SendAs: 'Send as',
  SendOnBehalf: 'Send on behalf',
  None: 'No permissions',
};

/** Of those whose permissions differ, who has which. */
function tell(changed: readonly Holder[], kindsOf: (one: Holder) => readonly PermissionKind[]): string {
  return ([...permissionKinds, 'None'] as const)
    .flatMap(kind => {
      const has = (one: Holder) => (kind === 'None' ? kindsOf(one).length === 0 : kindsOf(one).includes(kind));
      const those = changed.filter(has).map(one => one.address);
      return those.length === 0 ? [] : [`${words[kind]}: ${summariseAddresses(those)}`];
    })
    .join('; ');
}

/** Refuses an address that can hold no permission, and says why where it is that of a group. */
async function refuseHolder(trx: Write, { customerId }: Mailbox, field: string, address: string): Promise<never> {
  const group = await trx
    .selectFrom('mail_addresses as a')
    .innerJoin('distribution_groups as g', 'g.id', 'a.group_id')
    .select('g.name')
    .where('a.customer_id', '=', customerId)
    .where(sql`lower(a.address)`, '=', address)
    .executeTakeFirst();
  if (group) throw refuseField(field, 'PermissionGroup', { Group: group.name });
  throw invalid({ [field]: [`There is no mailbox ${address} here any more.`] });
}

/** The kinds that each address is to hold, by the list that names it. */
function readWanted(model: TypeOf<typeof permissionModel>): Map<string, PermissionKind[]> {
  const wanted = new Map<string, PermissionKind[]>();
  for (const kind of permissionKinds) {
    const named = (model[`UsersWith${kind}`] ?? []).map(one => one.EmailAddress);
    for (const address of requireDistinct(`UsersWith${kind}`, named))
      wanted.set(address, [...(wanted.get(address) ?? []), kind]);
  }
  return wanted;
}

/**
 * Replaces the permissions on a mailbox by those in the lists, and records the activity; who is in none of them loses
 * the permissions. Gives the id by which the change can be undone, null where nothing changed.
 * @throws {CloudError} 404 as `findMailbox`; 400 for an address that one list names twice, that is no mailbox of the
 * customer, or a group that only distributes mail; 409 for a customer without distribution groups, and where somebody
 * has changed the permissions since `Version` was read
 */
export async function changePermissions(
  db: Database,
  caller: Caller,
  key: string,
  address: string,
  model: TypeOf<typeof permissionModel>,
  now: Date,
): Promise<number | null> {
  const wanted = readWanted(model);
  return await db.transaction().execute(async trx => {
    const mailbox = await findMailbox(trx, caller, key, address);
    await trx.selectFrom('mailboxes').select('id').where('id', '=', mailbox.id).forUpdate().execute();
    if (!(await hasGroups(trx, mailbox)))
      throw conflict('Mailbox permissions cannot be changed while there are no distribution groups.');
    const holders = await readHolders(trx, mailbox);
    if (model.Version !== undefined && model.Version !== versionOf(holders))
      throw refuseConflict('PermissionsChanged', { Mailbox: mailbox.address });
    const known = new Set(holders.map(one => one.address.toLowerCase()));
    for (const [one, kinds] of wanted)
      if (!known.has(one)) await refuseHolder(trx, mailbox, `UsersWith${kinds[0]}`, one);
    const next = (one: Holder): readonly PermissionKind[] => {
      const kinds = wanted.get(one.address.toLowerCase()) ?? [];
      const stays = model.UsersWithSendOnBehalf === undefined && one.kinds.includes('SendOnBehalf');
      return stays ? [...kinds, 'SendOnBehalf'] : kinds;
    };
    const changed = holders.filter(one => [...next(one)].sort().join() !== [...one.kinds].sort().join());
    if (changed.length === 0) return null;
    const grants = (one: Holder, kinds: readonly PermissionKind[]): Grant[] =>
      kinds.map(kind => ({
        ...{ mailbox_id: mailbox.id, kind },
        ...{ user_id: one.isGroup ? null : one.id, group_id: one.isGroup ? one.id : null },
      }));
    const change = await keepChange(trx, mailbox.customerId, now, {
      given: changed.flatMap(one =>
        grants(
          one,
          next(one).filter(kind => !one.kinds.includes(kind)),
        ),
      ),
      taken: changed.flatMap(one =>
        grants(
          one,
          one.kinds.filter(kind => !next(one).includes(kind)),
        ),
      ),
    });
    const told = { before: tell(changed, one => one.kinds), after: tell(changed, next) };
    await tellOfMailbox({ trx, caller, now }, mailbox, { action: 'Mailbox permissions changed', ...told });
    return change;
  });
}
