import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../server/sandbox/tables.ts';
import { fingerprint } from '../fixtures/fingerprint.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { type Reply, type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

/** A Thursday in the middle of a month, so that 40 days later another month has begun and a whole one lies between. */
const seeded = new Date('2026-01-22T15:20:00Z');
const day = 86_400_000;
const later = (days: number) => new Date(seeded.getTime() + days * day);

/** A folder that was seeded on a fixed day and then closed. */
async function makeFolder(): Promise<StartedSandbox> {
  const made = await startSandbox({ seededAt: seeded });
  await made.app.close();
  return made;
}

type Opened = { sandbox: StartedSandbox; get(path: string, who?: string): Promise<Reply['body']> };

async function open({ storage }: StartedSandbox, now: Date): Promise<Opened> {
  const sandbox = await startSandbox({ storage, now: () => now });
  const tokens = new Map<string, string>();
  return {
    sandbox,
    async get(path, who = 'reseller@northwind.test') {
      if (!tokens.has(who)) tokens.set(who, await sandbox.signIn(who));
      const { status, body } = await sandbox.call(tokens.get(who)!, 'GET', path);
      assert.equal(status, 200, path);
      return body.Result;
    },
  };
}

let folder: StartedSandbox;
let opened: Opened;
const now = later(40);
before(async () => {
  folder = await makeFolder();
  opened = await open(folder, now);
  // As two processes that find the same days missing.
  await Promise.all([opened.sandbox.tickOnce(), opened.sandbox.tickOnce()]);
});
after(async () => {
  await opened.sandbox.app.close();
  await folder.close();
});

const age = (moment: string) => (now.getTime() - Date.parse(moment)) / day;

test('a folder that is opened 40 days later has usage of every day up to yesterday', async () => {
  const report = await opened.get('/api/customers/10001/usage?days=28');
  assert.equal(report.Label.at(-1), later(39).toISOString().slice(0, 10));
  assert.equal(report.Values.length, 1);
  assert.equal(report.Values[0].Values.length, 28);
  assertEvery(report.Values[0].Values, (spend: number) => spend > 0);
  assert.ok((await opened.get('/api/customers/10001/usage')).Spend > 0);
  const { rows } = await sql`
    (select resource_id, day, sum(cost) from usage_days group by 1, 2 except table usage_resource_days)
    union all
    (table usage_resource_days except select resource_id, day, sum(cost) from usage_days group by 1, 2)`.execute(
    opened.sandbox.db,
  );
  assert.deepEqual(rows, [], 'the sums that are kept are what adding up gives');
});

test('charges and product movement of the latest month have rows, and no month of charges is missing', async () => {
  const response = async (path: string) => (await opened.get(path)).response;
  for (const path of ['/api/azure-charges/latest', '/api/product-movement-report/latest', '/api/azure-charges/2026-02'])
    assert.ok((await response(path)).results.length > 0, path);
  const months: { id: string }[] = await response('/api/azure-charges/date-range/12');
  assert.deepEqual(
    months.map(({ id }) => id),
    ['2026-03', '2026-02', '2026-01', '2025-12', '2025-11'],
  );
});

test('the dashboard compares with a month that ended otherwise', async () => {
  const summary = await opened.get('/api/dashboard/summary');
  assert.notEqual(summary.MonthlySpend, summary.SpendLastMonth);
  const { Items } = await opened.get('/api/dashboard/months');
  assert.deepEqual(Items.map(({ Month }: { Month: string }) => Month).slice(-7), [
    '2025-09-01',
    '2025-10-01',
    '2025-11-01',
    '2025-12-01',
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
  ]);
  const spends = Items.map(({ MonthlySpend }: { MonthlySpend: number }) => MonthlySpend);
  assert.equal(new Set(spends).size, 12);
});

