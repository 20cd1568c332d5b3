import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/log.ts';
import { openLayouts } from '../../server/open-layouts.ts';
import { explainStart, start, type Undo, undoAll } from '../../server/start.ts';
import { takeLock } from '../../server/store/lock.ts';
import { openStore } from '../../server/store/store.ts';
import { copySchemas } from '../fixtures/edited-schemas.ts';
import { freshDatabase } from '../fixtures/postgres.ts';
import { programOf } from '../fixtures/program.ts';
import { openOnce } from '../fixtures/started-portal.ts';
import { copyStore } from '../fixtures/store-template.ts';
import { nextEvent } from '../fixtures/wait.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-start-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** What the start says where it cannot start. Documents are those of the project unless `open` is another. */
async function refusal(environment: Record<string, string>, open: typeof openLayouts = openOnce): Promise<string> {
  const undo: Undo = [];
  try {
    const config = readConfig({
      CLOUD_API_URL: 'http://127.0.0.1:9',
      DATA_DIR: join(folder, 'data'),
      ...environment,
    });
    await start(config, undo, { log: createLog('silent'), open });
    return 'it started';
  } catch (error) {
    return explainStart(error);
  } finally {
    await undoAll(undo);
  }
}

/** An empty store: in PostgreSQL where the tests have one, else in the data folder. */
async function makeDatabase(t: TestContext, data: string): Promise<{ readonly DATABASE_URL: string } | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return void (await copyStore(data));
  const { url, drop } = await freshDatabase(server);
  t.after(drop);
  return { DATABASE_URL: url };
}

/** Runs the program where it cannot start; gives its exit code and what it printed. */
async function run(environment: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const { DATABASE_URL: _, ...rest } = process.env;
  const env = { ...rest, CLOUD_API_URL: 'http://127.0.0.1:9', PORT: '0', LOG_LEVEL: 'silent', ...environment };
  const { file, execArgv } = programOf('server/main.ts', 'test/fixtures/full-disk.ts');
  const child = spawn(process.execPath, [...execArgv, file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', part => {
      printed += part;
    });
  }
  const [code] = (await nextEvent(child, 'close')) as [number | null];
  return { code, lines: printed.trimEnd().split('\n') };
}

test('an environment that makes no sense is refused in one line', async () => {
  assert.equal(
    await refusal({ HOST: '0.0.0.0' }),
    'HOST 0.0.0.0 is reachable from a network: set PUBLIC_URL to the https address of the portal.',
  );
});

test('documents that are broken at the start are refused in one line with file, line and column', async () => {
  const schemas = await copySchemas();
  await schemas.edit('customers/customers.json', text => text.replace('"type": "toolbar"', '"type": "tolbar"'));
  const said = await refusal({ SCHEMAS_DIR: schemas.folder }, openLayouts);
  await schemas.remove();
  assert.match(said, /^.*customers\/customers\.json:\d+:\d+: .*"tolbar" not found.*Did you mean "toolbar"\?.*$/);
});

test('an empty folder of documents is refused in one line', async () => {
  const said = await refusal({ SCHEMAS_DIR: folder }, openLayouts);
  assert.equal(said, 'The schemas cannot be used. .:1:1: error: The schemas folder has no documents.');
});

test('a data folder that is in use, or that cannot be written, is refused in one line', async () => {
  const data = join(folder, 'used');
  const lock = await takeLock(data);
  // This process lives, so its lock counts.
  const used = await refusal({ DATA_DIR: data });
  await lock.release();
  assert.equal(used, `DATA_DIR ${data} is in use by another portal process (${join(data, 'portal.lock')}).`);
  await writeFile(join(folder, 'file'), '');
  const unwritable = await refusal({ DATA_DIR: join(folder, 'file/data') });
  assert.equal(unwritable, `DATA_DIR ${join(folder, 'file/data')} cannot be written (ENOTDIR).`);
});

test('a port in use is refused in one line, before anything is started behind it', async t => {
  const other = createServer().listen(0, '127.0.0.1');
  await nextEvent(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const data = join(folder, 'behind');
  const database = await makeDatabase(t, data);
  const said = await refusal({ PORT: String(port), CLOUD_API_URL: '', DATA_DIR: data, ...database });
  other.close();
  assert.equal(said, `PORT ${port} is in use by another process.`);
  assert.equal(existsSync(join(data, 'sandbox')), false);
});

test('a database that cannot be reached is refused in one line', async () => {
  assert.equal(
    await refusal({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }),
    'DATABASE_URL: the database cannot be used (connect ECONNREFUSED 127.0.0.1:1).',
  );
});

test("a database that a newer version has changed beyond this one's reach is refused in one line", async t => {
  const data = join(folder, 'newer');
  const database = await makeDatabase(t, data);
  const store = await openStore({
    dataDir: data,
    log: createLog('silent'),
    ...(database && { databaseUrl: database.DATABASE_URL }),
  });
  await store.run(async db => {
    await sql`create table portal.migration_limits (migration text primary key, oldest text not null)`.execute(db);
    await sql`insert into portal.migration_limits values ('901-next', '900-first')`.execute(db);
  });
  await store.close();
  assert.equal(
    await refusal({ DATA_DIR: data, ...database }),
    `${database ? 'DATABASE_URL' : `DATA_DIR ${data}`}: this version cannot use the database: a newer version has changed it (901-next), and only versions with 900-first can use it now: start such a version, or restore a backup from before.`,
  );
});

// In a process of its own, as an engine that fails may print by itself.
test('the program ends with one line where the disk has no room for the database, also where a killed portal has left its lock', async () => {
  const data = join(folder, 'full');
  await copyStore(data);
  await writeFile(join(data, 'portal.lock'), JSON.stringify({ host: hostname(), pid: 2 ** 30, token: 'killed' }));
  const { code, lines } = await run({ DATA_DIR: data, FULL_DISK: '1' });
  assert.deepEqual([code, lines.length], [1, 1], lines.join('\n'));
  assert.match(
    lines[0] ?? '',
    /^DATA_DIR \S+: the embedded database cannot be opened \(.+\)\. There are \d+ MB free on its disk\.$/,
  );
});
