import { sql } from 'kysely';
import { endMetRequests } from '../access-requests/endings.ts';
import type { Caller } from '../auth/caller.ts';
import { notPermitted } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { sendHintToAccounts } from '../notifications/hints.ts';
import type { Write } from '../tables.ts';
import { addedRights, noRights, notHeld, type Rights, readRights, settleRights } from './rights.ts';

/**
 * Changes who may do what at the caller's reseller: in one transaction that holds the reseller, so that two changes never
 * overtake each other. `change` writes, and gives the ids of the accounts whose rights follow from what it wrote; `held`
 * is what the caller holds at that moment. The rights of these accounts are settled, what they asked for and
 * hold by then is answered, and their browsers are told.
 * @param confirmed whether the caller has said that the own rights may go
 * @throws {CloudError} 409 when no administrator would be left, and for a change of the caller's own rights that was not
 * confirmed or leaves none; 403 when the right to change rights is gone meanwhile
 */
export async function changeAccess(
  trx: Write,
  caller: Caller,
  { confirmed, now }: { readonly confirmed: boolean; readonly now: Date },
  change: (held: Rights) => Promise<readonly number[]>,
): Promise<void> {
  const { accountId, resellerId } = caller;
  await holdReseller(trx, resellerId);
  const held = await readRights(trx, accountId);
  if (!held.views.includes('manageUsers')) throw notPermitted();
  const hadAdministrator = await hasAdministrator(trx, resellerId);
  const accounts = await change(held);
  await settleRights(trx, accounts);
  await checkOwnRights(held, await readRights(trx, accountId), confirmed);
  if (hadAdministrator) await keepAdministrator(trx, resellerId);
  await endMetRequests(trx, accounts, { by: caller, now });
  await sendHintToAccounts(trx, accounts, { kind: 'permissions-changed' });
}

async function checkOwnRights(before: Rights, after: Rights, confirmed: boolean): Promise<void> {
  const lost = addedRights(after, before);
  if (lost.length === 0) return;
  if (after.views.length + after.permissions.length === 0) throw refuseConflict('OwnLastRight');
  if (!confirmed) throw refuseConflict('OwnRights', { Rights: lost.join(', ') });
}

/** Holds a reseller until the transaction ends: whatever changes who may do what there waits. */
export async function holdReseller(trx: Write, resellerId: number): Promise<void> {
  await trx.selectFrom('resellers').select('id').where('id', '=', resellerId).forUpdate().execute();
}

/** True where somebody enabled at the reseller may change rights, and not only until a day. */
async function hasAdministrator(trx: Write, resellerId: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 as found from accounts a join account_permissions p on p.account_id = a.id
    where a.reseller_id = ${resellerId} and a.customer_id is null and a.enabled and 'manageUsers' = any(p.views)
      and not exists (select from invitations i where i.account_id = a.id)
      and (not exists (select from account_roles h where h.account_id = a.id) or 'manageUsers' = any(p.own_views)
        or exists (
          select from account_roles h join roles r on r.id = h.role_id
          where h.account_id = a.id and h.until is null and 'manageUsers' = any(r.views)))
    limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Refuses what would leave a reseller without anybody who may change rights; to be called once it is written.
 * @throws {CloudError} 409
 */
export async function keepAdministrator(trx: Write, resellerId: number): Promise<void> {
  if (!(await hasAdministrator(trx, resellerId))) throw refuseConflict('LastAdministrator');
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
export async function refuseAbove(trx: Write, { accountId, customerId }: Caller, subject: number): Promise<void> {
  const account = trx.selectFrom('accounts').select('customer_id').where('id', '=', subject);
  const { customer_id } = await account.executeTakeFirstOrThrow();
  if ((customer_id === null) !== (customerId === null)) return;
  const added = addedRights(noRights, await readRights(trx, subject));
  if (notHeld(await readRights(trx, accountId), added).length > 0) throw refuseConflict('HoldsMore');
}
