import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { clockOfAccount, writeLongDay } from '../auth/clock.ts';
import { endLinks, makeLink } from '../auth/password-links.ts';
import type { UserType } from '../auth/words.ts';
import type { State } from '../customers/activity.ts';
import { asConflict, invalid } from '../http/errors.ts';
import { tellLimit, type WantedLimit, writeLimit } from '../limits/limit.ts';
import { putMail } from '../outbox/mail.ts';
import { withoutRowType } from '../resource/declaration.ts';
import { writeRow } from '../resource/rows.ts';
import { writeAccess } from '../roles/account-access.ts';
import { recordAccess } from '../roles/activity.ts';
import { holdReseller } from '../roles/change.ts';
import { noRights } from '../roles/rights.ts';
import type { Write } from '../tables.ts';
import { users } from '../users/resource.ts';
import { readSuffix, withSuffix } from './sign-in-rules.ts';

/** The link of an invitation is good for seven days. */
const lifetime = 7 * 86_400_000;

/** Gives the moment until which an invitation that is sent now can be accepted. */
export const endOf = (now: Date): Date => new Date(now.getTime() + lifetime);

/** Everything that sending an invitation needs. `portal`: its address, without a slash at its end. */
export type Inviting = {
  readonly trx: Write;
  readonly caller: Caller;
  readonly portal: string;
  readonly now: Date;
};

type Invited = { readonly id: number; readonly username: string; readonly email: string; readonly name: string };

/** Thrown where somebody has the address already, be it at another reseller: the names of all are apart. */
const addressTaken = () => invalid({ Email: ['Somebody signs in with this address already.'] });

/**
 * Makes the link of an invitation, in place of the one before. The database has only the hash of its key.
 * @param invitedBy who invites, as people read it
 * @returns the address, and the moment at which it ends
 */
export async function makeInvitation(
  { trx, portal, now }: Omit<Inviting, 'caller'>,
  { id, username }: Pick<Invited, 'id' | 'username'>,
  userType: UserType,
  invitedBy: string,
): Promise<{ readonly address: string; readonly expires: Date }> {
  const expires = endOf(now);
  await endLinks(trx, id, now);
  const key = await makeLink(trx, id, now, expires);
  const row = { invited_by: invitedBy, sent: now, expires };
  await trx
    .insertInto('invitations')
    .values({ account_id: id, ...row })
    .onConflict(known => known.column('account_id').doUpdateSet(row))
    .execute();
  const path = ['accept-invitation', userType, username, key].map(encodeURIComponent).join('/');
  return { address: `${portal}/${path}`, expires };
}

/** Says until when the link of an invitation works, by the clock of whoever is invited. */
export const tellEnd = async (trx: Write, accountId: number, expires: Date): Promise<string> =>
  `The link works once, until ${writeLongDay(expires, await clockOfAccount(trx, accountId))}.`;

/**
 * Mails an invitation with a link to choose a password, in place of the one before.
 * @returns the moment at which it ends
 */
export async function sendInvitation(
  { trx, caller, portal, now }: Inviting,
  { id, username, email, name }: Invited,
  userType: UserType,
): Promise<Date> {
  const invited = { id, username };
  const { address, expires } = await makeInvitation({ trx, portal, now }, invited, userType, caller.displayName);
  const body = [
    `Hello ${name},`,
    `${caller.displayName} of ${caller.resellerName} invites you to the portal. Choose your password here:`,
    address,
    `${await tellEnd(trx, id, expires)} You then sign in with ${username}.`,
    'If you do not know why you get this mail, do nothing: without a password nobody can sign in.',
  ].join('\n\n');
  await putMail(trx, { recipient: email, subject: `${caller.resellerName} invites you`, body }, now);
  const said = { action: 'Invitation sent', target: name, detail: email };
  await recordAccess(trx, { resellerId: caller.resellerId, caller, now }, said);
  return expires;
}

type NewEngineer = Partial<WantedLimit> & { readonly Name: string; readonly Email: string };

/**
 * Makes the account of an engineer with a role, the customers that it sees and no password, and invites its owner.
 * @throws {CloudError} 400 for an address that somebody has, for a role with rights that the caller lacks and for customers
 * that the caller does not see
 */
