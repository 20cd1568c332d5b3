import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { Write } from '../tables.ts';
import { primaryOf } from './addresses.ts';
import { summariseAddresses, tellPages } from './mailbox.ts';
import type { PermissionKind } from './tables.ts';

/** A row of `mailbox_permissions`: a kind of permission on a mailbox, of a user or of a group. */
export type Grant = {
  readonly mailbox_id: number;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly kind: PermissionKind;
};
type Change = { readonly given: readonly Grant[]; readonly taken: readonly Grant[] };

/** Days for which a change can be undone. */
export const undoDays = 1;

const rowsOf = (grants: readonly Grant[]): RawBuilder<unknown> =>
  sql`jsonb_to_recordset(${JSON.stringify(grants)}::jsonb) g (mailbox_id bigint, user_id bigint, group_id bigint, kind text)`;

/** Gives and takes permissions; what names somebody or a mailbox that is gone is left out. */
async function apply(trx: Write, { given, taken }: Change): Promise<void> {
  if (taken.length > 0)
    await sql`
      delete from mailbox_permissions p using ${rowsOf(taken)}
      where p.mailbox_id = g.mailbox_id and p.kind = g.kind
        and (p.user_id = g.user_id or p.group_id = g.group_id)`.execute(trx);
  if (given.length > 0)
    await sql`
      insert into mailbox_permissions (mailbox_id, user_id, group_id, kind)
      select g.mailbox_id, g.user_id, g.group_id, g.kind from ${rowsOf(given)}
      where exists (select from mailboxes m where m.id = g.mailbox_id)
        and (g.user_id is null or exists (select from users u where u.id = g.user_id))
        and (g.group_id is null or exists (select from distribution_groups d where d.id = g.group_id))
      on conflict do nothing`.execute(trx);
}

/** Gives and takes permissions, and keeps what it was, so that `undoChange` can take it back. */
export async function keepChange(trx: Write, customer_id: string, made: Date, change: Change): Promise<number> {
  await apply(trx, change);
  const [given, taken] = [JSON.stringify(change.given), JSON.stringify(change.taken)];
  const { id } = await trx
    .insertInto('mail_permission_changes')
    .values({ customer_id, made, given, taken })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const tellPermissions = (count: number): string => (count === 0 ? '' : `Permissions: ${count.toLocaleString('en-GB')}`);

/**
 * Takes a change of permissions back: what it gave is taken and what it took is given, whatever else has changed since.
 * @throws {CloudError} 404 for a change of another customer; 409 for one that is undone already, or too long ago
 */
export async function undoChange(trx: Write, caller: Caller, key: string, changeId: string, now: Date): Promise<void> {
  const customerId = await customerIdOf(trx, caller, key);
  const change = await trx
    .selectFrom('mail_permission_changes')
    .select(['id', 'made', 'undone', sql<Grant[]>`given`.as('given'), sql<Grant[]>`taken`.as('taken')])
    .where('id', '=', idOf(changeId))
    .where('customer_id', '=', customerId)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  if (change.undone !== null || now.getTime() - change.made.getTime() > undoDays * 86_400_000)
    throw refuseConflict('UndoOver');
  await apply(trx, { given: change.taken, taken: change.given });
  await trx.updateTable('mail_permission_changes').set({ undone: now }).where('id', '=', change.id).execute();
  const ids = [...new Set([...change.given, ...change.taken].map(({ mailbox_id }) => mailbox_id))];
  const mailboxes = await trx
    .selectFrom('mailboxes as m')
    .select(['m.user_id', primaryOf(sql`m.id`).as('address')])
    .where('m.id', 'in', ids)
    .orderBy('address')
    .execute();
  const users = mailboxes.flatMap(({ user_id }) => user_id ?? []);
  const target = summariseAddresses(mailboxes.map(({ address }) => address));
  const told = { before: tellPermissions(change.given.length), after: tellPermissions(change.taken.length) };
  await recordActivity(trx, customerId, caller, now, {
    ...{ action: 'Mailbox permissions put back', target, users, ...told },
  });
  await tellPages(trx, caller, customerId);
}
