import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { type BuiltPortal, startBuiltPortal } from '../../test/fixtures/built-portal.ts';
import { accounts } from '../../test/fixtures/sign-in.ts';
import { type AttackName, attacks, type Loot } from './attack/attacks.ts';
import type { Measure } from './report.ts';
import { startProcess } from './server/process.ts';
import { signIn, type Visitor } from './server/visitor.ts';

const seconds = 4;
/** Each attack is felt twice beside equal work and twice for real, in turn; the shorter wait of each counts. */
const rounds = 2;
/** Milliseconds between two requests of a visitor: within the limits of production, as the attacks are not. */
const pause = 100;
/** A wait below this many milliseconds is felt by nobody: it counts as this many. */
const unfelt = 25;
/** Milliseconds after which the portal reads the rights of a session again. */
const rightsAge = 60_000;

const password = 'Demo-portal-2026';
const settings = { RATE_LIMIT: '', LOG_LEVEL: 'fatal' };
/** Asks for lists that are long, and is made against a cloud that has them. */
const ofLongLists: readonly AttackName[] = ['files at once'];

type Waits = { readonly p50: number; readonly p95: number };
type Visit = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

const health: Visit = { path: '/health', headers: {} };
const signInPage: Visit = { path: '/login', headers: { accept: 'text/html' } };

/**
 * Measures how long visitors from another address wait for answers of the deployed portal with its real limits, in
 * milliseconds: while one address attacks it, held against the waits while the same address does the same to a server
 * that is empty. A visitor who is refused waits for ever.
 */
export async function benchAttack(): Promise<Measure[]> {
  const empty = await startProcess('../attack/empty-process.ts');
  try {
    return [...(await benchSandbox(empty.url)), ...(await benchLongLists(empty.url))];
  } finally {
    await empty.stop();
  }
}

/** The attacks on a portal with its sandbox; the visitor is of another reseller. */
async function benchSandbox(empty: string): Promise<Measure[]> {
  const portal = await startBuiltPortal(settings, { lasting: true });
  const visitors = new Agent({ localAddress: '127.0.0.3' });
  try {
    const { cookie } = await signIn(portal.url, accounts.rival, password, '/customers');
    const visits = [health, signInPage, { path: '/ui/data/customers.list?page=1', headers: { cookie } }];
    const loot = await lootOf(portal, await signIn(portal.url, accounts.reseller, password, '/customers'));
    const measures: Measure[] = [];
    for (const name of Object.keys(attacks) as AttackName[]) {
      if (ofLongLists.includes(name)) continue;
      measures.push(...(await compareAttack(name, { portal, empty, loot, visits, visitors })));
    }
    return measures;
  } finally {
    await visitors.close();
    await portal.stop();
  }
}

/** Files of 2,000 rows, twelve at once; then a cloud that stops answering once the rights of the visitor are old. */
async function benchLongLists(empty: string): Promise<Measure[]> {
  const cloud = await startProcess('cloud-process.ts');
  const portal = await startBuiltPortal({ ...settings, CLOUD_API_URL: cloud.url }, { lasting: true });
  const visitors = new Agent({ localAddress: '127.0.0.3' });
  try {
    const visitor = await signIn(portal.url, 'bench@portal.test', password, '/customers');
    const read = performance.now();
    const loot: Omit<Loot, 'address'> = { cookie: visitor.cookie, hashes: {}, customer: '' };
    const visits = [health, signInPage, { path: '/ui/boot', headers: { cookie: visitor.cookie } }];
    const measures: Measure[] = [];
    for (const name of ofLongLists)
      measures.push(...(await compareAttack(name, { portal, empty, loot, visits, visitors })));
    const before = await feel(portal.url, visits, visitors);
    await sleep(Math.max(0, rightsAge + 1000 - (performance.now() - read)));
    process.kill(cloud.pid, 'SIGSTOP');
    const during = await feel(portal.url, visits, visitors).finally(() => process.kill(cloud.pid, 'SIGCONT'));
    return [...measures, ...compare('a cloud that hangs', visits, before, during)];
  } finally {
    await visitors.close();
    await portal.stop();
    await cloud.stop();
  }
}

type Scene = {
  readonly portal: BuiltPortal;
  /** Address of a server that does nothing. */
  readonly empty: string;
  readonly loot: Omit<Loot, 'address'>;
  readonly visits: readonly Visit[];
  readonly visitors: Agent;
};

async function compareAttack(name: AttackName, { portal, empty, loot, visits, visitors }: Scene): Promise<Measure[]> {
  const attacked = async (address: string): Promise<Waits[]> => {
    await settle(portal.url, visits, visitors);
    const attacker = await startProcess('../attack/attacker-process.ts', name, address, JSON.stringify(loot));
    await sleep(1500);
    return feel(portal.url, visits, visitors).finally(attacker.stop);
  };
  let [beside, during] = [await attacked(empty), await attacked(portal.url)];
  for (let round = 1; round < rounds; round++) {
    beside = shorter(beside, await attacked(empty));
    during = shorter(during, await attacked(portal.url));
  }
  return compare(name, visits, beside, during);
}

const shorter = (one: readonly Waits[], other: readonly Waits[]): Waits[] =>
  one.map(({ p50, p95 }, at) => ({ p50: Math.min(p50, other[at]!.p50), p95: Math.min(p95, other[at]!.p95) }));

/** Waits until what an attack has begun is over: what a visitor asks for is answered at once. */
async function settle(url: string, visits: readonly Visit[], visitors: Agent): Promise<void> {
  for (let turn = 0; turn < 60; turn++) {
    const waits = await feel(url, visits, visitors, 0.3);
    if (waits.every(({ p95 }) => p95 < 500)) return;
    await sleep(1000);
  }
}

async function lootOf({ url }: BuiltPortal, { cookie, page }: Visitor): Promise<Omit<Loot, 'address'>> {
  const list = await fetch(`${url}/ui/data/customers.list?status=Active&pageSize=1`, { headers: { cookie } });
  const { Result } = (await list.json()) as { Result: { Items: readonly { CustomerId: string }[] } };
  const routes = page.boot.routes.map(([pattern, , hash]) => [pattern, hash] as const);
  const customer = Result.Items[0]?.CustomerId ?? '';
  return { cookie, customer, hashes: { ...Object.fromEntries(routes), ...page.boot.popups } };
}

const feel = (url: string, visits: readonly Visit[], visitors: Agent, lasts = seconds): Promise<Waits[]> =>
  Promise.all(visits.map(visit => waitsOf(url, visit, visitors, lasts)));

async function waitsOf(url: string, { path, headers }: Visit, dispatcher: Agent, lasts: number): Promise<Waits> {
  const waits: number[] = [];
  const ends = performance.now() + lasts * 1000;
  while (performance.now() < ends) {
    const began = performance.now();
    const reply = await fetch(url + path, { headers, dispatcher });
    await reply.arrayBuffer();
    waits.push(reply.ok ? performance.now() - began : Number.POSITIVE_INFINITY);
    await sleep(pause);
  }
  waits.sort((a, b) => a - b);
  const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!;
  return { p50: at(0.5), p95: at(0.95) };
}

const compare = (
  what: string,
  visits: readonly Visit[],
  beside: readonly Waits[],
  during: readonly Waits[],
): Measure[] =>
  visits.flatMap(({ path }, at) =>
    (['p50', 'p95'] as const).map(part => ({
      what: `${what}: ${path}, ${part}`,
      measured: during[at]![part],
      floor: Math.max(beside[at]![part], unfelt),
      limit: 2,
      unit: 'ms',
    })),
  );
