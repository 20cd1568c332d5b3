import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../server/sandbox/tables.ts';
import { eventually } from '../fixtures/eventually.ts';
import { programOf } from '../fixtures/program.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { nextEvent } from '../fixtures/wait.ts';

const seeded = new Date('2026-01-22T15:20:00Z');

/** Milliseconds, however slow the machine. */
const longest = 180_000;

/** Everything that a billing run wrote, without the ids, in which a killed process leaves gaps, and what cards paid. */
async function billed(db: Database): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select concat_ws(' ', i.kind, i.number, i.reseller_id, i.period, i.net, i.tax, i.gross, i.prepaid,
      case when not exists (select from payment_methods m where m.reseller_id = i.reseller_id) then i.paid end, l.key,
      l.quantity, l.exact, l.amount, (select sum(u.cost) from invoice_usage u where u.line_id = l.id)) as row
    from invoices i join invoice_lines l on l.invoice_id = i.id order by 1`.execute(db);
  return rows.map(({ row }) => row);
}

/** Bills in a process of its own, killed once so many months are billed, if a number is given. False where it was cut. */
async function bill(t: TestContext, { storage }: StartedSandbox, killedAt?: number): Promise<boolean> {
  const { file, execArgv } = programOf('test/fixtures/billing-at.ts');
  const child: ChildProcess = fork(file, {
    execArgv: [...execArgv],
    env: { ...process.env, STORAGE: JSON.stringify(storage), MOMENT: seeded.toISOString() },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exit = nextEvent(child, 'exit', longest);
  const counts: number[] = [];
  child.on('message', count => void counts.push(Number(count)));
  if (killedAt !== undefined) {
    await eventually(() => counts.some(count => count >= killedAt), `${killedAt} months are billed`);
    child.kill('SIGKILL');
  }
  const [code] = await exit;
  return code === 0;
}

test('a billing run that is killed again and again bills every line once, with the same numbers and cents', async t => {
  const data = await startSandbox({ seededAt: seeded });
  t.after(() => data.close());
  const undisturbed = await billed(data.db);
  assert.ok(undisturbed.length > 500);
  await sql`truncate invoices, invoice_lines, invoice_taxes, invoice_groups, invoice_usage, billing_runs, payments,
    credit_movements, psa_updates, psa_update_rows`.execute(data.db);
  await data.app.close();
  let cut = 0;
  for (const killedAt of [1, 6, 13]) if (!(await bill(t, data, killedAt))) cut += 1;
  assert.ok(cut > 0, 'the run was killed while months were missing');
  assert.equal(await bill(t, data), true);
  const opened = await startSandbox({ storage: data.storage, now: () => seeded });
  const rows = await billed(opened.db);
  await opened.app.close();
  assert.deepEqual(rows, undisturbed);
});
