import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { createLog } from '../../server/log.ts';
import { type Attempts, createAttempts } from '../../server/session/attempts.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { freshDatabase, patience } from '../fixtures/postgres.ts';
import { copyStore } from '../fixtures/store-template.ts';

const minute = 60_000;
const home = '203.0.113.7';
let folder: string;
let store: Store;
let database: { url: string; drop: () => Promise<void> } | undefined;
let attempts: Attempts;
let now = Date.UTC(2026, 0, 1);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-attempts-'));
  if (process.env.TEST_DATABASE_URL) database = await freshDatabase(process.env.TEST_DATABASE_URL);
  else await copyStore(folder);
  store = await openStore({
    dataDir: folder,
    log: createLog('silent'),
    ...(database && { databaseUrl: database.url, patience }),
  });
  attempts = createAttempts(store, () => now);
});
after(async () => {
  await store?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await store.run(db => db.deleteFrom('attempts').execute());
});

const admit = (account: string, address = home, robot = true) => attempts.admit(account, address, robot);
/** Guesses in waves of forty at once. */
async function guess(account: string, times: number, addressOf: (index: number) => string): Promise<number> {
  const wave = 40;
  let admitted = 0;
  for (let from = 0; from < times; from += wave) {
    const size = Math.min(wave, times - from);
    const results = await Promise.all(
      Array.from({ length: size }, (_, index) => admit(account, addressOf(from + index))),
    );
    admitted += results.filter(result => result === 'admitted').length;
  }
  return admitted;
}

test('ten failures at one address lock the account there for the rest of a quarter of an hour', async () => {
  assert.equal(await guess('ann', 9, () => home), 9);
  now += 15 * minute - 1;
  assert.equal(await guess('ann', 21, () => home), 1);
  assert.equal(await attempts.failures('ann', home), 10);
  now += 1;
  assert.equal(await attempts.failures('ann', home), 0);
  assert.equal(await guess('ann', 30, () => home), 10);
});

test('spellings of a name, and addresses of one network, count as one', async () => {
  const names = ['ann', 'ANN', ' Ann ', 'ａｎｎ'];
  const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9'];
  let admitted = 0;
  for (let index = 0; index < 40; index++)
    if ((await admit(names[index % 4] ?? '', addresses[index % 2])) === 'admitted') admitted += 1;
  assert.equal(admitted, 10);
});

test('the not-a-robot answer is needed after three failures, also when guesses come in parallel', async () => {
  const results = await Promise.all(Array.from({ length: 20 }, () => admit('ann', home, false)));
  assert.deepEqual(
    [results.filter(result => result === 'admitted').length, results.filter(result => result === 'robot').length],
    [3, 17],
  );
  assert.equal(await admit('ann', home, true), 'admitted');
});

test('a right password clears the count at its address', async () => {
  await guess('ann', 9, () => home);
  assert.equal(await admit('ann'), 'admitted');
  await attempts.forgive('ann', home, 'right');
  assert.equal(await attempts.failures('ann', home), 0);
  assert.equal(await guess('ann', 10, () => home), 10);
});

test('an attempt that could not be checked does not count', async () => {
  for (let count = 0; count < 20; count++) {
    assert.equal(await admit('ann'), 'admitted');
    await attempts.forgive('ann', home, 'unchecked');
  }
  assert.equal(await guess('ann', 9, () => home), 9);
  for (let count = 0; count < 3; count++) {
    assert.equal(await admit('ann'), 'admitted');
    await attempts.forgive('ann', home, 'unchecked');
    assert.equal(await attempts.failures('ann', home), 9);
  }
});

test('an attempt that was right or could not be checked counts neither for the account nor for the address', async () => {
  const outcomeOf = (index: number) => (index % 2 ? 'unchecked' : 'right');
  assert.equal(await guess('ann', 95, index => `198.51.${index}.1`), 95);
  for (let index = 0; index < 20; index++) {
    assert.equal(await admit('ann', `203.0.${index}.1`), 'admitted');
    await attempts.forgive('ann', `203.0.${index}.1`, outcomeOf(index));
  }
  assert.equal(await guess('ann', 10, index => `192.0.${index}.1`), 5);

  for (let index = 0; index < 295; index++) assert.equal(await admit(`user-${index}`), 'admitted');
  for (let index = 0; index < 20; index++) {
    assert.equal(await admit(`other-${index}`), 'admitted');
    await attempts.forgive(`other-${index}`, home, outcomeOf(index));
  }
  let admitted = 0;
  for (let index = 0; index < 10; index++) if ((await admit(`last-${index}`)) === 'admitted') admitted += 1;
  assert.equal(admitted, 5);
});

