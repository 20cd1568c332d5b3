import type { Caller } from '../auth/caller.ts';
import { connections } from '../identity/connections.ts';
import type { Parts } from '../parts.ts';
import { connectionOf } from '../psa/connection.ts';
import { PsaFailure } from '../psa/http.ts';
import { countMatches } from '../psa/match.ts';
import { psaProducts } from '../psa/products.ts';
import { kinds, readSync } from '../psa/sync.ts';
import type { Database } from '../tables.ts';

/** How an integration stands (document 2, section 3, integration state). */
export const states = [
  'notstarted',
  'inprogress',
  'failed',
  'invalid',
  'completed',
  'abouttoexpire',
  'expired',
] as const;
type State = (typeof states)[number];

type Steps = Readonly<Record<string, boolean>>;
/** Milliseconds before the end of a key from which on it is about to expire. */
const soon = 14 * 86_400_000;
/** Milliseconds that an identity provider has for an answer, and bytes of it at most. */
const patience = 10_000;
const mostBytes = 100_000;

const isAll = (steps: Steps): boolean => Object.values(steps).every(Boolean);
const stateOf = (steps: Steps): State => {
  if (isAll(steps)) return 'completed';
  return Object.values(steps).some(Boolean) ? 'inprogress' : 'notstarted';
};

const checkOf = (db: Database, { resellerId }: Caller, guide: string) =>
  db
    .selectFrom('integration_checks')
    .select(['checked', 'answers'])
    .where('reseller_id', '=', resellerId)
    .where('guide', '=', guide)
    .executeTakeFirst();

/** Writes down that an integration was looked at, and whether it answered. */
const writeCheck = (db: Database, { resellerId }: Caller, guide: string, checked: Date, answers: boolean) =>
  db
    .insertInto('integration_checks')
    .values({ reseller_id: resellerId, guide, checked, answers })
    .onConflict(known => known.columns(['reseller_id', 'guide']).doUpdateSet({ checked, answers }))
    .execute();

const latest = (...moments: readonly (Date | null | undefined)[]): Date | null =>
  moments.reduce<Date | null>((last, one) => (one && (!last || one > last) ? one : last), null);

const businessSystem = 'business-system';

/** Says how far the business system of a reseller is set up. */
export async function readBusinessSystem({ db }: Parts, caller: Caller) {
  const connection = await connectionOf(db, caller.resellerId);
  const [check, customers, services, ...syncs] = await Promise.all([
    checkOf(db, caller, businessSystem),
    countMatches(db, caller, 'customers'),
    countMatches(db, caller, 'services'),
    ...kinds.map(kind => readSync(db, caller.resellerId, kind)),
  ]);
  const state = connection?.state;
  const left = { CustomersLeft: customers.counts.unmatched, ServicesLeft: services.counts.unmatched };
  const isConnected = connection !== undefined;
  const Steps = {
    Connected: isConnected,
    SwitchedOn: connection?.enabled ?? false,
    Answers: state === 'completed' || state === 'abouttoexpire',
    CustomersMatched: isConnected && customers.counts.total > 0 && left.CustomersLeft === 0,
    ServicesMatched: isConnected && services.counts.total > 0 && left.ServicesLeft === 0,
  };
  return {
    State: state === undefined || state === 'completed' || state === 'inprogress' ? stateOf(Steps) : state,
    Checked: latest(check?.checked, ...syncs.map(sync => sync?.completed)),
    System: connection ? psaProducts[connection.product].name : null,
    ...left,
    Steps,
  };
}

/** Reads customers and services of the business system now, which says whether it answers. */
export async function checkBusinessSystem({ db, psaSync, now }: Parts, caller: Caller): Promise<void> {
  const connection = await connectionOf(db, caller.resellerId);
  let answers = connection?.enabled ?? false;
  if (answers)
    for (const kind of kinds)
      await psaSync.readThrough(caller.resellerId, kind).catch((error: unknown) => {
        // It stands with the copy, and in the state of the connection.
        if (!(error instanceof PsaFailure)) throw error;
        answers = false;
      });
  await writeCheck(db, caller, businessSystem, now(), answers);
}

/** Says how far the caller's use of the API is set up; all of it is known here at any moment. */
export async function readApi({ db, now }: Parts, { accountId }: Caller) {
  const moment = now();
  const keys = await db
    .selectFrom('api_keys')
    .select(['expires', 'last_used', 'addresses'])
    .where('account_id', '=', accountId)
    .execute();
  const good = keys.filter(({ expires }) => expires > moment);
  const isSoon = good.some(({ expires }) => expires.getTime() - moment.getTime() < soon);
  const hasGood = good.length > 0;
  const Steps = {
    KeyMade: hasGood,
    Called: good.some(({ last_used }) => last_used !== null),
    AddressesSaid: hasGood && good.every(({ addresses }) => addresses.length > 0),
    Lasts: hasGood && !isSoon,
  };
  const ended = keys.length > 0 && !hasGood;
  const State: State = ended ? 'expired' : isSoon ? 'abouttoexpire' : stateOf(Steps);
  return { State, Checked: moment, Steps };
}

const signOn = 'sign-on';

/** Says how far single sign-on of the reseller's own people is set up. */
export async function readSignOn({ db }: Parts, caller: Caller) {
  const check = await checkOf(db, caller, signOn);
  const linked = await db
    .selectFrom('identities as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .where('a.reseller_id', '=', caller.resellerId)
    .where('a.customer_id', 'is', null)
    .where('a.enabled', '=', true)
    .select('i.last_used')
    .execute();
  const Steps = {
    Answers: check?.answers ?? false,
    Linked: linked.length > 0,
    SignedIn: linked.some(({ last_used }) => last_used !== null),
  };
  const State: State = check?.answers === false ? 'failed' : stateOf(Steps);
  return { State, Checked: check?.checked ?? null, Linked: linked.length, Steps };
}

/** Reads a reply as text, and no further than `most` bytes. Throws where it is longer. */
async function readAtMost(body: ReadableStream<Uint8Array>, most: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const part of body) {
    bytes += part.length;
    if (bytes > most) throw new Error(`more than ${most} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Reads what an identity provider says of itself (OpenID Connect Discovery 1.0, section 4) and its keys. */
async function isProviderThere(issuer: string): Promise<boolean> {
  const read = async (url: string): Promise<Readonly<Record<string, unknown>>> => {
    const reply = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(patience) });
    if (!reply.ok || reply.body === null) throw new Error(`status ${reply.status}`);
    return JSON.parse(await readAtMost(reply.body, mostBytes));
  };
  try {
    const { issuer: named, jwks_uri } = await read(`${issuer}/.well-known/openid-configuration`);
    if (named !== issuer || typeof jwks_uri !== 'string' || !jwks_uri.startsWith(`${issuer}/`)) return false;
    const { keys } = await read(jwks_uri);
    return Array.isArray(keys) && keys.length > 0;
  } catch {
    return false;
  }
}

/** Asks the identity providers, which says whether both are there and give the keys by which their tokens are checked. */
export async function checkSignOn({ db, signOn: { base }, now }: Parts, caller: Caller): Promise<void> {
  const there = await Promise.all(connections.map(({ path }) => isProviderThere(base() + path)));
  await writeCheck(db, caller, signOn, now(), there.every(Boolean));
}
