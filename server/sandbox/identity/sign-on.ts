import { sql } from 'kysely';
import { hintIntegrationsOf } from '../integration/hints.ts';
import type { Database } from '../tables.ts';
import type { Keys } from './keys.ts';
import { type IdentityClaims, readIdToken, spendToken } from './tokens.ts';

/** The connection whose tokens a grant takes (document 1, section 7). */
const paths = { sso: '/oidc', aad: '/office' } as const;

export type SignOn = {
  readonly db: Database;
  readonly keys: Keys;
  /** The sandbox's own address, below which its issuers are. */
  readonly base: () => string;
  readonly now: () => Date;
};

/**
 * Finds the account that a token of an identity provider opens, and spends the token.
 * @returns the account's id, or the error description, which carries the server messages of document 1, section 8:
 * an organisation id may follow a semicolon
 */
export async function signOn(parts: SignOn, grant: keyof typeof paths, token: string): Promise<number | string> {
  const { db, keys, base, now } = parts;
  const path = paths[grant];
  const claims = readIdToken(keys, token, base() + path, now());
  if (!claims) return 'The token is not valid.';
  const account = await findAccount(db, path, claims.sub);
  if (!account) {
    return grant === 'aad'
      ? 'link_account_needed'
      : 'client requires organization membership, but user does not belong to any organization';
  }
  if (!account.enabled) return 'This account is disabled.';
  const refusal = refusalOf(claims, account);
  if (refusal !== undefined) return refusal;
  if (!(await spendToken(db, token, claims))) return 'The token was used before.';
  await noteUse(db, path, claims.sub, now());
  return account.id;
}

/** Notes that somebody signed in by an identity; the first time says that single sign-on works. */
async function noteUse(db: Database, issuer: string, subject: string, now: Date): Promise<void> {
  const before = await db
    .selectFrom('identities')
    .select(['account_id', 'last_used'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  if (!before) return;
  await db
    .updateTable('identities')
    .set({ last_used: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
  if (before.last_used === null) await hintIntegrationsOf(db, before.account_id);
}

type Account = { readonly organisation: number; readonly microsoft: 'required' | 'prohibited' | null };

function refusalOf({ email, org_id, idp }: IdentityClaims, { organisation, microsoft }: Account): string | undefined {
  if (org_id !== undefined && org_id !== String(organisation))
    return `user ${email} is not part of the ${org_id} organization;${org_id}`;
  if (microsoft === 'required' && idp !== 'microsoft') return `Authentication with Microsoft required;${organisation}`;
  if (microsoft === 'prohibited' && idp === 'microsoft')
    return `Authentication with Microsoft prohibited;${organisation}`;
  return undefined;
}

async function findAccount(db: Database, issuer: string, subject: string) {
  return await db
    .selectFrom('identities as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .leftJoin('customers as c', 'c.id', 'a.customer_id')
    .where('i.issuer', '=', issuer)
    .where('i.subject', '=', subject)
    .select(['a.id', 'a.enabled', 'a.microsoft'])
    .select(sql<number>`coalesce(c.organisation_id, a.reseller_id)`.as('organisation'))
    .executeTakeFirst();
}
