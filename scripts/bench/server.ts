import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type BuiltPortal, startBuiltPortal } from '../../test/fixtures/built-portal.ts';
import { findPostgres, startPostgres } from '../../test/fixtures/postgres.ts';
import type { Measure } from './report.ts';
import { processorTime, residentMemory, startProcess } from './server/process.ts';
import { signIn, type Visitor } from './server/visitor.ts';

/** A request under load: whose process is asked, where, and with which headers. */
type BenchTarget = { readonly pid: number; readonly url: string; readonly headers: Readonly<Record<string, string>> };
type Load = { readonly rate: number; readonly cpu: number };
/** Both under load, one right after the other. */
type Pair = { readonly ours: Load; readonly floor: Load };

const runs = 9;
const seconds = 2;
/** Seconds in which the code that is asked for becomes as fast as it gets. */
const warmUp = 5;
const connections = 20;

/**
 * Measures the portal's answers on loopback, in one process, against bare Fastify doing the least comparable work:
 * rates in requests a second, processor time per request in microseconds, memory in MB.
 */
export async function benchServer(_root: string): Promise<Measure[]> {
  const folder = findPostgres();
  if (!folder) throw new Error('initdb and pg_ctl of PostgreSQL were not found on this machine.');
  const postgres = await startPostgres(folder);
  const cloud = await startProcess('cloud-process.ts');
  const scratch = await mkdtemp(join(tmpdir(), 'portal-bench-'));

  /** Each comparison has a portal that is as new as what it is held against: code gets faster by what it is used for. */
  const withPortal = async (measure: (portal: BuiltPortal, visitor: Visitor) => Promise<Measure[]>) => {
    const settings = {
      DATABASE_URL: postgres.url,
      CLOUD_API_URL: cloud.url,
      LOG_LEVEL: 'error',
      // One visitor asks for everything; its requests are counted all the same.
      RATE_LIMIT: '1000000000',
    };
    const portal = await startBuiltPortal(settings, { lasting: true });
    try {
      return await measure(portal, await signIn(portal.url, 'bench@portal.test', 'any password', '/customers'));
    } finally {
      await portal.stop();
    }
  };
  const same = (what: string, path: (visitor: Visitor) => string) =>
    withPortal((portal, visitor) => benchSame(what, to(portal, visitor, path(visitor)), scratch, cloud.url));

  try {
    return [
      ...(await withPortal(async portal => {
        await new Promise(resolve => setTimeout(resolve, 5000));
        const measured = residentMemory(portal.process.pid!);
        return [{ what: 'idle memory of the portal process', measured, limit: 150, unit: 'MB' }];
      })),
      ...(await same('boot', () => '/ui/boot')),
      ...(await same('layout', visitor => `/ui/layouts/${layoutOf(visitor)}`)),
      ...(await withPortal((portal, visitor) =>
        benchRead(to(portal, visitor, '/ui/data/customers.list?page=1'), scratch, cloud.url),
      )),
    ];
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await cloud.stop();
    postgres.stop();
  }
}

const to = ({ process, url }: BuiltPortal, { cookie }: Visitor, path: string): BenchTarget => ({
  pid: process.pid!,
  url: `${url}${path}`,
  headers: { cookie },
});

/** An answer that is made once: whole, and when the browser has it already. */
async function benchSame(what: string, target: BenchTarget, scratch: string, cloud: string): Promise<Measure[]> {
  const { url, headers } = target;
  const reply = await fetch(url, { headers });
  const tag = reply.headers.get('etag');
  if (!reply.ok || !tag) throw new Error(`${url} answered ${reply.status} and ${tag ? 'an' : 'no'} entity tag.`);
  const file = join(scratch, what);
  await writeFile(file, Buffer.from(await reply.arrayBuffer()));
  const floor = await startProcess('floor-process.ts', file, tag, cloud);
  const bare = (more: Readonly<Record<string, string>>): BenchTarget => ({
    pid: floor.pid,
    url: `${floor.url}/same`,
    headers: { cookie: 'session=bench', ...more },
  });
  try {
    const known = { 'if-none-match': tag };
    const knowing = { ...target, headers: { ...headers, ...known } };
    const [whole, none] = [await compare(target, bare({})), await compare(knowing, bare(known))];
    return [rate(`${what} answers`, whole, 0.8), rate(`${what}, 304`, none, 0.75)];
  } finally {
    await floor.stop();
  }
}

/** A read through capability check, gate and projection, against a proxy that only passes bytes. */
async function benchRead(target: BenchTarget, scratch: string, cloud: string): Promise<Measure[]> {
  const file = join(scratch, 'nothing');
  await writeFile(file, '');
  const floor = await startProcess('floor-process.ts', file, '""', cloud);
  try {
    const pairs = await compare(target, { pid: floor.pid, url: `${floor.url}/proxy/api/customers`, headers: {} });
    const { ours, floor: bare } = middle(pairs, 'cpu');
    return [
      rate('projected read of 2 KB', pairs, 0.75),
      // The proxy parses, checks and cuts nothing (decision 026).
      { what: 'processor per projected read', measured: ours.cpu, floor: bare.cpu, limit: 1.6, unit: 'µs' },
    ];
  } finally {
    await floor.stop();
  }
}

/** Loads both in turn, once they are warm. */
async function compare(ours: BenchTarget, floor: BenchTarget): Promise<Pair[]> {
  for (const target of [ours, floor]) await load(target, warmUp);
  const pairs: Pair[] = [];
  while (pairs.length < runs) pairs.push({ ours: await load(ours), floor: await load(floor) });
  return pairs;
}

async function load({ pid, url, headers }: BenchTarget, duration = seconds): Promise<Load> {
  const before = processorTime(pid);
  const result = await autocannon({ url, headers: { ...headers }, connections, duration });
  if (result.errors || result['4xx'] || result['5xx']) {
    throw new Error(`${url}: ${result.errors} errors, ${result['4xx']} 4xx, ${result['5xx']} 5xx under load`);
  }
  const answered = result['2xx'] + result['3xx'];
  return { rate: answered / result.duration, cpu: ((processorTime(pid) - before) * 1000) / answered };
}

/** The pair whose ratio is the middle one: what else a machine does changes from second to second, for both alike. */
function middle(pairs: readonly Pair[], part: keyof Load): Pair {
  const sorted = [...pairs].sort((a, b) => a.ours[part] / a.floor[part] - b.ours[part] / b.floor[part]);
  return sorted[sorted.length >> 1] as Pair;
}

function rate(what: string, pairs: readonly Pair[], limit: number): Measure {
  const { ours, floor } = middle(pairs, 'rate');
  return { what, measured: ours.rate, floor: floor.rate, limit, bound: 'atLeast', unit: '/s' };
}

function layoutOf({ page }: Visitor): string {
  if ('redirect' in page.screen) throw new Error(`The customers screen leads on to ${page.screen.redirect}.`);
  return page.screen.hash;
}
