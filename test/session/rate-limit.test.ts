import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRate } from '../../server/session/rate-limit.ts';

test('87: a limit counts by a clock that nobody sets', t => {
  let passed = 1000;
  let set = Date.UTC(2027, 0, 1);
  t.mock.method(performance, 'now', () => passed);
  t.mock.method(Date, 'now', () => set);
  const rate = createRate(2);
  const take = () => rate.take('one');
  assert.deepEqual([take(), take(), take()], [true, true, false]);
  set += 3_600_000;
  assert.equal(take(), false);
  set -= 7_200_000;
  passed += 60_000;
  assert.deepEqual([rate.isSpent('one'), take(), take(), take()], [false, true, true, false]);
});
