import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createLog } from '../../server/log.ts';
import { createAudit } from '../../server/store/audit.ts';
import { LockError, takeLock } from '../../server/store/lock.ts';
import type { Notice } from '../../server/store/notices.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { freshDatabase, patience } from '../fixtures/postgres.ts';
import { copyStore } from '../fixtures/store-template.ts';
import { nextEvent } from '../fixtures/wait.ts';

let folder: string;
let store: Store;
let database: { url: string; drop: () => Promise<void> } | undefined;
const log = createLog('silent');

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-store-'));
  await copyStore(folder);
  if (process.env.TEST_DATABASE_URL) database = await freshDatabase(process.env.TEST_DATABASE_URL);
  store = await openStore({ dataDir: folder, log, ...(database && { databaseUrl: database.url, patience }) });
});
after(async () => {
  await store?.close();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const scratch = () => mkdtemp(join(tmpdir(), 'portal-lock-'));
const lockFile = (dir: string) => join(dir, 'portal.lock');

test('a second opening of one folder is refused in one clear line, until the first is released', async () => {
  const dir = await scratch();
  const lock = await takeLock(dir);
  await assert.rejects(
    takeLock(dir),
    (error: Error) =>
      error instanceof LockError &&
      error.message === `DATA_DIR ${dir} is in use by another portal process (${lockFile(dir)}).`,
  );
  await lock.release();
  await (await takeLock(dir)).release();
  await rm(dir, { recursive: true });
});

test('a living process elsewhere keeps its folder, and a killed one gives it up at once', async () => {
  const dir = await scratch();
  const module = new URL('../../server/store/lock.ts', import.meta.url).href;
  const script = `import { takeLock } from ${JSON.stringify(module)}; await takeLock(${JSON.stringify(dir)}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await nextEvent(child.stdout, 'data');
  await assert.rejects(takeLock(dir), LockError);
  child.kill('SIGKILL');
  await nextEvent(child, 'exit');
  await (await takeLock(dir)).release();
  await rm(dir, { recursive: true });
});

test('the lock of another host counts as long as it shows signs of life', async () => {
  const dir = await scratch();
  await writeFile(lockFile(dir), JSON.stringify({ host: `not-${hostname()}`, pid: process.pid, token: 'x' }));
  await assert.rejects(takeLock(dir), LockError);
  assert.equal(JSON.parse(await readFile(lockFile(dir), 'utf8')).token, 'x');
  await rm(dir, { recursive: true });
});

test('a folder that cannot be written is refused in one clear line', async () => {
  const dir = await scratch();
  await writeFile(join(dir, 'file'), '');
  await assert.rejects(
    takeLock(join(dir, 'file', 'data')),
    /^LockError|Error: DATA_DIR .* cannot be written \(ENOTDIR\)\.$/,
  );
  await rm(dir, { recursive: true });
});

test('a notice is heard with the commit, and never of what was rolled back', async () => {
  const heard: Notice[] = [];
  const stop = store.listen(notice => void heard.push(notice));
  await store.announce(async () => ({ kind: 'ended', session: 'one' }));
  await assert.rejects(
    store.announce(async () => {
      throw new Error('no');
    }),
  );
  await store.announce(async () => undefined);
  assert.deepEqual([...new Set(heard.map(notice => JSON.stringify(notice)))], ['{"kind":"ended","session":"one"}']);
  stop();
});

test('work that fails leaves nothing behind', async () => {
  const row = { key: 'k', failures: 1, window_ends: new Date(), next_at: new Date(), admitted: null };
  await assert.rejects(
    store.announce(async db => {
      await db.insertInto('attempts').values(row).execute();
      throw new Error('no');
    }),
  );
  assert.deepEqual(await store.run(db => db.selectFrom('attempts').selectAll().execute()), []);
});

test('audit records are cut and cannot forge lines', async () => {
  await createAudit(
    store,
    log,
  )({
    action: 'test.done',
    outcome: 'done',
    account: `ann\r\nforged\u2028${'x'.repeat(1000)}`,
    detail: { 'na\nme': 'va\u0000lue\ud800' },
  });
  const row = await store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'test.done').executeTakeFirstOrThrow(),
  );
  assert.equal(row.account?.length, 300);
  assert.ok(!/[\r\n\u2028]/.test(row.account ?? ''));
  assert.deepEqual(row.detail as unknown, { 'na me': 'va lue ' });
});

test('no text in an account, address, device or detail forges a line of a record, or adds a field to it', async () => {
  const audit = createAudit(store, log);
  const nasty = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 400 }),
    fc.constantFrom(
      'a\r\n{"action":"forged"}',
      '","outcome":"done","x":"',
      '\u2028\u2029\u0085\u0000',
      '\ud800\udfff\ud800',
      '\u001b[2J',
    ),
  );
  let count = 0;
  await fc.assert(
    fc.asyncProperty(nasty, nasty, nasty, nasty, nasty, async (account, actor, address, device, why) => {
      count += 1;
      const action = `test.nasty-${count}`;
      await audit({ action, outcome: 'refused', account, actor, address, device, detail: { why } });
      const rows = await store.run(db => db.selectFrom('audit').selectAll().where('action', '=', action).execute());
      assert.equal(rows.length, 1);
      const { id, at, detail, ...row } = rows[0] as (typeof rows)[number];
      assert.deepEqual(Object.keys(detail), ['why']);
      assert.deepEqual([row.action, row.outcome], [action, 'refused']);
      for (const text of [row.account, row.actor, row.address, row.device, Object.values(detail)[0] ?? '']) {
        assert.ok(text !== null && text.length <= 300);
        assert.doesNotMatch(text, /[\u0000-\u001f\u007f-\u009f\u2028\u2029]|\p{Surrogate}/u);
      }
    }),
    { numRuns: 150 },
  );
});

test('a database that is gone fails the audit into the log, not the caller', async () => {
  let logged = '';
  const dir = await scratch();
  await copyStore(dir);
  const gone = await openStore({ dataDir: dir, log });
  await gone.close();
  const audit = createAudit(
    gone,
    createLog('error', {
      write: line => {
        logged += line;
      },
    }),
  );
  await audit({ action: 'test.lost', outcome: 'done' });
  assert.match(logged, /test\.lost/);
  await rm(dir, { recursive: true });
});
