import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { canonicalSubject } from '../../server/journeys/journey-draft.ts';
import { createLog } from '../../server/log.ts';
import { createDrafts, type Drafts, draftLife, draftLimit } from '../../server/store/drafts.ts';
import { createExportFiles } from '../../server/store/export-files.ts';
import { ownerBounds } from '../../server/store/owner-bounds.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { freshDatabase, patience } from '../fixtures/postgres.ts';
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
    ...(database && { databaseUrl: database.url, patience }),
  });
  drafts = createDrafts(store, () => clock);
});
after(async () => {
  await store?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const { rows: mostDrafts, bytes: mostBytes } = ownerBounds.drafts;
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

test('85: of one owner and kind the newest fifty stay, and those of others with them', async () => {
  const note = (index: number) => ({ owner: 'eve', kind: 'price of voice', subject: String(index) });
  const own = { owner: 'eve', kind: 'voice', subject: '10001' };
  await drafts.keep(own, 'typed');
  await drafts.keep(keyOf('10001', 'mallory'), 'typed');
  for (let index = 0; index < mostDrafts + 5; index++) {
    clock += 1000;
    await drafts.keep(note(index), index);
  }
  // One that is kept again takes no place of another.
  await drafts.keep(note(mostDrafts + 4), 'again');
  const found = await Promise.all(Array.from({ length: mostDrafts + 5 }, (_, index) => drafts.find(note(index))));
  assert.deepEqual(
    found.map(draft => draft !== undefined),
    [...Array(5).fill(false), ...Array(mostDrafts).fill(true)],
  );
  assert.equal((await drafts.find(own))?.content, 'typed');
  assert.equal((await drafts.find(keyOf('10001', 'mallory')))?.content, 'typed');
});

test('85: of the drafts of one owner, of whatever kinds, the newest four megabytes stay', async () => {
  const keyAt = (index: number, owner = 'hoarder') => ({ owner, kind: `kind ${index % 3}`, subject: String(index) });
  await drafts.keep(keyAt(0, 'thrifty'), 'typed');
  const content = 'x'.repeat(draftLimit - 2);
  const most = mostBytes / draftLimit;
  for (let index = 0; index < most + 3; index++) {
    clock += 1000;
    await drafts.keep(keyAt(index), content);
  }
  const isKept = async (index: number) => (await drafts.find(keyAt(index))) !== undefined;
  assert.deepEqual(await Promise.all([0, 1, 2, 3, most + 2].map(isKept)), [false, false, false, true, true]);
  // One that grows counts as what it has become.
  await drafts.keep(keyAt(most + 3), 'small');
  await drafts.keep(keyAt(most + 3), content, 1);
  assert.deepEqual(await Promise.all([3, 4, most + 3].map(isKept)), [false, true, true]);
  assert.equal((await drafts.find(keyAt(0, 'thrifty')))?.content, 'typed');
});

test('85: of the files made for one owner the newest stay, in number and bytes, and what is being made', async () => {
  const files = createExportFiles(store, () => clock);
  const { rows: most, bytes } = ownerBounds.exports;
  const begin = async (owner: string) => {
    clock += 1000;
    const file = { owner, session: 's', title: 'Customers', format: 'csv', path: '/customers', table_id: 't' } as const;
    return (await files.begin({ ...file, columns: '[]', total: null, sight: null })) ?? assert.fail('not begun');
  };
  const make = async (owner: string, size: number) => {
    const id = await begin(owner);
    await files.finish(id, { rows: 1, bytes: size });
    return id;
  };
  const kept = async (owner: string) => (await files.list(owner)).map(({ id }) => id);
  const others = await make('thrifty', 1);
  const running = await begin('collector');
  const small: string[] = [];
  for (let count = 0; count < most + 2; count++) small.push(await make('collector', 1));
  assert.deepEqual((await kept('collector')).sort(), [running, ...small.slice(1 - most)].sort());
  const large = [await make('collector', bytes / 2), await make('collector', bytes / 2)];
  assert.deepEqual((await kept('collector')).sort(), [running, ...large].sort());
  assert.deepEqual(await kept('thrifty'), [others]);
});

test('85: a subject has one key, however an address spells it', () => {
  const spellings = ['10001', '010001', '00010001'];
  assert.deepEqual([...new Set(spellings.map(canonicalSubject))], ['10001']);
  const guids = ['0F8FAD5B-D9CB-469F-A165-70867728950E', '0f8fad5b-d9cb-469f-a165-70867728950e'];
  assert.deepEqual([...new Set(guids.map(canonicalSubject))], [guids[1]]);
  assert.deepEqual(['0', '000', 'Ab', 'ab', '1e3'].map(canonicalSubject), ['0', '0', 'Ab', 'ab', '1e3']);
});

test('one that is too large is refused, and what was kept stays', async () => {
  const key = keyOf('10004');
  await drafts.keep(key, 'small');
  await assert.rejects(drafts.keep(key, 'é'.repeat(draftLimit / 2), 1), { code: 'TOO_LARGE' });
  assert.equal((await drafts.find(key))?.content, 'small');
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
