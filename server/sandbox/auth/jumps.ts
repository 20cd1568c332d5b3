import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Write } from '../tables.ts';
import type { Caller } from './caller.ts';

/** Milliseconds from the making of a jump token to its use. */
const lifetime = 60_000;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** The enabled account of a customer of this reseller; nobody else is within its people's reach. */
async function findTarget(db: Database, resellerId: number, by: { id: number } | { username: string }) {
  return await db
    .selectFrom('accounts')
    .select('id')
    .where('reseller_id', '=', resellerId)
    .where('customer_id', 'is not', null)
    .where('enabled', '=', true)
    .where('id' in by ? sql<boolean>`id = ${by.id}` : sql<boolean>`lower(username) = ${by.username.toLowerCase()}`)
    .executeTakeFirst();
}

/**
 * Makes a one-time token with which the caller signs in as the account of this user name; undefined when the caller may
 * not. Stores its hash alone.
 */
export async function makeJump(
  db: Database,
  { accountId, resellerId }: Caller,
  username: string,
  now: Date,
): Promise<string | undefined> {
  const target = await findTarget(db, resellerId, { username });
  if (!target) return undefined;
  const token = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + lifetime);
  await db
    .insertInto('jump_tokens')
    .values({ hash: hashOf(token), actor_id: accountId, target_id: target.id, expires, used: null })
    .execute();
  return token;
}

/**
 * Uses up a jump token; of two uses at once one succeeds. The account that made it must still be allowed to jump.
 * @returns the account to sign in (`target`) and the one that really acts (`actor`); undefined when the token is not
 * valid
 */
export async function takeJump(
  trx: Write,
  token: string,
  adminId: string,
  now: Date,
): Promise<{ target: number; actor: number } | undefined> {
  const taken = await trx
    .updateTable('jump_tokens')
    .set({ used: now })
    .where('hash', '=', hashOf(token))
    .where(sql<boolean>`actor_id::text = ${adminId}`)
    .where('used', 'is', null)
    .where('expires', '>', now)
    .returning(['actor_id', 'target_id'])
    .executeTakeFirst();
  const actor =
    taken &&
    (await trx
      .selectFrom('accounts as a')
      .innerJoin('account_permissions as p', 'p.account_id', 'a.id')
      .select('a.reseller_id')
      .where('a.id', '=', taken.actor_id)
      .where('a.enabled', '=', true)
      .where(sql<boolean>`'manageUsers' = any(p.views)`)
      .executeTakeFirst());
  const target = actor && (await findTarget(trx, actor.reseller_id, { id: taken.target_id }));
  return target && { target: target.id, actor: taken.actor_id };
}