test('failures elsewhere count for an address that the account has not signed in from, and for no other', async () => {
  const [elsewhere, third] = ['198.51.100.1', '198.51.100.2'];
  await admit('ann', home);
  await attempts.forgive('ann', home, 'right');
  assert.equal(await attempts.failures('ann', third), 0);
  await guess('ann', 5, () => elsewhere);
  assert.deepEqual(
    [
      await attempts.failures('ann', third),
      await attempts.failures('ann', home),
      await attempts.failures('bob', third),
    ],
    [5, 0, 0],
  );
});

test('a stranger at many addresses slows guessing down to a crawl', async () => {
  const admitted = await guess('ann', 120, index => `198.51.${index}.1`);
  assert.equal(admitted, 100);
  let crawled = 0;
  for (let second = 0; second < 600; second += 5) {
    now += 5000;
    if ((await admit('ann', `192.0.${second % 250}.2`)) === 'admitted') crawled += 1;
  }
  assert.ok(crawled > 3 && crawled < 20, String(crawled));
});

test('a stranger cannot lock the owner out of an address that the owner has signed in from', async () => {
  assert.equal(await admit('ann', home), 'admitted');
  await attempts.forgive('ann', home, 'right');
  await guess('ann', 110, index => `198.51.${index}.1`);
  assert.equal(await admit('ann', '192.0.2.1'), 'locked');
  assert.equal(await admit('ann', home), 'admitted');
});

test('of two attempts at once, the one that looked at its clock first and is counted last is admitted too', async () => {
  assert.equal(await admit('ann'), 'admitted');
  now -= 1;
  assert.equal(await admit('ann'), 'admitted');
  await attempts.forgive('ann', home, 'unchecked');
  now -= 1;
  assert.equal(await admit('ann'), 'admitted');
  now += 2;
});

test('a stranger cannot lock the owner out of a new address for good', async () => {
  await guess('ann', 110, index => `198.51.${index}.1`);
  now += 61_000;
  assert.equal(await admit('ann', '192.0.2.9'), 'admitted');
});

test('once an account is slowed down, each pause is twice the one before, up to a minute', async () => {
  const stranger = (index: number): string => `192.0.2.${index}`;
  assert.equal(await guess('ann', 101, index => `198.51.${index}.1`), 100);
  for (const [index, seconds] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    now += seconds * 1000 - 1;
    assert.equal(await admit('ann', stranger(index)), 'locked', `just before ${seconds} s`);
    now += 1;
    assert.equal(await admit('ann', stranger(index)), 'admitted', `after ${seconds} s`);
  }
});

test('an address that the account signed in from is known for thirty days', async () => {
  assert.equal(await admit('ann', home), 'admitted');
  await attempts.forgive('ann', home, 'right');
  now += 30 * 24 * 60 * minute - 1;
  assert.equal(await guess('ann', 101, index => `198.51.${index}.1`), 100);
  assert.equal(await admit('ann', home), 'admitted');
  now += 1;
  assert.equal(await admit('ann', home), 'locked');
});

test('one address cannot try account after account', async () => {
  let admitted = 0;
  for (let index = 0; index < 310; index++) if ((await admit(`user-${index}`)) === 'admitted') admitted += 1;
  assert.equal(admitted, 300);
  assert.equal(await admit('ann', '192.0.2.77'), 'admitted');
});

test('usernames can be asked about only so often from one address', async () => {
  let admitted = 0;
  for (let index = 0; index < 100; index++) if (await attempts.admitLookup(home)) admitted += 1;
  assert.equal(admitted, 60);
  assert.equal(await attempts.admitLookup('192.0.2.77'), true);
});

test('whoever signs in after asking about a username has not asked', async () => {
  for (let index = 0; index < 100; index++) {
    assert.equal(await attempts.admitLookup(home), true);
    assert.equal(await admit(`user-${index}`), 'admitted');
    await attempts.forgive(`user-${index}`, home, 'right');
  }
});

test('wrong links are tried only so often from one address, and right ones do not count', async () => {
  for (let index = 0; index < 40; index++) {
    assert.equal(await attempts.admitLink(home), true);
    await attempts.forgiveLink(home);
  }
  let admitted = 0;
  for (let index = 0; index < 40; index++) if (await attempts.admitLink(home)) admitted += 1;
  assert.equal(admitted, 30);
  assert.equal(await attempts.admitLink('192.0.2.77'), true);
});

test('what is over is forgotten', async () => {
  await guess('ann', 20, () => home);
  now += 14 * minute;
  await guess('bob', 1, () => '192.0.2.1');
  now += minute + 1;
  await attempts.sweep();
  assert.equal(await attempts.failures('bob', '192.0.2.1'), 1);
  now += 15 * minute;
  await attempts.sweep();
  const rows = await store.run(db => db.selectFrom('attempts').select('key').execute());
  assert.deepEqual(rows, []);
});
