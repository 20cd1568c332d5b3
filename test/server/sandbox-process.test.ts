import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { createProgress } from '../../server/sandbox/progress.ts';
import { startSandboxProcess } from '../../server/sandbox-process.ts';
import { copySeed } from '../fixtures/sandbox.ts';

test('no time ends a start of the sandbox that goes on', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-slow-start-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await copySeed(join(folder, 'sandbox'));
  const { execArgv } = process;
  // The process is that of the sources, whatever this one is.
  if (!execArgv.includes('tsx')) execArgv.push('--import', 'tsx');
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const starting = startSandboxProcess(readConfig({ DATA_DIR: folder, LOG_LEVEL: 'fatal' }), createLog('silent'));
  t.mock.timers.tick(7 * 24 * 3_600_000);
  const sandbox = await starting;
  t.mock.timers.reset();
  assert.equal((await fetch(new URL('/health', sandbox.url))).status, 200);
  await sandbox.stop();
});

test('a start that takes long says every ten seconds what it is doing, and a quick one nothing', t => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const lines: unknown[] = [];
  const progress = createProgress(line => lines.push(line));
  progress.tell('customers');
  t.mock.timers.tick(9_000);
  assert.deepEqual(lines, []);
  t.mock.timers.tick(1_000);
  progress.tell('usage');
  t.mock.timers.tick(10_000);
  // As where the database kept the timer waiting.
  t.mock.timers.setTime(35_000);
  progress.tell('large reseller');
  progress.stop();
  t.mock.timers.tick(60_000);
  assert.deepEqual(lines.slice(0, 2), [
    { doing: 'customers', seconds: 10 },
    { doing: 'usage', seconds: 20 },
  ]);
  assert.deepEqual(lines.at(-1), { doing: 'large reseller', seconds: 35 });
});
