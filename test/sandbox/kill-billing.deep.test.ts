import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { createBilling } from '../../server/sandbox/billing/run.ts';
import type { Database } from '../../server/sandbox/tables.ts';
import { contained } from '../fixtures/contained.ts';
import { addManyCustomers } from '../fixtures/many-customers.ts';
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

async function forgetBilled(db: Database): Promise<void> {
  await sql`truncate invoices, invoice_lines, invoice_taxes, invoice_groups, invoice_usage, invoice_changes,
    invoice_customer_changes, invoice_change_sums, billing_runs, payments, credit_movements, psa_updates, psa_update_rows`.execute(
    db,
  );
}

/** Months that are billed, and up to which customer the drafts of invoices are, by reseller. */
type Progress = { readonly months: number; readonly drafts: Readonly<Record<string, number>> | null };

/**
 * Bills in a process of its own, killed once it is far enough, where that is said. Gives whether it ended by itself, and
 * what it found at first.
 */
async function bill(
  t: TestContext,
  { storage }: StartedSandbox,
  isFarEnough?: (progress: Progress) => boolean,
): Promise<{ readonly isWhole: boolean; readonly found: Progress | undefined }> {
  const { file, execArgv } = programOf('test/fixtures/billing-at.ts');
  const child: ChildProcess = fork(file, {
    execArgv: [...execArgv],
    env: { ...process.env, STORAGE: JSON.stringify(storage), MOMENT: seeded.toISOString() },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exit = nextEvent(child, 'exit', longest);
  let found: Progress | undefined;
  child.on('message', message => {
    const progress = message as Progress;
    found ??= progress;
    if (isFarEnough?.(progress)) child.kill('SIGKILL');
  });
  const [code] = await exit;
  return { isWhole: code === 0, found };
}

test('a billing run that is killed again and again bills every line once, with the same numbers and cents', async t => {
  const data = await startSandbox({ seededAt: seeded });
  t.after(() => data.close());
  const many = await addManyCustomers(data.db, seeded, 2100);
  await forgetBilled(data.db);
  await createBilling(
    data.db,
    () => seeded,
    contained(() => seeded),
    'http://portal.test',
  ).runDue();
  const undisturbed = await billed(data.db);
  assert.ok(undisturbed.length > 4000);
  await forgetBilled(data.db);
  await data.app.close();
  const early = await bill(t, data, ({ months }) => months >= 3);
  assert.equal(early.isWhole, false, 'the run was killed while months were missing');
  // A kill comes when it comes: maybe after the last page of a month. Then the next month has its turn.
  let isBetween = false;
  for (let kill = 0; kill < 10 && !isBetween; kill += 1) {
    const { found } = await bill(t, data, ({ drafts }) => drafts?.[many] !== undefined);
    isBetween = found?.drafts?.[many] !== undefined;
  }
  assert.ok(isBetween, 'a process began between two pages of an invoice');
  const last = await bill(t, data);
  assert.equal(last.isWhole, true);
  const opened = await startSandbox({ storage: data.storage, now: () => seeded });
  const rows = await billed(opened.db);
  await opened.app.close();
  assert.equal(rows.length, undisturbed.length);
  assert.deepEqual(
    rows.filter((row, index) => row !== undisturbed[index]),
    [],
  );
});