export async function inviteEngineer(
  inviting: Inviting,
  { Name, Email, Sees = 'All', ...limit }: NewEngineer,
  roleId?: string,
) {
  const { trx, caller } = inviting;
  await holdReseller(trx, caller.resellerId);
  const email = Email.toLowerCase();
  const username = withSuffix(email, await readSuffix(trx, caller.resellerId, 'admin'));
  const known = trx.selectFrom('accounts').select('id').where(sql`lower(username)`, '=', username);
  if ((await known.execute()).length > 0) throw addressTaken();
  const person = { username, email, display_name: Name.trim(), user_type: 'admin' as const };
  const none = { password_hash: null, customer_id: null, user_id: null };
  const { id } = await trx
    .insertInto('accounts')
    .values({ ...person, ...none, reseller_id: caller.resellerId, hide_pricing: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const account = { id, name: person.display_name, limited: false, limit_word: null };
  if (Sees !== 'All' || caller.isLimited) await writeLimit(trx, inviting, account, { Sees, ...limit });
  const told = await tellLimit(trx, caller, await readLimited(trx, id));
  await giveRole(inviting, username, 'admin', { roleId, told });
  const ends = await sendInvitation(inviting, { id, username, email, name: person.display_name }, 'admin');
  return { UserName: username, ValidUntil: ends };
}

/** Reads what decides which customers an account sees. */
const readLimited = (trx: Write, id: number) =>
  trx.selectFrom('accounts').select(['id', 'limited', 'limit_word']).where('id', '=', id).executeTakeFirstOrThrow();

/**
 * Gives a new account its one role; the first predefined one of its user type where none is named.
 * @param told what else the invitation means, for whoever has to approve it
 */
async function giveRole(
  { trx, caller, now }: Inviting,
  userName: string,
  userType: UserType,
  { roleId, told }: { readonly roleId?: string | undefined; readonly told?: State },
): Promise<void> {
  const usual = trx.selectFrom('roles').select('id').where('reseller_id', 'is', null).where('user_type', '=', userType);
  const given = roleId ?? String((await usual.orderBy('id').limit(1).executeTakeFirstOrThrow()).id);
  const roles = [{ roleId: given, until: null }];
  await writeAccess(trx, { caller, userName, now }, () => ({ roles, own: noRights, ...(told && { told }) }));
}

type NewCustomerAdmin = { readonly FirstName: string; readonly LastName: string; readonly Email: string };

/**
 * Adds an administrator to a customer, who has no password yet, and invites them.
 * @throws {CloudError} 404 for a customer of somebody else, 400 for an address that somebody has or of another domain
 */
export async function inviteCustomerAdmin(
  inviting: Inviting,
  customerId: string,
  person: NewCustomerAdmin,
  roleId?: string,
) {
  const { trx, caller, now } = inviting;
  const email = person.Email.toLowerCase();
  const known = trx.selectFrom('users').select('id').where(sql`lower(email)`, '=', email);
  if ((await known.execute()).length > 0) throw addressTaken();
  const body = { ...person, Email: email, Type: 'endUserAdmin', IsInvited: true };
  const user = await writeRow(withoutRowType(users), 'create', { trx, caller, now, body }, { customerId });
  const username = withSuffix(email, await readSuffix(trx, caller.resellerId, 'endUserAdmin'));
  const { id, display_name } = await trx
    .updateTable('accounts')
    .set({ username })
    .where('user_id', '=', Number(user.id))
    .returning(['id', 'display_name'])
    .executeTakeFirstOrThrow();
  await giveRole(inviting, username, 'endUserAdmin', { roleId });
  const ends = await sendInvitation(inviting, { id, username, email, name: display_name }, 'endUserAdmin');
  return { UserName: username, ValidUntil: ends };
}

/** Runs what invites somebody; of two who invite the same address at once, the second is told as if it came later. */
export async function orTaken<T>(invite: Promise<T>): Promise<T> {
  try {
    return await invite;
  } catch (error) {
    throw asConflict(error) === undefined ? error : addressTaken();
  }
}
