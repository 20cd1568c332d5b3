import { createHash, createPublicKey, verify } from 'node:crypto';
import type { Database } from '../tables.ts';
import { clientId } from './connections.ts';
import type { Keys } from './keys.ts';

export type IdentityClaims = {
  readonly iss: string;
  readonly sub: string;
  /** Seconds since 1970. */
  readonly exp: number;
  readonly email?: string;
  readonly org_id?: string;
  readonly idp?: string;
};

const parse = (part: string): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(part, 'base64url').toString());

/**
 * Checks an id token of one of the sandbox's providers (signature, issuer, audience, expiry) and gives its claims;
 * undefined when it is not valid.
 */
export function readIdToken(keys: Keys, token: string, issuer: string, now: Date): IdentityClaims | undefined {
  try {
    const [head = '', body = '', signature = '', ...rest] = token.split('.');
    if (rest.length > 0 || parse(head).alg !== 'RS256') return undefined;
    const key = createPublicKey({ key: keys.signing, format: 'jwk' });
    const isOurs = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
    const claims = parse(body);
    const isGood =
      isOurs && claims.iss === issuer && claims.aud === clientId && Number(claims.exp) * 1000 > now.getTime();
    return isGood ? (claims as IdentityClaims) : undefined;
  } catch {
    return undefined;
  }
}

/** Marks a token as used; true for the first of all calls with it. */
export async function spendToken(db: Database, token: string, { exp }: IdentityClaims): Promise<boolean> {
  const hash = createHash('sha256').update(token).digest('base64url');
  const spent = await db
    .insertInto('spent_tokens')
    .values({ hash, expires: new Date(exp * 1000) })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst();
  return spent.numInsertedOrUpdatedRows === 1n;
}
