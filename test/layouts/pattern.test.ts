import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { testPattern as testInBrowser } from '../../client/runtime/forms/pattern.ts';
import { createPatternTest, testPattern } from '../../server/layouts/names/pattern.ts';
import { assertEvery } from '../fixtures/rows.ts';

const slow = ['^(a|a)*$', '^(a+)+$', '^([a-z]+)*$', '(x+x+)+y'];

test('a pattern that explodes is stopped, and matches nothing', () => {
  for (const pattern of slow) {
    // Unstopped, each of these runs for longer than anyone has.
    assert.equal(testPattern(pattern, `${'a'.repeat(64)}!`), false, pattern);
    assert.equal(testPattern(pattern, `${'x'.repeat(65_000)}!`), false, pattern);
  }
});

test('all slow patterns of one form together are stopped', () => {
  const check = createPatternTest();
  const verdicts = Array.from({ length: 200 }, () => check('^(a|a)*$', `${'a'.repeat(64)}!`));
  assertEvery(verdicts, verdict => verdict === false);
  assert.equal(check('^a$', 'a'), false);
  assert.equal(createPatternTest()('^a$', 'a'), true);
});

test('a test of a pattern in which its thread is kept from the processor is made again, however busy others of the process are', t => {
  // Only Linux tells the time of a thread.
  if (process.platform === 'linux') t.mock.method(process, 'cpuUsage', () => ({ user: 1e6, system: 0 }));
  // A machine that is busy with others, as far as this process can tell.
  const { pid } = process;
  const stop = `(sleep 0.2; kill -CONT ${pid}) & kill -STOP ${pid}; wait`;
  const stops = `while sleep 0.05 && kill -0 ${pid}; do ${stop}; done`;
  const shell = spawn('sh', ['-c', stops]);
  t.after(() => shell.kill('SIGKILL'));
  const value = 'ab'.repeat(15_000);
  const deadline = Date.now() + 60_000;
  let stopped = 0;
  while (stopped < 5 && Date.now() < deadline) {
    const started = performance.now();
    assert.equal(testPattern('^(?:(?:a|b)(?:c|b)?)*?$', value), true);
    if (performance.now() - started > 190) stopped += 1;
  }
  assert.equal(stopped, 5);
});

test('a value that is too long, or a pattern that is none, matches nothing', () => {
  assert.equal(testPattern('a', 'a'.repeat(65_536)), true);
  assert.equal(testPattern('a', 'a'.repeat(65_537)), false);
  assert.equal(testPattern('(', '('), false);
  assert.equal(testPattern('a'.repeat(500), 'a'.repeat(500)), true);
  assert.equal(testPattern('a'.repeat(501), 'a'.repeat(501)), false);
});

test('letters of every alphabet match \\p{L}, and older patterns are taken as they are written', () => {
  assert.equal(testPattern('^[\\p{L} ]+$', 'Łukasz Ōkubo'), true);
  assert.equal(testPattern('^[\\p{L} ]+$', 'p{L}'), false);
  assert.equal(testPattern('^\\d+\\-\\d+$', '12-34'), true);
});

test('browser and server give the same verdict on the same value', () => {
  const patterns = fc.constantFrom(
    '^[\\p{L}\\p{N} ]+$',
    '^\\d+\\-\\d+$',
    '^.{1,3}$',
    '[^a-z]',
    '^\\w+@\\w+$',
    '\\u{1F511}',
    '(',
  );
  fc.assert(
    fc.property(patterns, fc.string({ unit: 'grapheme', maxLength: 12 }), (pattern, value) => {
      assert.equal(testPattern(pattern, value), testInBrowser(pattern, value));
    }),
    { numRuns: 500 },
  );
});
