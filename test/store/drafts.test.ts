import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createLog } from '../../server/log.ts';
import { createDrafts, type Drafts, draftLife, draftLimit, mostDrafts } from '../../server/store/drafts.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { freshDatabase } from '../fixtures/postgres.ts';
import { copyStore } from '../fixtures/store-template.ts';

let folder: string;
let store: Store;
let drafts: Drafts;
let database: { url: string; drop: () => Promise<void> } | undefined;
let clock = Date.parse('2027-02-03T10:00:00Z');

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-drafts-'));
  if (process.env.TEST_DATABASE_URL) database = await freshDatabase(process.env.TEST_DATABASE_URL);
  else await copyStore(folder);
  store = await openStore({
    dataDir: folder,
    log: createLog('silent'),
    ...(database && { databaseUrl: database.url }),
  });
  drafts = createDrafts(store, () => clock);
});
after(async () => {
  await store?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const keyOf = (subject: string, owner = 'ada') => ({ owner, kind: 'voice', subject });

test('a draft is kept over the version that was read, and never over a newer one', async () => {
  const key = keyOf('10001');
  assert.equal(await drafts.find(key), undefined);
  const first = await drafts.keep(key, { Sites: ['A 🚀 \u0000 שלום'] });
  assert.equal(first?.version, 1);
  assert.deepEqual(await drafts.find(key), first);
  const writes = await Promise.all([1, 2, 3].map(number => drafts.keep(key, { number }, 1)));
  assert.equal(writes.filter(Boolean).length, 1);
  assert.equal((await drafts.find(key))?.version, 2);
  assert.equal((await drafts.keep(key, { mine: true }))?.version, 3);
  assert.deepEqual((await drafts.find(key))?.content, { mine: true });
});

test('drafts of another owner, kind or subject are others', async () => {
  await drafts.keep(keyOf('10002'), 'mine');
  for (const other of [keyOf('10002', 'bob'), keyOf('10003'), { ...keyOf('10002'), kind: 'other' }])
    assert.equal(await drafts.find(other), undefined);
});

test('one that is too large is refused, and what was kept stays', async () => {
  const key = keyOf('10004');
  await drafts.keep(key, 'small');
  await assert.rejects(drafts.keep(key, 'é'.repeat(draftLimit / 2), 1), { code: 'TOO_LARGE' });
  assert.equal((await drafts.find(key))?.content, 'small');
});

test('85: of more drafts of one owner and kind than are kept the oldest go, and those of others stay', async () => {
  await drafts.keep(keyOf('first', 'bob'), 'his');
  for (let count = 0; count <= mostDrafts; count++) {
    clock += 1000;
    await drafts.keep(keyOf(`many ${count}`, 'eve'), count);
  }
  assert.equal(await drafts.find(keyOf('many 0', 'eve')), undefined);
  assert.equal((await drafts.find(keyOf('many 1', 'eve')))?.content, 1);
  assert.equal((await drafts.find(keyOf(`many ${mostDrafts}`, 'eve')))?.content, mostDrafts);
  assert.equal((await drafts.find(keyOf('first', 'bob')))?.content, 'his');
});

test('one that is dropped, or that nobody touches for thirty days, is gone', async () => {
  const [dropped, old] = [keyOf('10005'), keyOf('10006')];
  await drafts.keep(dropped, 1);
  await drafts.keep(old, 1);
  await drafts.drop(dropped);
  assert.equal(await drafts.find(dropped), undefined);
  assert.equal(await drafts.keep(dropped, 2, 1), undefined);
  clock += draftLife;
  assert.equal(await drafts.find(old), undefined);
  await drafts.sweep();
  const left = await store.run(db => db.selectFrom('drafts').select('subject').execute());
  assert.deepEqual(left, []);
});
