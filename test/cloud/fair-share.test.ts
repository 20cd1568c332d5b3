import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofAccount, waitingOfAccount } from '../../server/cloud/fair-share.ts';
import { createGuard, most } from '../../server/cloud/upstream.ts';
import { PortalError } from '../../server/errors.ts';

/** Calls of the cloud that end when they are told to, by who makes them. */
function begin() {
  const guard = createGuard('cloud', undefined);
  const ends: ((reply: string) => void)[] = [];
  const started: string[] = [];
  return {
    started,
    /** Ends the call that began first, where one is under way. */
    end(): void {
      ends.shift()?.('done');
    },
    call(account: string, network = account, signal?: AbortSignal): Promise<string> {
      const work = () => {
        started.push(account);
        return new Promise<string>(resolve => ends.push(resolve));
      };
      return guard(work, signal, undefined, { account, network }).catch((error: unknown) =>
        error instanceof PortalError ? error.code : String(error),
      );
    },
    run: (account: string) => guard(async () => 'done', undefined, undefined, { account, network: account }),
  };
}

const settle = () => new Promise(resolve => setImmediate(resolve));

test('84: one account has twelve calls under way, four dozen more wait for its own, and others are answered', async () => {
  const cloud = begin();
  const admitted = ofAccount + waitingOfAccount;
  const calls = Array.from({ length: admitted + 5 }, () => cloud.call('one'));
  const refused = await Promise.all(calls.slice(admitted));
  assert.deepEqual([...new Set(refused)], ['UPSTREAM_BUSY']);
  assert.equal(cloud.started.length, ofAccount);
  assert.equal(await cloud.run('another'), 'done');
  // What has ended makes room for what waits, and for no more.
  for (let ended = 0; ended < admitted; ended++) {
    cloud.end();
    await settle();
    await settle();
    assert.equal(cloud.started.length, Math.min(ofAccount + ended + 1, admitted));
  }
  assert.deepEqual([...new Set(await Promise.all(calls.slice(0, admitted)))], ['done']);
});

test('84: one network has a third of the calls, however many accounts it has', async () => {
  const cloud = begin();
  const calls = Array.from({ length: most.cloud }, (_, index) => cloud.call(`account ${index}`, '127.0.0.2'));
  await settle();
  assert.equal(cloud.started.length, most.cloud / 3);
  assert.equal(await cloud.run('another'), 'done');
  for (let ended = 0; ended < most.cloud; ended++) {
    cloud.end();
    await settle();
    await settle();
  }
  const codes = await Promise.all(calls);
  assert.equal(codes.filter(code => code === 'UPSTREAM_BUSY').length, most.cloud / 3);
});

test('84: where all places are taken the next goes to whoever has the fewest', async () => {
  const cloud = begin();
  const calls = Array.from({ length: most.cloud + 10 }, (_, index) => cloud.call(`account ${index % 40}`));
  const own = cloud.call('another');
  await settle();
  assert.equal(cloud.started.length, most.cloud);
  cloud.end();
  await settle();
  await settle();
  assert.equal(cloud.started.at(-1), 'another');
  for (let rest = most.cloud + 10; rest > 0; rest--) {
    cloud.end();
    await settle();
    await settle();
  }
  assert.deepEqual([...new Set(await Promise.all([own, ...calls]))], ['done']);
});

test('84: what its browser has left waits no more, and takes no place', async () => {
  const cloud = begin();
  const calls = Array.from({ length: ofAccount }, () => cloud.call('one'));
  const left = new AbortController();
  const waiting = cloud.call('one', 'one', left.signal);
  await settle();
  left.abort();
  assert.equal(await waiting, 'UPSTREAM_BUSY');
  for (let rest = ofAccount; rest > 0; rest--) cloud.end();
  assert.deepEqual([...new Set(await Promise.all(calls))], ['done']);
  assert.equal(await cloud.run('one'), 'done');
  assert.equal(cloud.started.length, ofAccount);
});
