import { sql } from 'kysely';
import { endMetRequests } from '../access-requests/endings.ts';
import { mostNames, requireApproval } from '../approvals/require.ts';
import type { Caller } from '../auth/caller.ts';
import { differences, type State } from '../customers/activity.ts';
import { notPermitted } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { sendHintToAccounts } from '../notifications/hints.ts';
import type { Database, Write } from '../tables.ts';
import { addedRights, notHeld, type Rights, readRights, rightsAbove, settleRights } from './rights.ts';

/** A change of rights that was written, with its meaning for the person who has to approve one that gives more. */
export type ChangedAccess = {
  /** Ids of the accounts whose rights follow from what was written. */
  readonly accounts: readonly number[];
  /** True where somebody has a right that they lacked, or has one for longer. */
  readonly widens: boolean;
  /** The role or person that was changed, and the state before and after in words. */
  readonly target: string;
  readonly before?: State;
  readonly after?: State;
};

/**
 * Changes who may do what at the caller's reseller: in one transaction that holds the reseller, so that two changes never
 * overtake each other. `change` writes, and says what it wrote; `held` is what the caller holds at that moment. The rights
 * of the accounts that it names are settled, what they asked for and hold by then is answered, and their browsers are told.
 * @param confirmed whether the caller has said that the own rights may go
 * @throws {CloudError} 409 when too few administrators would be left, and for a change of the caller's own rights that was not
 * confirmed or leaves none; 403 when the right to change rights is gone meanwhile; as `requireApproval` for one that gives
 * somebody more
 */
export async function changeAccess(
  trx: Write,
  caller: Caller,
  { confirmed, now }: { readonly confirmed: boolean; readonly now: Date },
  change: (held: Rights) => Promise<ChangedAccess>,
): Promise<void> {
  const { accountId, resellerId } = caller;
  await holdReseller(trx, resellerId);
  const held = await readRights(trx, accountId);
  if (!held.views.includes('manageUsers')) throw notPermitted();
  const administrators = await countAdministrators(trx, resellerId);
  const changed = await change(held);
  const { accounts, widens } = changed;
  await settleRights(trx, accounts);
  // The person who approves has seen which rights go.
  await checkOwnRights(held, await readRights(trx, accountId), confirmed || caller.approved !== undefined);
  await keepAdministrators(trx, resellerId, administrators);
  const act = { kind: 'RoleWidening', count: accounts.length } as const;
  if (widens) await requireApproval(trx, caller, act, () => meaningOf(trx, changed));
  await endMetRequests(trx, accounts, { by: caller, now });
  await sendHintToAccounts(trx, accounts, { kind: 'permissions-changed' });
}

/** Says what a change that gives somebody more means, for whoever has to approve it. */
async function meaningOf(trx: Write, { accounts, target, before = {}, after = {} }: ChangedAccess) {
  const people = trx.selectFrom('accounts').select('display_name').where('id', 'in', accounts);
  const shown = await people.orderBy('display_name').orderBy('id').limit(mostNames).execute();
  const names = shown.map(({ display_name }) => display_name);
  return { target, names, ...differences(before, after), price: null };
}

async function checkOwnRights(before: Rights, after: Rights, confirmed: boolean): Promise<void> {
  const lost = addedRights(after, before);
  if (lost.length === 0) return;
  if (after.views.length + after.permissions.length === 0) throw refuseConflict('OwnLastRight');
  if (!confirmed) throw refuseConflict('OwnRights', { Rights: lost.join(', ') });
}

/**
 * Holds a reseller until the transaction ends: whatever changes who may do what there waits. It comes before the rows of
 * people, users and accounts are locked, so that no two who change the same people wait for each other.
 */
export async function holdReseller(trx: Write, resellerId: number): Promise<void> {
  await trx.selectFrom('resellers').select('id').where('id', '=', resellerId).forUpdate().execute();
}

/** Holds the caller's reseller, before a row of a resource of people is locked. */
export const holdOwnReseller = ({ trx, caller }: { readonly trx: Write; readonly caller: Caller }): Promise<void> =>
  holdReseller(trx, caller.resellerId);

/** Counts who at the reseller is enabled, sees all customers and may change rights without a last day, but for `except`. */
export async function countAdministrators(trx: Database, resellerId: number, except = 0): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from accounts a join account_permissions p on p.account_id = a.id
    where a.reseller_id = ${resellerId} and a.id <> ${except} and a.customer_id is null and a.enabled and not a.limited
      and 'manageUsers' = any(p.views)
      and not exists (select from invitations i where i.account_id = a.id)
      and ((not exists (select from account_roles h where h.account_id = a.id) or 'manageUsers' = any(p.own_views))
          and not exists (
            select from account_right_ends e where e.account_id = a.id and e.right_name = 'manageUsers')
        or exists (
          select from account_roles h join roles r on r.id = h.role_id
          where h.account_id = a.id and h.until is null and 'manageUsers' = any(r.views)))`.execute(trx);
  return rows[0]!.count;
}

/** True of the only one at a reseller who may change rights, and not only until a day. */
export const isLastAdministrator = async (db: Database, resellerId: number, accountId: number): Promise<boolean> =>
  (await countAdministrators(db, resellerId)) > 0 && (await countAdministrators(db, resellerId, accountId)) === 0;

/**
 * Refuses what would leave a reseller without anybody who may change rights, or with one alone where it demands a second
 * person for anything; to be called once it is written.
 * @param before how many there were; what leaves as many is not refused
 * @throws {CloudError} 409
 */
export async function keepAdministrators(trx: Write, resellerId: number, before: number): Promise<void> {
  const left = await countAdministrators(trx, resellerId);
  if (left >= before || left > 1) return;
  if (left === 0) throw refuseConflict('LastAdministrator');
  const demands = trx.selectFrom('approval_demands').select('kind').where('reseller_id', '=', resellerId);
  if (await demands.limit(1).executeTakeFirst()) throw refuseConflict('LastApprover');
}

/**
 * Refuses that somebody gives rights that they lack themselves.
 * @throws {CloudError} 400 with the names of the rights
 */
export function refuseUnheld(held: Rights, before: Rights, after: Rights): void {
  const missing = notHeld(held, addedRights(before, after));
  if (missing.length > 0) throw refuseField('Rights', 'RightsNotHeld', { Rights: missing.join(', ') });
}

/**
 * Refuses to act upon somebody of the caller's own side (the reseller's people, or those of customers) who holds rights
 * that the caller lacks. It does not say which these are.
 * @throws {CloudError} 409
 */
export async function refuseAbove(trx: Write, caller: Caller, subject: number): Promise<void> {
  if (await holdsMore(trx, caller, subject)) throw refuseConflict('HoldsMore');
}

/** True of an account of the caller's own side that holds rights which the caller lacks. */
export async function holdsMore(db: Database, { accountId, customerId }: Caller, subject: number): Promise<boolean> {
  const account = db.selectFrom('accounts').select('customer_id').where('id', '=', subject);
  const { customer_id } = await account.executeTakeFirstOrThrow();
  if ((customer_id === null) !== (customerId === null)) return false;
  return (await rightsAbove(db, accountId, subject)).length > 0;
}
