import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Database, Write } from '../tables.ts';

/** A refresh token lives this long; each use gives a new one. */
const refreshDays = 14;

/**
 * Starts a sign-in (grant) for an account, and its sessions at the partner systems. Gives its id and its first refresh
 * token. `actorId`: the account that really acts, when it jumped into this one.
 */
export async function openGrant(
  trx: Write,
  accountId: number,
  now: Date,
  actorId: number | null = null,
): Promise<{ id: string; refresh: string }> {
  const id = randomUUID();
  const grant = { id, account_id: accountId, actor_id: actorId, created: now, revoked: null };
  await trx.insertInto('grants').values(grant).execute();
  const systems = (['comms', 'hardware'] as const).map(system => ({ grant_id: id, system, ended: null }));
  await trx.insertInto('partner_sessions').values(systems).execute();
  return { id, refresh: await addRefreshToken(trx, id, now) };
}

/**
 * Exchanges a refresh token for a new one. A token that was used before has been stolen or replayed: the whole sign-in
 * is revoked (RFC 9700, section 4.14.2).
 * @returns the sign-in's id and its next token; undefined when the token is unknown, used, expired, revoked or of a
 * disabled account
 */
export async function rotateGrant(
  db: Database,
  refresh: string,
  now: Date,
): Promise<{ id: string; refresh: string } | undefined> {
  return await db.transaction().execute(async trx => {
    const token = await trx
      .selectFrom('refresh_tokens as t')
      .innerJoin('grants as g', 'g.id', 't.grant_id')
      .innerJoin('accounts as a', 'a.id', 'g.account_id')
      .where('t.hash', '=', hashOf(refresh))
      .select(['t.hash', 't.grant_id', 't.expires', 't.used', 'g.revoked', 'a.enabled'])
      .forUpdate('t')
      .executeTakeFirst();
    if (token === undefined || token.revoked || !token.enabled || token.expires <= now) return undefined;
    if (token.used) {
      await revokeGrant(trx, token.grant_id, now);
      return undefined;
    }
    await trx.updateTable('refresh_tokens').set({ used: now }).where('hash', '=', token.hash).execute();
    return { id: token.grant_id, refresh: await addRefreshToken(trx, token.grant_id, now) };
  });
}

/** Revokes a sign-in; does nothing when it was revoked before. */
export async function revokeGrant(db: Database, grantId: string, now: Date): Promise<void> {
  await db.updateTable('grants').set({ revoked: now }).where('id', '=', grantId).where('revoked', 'is', null).execute();
}

/** Revokes every sign-in of an account except the one with the id `keep`. Gives the ids of those it revoked. */
export async function revokeOtherGrants(trx: Write, accountId: number, keep: string, now: Date): Promise<string[]> {
  const revoked = await trx
    .updateTable('grants')
    .set({ revoked: now })
    .where('account_id', '=', accountId)
    .where('id', '!=', keep)
    .where('revoked', 'is', null)
    .returning('id')
    .execute();
  return revoked.map(({ id }) => id);
}

/** Revokes every sign-in of an account, and those in which it acts for another. Gives the ids of those it revoked. */
export async function revokeGrantsOf(trx: Write, accountId: number, now: Date): Promise<string[]> {
  const revoked = await trx
    .updateTable('grants')
    .set({ revoked: now })
    .where(({ or, eb }) => or([eb('account_id', '=', accountId), eb('actor_id', '=', accountId)]))
    .where('revoked', 'is', null)
    .returning('id')
    .execute();
  return revoked.map(({ id }) => id);
}

/** Finds the id of the sign-in that a refresh token belongs to, whether or not the token was used. */
export async function grantOf(db: Database, refresh: string): Promise<string | undefined> {
  const token = await db
    .selectFrom('refresh_tokens')
    .select('grant_id')
    .where('hash', '=', hashOf(refresh))
    .executeTakeFirst();
  return token?.grant_id;
}

async function addRefreshToken(trx: Write, grantId: string, now: Date): Promise<string> {
  const refresh = randomBytes(32).toString('base64url');
  const expires = new Date(now.getTime() + refreshDays * 86_400_000);
  await trx
    .insertInto('refresh_tokens')
    .values({ hash: hashOf(refresh), grant_id: grantId, expires, used: null })
    .execute();
  return refresh;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/**
 * Deletes spent tokens, and sign-ins older than a day whose tokens have all expired, but for those of API keys,
 * which go with the key, and those in which an act was asked for that still waits (`approvals`).
 */
export async function deleteSpentGrants(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('spent_tokens').where('expires', '<', now).execute();
  await db
    .deleteFrom('grants as g')
    .where('g.created', '<', new Date(now.getTime() - 86_400_000))
    .where('g.api_key_id', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('refresh_tokens as t')
            .select('t.hash')
            .whereRef('t.grant_id', '=', 'g.id')
            .where('t.expires', '>', now)
            .where('g.revoked', 'is', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('approvals as w')
            .select('w.id')
            .whereRef('w.asker_grant', '=', 'g.id')
            .where('w.state', '=', 'Waiting'),
        ),
      ),
    )
    .execute();
}
