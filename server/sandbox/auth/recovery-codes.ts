import { randomBytes, randomInt } from 'node:crypto';
import { hashRaw } from '@node-rs/argon2';
import type { Database, Write } from '../tables.ts';

/** Letters and digits that cannot be taken for one another when typed off paper. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const letters = 12;
const amount = 10;

/**
 * New recovery codes: twelve letters of thirty, 58 bits, in groups of four. What is stored is salted and slow to guess
 * (OWASP ASVS 5.0, 6.5.2), as a code has less than 112 bits.
 */
export type RecoveryCodes = {
  readonly codes: readonly string[];
  readonly salt: string;
  readonly hashes: readonly string[];
};

/** Makes a new set of recovery codes and their hashes. Takes 100 to 200 ms: call it outside of a transaction. */
export async function makeRecoveryCodes(): Promise<RecoveryCodes> {
  const salt = randomBytes(16).toString('base64url');
  const made = new Set<string>();
  while (made.size < amount)
    made.add(Array.from({ length: letters }, () => alphabet[randomInt(alphabet.length)]).join(''));
  const hashes = await Promise.all([...made].map(code => hashCode(code, salt)));
  return { codes: [...made].map(code => code.replace(/(.{4})(?=.)/g, '$1-')), salt, hashes };
}

/** Replaces the recovery codes of an account. */
export async function storeRecoveryCodes(
  trx: Write,
  accountId: number,
  { salt, hashes }: RecoveryCodes,
): Promise<void> {
  await dropRecoveryCodes(trx, accountId);
  await trx.updateTable('accounts').set({ recovery_salt: salt }).where('id', '=', accountId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(hashes.map(hash => ({ account_id: accountId, hash })))
    .execute();
}

/** Deletes all recovery codes of an account, as when its second factor is switched off. */
export async function dropRecoveryCodes(trx: Write, accountId: number): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
}

/**
 * Uses up a recovery code; false when the account has no such unused code. Of two uses at once one succeeds. Ignores
 * case and hyphens.
 */
export async function takeRecoveryCode(db: Database, accountId: number, typed: string): Promise<boolean> {
  const code = typed.replace(/[\s-]/g, '').toUpperCase();
  if (code.length !== letters || [...code].some(letter => !alphabet.includes(letter))) return false;
  const { recovery_salt } = await db
    .selectFrom('accounts')
    .select('recovery_salt')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (recovery_salt === null) return false;
  const taken = await db
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('hash', '=', await hashCode(code, recovery_salt))
    .returning('hash')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Counts the unused recovery codes of an account. */
export async function countRecoveryCodes(db: Database, accountId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function hashCode(code: string, salt: string): Promise<string> {
  const raw = await hashRaw(code, { salt: Buffer.from(salt, 'base64url') });
  return raw.toString('base64url');
}
