import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomBytes, sign } from 'node:crypto';
import { promisify } from 'node:util';
import type { Database } from '../../tables.ts';

/** The key pair that the card provider signs with, and the secret that the cloud proves itself with. */
export type ProviderKeys = {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly secret: string;
};

const name = 'card-provider-keys';

/**
 * Reads the card provider's keys from the settings; makes them the first time, so that every process on this database
 * has the same.
 */
export async function readProviderKeys(db: Database): Promise<ProviderKeys> {
  const find = () => db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  let found = await find();
  if (!found) {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    const value = JSON.stringify({
      key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
      secret: randomBytes(32).toString('base64url'),
    });
    // Of processes that start together, one is first.
    await db
      .insertInto('settings')
      .values({ name, value })
      .onConflict(conflict => conflict.column('name').doNothing())
      .execute();
    found = (await find()) ?? { value };
  }
  const { key, secret } = JSON.parse(found.value) as { key: string; secret: string };
  const privateKey = createPrivateKey(key);
  return { privateKey, publicKey: createPublicKey(privateKey), secret };
}

/** Signs a text for the card provider: SHA512withRSA, as base64. */
export const signText = ({ privateKey }: ProviderKeys, text: string): string =>
  sign('sha512', Buffer.from(text), privateKey).toString('base64');
