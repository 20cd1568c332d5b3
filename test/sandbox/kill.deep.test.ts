import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { programOf } from '../fixtures/program.ts';
import { copySeed } from '../fixtures/sandbox.ts';
import { nextEvent } from '../fixtures/wait.ts';

const account = 'reseller@northwind.test';
let folder: string;
let running: ChildProcess | undefined;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-sandbox-kill-'));
  await copySeed(join(folder, 'sandbox'));
});
after(async () => {
  running?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

type Child = { readonly child: ChildProcess; readonly url: string };

async function start(): Promise<Child> {
  const { DATABASE_URL: _, TEST_DATABASE_URL: __, ...rest } = process.env;
  const { file, execArgv } = programOf('server/sandbox/main.ts', 'test/fixtures/full-disk.ts');
  const child = fork(file, {
    execArgv: [...execArgv],
    env: { ...rest, DATA_DIR: folder, LOG_LEVEL: 'silent', SANDBOX_PORT: '0' },
    stdio: ['ignore', 'inherit', 'ignore', 'ipc'],
  });
  running = child;
  const [message] = (await nextEvent(child, 'message')) as [{ url: string }];
  return { child, url: message.url };
}

async function signIn(url: string): Promise<string> {
  const form = { grant_type: 'password', username: account, password: 'Demo-portal-2026' };
  const reply = await fetch(`${url}/auth/token`, { method: 'POST', body: new URLSearchParams(form) });
  return ((await reply.json()) as { access_token: string }).access_token;
}

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'actor-id': account,
  'content-type': 'application/json',
});

/** Adds a customer; true when the cloud says that it has. */
async function add(url: string, token: string, name: string): Promise<boolean> {
  const body = {
    Name: name,
    Domain: `${name.toLowerCase().replaceAll(' ', '-')}.test`,
    ContactName: 'Ann',
    ContactEmail: 'ann@acme.test',
    Phone: '',
  };
  const reply = await fetch(`${url}/api/customers`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify(body),
  });
  return ((await reply.json()) as { Succeed: boolean }).Succeed;
}

async function isThere(url: string, token: string, name: string): Promise<boolean> {
  const query = new URLSearchParams({ search: name, pageSize: '100' });
  const reply = await fetch(`${url}/api/customers?${query}`, { headers: headersOf(token) });
  const { Result } = (await reply.json()) as { Result: { Items: { Name: string }[] } };
  return Result.Items.some(({ Name }) => Name === name);
}

test('what the cloud acknowledged survives kill -9 at any moment, tokens too', async () => {
  const first = await start();
  const token = await signIn(first.url);
  const added: string[] = [];
  const work = async (worker: number): Promise<void> => {
    for (let count = 1; ; count++) {
      const name = `Killed ${worker} ${count}`;
      const done = await add(first.url, token, name).catch(() => undefined);
      if (done === undefined) return;
      assert.equal(done, true);
      added.push(name);
    }
  };
  const working = Promise.all([1, 2, 3].map(work));
  await eventually(() => added.length >= 12, 'the cloud has added twelve customers');
  first.child.kill('SIGKILL');
  await working;
  const second = await start();
  for (const name of added) assert.ok(await isThere(second.url, token, name), name);
  second.child.kill('SIGTERM');
  assert.deepEqual(await nextEvent(second.child, 'exit'), [0, null]);
});

/** Milliseconds in which a process that cannot write ends, however slow the machine. */
const longest = 180_000;

test('on a full disk nothing is acknowledged, and the process ends so that it is started again', async () => {
  const first = await start();
  const token = await signIn(first.url);
  assert.equal(await add(first.url, token, 'Before the disk was full'), true);
  const exit = nextEvent(first.child, 'exit', longest);
  first.child.send({ isFull: true });
  await nextEvent(first.child, 'message');
  assert.notEqual(await add(first.url, token, 'On a full disk').catch(() => false), true);
  assert.deepEqual(await exit, [1, null]);
  const second = await start();
  assert.equal(await isThere(second.url, token, 'Before the disk was full'), true);
  assert.equal(await isThere(second.url, token, 'On a full disk'), false);
  assert.equal(await add(second.url, token, 'With room again'), true);
  second.child.kill('SIGTERM');
  await nextEvent(second.child, 'exit');
});
