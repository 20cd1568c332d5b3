import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { describeFailures, readComplaints } from '../../scripts/testing/failures.ts';

test('a failure is told with stage, file, sentence, reason and the picture that its story left', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'portal-pictures-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'a-reseller-pays-an-invoice-1.png'), '');
  const failures = [
    {
      stage: 'browser',
      file: 'test/e2e/pay.test.ts',
      sentence: 'a reseller pays: an invoice',
      reason: 'AssertionError [ERR_ASSERTION]: late:\n\n1 !== 2\n    at run (x.ts:1:2)',
    },
    { stage: 'tests', file: 'test/a.test.ts', sentence: 'one is two' },
  ];
  assert.deepEqual(describeFailures(failures, folder), [
    `browser: test/e2e/pay.test.ts: a reseller pays: an invoice (late: 1 !== 2) ${folder}/a-reseller-pays-an-invoice-1.png`,
    'tests: test/a.test.ts: one is two',
  ]);
});

test('ten lines are told at most, the last of which counts the others', () => {
  const failures = Array.from({ length: 12 }, (_, index) => ({ stage: 'tests', sentence: `${index}` }));
  const lines = describeFailures(failures, 'nowhere');
  assert.equal(lines.length, 10);
  assert.deepEqual([lines[8], lines[9]], ['tests: 8', 'and 3 more, in the logs']);
  assert.equal(describeFailures(failures.slice(0, 10), 'nowhere').at(-1), 'tests: 9');
});

test('compiler and linters tell what they found first, and a tool of other words its last line', () => {
  const log = [
    "\u001b[96mserver/app.ts\u001b[0m(3,1): error TS2304: Cannot find name 'x'.",
    '',
    'server/log.ts:4:7 lint/style/useConst ━━━━━━━━━━━━━━',
    '  × This let declares a variable.',
    'Unused exports (1)',
  ].join('\n');
  assert.deepEqual(
    readComplaints('lint', log).map(({ sentence }) => sentence),
    [
      "server/app.ts(3,1): error TS2304: Cannot find name 'x'.",
      'server/log.ts:4:7 lint/style/useConst',
      'Unused exports (1)',
    ],
  );
  assert.deepEqual(readComplaints('build', 'one\ntoo large by 3 bytes\n'), [
    { stage: 'build', sentence: 'too large by 3 bytes' },
  ]);
  assert.deepEqual(readComplaints('build', ''), []);
});
