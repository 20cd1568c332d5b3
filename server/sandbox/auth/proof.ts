import { sql } from 'kysely';
import { CloudError, conflict, invalid } from '../http/errors.ts';
import type { Database } from '../tables.ts';
import { isPassword } from './passwords.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { type Guarded, takeCode } from './second-factor.ts';

/** Password and code that somebody who is signed in gives once more before their second factor is changed. */
export type Proof = { readonly Password?: string; readonly Code?: string; readonly RecoveryCode?: string };

export type Proving = Guarded & { readonly password_hash: string | null; readonly login_flow: 'Legacy' | 'SSO' };

/** Wrong proofs of an account in a quarter of an hour. */
const most = 10;
const window = 15 * 60_000;

/**
 * Reads the account whose password, code or recovery code is to be checked.
 * @throws {CloudError} 409 with the message `said` when an identity provider checks them instead
 */
export async function readProvingAccount(
  db: Database,
  accountId: number,
  said = 'Your organisation’s own sign-in asks for the second factor.',
): Promise<Proving> {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'username', 'password_hash', 'login_flow', 'mfa_required', 'mfa_key', 'mfa_offer'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (account.login_flow !== 'Legacy') throw conflict(said);
  return account;
}

/**
 * Checks each given proof: password, code of the app with `key`, recovery code. Counts the attempt before it checks, so
 * that parallel attempts cannot pass the limit, and takes the count back when all are right.
 * @throws {CloudError} 400 naming the wrong field, or for too many attempts
 */
export async function prove(
  db: Database,
  account: Proving,
  { Password, Code, RecoveryCode }: Proof,
  now: Date,
  key = account.mfa_key,
): Promise<void> {
  await reserve(db, account.id, now);
  if (Password !== undefined && !(await isPassword(account.password_hash, Password)))
    throw invalid({ Password: ['The password is wrong.'] });
  if (Code !== undefined && (key === null || !(await takeCode(db, account, key, Code, now))))
    throw invalid({ Code: ['This code is wrong or has been used. Enter the newest code of your app.'] });
  if (RecoveryCode !== undefined && !(await takeRecoveryCode(db, account.id, RecoveryCode)))
    throw invalid({ RecoveryCode: ['This recovery code is wrong or has been used.'] });
  await db
    .updateTable('accounts')
    .set({ mfa_failures: sql<number>`greatest(mfa_failures - 1, 0)` })
    .where('id', '=', account.id)
    .execute();
}

async function reserve(db: Database, accountId: number, now: Date): Promise<void> {
  const since = new Date(now.getTime() - window);
  const admitted = await db
    .updateTable('accounts')
    .set({
      mfa_failures: sql<number>`case when mfa_failed_at > ${since} then mfa_failures + 1 else 1 end`,
      mfa_failed_at: now,
    })
    .where('id', '=', accountId)
    .where(({ or, eb }) =>
      or([eb('mfa_failures', '<', most), eb('mfa_failed_at', 'is', null), eb('mfa_failed_at', '<=', since)]),
    )
    .returning('id')
    .executeTakeFirst();
  if (!admitted)
    throw new CloudError(400, 'TooManyAttempts', [
      'There were too many wrong attempts. Please wait a quarter of an hour.',
    ]);
}
