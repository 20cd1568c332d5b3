import type { Caller } from '../auth/caller.ts';
import { refuseConflict } from '../http/refusals.ts';
import { recordAccess } from '../roles/activity.ts';
import { countAdministrators, holdsMore, isLastAdministrator, keepAdministrators } from '../roles/change.ts';
import type { Person } from '../staff/find-person.ts';
import type { Database, Write } from '../tables.ts';
import type { UndoRecord } from './tables.ts';
import { leavingTasks } from './tasks.ts';

/** Days in which leaving can be undone. */
const undoDays = 7;

export type Found = { readonly leaver: Person; readonly caller: Caller; readonly now: Date };

/** The code of why a person cannot leave as things stand, for which the portal has words; null where they can. */
type Obstacle = 'Oneself' | 'NotActive' | 'HoldsMore' | 'LastAdministrator' | null;

async function obstacleTo(db: Database, { leaver, caller }: Found): Promise<Obstacle> {
  const { accountId, userId, customerId, enabled, resellerId } = leaver;
  if (accountId === caller.accountId || (userId !== null && userId === caller.userId)) return 'Oneself';
  if (!enabled) return 'NotActive';
  if (accountId === null) return null;
  if (await holdsMore(db, caller, accountId)) return 'HoldsMore';
  return customerId === null && (await isLastAdministrator(db, resellerId, accountId)) ? 'LastAdministrator' : null;
}

async function findDeparture(db: Database, { accountId, userId }: Person, now: Date) {
  return await db
    .selectFrom('departures')
    .selectAll()
    .where(({ or, eb }) => or([eb('account_id', '=', accountId ?? 0), eb('user_id', '=', userId ?? 0)]))
    .where('undo_until', '>', now)
    .executeTakeFirst();
}

/** The state that a check was made by: whoever decides by another is told. */
async function versionOf(db: Database, { accountId, userId, enabled, kind }: Person): Promise<string> {
  const access = db
    .selectFrom('account_permissions')
    .select('version')
    .where('account_id', '=', accountId ?? 0);
  const { version = 0 } = (await access.executeTakeFirst()) ?? {};
  return [accountId ?? '', userId ?? '', kind, enabled, version].join('.');
}

/** Tells what would happen if somebody left, what stands in the way, and whether they have left and can come back. */
export async function checkLeaving(db: Database, found: Found) {
  const { leaver, caller, now } = found;
  const departure = await findDeparture(db, leaver, now);
  const findings = await Promise.all(leavingTasks.map(task => task.find(db, leaver, now)));
  return {
    UserName: leaver.userName,
    Name: leaver.name,
    Version: await versionOf(db, leaver),
    Obstacle: departure ? null : await obstacleTo(db, found),
    Findings: findings.flat(),
    // Roles are given and taken by people of the reseller.
    MayTakeRoles: leaver.userName !== null && caller.customerId === null && caller.views.includes('manageUsers'),
    HasLeft: departure !== undefined,
    LeftOn: departure?.gone ?? null,
    LeftBy: departure?.gone_by ?? null,
    UndoUntil: departure?.undo_until ?? null,
  };
}

/**
 * Lets somebody leave: every task, or none.
 * @param version of the check that it was decided by
 * @throws {CloudError} 409 where they left or were changed meanwhile, where something stands in the way, and as the tasks
 */
export async function leave(
  trx: Write,
  found: Found,
  { version, takesRoles }: { readonly version: string; readonly takesRoles: boolean },
) {
  const { leaver, caller, now } = found;
  const { accountId, userId, resellerId, name } = leaver;
  const before = await findDeparture(trx, leaver, now);
  if (before) throw refuseConflict('AlreadyLeft', { By: before.gone_by });
  const obstacle = await obstacleTo(trx, found);
  if (obstacle) throw refuseConflict(obstacle);
  if (version !== (await versionOf(trx, leaver))) throw refuseConflict('AccessChanged', { Name: name });
  const administrators = await countAdministrators(trx, resellerId);
  const kept: Record<string, UndoRecord> = {};
  for (const task of leavingTasks) {
    const done = await task.run?.({ trx, caller, leaver, now, takesRoles });
    if (done !== undefined) kept[task.name] = done;
  }
  await keepAdministrators(trx, resellerId, administrators);
  const undoUntil = new Date(now.getTime() + undoDays * 86_400_000);
  // One whose time is over may still be there.
  await trx
    .deleteFrom('departures')
    .where(({ or, eb }) => or([eb('account_id', '=', accountId ?? 0), eb('user_id', '=', userId ?? 0)]))
    .execute();
  const of = { account_id: accountId, user_id: userId };
  const row = { ...of, gone: now, gone_by: caller.displayName, undo_until: undoUntil, kept: JSON.stringify(kept) };
  await trx.insertInto('departures').values(row).execute();
  await record(trx, found, 'User left', 'Active', 'Left');
  return { UserName: leaver.userName, UndoUntil: undoUntil };
}

/**
 * Undoes that somebody left: each task takes back what it did, or nothing is done.
 * @throws {CloudError} 409 where there is nothing to undo any more, and as the tasks
 */
export async function undoLeaving(trx: Write, found: Found): Promise<void> {
  const { leaver, caller, now } = found;
  const departure = await findDeparture(trx, leaver, now);
  if (!departure) throw refuseConflict('UndoOver');
  const { accountId } = leaver;
  if (accountId === caller.accountId) throw refuseConflict('Oneself');
  if (accountId !== null && (await holdsMore(trx, caller, accountId))) throw refuseConflict('HoldsMore');
  for (const { name, undo } of leavingTasks.toReversed()) {
    const kept = departure.kept[name];
    if (kept !== undefined) await undo?.({ trx, caller, leaver, now }, kept);
  }
  await trx.deleteFrom('departures').where('id', '=', departure.id).execute();
  await record(trx, found, 'Leaving undone', 'Left', 'Active');
}

async function record(trx: Write, { leaver, caller, now }: Found, action: string, before: string, after: string) {
  const { resellerId, customerId: customer_id, userId: user_id, name: target } = leaver;
  const said = { action, target, before: { State: before }, after: { State: after } };
  await recordAccess(trx, { resellerId, caller, now }, said, { customer_id, user_id });
}
