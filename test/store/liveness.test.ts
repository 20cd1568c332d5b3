import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { createLivenessMonitor } from '../../server/store/liveness.ts';

const down = { code: 'STORE_DOWN', message: 'STORE_DOWN: the database says nothing' };
const never = (): Promise<never> => new Promise(() => undefined);

afterEach(() => mock.timers.reset());

test('work that hears nothing of the database for 1.75 seconds is refused, and what comes then is not begun', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const { guard, isUnresponsive, recordReply } = createLivenessMonitor();
  const refused = assert.rejects(guard(never), down);
  mock.timers.tick(1500);
  assert.equal(isUnresponsive(), false);
  mock.timers.tick(250);
  assert.equal(isUnresponsive(), true);
  await refused;
  let begun = 0;
  const work = async (): Promise<string> => `begun ${++begun}`;
  await assert.rejects(guard(work), down);
  assert.equal(begun, 0);
  recordReply();
  assert.equal(await guard(work), 'begun 1');
});

test('work waits on for a database that answers anything meanwhile', async () => {
  mock.timers.enable({ apis: ['setInterval'] });
  const { guard, isUnresponsive, recordReply } = createLivenessMonitor();
  let finish: (value: string) => void = () => undefined;
  const slow = guard(
    () =>
      new Promise<string>(resolve => {
        finish = resolve;
      }),
  );
  for (let round = 0; round < 5; round++) {
    mock.timers.tick(1500);
    recordReply();
  }
  assert.equal(isUnresponsive(), false);
  finish('done');
  assert.equal(await slow, 'done');
});