test('services, notifications, sign-ins and recoverable mail are of the last days, and none come from the future', async () => {
  const { Items } = await opened.get('/api/dashboard/attention');
  const newest = { attention: Items.map(({ LastChange }: { LastChange: string }) => age(LastChange)) };
  assert.ok(Math.min(...newest.attention) < 8);
  for (const [table, column, oldest] of [
    ['activity', 'at', 3],
    ['notifications', 'created', 3],
    ['users', 'last_sign_in', 2],
    ['recoverable_mails', 'received', 2],
  ] as const) {
    const { rows } = await sql<{ latest: Date }>`
      select max(${sql.ref(column)}) as latest from ${sql.table(table)}`.execute(opened.sandbox.db);
    const days = (now.getTime() - rows[0]!.latest.getTime()) / day;
    assert.ok(days >= 0 && days < oldest, `${table}: ${days}`);
  }
});

test('business systems were synchronised on the day', async () => {
  const syncs = await opened.sandbox.db.selectFrom('psa_syncs').select(['status', 'completed', 'failure']).execute();
  assert.ok(syncs.length > 0);
  for (const { status, completed, failure } of syncs) {
    assert.equal(status, 'Completed', failure ?? '');
    assert.equal(completed?.getTime(), now.getTime());
  }
});

test('a sandbox that runs through midnight has the day that just ended, and counts nothing twice', async t => {
  let clock = new Date('2026-01-22T23:59:50Z');
  const own = await startSandbox({ seededAt: seeded, now: () => clock });
  t.after(() => own.close());
  const token = await own.signIn('reseller@northwind.test');
  const read = async () => (await own.call(token, 'GET', '/api/customers/10001/usage')).body.Result;
  await own.tickOnce();
  assert.equal((await read()).Label.at(-1), '2026-01-21');
  clock = new Date('2026-01-23T00:00:05Z');
  await own.tickOnce();
  const { Label, Values } = await read();
  assert.equal(Label.at(-1), '2026-01-22');
  assert.ok(Values[0].Values.at(-1) > 0);
  await own.tickOnce();
  assert.deepEqual((await read()).Values, Values);
});

/** Lays each table's rows in another order: rows that nobody asks for in an order come out as they lie. */
async function layOtherwise(db: Database): Promise<void> {
  const { rows } = await sql<{ place: string; index: string }>`
    select indrelid::regclass::text as place, indexrelid::regclass::text as index
    from pg_index join pg_class on pg_class.oid = indrelid
    where indisprimary and relnamespace = current_schema::regnamespace and relkind = 'r'`.execute(db);
  for (const { place, index } of rows) await sql`cluster ${sql.raw(place)} using ${sql.raw(index)}`.execute(db);
}

/** Lives until each of these moments in turn, the folder closed in between. */
async function live(
  t: TestContext,
  moments: readonly Date[],
  before?: (db: Database) => Promise<void>,
): Promise<Record<string, string>> {
  const own = await makeFolder();
  t.after(() => own.close());
  // What changes by itself does so at the moment at which it is looked for.
  let first = await startSandbox({ storage: own.storage, now: () => seeded });
  await first.db.deleteFrom('jobs').execute();
  await before?.(first.db);
  await first.app.close();
  let prints = {};
  for (const moment of moments) {
    first = await startSandbox({ storage: own.storage, now: () => moment });
    await first.tickOnce();
    await first.tickOnce();
    prints = await fingerprint(first.db);
    await first.app.close();
  }
  return prints;
}

test('the days are the same whether they are lived one by one, at once or again', async t => {
  const atOnce = await live(t, [later(5)], layOtherwise);
  const oneByOne = await live(t, [later(1), later(2), later(2.3), later(5), later(5.2)]);
  assert.deepEqual(oneByOne, atOnce);
});

test('what two processes add is each day once', async () => {
  const { rows } = await sql<{ day: string; n: number }>`
    select day::text, count(*)::int as n from usage_resource_days where day >= '2026-01-22' group by 1 order by 1`.execute(
    opened.sandbox.db,
  );
  assert.equal(rows.length, 40);
  assert.equal(new Set(rows.map(({ n }) => n)).size, 1);
  const twice = await sql`
    select customer_id, at, action, target from activity where at >= '2026-01-23' group by 1, 2, 3, 4
    having count(*) > 1`.execute(opened.sandbox.db);
  assert.deepEqual(twice.rows, []);
});
