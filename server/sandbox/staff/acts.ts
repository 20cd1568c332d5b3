import type { Caller } from '../auth/caller.ts';
import { revokeGrantsOf } from '../auth/grants.ts';
import { hasRoomForLink } from '../auth/password-links.ts';
import { dropRecoveryCodes } from '../auth/recovery-codes.ts';
import { conflict, notPermitted } from '../http/errors.ts';
import { sendHint } from '../notifications/hints.ts';
import { putMail } from '../outbox/mail.ts';
import { sendSecurityNotice } from '../outbox/security.ts';
import type { WritingOf } from '../resource/declaration.ts';
import { recordAccess } from '../roles/activity.ts';
import { keepAdministrators } from '../roles/change.ts';
import { readRights } from '../roles/rights.ts';
import type { Write } from '../tables.ts';
import { actedKinds } from './permit.ts';
import type { StaffRow } from './tables.ts';

type Act = WritingOf<StaffRow>;

/**
 * Refuses to act upon oneself, upon somebody whose kind the caller may not change, and upon a colleague who sees
 * customers that the caller does not see.
 * @throws {CloudError} 409, 403
 */
export function requireMayAct(caller: Caller, { id, kind, sees_more }: StaffRow): void {
  if (id === caller.accountId) throw conflict('You cannot do this to yourself.');
  if (sees_more || !actedKinds(caller).includes(kind)) throw notPermitted();
}

/**
 * Refuses to mail somebody a link when several went out just now.
 * @throws {CloudError} 409
 */
export async function requireRoomForLink(trx: Write, { id }: StaffRow, now: Date): Promise<void> {
  if (await hasRoomForLink(trx, id, now)) return;
  throw conflict('Several mails with a link went out just now. Wait a quarter of an hour.');
}

/** As `requireMayAct`, before a verb. */
export async function checkAct({ caller, row }: Act): Promise<undefined> {
  requireMayAct(caller, row);
}

/** Ends every sign-in of an account on every process, and those in which it acts for another. */
export async function endSignIns(trx: Write, accountId: number, now: Date): Promise<void> {
  for (const grant of await revokeGrantsOf(trx, accountId, now)) await sendHint(trx, { grant }, 'end');
}

/**
 * Ends what somebody who was disabled has open, suspends their user, and mails them.
 * @throws {CloudError} 409 where too few active administrators of a reseller would be left
 */
export async function afterDisabling(act: Act): Promise<void> {
  const { trx, caller, row, now } = act;
  const { views } = await readRights(trx, row.id);
  if (row.customer_id === null && views.includes('manageUsers'))
    await keepAdministrators(trx, row.reseller_id, Number.POSITIVE_INFINITY);
  await endSignIns(trx, row.id, now);
  await switchUser(act, 'Suspended');
  const body = `Hello ${row.display_name},\n\n${caller.displayName} has disabled your account ${row.username}. You cannot sign in until it is enabled again.\n\n${caller.resellerName}`;
  await putMail(trx, { recipient: row.email, subject: 'Your account was disabled', body }, now);
}

/** Reactivates the user of an account that was enabled again, and mails them. */
export async function afterEnabling(act: Act): Promise<void> {
  const { trx, caller, row, now } = act;
  await switchUser(act, 'Active');
  const body = `Hello ${row.display_name},\n\n${caller.displayName} has enabled your account ${row.username} again. You sign in as before.\n\n${caller.resellerName}`;
  await putMail(trx, { recipient: row.email, subject: 'Your account was enabled', body }, now);
}

async function switchUser(act: Act, status: 'Active' | 'Suspended'): Promise<void> {
  const { trx, row } = act;
  if (row.user_id !== null) await trx.updateTable('users').set({ status }).where('id', '=', row.user_id).execute();
  await recordAct(act, status === 'Active' ? 'Account enabled' : 'Account disabled');
}

/** Takes the recovery codes of an authenticator app that was reset along, ends all sign-ins and tells the owner. */
export async function afterFactorReset(act: Act): Promise<void> {
  const { trx, caller, row, now } = act;
  await dropRecoveryCodes(trx, row.id);
  await endSignIns(trx, row.id, now);
  await tellOfSignIn(act, 'Authenticator app reset', `${caller.displayName} has reset your authenticator app.`);
  await recordAct(act, 'Second factor reset');
}

/** Tells somebody that a second factor is required of them from now on, or is not. */
export const afterRequiring =
  (subject: string, what: string) =>
  async (act: Act): Promise<void> => {
    await tellOfSignIn(act, subject, `${act.caller.displayName} ${what}`);
    await recordAct(act, subject);
  };

/** Tells somebody, by mail and in the portal, about a change of how they sign in. */
export const tellOfSignIn = ({ trx, row, now }: Omit<Act, 'body'>, subject: string, what: string): Promise<void> =>
  sendSecurityNotice(trx, { accountId: row.id, name: row.display_name, email: row.email, subject, what }, now);

/** Records what was done to somebody's account. */
export const recordAct = ({ trx, caller, row, now }: Omit<Act, 'body'>, action: string): Promise<void> =>
  recordAccess(trx, { resellerId: row.reseller_id, caller, now }, { action, target: row.display_name }, row);
