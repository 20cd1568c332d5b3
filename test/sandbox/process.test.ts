import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import fs from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { lockFolder } from '../../server/database/folder-lock.ts';
import { readConfig } from '../../server/sandbox/config.ts';
import { programOf } from '../fixtures/program.ts';
import { copySeed, startSandbox } from '../fixtures/sandbox.ts';
import { nextEvent } from '../fixtures/wait.ts';

const { file, execArgv } = programOf('server/sandbox/main.ts');
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-sandbox-process-'));
  await copySeed(join(folder, 'sandbox'));
});
after(() => rm(folder, { recursive: true, force: true }));

/** The embedded database in `folder`, whatever the tests around it run on. */
const environment = (more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
  const { DATABASE_URL, TEST_DATABASE_URL, ...rest } = process.env;
  return { ...rest, DATA_DIR: folder, LOG_LEVEL: 'fatal', SANDBOX_PORT: '0', ...more };
};

async function startChild(): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(file, {
    execArgv: [...execArgv],
    env: environment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = (await nextEvent(child, 'message')) as [{ type: string; url: string }];
  assert.equal(message.type, 'ready');
  return { child, url: message.url };
}

test('a child tells its address, ignores Ctrl-C, refuses a second process on its folder, and ends with its parent', async () => {
  const { child, url } = await startChild();
  child.kill('SIGINT');
  assert.equal((await fetch(`${url}/health`)).status, 200);

  const second = spawn(process.execPath, [...execArgv, file], {
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  second.stderr.on('data', data => {
    said += data;
  });
  const [code] = await nextEvent(second, 'exit');
  assert.equal(code, 1);
  assert.match(said, new RegExp(`^The data folder .* is in use by process ${child.pid}\\. .*\\n$`));

  child.disconnect();
  assert.deepEqual(await nextEvent(child, 'exit'), [0, null]);
  assert.deepEqual(await readdir(join(folder, 'sandbox')), ['database']);
});

test('a variable that makes no sense is named', () => {
  for (const [name, value] of [
    ['SANDBOX_PORT', '99999'],
    ['SANDBOX_SEED', 'huge'],
    ['SANDBOX_TOKEN_SECONDS', 'x'],
    ['SANDBOX_TICK_MS', '-1'],
    ['DNS_SERVER', 'dns.example'],
    ['DNS_SERVER', '192.0.2.53:99999'],
    ['LOG_LEVEL', 'loud'],
  ] as const) {
    assert.throws(() => readConfig({ [name]: value }), new RegExp(`^Error: ${name} is "${value}"`));
  }
});

test('a resolver is an address, with a port or without', () => {
  for (const address of ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:5353'])
    assert.equal(readConfig({ DNS_SERVER: address }).dnsResolver, address);
});

test('DATABASE_URL goes before the folder', () => {
  assert.deepEqual(readConfig({ DATABASE_URL: 'postgres://x/y' }).storage, { databaseUrl: 'postgres://x/y' });
  assert.deepEqual(readConfig({ DATA_DIR: '/d' }).storage, { folder: '/d/sandbox' });
});

test('a lock holds until it is given back, also against the own process', async () => {
  const place = await mkdtemp(join(folder, 'lock-'));
  const lock = await lockFolder(place, 'sandbox');
  await assert.rejects(lockFolder(place, 'sandbox'), /is in use by process/);
  await lock.release();
  assert.deepEqual(await readdir(place), []);
  await (await lockFolder(place, 'sandbox')).release();
});

test('a lock of a process that is gone, or whose id another process has by now, is taken over', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await nextEvent(child, 'exit');
  // The parent of this process lives, but did not begin with the machine.
  for (const pid of [child.pid, process.ppid]) {
    const place = await mkdtemp(join(folder, 'lock-'));
    await writeFile(join(place, 'sandbox.lock'), JSON.stringify({ host: hostname(), pid, start: 1, token: 'left' }));
    const lock = await lockFolder(place, 'sandbox');
    assert.deepEqual(await readdir(place), ['sandbox.lock']);
    await lock.release();
    assert.deepEqual(await readdir(place), []);
  }
});

test('of many that find a dead lock one gets the folder', async () => {
  const place = await mkdtemp(join(folder, 'lock-'));
  await writeFile(join(place, 'sandbox.lock'), JSON.stringify({ host: hostname(), pid: 2 ** 30, token: 'killed' }));
  const script = `import { lockFolder } from ${JSON.stringify(new URL('../../server/database/folder-lock.ts', import.meta.url).href)};
    lockFolder(process.argv[1], 'sandbox').then(() => { console.log('held'); setInterval(() => {}, 1000); }, () => console.log('refused'));`;
  const children = [1, 2, 3].map(() =>
    spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, place], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  const said = await Promise.all(
    children.map(async child => String((await nextEvent(child.stdout, 'data'))[0]).trim()),
  );
  for (const child of children) child.kill();
  assert.deepEqual(said.sort(), ['held', 'refused', 'refused']);
});

test('who comes late to a dead lock that another has cleared leaves the lock of the next owner alone', async t => {
  const place = await mkdtemp(join(folder, 'lock-'));
  const file = join(place, 'sandbox.lock');
  const dead = JSON.stringify({ host: hostname(), pid: 2 ** 30, token: 'killed' });
  const next = JSON.stringify({ host: hostname(), pid: process.ppid, token: 'next' });
  await writeFile(file, dead);
  const { readFile: read, stat } = fs.promises;
  let reads = 0;
  // Between two looks another clears the lock away, and the next owner takes it.
  t.mock.method(fs.promises, 'readFile', async (...given: Parameters<typeof read>) => {
    if (given[0] === file && ++reads === 2) await rm(file);
    return read(...given);
  });
  t.mock.method(fs.promises, 'stat', async (...given: Parameters<typeof stat>) => {
    const found = stat(...given);
    const isGone = await found.then(
      () => false,
      () => true,
    );
    if (isGone && given[0] === file) await writeFile(file, next);
    return found;
  });
  syncBuiltinESMExports();
  try {
    await assert.rejects(lockFolder(place, 'sandbox'), new RegExp(`is in use by process ${process.ppid}`));
  } finally {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  }
});

test("a database that a newer version has changed beyond this one's reach is refused in one line", async t => {
  const data = await mkdtemp(join(tmpdir(), 'portal-sandbox-newer-'));
  t.after(() => rm(data, { recursive: true, force: true }));
  await copySeed(join(data, 'sandbox'));
  const sandbox = await startSandbox({ storage: { folder: join(data, 'sandbox') } });
  await sql`insert into sandbox.migration_limits values ('901-next', '900-first')`.execute(sandbox.db);
  await sandbox.app.close();
  const child = spawn(process.execPath, [...execArgv, file], {
    env: environment({ DATA_DIR: data }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', part => {
    said += part;
  });
  assert.deepEqual(await nextEvent(child, 'close'), [1, null]);
  assert.equal(
    said,
    'This version cannot use the database of the sandbox: a newer version has changed it (901-next), and only versions with 900-first can use it now: start such a version, or restore a backup from before.\n',
  );
});
