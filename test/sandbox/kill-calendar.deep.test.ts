import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { type TestContext, test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { fingerprint } from '../fixtures/fingerprint.ts';
import { programOf } from '../fixtures/program.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { nextEvent } from '../fixtures/wait.ts';

const day = 86_400_000;
/** A Thursday; 40 days later two months have ended. */
const seeded = new Date('2026-01-22T15:20:00Z');
const now = new Date(seeded.getTime() + 40 * day);
const dateAfter = (days: number) => new Date(seeded.getTime() + days * day).toISOString().slice(0, 10);

/** Columns with numbers that a database counts: it may leave out some when a process is killed. */
const counted = ['id', 'organisation_id', 'instance_id', 'order_id', 'user_id', 'users'];

/** Milliseconds, however slow the machine. */
const longest = 180_000;

type Kill = { readonly on: string; readonly after: number };

/**
 * Catches up in a process of its own, which is killed some milliseconds after it has come to a day, if one is given.
 * False where it has not come to its end.
 */
async function catchUp(t: TestContext, { storage }: StartedSandbox, killed?: Kill): Promise<boolean> {
  const { file, execArgv } = programOf('test/fixtures/sandbox-at.ts');
  const child: ChildProcess = fork(file, {
    execArgv: [...execArgv],
    env: { ...process.env, STORAGE: JSON.stringify(storage), MOMENT: now.toISOString() },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  t.after(() => child.kill('SIGKILL'));
  const exit = nextEvent(child, 'exit', longest);
  const said: string[] = [];
  child.on('message', message => void said.push(String(message)));
  if (killed) {
    await eventually(() => said.some(last => last >= killed.on), `the sandbox has come to ${killed.on}`);
    await new Promise(resolve => setTimeout(resolve, killed.after));
    child.kill('SIGKILL');
  }
  const [code] = await exit;
  return code === 0;
}

/** What 40 days leave in a database, and how many of the kills came before the last of them was in it. */
async function live(t: TestContext, kills: readonly Kill[]) {
  const data = await startSandbox({ seededAt: seeded });
  await data.app.close();
  t.after(() => data.close());
  let cut = 0;
  for (const killed of kills) if (!(await catchUp(t, data, killed))) cut += 1;
  assert.equal(await catchUp(t, data), true);
  const opened = await startSandbox({ storage: data.storage, now: () => now });
  const rows = await fingerprint(opened.db, counted);
  await opened.app.close();
  return { rows, cut };
}

test('of the days that a killed sandbox catches up with none is lost and none counts twice', async t => {
  const undisturbed = await live(t, []);
  const kills = [
    { on: dateAfter(1), after: 0 },
    { on: dateAfter(9), after: 13 },
    { on: dateAfter(19), after: 41 },
  ];
  const killed = await live(t, kills);
  assert.deepEqual(killed.rows, undisturbed.rows);
  assert.ok(killed.cut > 0, 'the sandbox was killed while days were missing');
});
