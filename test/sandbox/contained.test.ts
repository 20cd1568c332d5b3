import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withSandbox } from '../fixtures/sandbox.ts';

/** A Thursday ten days before the end of its month, so that days, pre-bills and invoices are to come. */
const seeded = new Date('2026-01-22T15:20:00Z');
let clock = seeded;
const sandbox = withSandbox({ seededAt: seeded, now: () => clock, phaseMilliseconds: 0 });
const broken = 1001;

/** Makes every such write of a table fail that `isAbout` says. @returns what undoes it */
async function breakTable(
  table: string,
  isAbout: string,
  on: 'insert' | 'update' = 'insert',
): Promise<() => Promise<unknown>> {
  await sql
    .raw(`create function break_${table}() returns trigger language plpgsql as
      $$ begin if ${isAbout} then raise 'broken on purpose'; end if; return new; end $$;
      create trigger broken before ${on} on ${table} for each row execute function break_${table}()`)
    .execute(sandbox.db);
  return () => sql.raw(`drop trigger broken on ${table}`).execute(sandbox.db);
}

/** How many rows each reseller has that came in since the seed. */
async function countsOf(what: 'invoices' | 'activity' | 'pre_bills'): Promise<Map<number, number>> {
  const of = {
    invoices: sql`select reseller_id as id from invoices where issued > ${seeded}`,
    pre_bills: sql`select reseller_id as id from pre_bills where prepared > ${seeded}`,
    activity: sql`select c.reseller_id as id from activity a join customers c on c.id = a.customer_id
      where at > ${new Date(seeded.getTime() + 3_600_000)}`,
  };
  const { rows } = await sql<{ id: number; count: number }>`
    select id, count(*)::int as count from (${of[what]}) r group by id`.execute(sandbox.db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

test('a job that fails by itself holds up no other, and goes on once it can', async () => {
  const { db } = sandbox;
  const running = await db.selectFrom('jobs').select('id').where('state', '=', 'running').orderBy('id').execute();
  const [first, second] = [running[0]!.id, running[1]!.id];
  const undo = await breakTable('jobs', `new.id = ${first} and new.state <> 'running'`, 'update');
  await db
    .updateTable('jobs')
    .set({ due: new Date(0) })
    .where('id', 'in', [first, second])
    .execute();
  const states = async () => {
    const rows = await db.selectFrom('jobs').select('state').where('id', 'in', [first, second]).orderBy('id').execute();
    return rows.map(({ state }) => state === 'running');
  };
  await sandbox.tickOnce();
  assert.deepEqual(await states(), [true, false]);
  await undo();
  clock = new Date(clock.getTime() + 60_000);
  await sandbox.tickOnce();
  assert.deepEqual(await states(), [false, false]);
});

test('a day or a bill that fails for one reseller stops no other, and is made up for once it can be', async () => {
  const ofBroken = `exists (select from customers c where c.id = new.customer_id and c.reseller_id = ${broken})`;
  const undos = [
    await breakTable('activity', ofBroken),
    await breakTable('invoices', `new.reseller_id = ${broken}`),
    await breakTable('pre_bills', `new.reseller_id = ${broken}`),
  ];
  clock = new Date('2026-02-01T03:00:00Z');
  await sandbox.tickOnce();
  const lastDay = async () =>
    (await sandbox.db.selectFrom('settings').select('value').where('name', '=', 'last day').executeTakeFirst())?.value;
  assert.equal(await lastDay(), '2026-01-31', 'the days go on');
  for (const what of ['invoices', 'pre_bills', 'activity'] as const) {
    const counts = await countsOf(what);
    assert.equal(counts.get(broken), undefined, what);
    assert.ok((counts.get(1002) ?? 0) > 0, `${what} of another reseller`);
  }
  const missing = async () =>
    (await sql<{ day: string }>`select distinct day::text from missing_days order by 1`.execute(sandbox.db)).rows;
  assert.deepEqual((await missing()).at(-1), { day: '2026-01-31' });

  for (const undo of undos) await undo();
  clock = new Date('2026-02-01T04:00:00Z');
  await sandbox.tickOnce();
  assert.deepEqual(await missing(), []);
  for (const what of ['invoices', 'activity'] as const)
    assert.ok(((await countsOf(what)).get(broken) ?? 0) > 0, `${what} are made up for`);
});
