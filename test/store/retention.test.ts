import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { eventually } from '../fixtures/eventually.ts';
import { type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { freshDatabase } from '../fixtures/postgres.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { copyStore } from '../fixtures/store-template.ts';

const day = 86_400_000;
/** A cloud is of no matter here. */
const cloudUrl = 'http://127.0.0.1:9';

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-audit-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Settings = Readonly<Record<string, string>>;

/** Writes records, so many days old, and starts the portal on the same data again. */
async function startWith(t: TestContext, ages: readonly number[], env: Settings): Promise<StartedPortal> {
  const dataDir = await makeFolder(t);
  const server = process.env.TEST_DATABASE_URL;
  const database = server ? await freshDatabase(server) : undefined;
  if (!server) await copyStore(dataDir);
  const place = database && { DATABASE_URL: database.url };
  const first = await startPortal({ cloudUrl, dataDir, env: { ...place } });
  const fill = ({ store }: StartedPortal) =>
    store.run(db =>
      db
        .insertInto('audit')
        .values(
          ages.map(age => ({
            at: new Date(Date.now() - age * day),
            action: 'test.record',
            outcome: 'done',
            detail: JSON.stringify({ age }),
          })),
        )
        .execute(),
    );
  await fill(first);
  await first.close();
  const portal = await startPortal({ cloudUrl, dataDir, env: { ...env, ...place } });
  t.after(portal.close);
  if (database) t.after(database.drop);
  return portal;
}

const agesIn = async ({ store }: StartedPortal): Promise<number[]> => {
  const rows = await store.run(db =>
    db.selectFrom('audit').select('detail').where('action', '=', 'test.record').orderBy('id').execute(),
  );
  return rows.map(({ detail }) => (detail as unknown as { age: number }).age);
};

const exported = async (folder: string): Promise<{ readonly action: string; readonly detail: { age: number } }[]> => {
  const files = (await readdir(folder)).filter(name => /^audit-\d{12}-\d{12}\.jsonl\.gz$/.test(name)).sort();
  const texts = await Promise.all(files.map(async name => gunzipSync(await readFile(join(folder, name))).toString()));
  return texts.flatMap(text =>
    text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line)),
  );
};

test('records older than they are kept are exported and deleted, the others stay', async t => {
  const folder = await makeFolder(t);
  const portal = await startWith(t, [30, 20, 11, 9, 1], { AUDIT_DAYS: '10', AUDIT_EXPORT_DIR: folder });
  await eventually(async () => (await agesIn(portal)).length === 2);
  assert.deepEqual(await agesIn(portal), [9, 1]);
  const lines = await exported(folder);
  assert.deepEqual(
    lines.filter(({ action }) => action === 'test.record').map(({ detail }) => detail.age),
    [30, 20, 11],
  );
  assertEvery(await readdir(folder), name => name.endsWith('.gz'));
});

test('of more records than are kept the oldest go, in several batches, each exported once', async t => {
  const folder = await makeFolder(t);
  const ages = Array.from({ length: 5200 }, (_, index) => 6 - index / 1000);
  const portal = await startWith(t, ages, { AUDIT_ROWS: '1000', AUDIT_EXPORT_DIR: folder });
  await eventually(async () => (await agesIn(portal)).length <= 1000);
  const kept = await agesIn(portal);
  assert.ok(kept.length > 900, String(kept.length));
  const gone = (await exported(folder))
    .filter(({ action }) => action === 'test.record')
    .map(({ detail }) => detail.age);
  assert.deepEqual([...gone, ...kept], ages);
});

test('without a folder old records just go, and the log warns of it', async t => {
  const portal = await startWith(t, [30, 1], { AUDIT_DAYS: '10' });
  await eventually(async () => (await agesIn(portal)).length === 1);
  await eventually(async () => /"level":40.*AUDIT_EXPORT_DIR/.test(portal.log()));
  assert.deepEqual(await agesIn(portal), [1]);
});

test('what cannot be exported stays', async t => {
  const folder = await makeFolder(t);
  const portal = await startWith(t, [1], { AUDIT_DAYS: '10', AUDIT_EXPORT_DIR: folder });
  assert.deepEqual(await agesIn(portal), [1]);
  // A file in place of the folder is found out at the start.
  const file = join(folder, 'file');
  await writeFile(file, '');
  await assert.rejects(
    startPortal({ cloudUrl, env: { AUDIT_EXPORT_DIR: join(file, 'audit') } }),
    /AUDIT_EXPORT_DIR .* cannot be written/,
  );
});
