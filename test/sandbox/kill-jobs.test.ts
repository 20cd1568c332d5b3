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
let child: ChildProcess | undefined;
let url = '';
let token = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-sandbox-kill-jobs-'));
  await copySeed(join(folder, 'sandbox'));
});
after(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const { DATABASE_URL: _, TEST_DATABASE_URL: __, ...rest } = process.env;
  const times = { SANDBOX_TICK_MS: '40', SANDBOX_PHASE_MS: '120' };
  const { file, execArgv } = programOf('server/sandbox/main.ts');
  child = fork(file, {
    execArgv: [...execArgv],
    env: { ...rest, ...times, DATA_DIR: folder, LOG_LEVEL: 'silent', SANDBOX_PORT: '0' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = (await nextEvent(child, 'message')) as [{ url: string }];
  url = message.url;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
async function call(path: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'actor-id': account, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return ((await reply.json()) as { Result: unknown }).Result;
}

test('orders go on after kill -9 at any moment, and each phase is done once', async () => {
  await start();
  const form = { grant_type: 'password', username: account, password: 'Demo-portal-2026' };
  const signedIn = await fetch(`${url}/auth/token`, { method: 'POST', body: new URLSearchParams(form) });
  token = ((await signedIn.json()) as { access_token: string }).access_token;
  const ordered: { customer: string; instance: string }[] = [];
  for (const number of [1, 2, 3]) {
    const body = { Name: `Kill ${number}`, Domain: 'kill.test', ContactName: 'K', ContactEmail: 'k@kill.test' };
    const { organisationId: customer } = await call('/api/customers', body);
    const { InstanceId } = await call('/api/orders', {
      CustomerId: customer,
      ServiceId: 17,
      SubId: 1,
      Action: 'Add',
      Quantity: 2,
      TermId: 'monthly',
      BillingId: 'monthly',
      Fields: { Domain: 'kill.test' },
    });
    ordered.push({ customer, instance: InstanceId });
    // In the middle of whatever it is doing.
    await new Promise(resolve => setTimeout(resolve, 70 * number));
    child?.kill('SIGKILL');
    await start();
  }
  for (const { customer, instance } of ordered) {
    const read = () => call(`/api/customers/${customer}/services/${instance}`);
    await eventually(async () => (await read()).Status !== 'Activating', 'the order has ended');
    const { Status, Steps } = await read();
    assert.equal(Status, 'Active');
    const times = Steps.map(({ At }: { At: string }) => Date.parse(At));
    assert.deepEqual(times, [...times].sort());
    const { Items } = await call(`/api/customers/${customer}/activity`);
    const actions = Items.map(({ Action }: { Action: string }) => Action);
    assert.deepEqual(actions, ['Service activated', 'Service ordered', 'Customer created']);
  }
});
