import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { startBuiltPortal } from '../../test/fixtures/built-portal.ts';
import { accounts } from '../../test/fixtures/sign-in.ts';
import type { Measure } from './report.ts';
import { startProcess } from './server/process.ts';
import { signIn } from './server/visitor.ts';

const attacks = ['dead cookies', 'silent connections', 'hostile bodies', 'refused writes', 'handshakes'];
const seconds = 10;
/** Milliseconds between two requests of a visitor: within the limits of production, as the attacks are not. */
const pause = 100;
/** What nobody feels: a wait is held against the one before the attack, or against this many milliseconds. */
const unfelt = 25;

type Waits = { readonly p50: number; readonly p99: number };
type Visit = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

/**
 * Measures how long visitors from another address wait for answers, in milliseconds, before and while one address
 * attacks the deployed portal with its real limits. Throws when a visitor is refused.
 */
export async function benchAttack(): Promise<Measure[]> {
  const portal = await startBuiltPortal({ RATE_LIMIT: '', LOG_LEVEL: 'fatal' }, { lasting: true });
  const visitors = new Agent({ localAddress: '127.0.0.3' });
  try {
    const { cookie } = await signIn(portal.url, accounts.reseller, 'Demo-portal-2026', '/customers');
    const visits: readonly Visit[] = [
      { path: '/health', headers: {} },
      { path: '/login', headers: { accept: 'text/html' } },
      { path: '/ui/data/customers.list?page=1', headers: { cookie } },
    ];
    const feel = () => Promise.all(visits.map(visit => waitsOf(portal.url, visit, visitors)));
    await feel();
    const measures: Measure[] = [];
    for (const attack of attacks) {
      const before = await feel();
      const attacker = await startProcess('../attack/attacker-process.ts', attack, portal.url);
      await sleep(2000);
      const during = await feel().finally(attacker.stop);
      measures.push(...visits.flatMap(({ path }, at) => compare(`${attack}: ${path}`, before[at]!, during[at]!)));
    }
    return measures;
  } finally {
    await visitors.close();
    await portal.stop();
  }
}

async function waitsOf(url: string, { path, headers }: Visit, dispatcher: Agent): Promise<Waits> {
  const waits: number[] = [];
  const ends = performance.now() + seconds * 1000;
  while (performance.now() < ends) {
    const began = performance.now();
    const reply = await fetch(url + path, { headers, dispatcher });
    await reply.arrayBuffer();
    if (!reply.ok) throw new Error(`${path} was answered ${reply.status} to a visitor`);
    waits.push(performance.now() - began);
    await sleep(pause);
  }
  waits.sort((a, b) => a - b);
  const at = (share: number): number => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))]!;
  return { p50: at(0.5), p99: at(0.99) };
}

const compare = (what: string, before: Waits, during: Waits): Measure[] =>
  (['p50', 'p99'] as const).map(part => ({
    what: `${what}, ${part}`,
    measured: during[part],
    floor: Math.max(before[part], unfelt),
    limit: 2,
    unit: 'ms',
  }));
