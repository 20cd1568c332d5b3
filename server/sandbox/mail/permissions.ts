import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { conflict, invalid } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import { boolean, list, object, partial, string } from '../http/schema.ts';
import type { Database } from '../tables.ts';
import { findMailbox, given, type Mailbox, requireDistinct, summariseAddresses, usersOf } from './mailbox.ts';
import type { PermissionKind } from './tables.ts';

const listed = list(object({ EmailAddress: string, IsSelected: boolean }));

/** Document 2, section 3: mailbox permission info. */
export const permissionInfo = object({
  NoDistributionGroupsExist: boolean,
  UsersWithNoPermissions: listed,
  UsersWithFullAccess: listed,
  UsersWithSendAs: listed,
});

/** The same, as it is written. */
export const permissionModel = partial(
  {
    NoDistributionGroupsExist: boolean,
    UsersWithNoPermissions: given,
    UsersWithFullAccess: given,
    UsersWithSendAs: given,
  },
  'UsersWithFullAccess',
  'UsersWithSendAs',
);

type MailboxPermission = { readonly id: number; readonly address: string; readonly kind: PermissionKind | null };

/** The other mailboxes of the customer by address, each with what it may do with this one. */
const heldOf = async (db: Database, { id, customerId }: Mailbox): Promise<MailboxPermission[]> =>
  await db
    .selectFrom('mailboxes as m')
    .innerJoin('mail_addresses as a', join => join.onRef('a.mailbox_id', '=', 'm.id').on('a.is_primary', '=', true))
    .leftJoin('mailbox_permissions as p', join => join.onRef('p.user_id', '=', 'm.user_id').on('p.mailbox_id', '=', id))
    .where('a.customer_id', '=', customerId)
    .where('m.id', '!=', id)
    .where('m.user_id', 'is not', null)
    .select(({ ref }) => [ref('m.user_id').$notNull().as('id'), 'a.address', 'p.kind'])
    .orderBy(sql`lower(a.address) collate "C"`)
    .execute();

async function hasGroups(db: Database, { customerId }: Mailbox): Promise<boolean> {
  const found = await db
    .selectFrom('distribution_groups')
    .select('id')
    .where('customer_id', '=', customerId)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Lists the other mailboxes of the customer in three lists: no permission, full access, and send-as permission on this
 * mailbox.
 * @throws {CloudError} 404 as `findMailbox`
 */
export async function readPermissions(db: Database, caller: Caller, key: string, address: string) {
  const mailbox = await findMailbox(db, caller, key, address);
  const held = await heldOf(db, mailbox);
  const of = (kind: PermissionKind | null) =>
    held.filter(one => one.kind === kind).map(one => ({ EmailAddress: one.address, IsSelected: false }));
  return {
    NoDistributionGroupsExist: !(await hasGroups(db, mailbox)),
    UsersWithNoPermissions: of(null),
    UsersWithFullAccess: of('FullAccess'),
    UsersWithSendAs: of('SendAs'),
  };
}

const words: Readonly<Record<PermissionKind | 'None', string>> = {
  FullAccess: 'Full access',
  SendAs: 'Send as',
  None: 'No permissions',
};

/** Of those whose permission differs, who has which. */
function tell(
  changed: readonly MailboxPermission[],
  kindOf: (one: MailboxPermission) => PermissionKind | null,
): string {
  return (['FullAccess', 'SendAs', 'None'] as const)
    .flatMap(kind => {
      const those = changed.filter(one => (kindOf(one) ?? 'None') === kind).map(one => one.address);
      return those.length === 0 ? [] : [`${words[kind]}: ${summariseAddresses(those)}`];
    })
    .join('; ');
}

/**
 * Replaces the permissions on a mailbox by those in the two lists, and records the activity; a mailbox in neither list
 * loses its permission.
 * @throws {CloudError} 404 as `findMailbox`, 400 for an address that is named twice or is no mailbox of the customer,
 * 409 for a customer without distribution groups
 */
export async function changePermissions(
  db: Database,
  caller: Caller,
  key: string,
  address: string,
  { UsersWithFullAccess, UsersWithSendAs }: TypeOf<typeof permissionModel>,
  now: Date,
): Promise<void> {
  const asked = [...UsersWithFullAccess, ...UsersWithSendAs].map(one => one.EmailAddress);
  const named = requireDistinct('UsersWithSendAs', asked);
  const wanted = new Map<string, PermissionKind>(
    named.map((one, index) => [one, index < UsersWithFullAccess.length ? 'FullAccess' : 'SendAs']),
  );
  await db.transaction().execute(async trx => {
    const mailbox = await findMailbox(trx, caller, key, address);
    if (!(await hasGroups(trx, mailbox)))
      throw conflict('Mailbox permissions cannot be changed while there are no distribution groups.');
    const held = await heldOf(trx, mailbox);
    const known = new Set(held.map(one => one.address.toLowerCase()));
    for (const [one, kind] of wanted) {
      if (!known.has(one)) throw invalid({ [`UsersWith${kind}`]: [`There is no mailbox ${one} here any more.`] });
    }
    const next = (one: MailboxPermission) => wanted.get(one.address.toLowerCase()) ?? null;
    const changed = held.filter(one => next(one) !== one.kind);
    if (changed.length === 0) return;
    const ids = changed.map(one => one.id);
    await sql`delete from mailbox_permissions where mailbox_id = ${mailbox.id} and user_id = any(${ids})`.execute(trx);
    const granted = changed.filter(next);
    await sql`
      insert into mailbox_permissions (mailbox_id, user_id, kind)
      select ${mailbox.id}, * from unnest(${granted.map(one => one.id)}::bigint[], ${granted.map(next)}::text[])`.execute(
      trx,
    );
    const event = { action: 'Mailbox permissions changed', target: mailbox.address, users: usersOf(mailbox) } as const;
    const told = { before: tell(changed, one => one.kind), after: tell(changed, next) };
    await recordActivity(trx, mailbox.customerId, caller, now, { ...event, ...told });
  });
}
