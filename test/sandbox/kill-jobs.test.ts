import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderWhileKilled } from '../fixtures/killed-orders.ts';
import { notEmpty } from '../fixtures/rows.ts';

test('an order goes on after kill -9 between two phases, and each phase is done once', async t => {
  for (const { status, times, actions } of notEmpty(await orderWhileKilled(t, [1]))) {
    assert.equal(status, 'Active');
    assert.equal(times.length, 4);
    assert.deepEqual(times, [...times].sort());
    assert.deepEqual(actions, ['Service activated', 'Service ordered', 'Customer created']);
  }
});
