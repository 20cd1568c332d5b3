import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createLog } from '../../server/log.ts';
import { takeLock } from '../../server/store/lock.ts';
import { openStore } from '../../server/store/store.ts';
import { copySchemas } from '../fixtures/edited-schemas.ts';
import { programOf } from '../fixtures/program.ts';
import { copyStore } from '../fixtures/store-template.ts';
import { nextEvent } from '../fixtures/wait.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-start-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** Starts the portal where it cannot start; gives its exit code and what it printed. */
async function start(environment: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const { DATABASE_URL: _, ...rest } = process.env;
  const env = {
    ...rest,
    CLOUD_API_URL: 'http://127.0.0.1:9',
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATA_DIR: join(folder, 'data'),
    ...environment,
  };
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
  assert.deepEqual(await start({ HOST: '0.0.0.0' }), {
    code: 1,
    lines: ['HOST 0.0.0.0 is reachable from a network: set PUBLIC_URL to the https address of the portal.'],
  });
});

test('documents that are broken at the start are refused in one line with file, line and column', async () => {
  const schemas = await copySchemas();
  await schemas.edit('customers/customers.json', text => text.replace('"type": "toolbar"', '"type": "tolbar"'));
  const { code, lines } = await start({ SCHEMAS_DIR: schemas.folder });
  await schemas.remove();
  assert.equal(code, 1);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /customers\/customers\.json:\d+:\d+: .*"tolbar" not found.*Did you mean "toolbar"\?/);
});

test('an empty folder of documents is refused in one line', async () => {
  const { code, lines } = await start({ SCHEMAS_DIR: folder });
  assert.deepEqual([code, lines.length], [1, 1]);
});

test('a data folder that is in use, or that cannot be written, is refused in one line', async () => {
  const data = join(folder, 'used');
  const lock = await takeLock(data);
  // This process lives, so its lock counts.
  const used = await start({ DATA_DIR: data });
  await lock.release();
  assert.deepEqual(used, {
    code: 1,
    lines: [`DATA_DIR ${data} is in use by another portal process (${join(data, 'portal.lock')}).`],
  });
  await writeFile(join(folder, 'file'), '');
  const unwritable = await start({ DATA_DIR: join(folder, 'file/data') });
  assert.deepEqual(unwritable, {
    code: 1,
    lines: [`DATA_DIR ${join(folder, 'file/data')} cannot be written (ENOTDIR).`],
  });
});

test('a port in use is refused in one line, before anything is started behind it', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await nextEvent(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, lines } = await start({ PORT: String(port), CLOUD_API_URL: '', LOG_LEVEL: 'info' });
  other.close();
  assert.deepEqual({ code, lines }, { code: 1, lines: [`PORT ${port} is in use by another process.`] });
});

test('a database that cannot be reached is refused in one line', async () => {
  const { code, lines } = await start({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  assert.deepEqual(
    { code, lines },
    { code: 1, lines: ['DATABASE_URL: the database cannot be used (connect ECONNREFUSED 127.0.0.1:1).'] },
  );
});

test("a database that a newer version has changed beyond this one's reach is refused in one line", async () => {
  const data = join(folder, 'newer');
  await copyStore(data);
  const store = await openStore({ dataDir: data, log: createLog('silent') });
  await store.run(async db => {
    await sql`create table portal.migration_limits (migration text primary key, oldest text not null)`.execute(db);
    await sql`insert into portal.migration_limits values ('901-next', '900-first')`.execute(db);
  });
  await store.close();
  assert.deepEqual(await start({ DATA_DIR: data }), {
    code: 1,
    lines: [
      `DATA_DIR ${data}: this version cannot use the database: a newer version has changed it (901-next), and only versions with 900-first can use it now: start such a version, or restore a backup from before.`,
    ],
  });
});

test('a disk without room for the database is told in one line, also where a killed portal has left its lock', async () => {
  const data = join(folder, 'full');
  await copyStore(data);
  await writeFile(join(data, 'portal.lock'), JSON.stringify({ host: hostname(), pid: 2 ** 30, token: 'killed' }));
  const { code, lines } = await start({ DATA_DIR: data, FULL_DISK: '1' });
  assert.deepEqual([code, lines.length], [1, 1], lines.join('\n'));
  assert.match(
    lines[0] ?? '',
    /^DATA_DIR \S+: the embedded database cannot be opened \(.+\)\. There are \d+ MB free on its disk\.$/,
  );
});
