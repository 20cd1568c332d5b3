import { sql } from 'kysely';
import { CloudError, invalid } from '../http/errors.ts';
import { sendHint } from '../notifications/hints.ts';
import { putMail } from '../outbox/mail.ts';
import type { Database, Write } from '../tables.ts';
import { endLinks, isLink, takeLink } from './password-links.ts';
import { validatePassword } from './password-rules.ts';
import { hashPassword, isPassword } from './passwords.ts';

/** Proof that the caller may change a password: the link of a mail, or the old password. */
export type Proof = { readonly key: string | null; readonly oldPassword: string | null };

const wrongPassword = () => new CloudError(401, 'PasswordIncorrect', ['Current password was incorrect.']);
/** Of a link that was used, is too old, was changed on the way or belongs to somebody else alike. */
const linkOver = () => new CloudError(410, 'LinkOver', ['This link was used before or is too old.']);

const columns = [
  ...(['id', 'username', 'email', 'display_name', 'password_hash', 'enabled', 'must_choose_password'] as const),
  'login_flow',
] as const;

/** Refused alike, as far as `linkOver` and `wrongPassword` go, whether or not there is such an account. */
async function findAccount(db: Database, type: string, name: string) {
  return await db
    .selectFrom('accounts')
    .select(columns)
    .where(sql`lower(username)`, '=', name.toLowerCase())
    .where(sql`user_type`, '=', type)
    .executeTakeFirst();
}
type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

async function checkNew(db: Database, password: string, old: string | null): Promise<void> {
  const faults = await validatePassword(db, password);
  if (faults.length === 0 && password === old) faults.push('Must differ from the current password');
  if (faults.length > 0) throw invalid({ newPassword: faults });
}

/** The password of single sign-on stands at the identity provider. */
async function storeHash(trx: Write, { id, login_flow }: Account, password_hash: string): Promise<void> {
  if (login_flow === 'SSO')
    await trx
      .updateTable('people as p')
      .from('identities as i')
      .set({ password_hash })
      .where('i.account_id', '=', id)
      .whereRef('p.provider', '=', 'i.issuer')
      .where(sql<boolean>`p.subject::text = i.subject`)
      .execute();
  else
    await trx
      .updateTable('accounts')
      .set({ password_hash, must_choose_password: false })
      .where('id', '=', id)
      .execute();
}

/** @param keep the sign-in that goes on; every other one ends */
async function setPassword(trx: Write, account: Account, hash: string, now: Date, keep?: string): Promise<void> {
  await storeHash(trx, account, hash);
  await endLinks(trx, account.id, now);
  const ended = await trx
    .updateTable('grants')
    .set({ revoked: now })
    .where('account_id', '=', account.id)
    .where('revoked', 'is', null)
    .$if(keep !== undefined, query => query.where('id', '!=', keep as string))
    .returning('id')
    .execute();
  for (const { id } of ended) await sendHint(trx, { grant: id }, 'end');
  const accepted = await trx.deleteFrom('invitations').where('account_id', '=', account.id).executeTakeFirst();
  // Whoever was invited has chosen the first one.
  if (accepted.numDeletedRows > 0n) return;
  const body = `Hello ${account.display_name},\n\nthe password of ${account.username} was changed. If that was not you, use "Forgot password" on the sign-in page and tell your administrator.`;
  await putMail(trx, { recipient: account.email, subject: 'Your password was changed', body }, now);
}

/**
 * Changes the password of the account of a user type and user name, for a caller who is not signed in. `Proof` is the
 * key of a mailed link, or the old password of an account that must choose a new one. Uses up the link, revokes every
 * sign-in of the account and mails its owner; it does not sign in, so that a second factor is still asked for.
 * @throws {CloudError} 410 for a link that is not good, 401 for a wrong old password or unknown account, 400 by field
 * for a new password that breaks the rules
 */
export async function changePassword(
  db: Database,
  type: string,
  name: string,
  { key, oldPassword }: Proof,
  newPassword: string,
  now: Date,
): Promise<void> {
  const account = await findAccount(db, type, name);
  if (key !== null) {
    if (!account?.enabled || !(await isLink(db, account.id, key, now))) throw linkOver();
    await checkNew(db, newPassword, null);
    const hash = await hashPassword(newPassword);
    await db.transaction().execute(async trx => {
      if (!(await takeLink(trx, account.id, key, now))) throw linkOver();
      await setPassword(trx, account, hash, now);
    });
    return;
  }
  const matches = await isPassword(account?.password_hash, oldPassword ?? '');
  if (!account?.enabled || !account.must_choose_password || !matches || account.login_flow !== 'Legacy')
    throw wrongPassword();
  await replace(db, account, oldPassword, newPassword, now);
}

/**
 * Changes the password of a signed-in account after checking the old one. Revokes every other sign-in of the account
 * and mails its owner.
 * @throws {CloudError} 401 for a wrong old password, 400 by field for a new password that breaks the rules
 */
export async function updatePassword(
  db: Database,
  accountId: number,
  grant: string,
  oldPassword: string,
  newPassword: string,
  now: Date,
): Promise<void> {
  const account = await db.selectFrom('accounts').select(columns).where('id', '=', accountId).executeTakeFirstOrThrow();
  if (!(await isPassword(account.password_hash, oldPassword))) throw wrongPassword();
  await replace(db, account, oldPassword, newPassword, now, grant);
}

/** Of two changes at once the later one has an old password that is old no more. */
async function replace(
  db: Database,
  account: Account,
  oldPassword: string | null,
  newPassword: string,
  now: Date,
  keep?: string,
): Promise<void> {
  await checkNew(db, newPassword, oldPassword);
  const hash = await hashPassword(newPassword);
  await db.transaction().execute(async trx => {
    const same = await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', account.id)
      .where('password_hash', '=', account.password_hash)
      .forUpdate()
      .executeTakeFirst();
    if (!same) throw wrongPassword();
    await setPassword(trx, account, hash, now, keep);
  });
}
