import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Database } from '../tables.ts';

/** Sites that the cloud signs people in to. */
export type Site = 'forum' | 'help-centre' | 'server-portal' | 'live-chat';

/** Reads the secret that the cloud shares with a site; made the first time, so that every process has the same. */
export async function readSecret(db: Database, site: Site): Promise<string> {
  const name = `secret of ${site}`;
  const find = () => db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  const found = await find();
  if (found) return found.value;
  const value = randomBytes(32).toString('hex');
  // Of processes that start together, one is first.
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute();
  return (await find())?.value ?? value;
}

/** Gives the HMAC with SHA-256 of a text under a secret. */
export const hmacOf = (secret: string, text: string, encoding: 'hex' | 'base64url'): string =>
  createHmac('sha256', secret).update(text).digest(encoding);

/** Compares two texts in a time that says nothing of where they differ. */
export function areSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
