import { generateKeyPair, type JsonWebKey, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from '../tables.ts';

/** Keys that the providers sign with; the same after every start and in every process. */
export type Keys = {
  /** RSA, for tokens (RS256). */
  readonly signing: JsonWebKey;
  readonly cookies: string;
};

const name = 'identity-keys';

/** Reads the signing keys of the identity providers from the settings; makes them the first time. */
export async function readKeys(db: Database): Promise<Keys> {
  const find = () => db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  const found = await find();
  if (found) return JSON.parse(found.value);
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const signing = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'sandbox-1' };
  const value = JSON.stringify({ signing, cookies: randomBytes(32).toString('base64url') });
  // Of processes that start together, one is first.
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute();
  return JSON.parse((await find())?.value ?? value);
}
