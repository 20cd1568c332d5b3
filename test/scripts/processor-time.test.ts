import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { readProcessorTime } from '../../scripts/testing/processor-time.ts';

test('processor time is that of processes that have ended too', () => {
  const before = readProcessorTime();
  const work = 'while (process.cpuUsage().user < 300_000);';
  // A child of the child, as a test process starts a portal.
  const args = JSON.stringify([process.execPath, ['-e', work], { timeout: 120_000 }]);
  const parent = `require('node:child_process').spawnSync(...${args})`;
  assert.equal(spawnSync(process.execPath, ['-e', parent], { timeout: 120_000 }).status, 0);
  const after = readProcessorTime();
  if (!existsSync('/proc/self/stat')) assert.deepEqual([before, after], [undefined, undefined]);
  else assert.ok(after! - before! >= 0.3, `${after! - before!} s`);
});
