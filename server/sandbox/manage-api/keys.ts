import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { parsePeer, parseRange } from '../../../shared/rules/ip-address.ts';
import { hintKeys } from '../integration/hints.ts';
import type { Database } from '../tables.ts';

/** The beginning of every key: by it one that is lost, as in a log, is known for a key. */
const prefix = 'portal_';
const shape = /^portal_[A-Za-z0-9_-]{43}$/;

/** Makes a key of 256 random bits, and its hash, which alone is kept. */
export function makeKey(): { readonly key: string; readonly hash: string } {
  const key = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { key, hash: hashOf(key) };
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

function isFrom(addresses: readonly string[], from: string): boolean {
  const address = parsePeer(from);
  if (addresses.length === 0) return true;
  return addresses.some(written => {
    const range = parseRange(written);
    if (!range || address?.version !== range.version) return false;
    return address.value >= range.from && address.value <= range.to;
  });
}

/** A key that is good now, and the sign-in by which it calls. */
export type UsedKey = { readonly grantId: string; readonly keyId: number; readonly operations: readonly string[] };

/**
 * Finds the sign-in of a key, and notes its use. Undefined, for whatever reason, where it is not good: unknown, over, used
 * from elsewhere, or of an account that is disabled.
 */
export async function takeKey(db: Database, key: string, from: string, now: Date): Promise<UsedKey | undefined> {
  if (!shape.test(key)) return undefined;
  const hash = hashOf(key);
  return await db.transaction().execute(async trx => {
    const found = await trx
      .selectFrom('api_keys as k')
      .innerJoin('accounts as a', 'a.id', 'k.account_id')
      .where(({ or, and, eb }) =>
        or([eb('k.hash', '=', hash), and([eb('k.old_hash', '=', hash), eb('k.old_until', '>', now)])]),
      )
      .where('k.expires', '>', now)
      .where('a.enabled', '=', true)
      .select(['k.id', 'k.account_id', 'k.operations', 'k.addresses', 'k.last_used'])
      .forUpdate('k')
      .executeTakeFirst();
    if (!found || !isFrom(found.addresses, from)) return undefined;
    await trx.updateTable('api_keys').set({ last_used: now, last_address: from }).where('id', '=', found.id).execute();
    // The first call is a step of the integration.
    if (found.last_used === null) await hintKeys(trx, found.account_id);
    const known = await trx
      .selectFrom('grants')
      .select('id')
      .where('api_key_id', '=', found.id)
      .where('revoked', 'is', null)
      .executeTakeFirst();
    const grantId = known?.id ?? randomUUID();
    if (!known) {
      const grant = { id: grantId, account_id: found.account_id, actor_id: null, created: now, revoked: null };
      await trx
        .insertInto('grants')
        .values({ ...grant, api_key_id: found.id })
        .execute();
    }
    return { grantId, keyId: found.id, operations: found.operations };
  });
}

/** Calls that the portal makes for every account that it acts for. */
const ofEveryone = [
  'GET /api/users/login-user',
  'GET /api/permissions',
  'GET /api/account-settings/display',
  'GET /api/partner-systems',
  'GET /api/whitelabel/getLoginUserWhiteLabel',
  'GET /api/agreements/reseller-validity',
];

/** True where a route, as "GET" and "/api/customers/:customerId", is one of the calls that a key opens. */
export function opens(calls: readonly string[], method: string, url: string): boolean {
  const route = url.split('/');
  return [...ofEveryone, ...calls].some(call => {
    const [by, path = ''] = call.split(' ');
    const parts = path.split('/');
    if (by !== method || parts.length !== route.length) return false;
    return parts.every((part, at) => route[at] === part || route[at]?.startsWith(':'));
  });
}
