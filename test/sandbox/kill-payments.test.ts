import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { programOf } from '../fixtures/program.ts';
import { copySeed, startSandbox } from '../fixtures/sandbox.ts';
import { nextEvent } from '../fixtures/wait.ts';

const account = 'reseller@northwind.test';
let folder: string;
let child: ChildProcess | undefined;
let url = '';
let token = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-sandbox-kill-payments-'));
  await copySeed(join(folder, 'sandbox'));
});
after(async () => {
  child?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const { DATABASE_URL: _, TEST_DATABASE_URL: __, ...rest } = process.env;
  const { file, execArgv } = programOf('server/sandbox/main.ts');
  child = fork(file, {
    execArgv: [...execArgv],
    env: { ...rest, SANDBOX_TICK_MS: '50', DATA_DIR: folder, LOG_LEVEL: 'silent', SANDBOX_PORT: '0' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [message] = (await nextEvent(child, 'message')) as [{ url: string }];
  url = message.url;
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
async function call(path: string, press?: string, body?: unknown): Promise<any> {
  const reply = await fetch(`${url}/api/billing/${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    signal: AbortSignal.timeout(60_000),
    headers: {
      ...{ authorization: `Bearer ${token}`, 'actor-id': account, 'content-type': 'application/json' },
      ...(press !== undefined && { 'idempotency-key': press }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return ((await reply.json()) as { Result: unknown }).Result;
}

/** Milliseconds after a press at which the process is killed; the same in every run. */
const moments = [0, 3, 6, 10, 15, 25];

test('kill -9 between charge and record leaves one charge and one record for each press', async () => {
  await start();
  const form = { grant_type: 'password', username: account, password: 'Demo-portal-2026' };
  const signedIn = await fetch(`${url}/auth/token`, { method: 'POST', body: new URLSearchParams(form) });
  token = ((await signedIn.json()) as { access_token: string }).access_token;
  const { Items } = await call('payment-methods?status=Active');
  const body = { PaymentMethodId: Items[0].Id, Amount: '1.00', Currency: 'GBP' };
  for (const [index, moment] of moments.entries()) {
    const press = `kill-${index}`;
    const pressed = call('credits', press, body).catch(() => undefined);
    await new Promise(resolve => setTimeout(resolve, moment));
    child?.kill('SIGKILL');
    await pressed;
    await start();
    // Whoever is not told the outcome presses again: the portal sends the same key.
    assert.equal((await call('credits', press, body)).Status, 'Paid');
  }
  await eventually(async () => (await call('credits')).Latest.Status === 'Paid', 'the last payment is settled');
  assert.equal((await call('credits')).Balance, (750 + moments.length).toFixed(2));
  child?.kill('SIGKILL');
  await nextEvent(child as ChildProcess, 'exit');
  const sandbox = await startSandbox({ storage: { folder: join(folder, 'sandbox') } });
  try {
    const charges = await sandbox.db.selectFrom('card_provider_charges').select(['status', 'amount']).execute();
    assert.deepEqual(
      charges,
      moments.map(() => ({ status: 'processed', amount: 100 })),
    );
    const records = await sandbox.db.selectFrom('credit_movements').select('id').where('amount', '=', 100).execute();
    assert.equal(records.length, moments.length);
  } finally {
    await sandbox.close();
  }
});
