import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSince } from '../../../shared/rules/change.ts';
import { drawFrom } from '../../fixtures/draw.ts';

test('a figure is up or down by an exact amount, in percent of what it was', () => {
  assert.deepEqual(changeSince(40, 42), { direction: 'up', amount: '2', percent: 5 });
  assert.deepEqual(changeSince('300.30', '200.20'), { direction: 'down', amount: '100.1', percent: 33.3 });
  assert.deepEqual(changeSince('0.10', '0.30'), { direction: 'up', amount: '0.2', percent: 200 });
  assert.deepEqual(changeSince(-10, -5), { direction: 'up', amount: '5', percent: 50 });
  assert.deepEqual(changeSince(7, 7), { direction: 'same', amount: '0', percent: 0 });
});

test('from nothing there is no percent, and without one of both no change', () => {
  assert.deepEqual(changeSince(0, 3), { direction: 'up', amount: '3' });
  for (const none of [undefined, null, '', 'many', true, Number.NaN, {}, []]) {
    assert.equal(changeSince(none, 3), undefined);
    assert.equal(changeSince(3, none), undefined);
  }
});

test('a change and its reverse are as much, the other way round, and add up to the figure', () => {
  const draw = drawFrom(88);
  const seen = new Set<string>();
  for (let round = 0; round < 1000; round += 1) {
    // Pence: whole numbers below 10^9 are exact.
    const [then, now] = [draw(100_000), draw(3) === 0 ? draw(100_000) : draw(20)];
    const write = (pence: number) => (pence / 100).toFixed(2);
    const [there, back] = [changeSince(write(then), write(now)), changeSince(write(now), write(then))];
    const sign = { up: 1, down: -1, same: 0 }[there?.direction ?? assert.fail()];
    assert.ok(Math.abs(then + sign * 100 * Number(there?.amount) - now) < 0.001, `${then} ${now}`);
    assert.equal(back?.amount, there?.amount);
    assert.equal({ up: 'down', down: 'up', same: 'same' }[there?.direction ?? assert.fail()], back?.direction);
    seen.add(there?.direction ?? '');
  }
  assert.ok(seen.size >= 2);
});
