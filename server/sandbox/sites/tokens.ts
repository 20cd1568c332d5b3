import { randomBytes } from 'node:crypto';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../tables.ts';
import { areSame, hmacOf, readSecret, type Site } from './secrets.ts';

/** Milliseconds for which a token opens its site. */
const tokenLife = 60_000;

const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');

type Claims = {
  readonly jti: string;
  readonly aud: Site;
  readonly sub: string;
  readonly email: string;
  readonly name: string;
  /** OrganisationId of the account; for the live chat alone. */
  readonly org?: string;
  /** Seconds since 1970. */
  readonly iat: number;
  readonly exp: number;
};

/** Issues a token (RFC 7519) that opens a site as the caller, once, within a minute. */
export async function issueToken(db: Database, site: Site, caller: Caller, now: Date): Promise<string> {
  const jti = randomBytes(16).toString('hex');
  const expires = new Date(now.getTime() + tokenLife);
  await db.deleteFrom('site_tokens').where('expires', '<', now).execute();
  await db.insertInto('site_tokens').values({ id: jti, site, expires, used: false }).execute();
  const claims: Claims = {
    ...{ jti, aud: site, sub: String(caller.accountId), email: caller.email, name: caller.displayName },
    ...(site === 'live-chat' && { org: String(caller.organisationId) }),
    iat: Math.floor(now.getTime() / 1000),
    exp: Math.floor(expires.getTime() / 1000),
  };
  const content = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${content}.${hmacOf(await readSecret(db, site), content, 'base64url')}`;
}

/** Uses a token up, as its site does; undefined where it is of another site or secret, too old, or was used. */
export async function redeemToken(db: Database, site: Site, token: string, now: Date): Promise<Claims | undefined> {
  const [head, body = '', signature = '', ...rest] = token.split('.');
  if (head !== header || rest.length > 0) return undefined;
  if (!areSame(hmacOf(await readSecret(db, site), `${head}.${body}`, 'base64url'), signature)) return undefined;
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Claims;
  const taken = await db
    .updateTable('site_tokens')
    .set({ used: true })
    .where('id', '=', claims.jti)
    .where('site', '=', site)
    .where('used', '=', false)
    .where('expires', '>', now)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n ? claims : undefined;
}
