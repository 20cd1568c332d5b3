import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, test } from 'node:test';
import { type Client, type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { freshDatabase } from '../fixtures/postgres.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { copyStore, storeDatabase } from '../fixtures/store-template.ts';

// The cloud does what it is asked, and its answer never arrives.

const unknown =
  'We do not know whether this was done: the cloud service did not say. Please check before you try again.';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const shared = process.env.TEST_DATABASE_URL;
let dataDir: string;
let database: Awaited<ReturnType<typeof freshDatabase>> | undefined;
let portal: StartedPortal;
let reseller: Client;
setUp(
  async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'portal-data-'));
    if (shared) database = await freshDatabase(shared, await storeDatabase());
    else await copyStore(dataDir);
    portal = await start();
    reseller = await portal.signIn('reseller@northwind.test');
  },
  async () => {
    await portal?.close();
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  },
);
afterEach(() => {
  proxy.intercept(undefined);
  proxy.withhold(undefined);
});

/** Starts a portal on the data of the one before. */
const start = (): Promise<StartedPortal> =>
  startPortal({ cloudUrl: proxy.url, dataDir, ...(database && { env: { DATABASE_URL: database.url } }) });

const withhold = (path: RegExp) => proxy.withhold(({ method, url }) => path.test(`${method} ${url}`));
const press = async (screen: string, address: string, request: object, key: string) =>
  reseller.post(address, { layout: await reseller.hashOf(screen), ...request }, { 'idempotency-key': key });
const addCustomer = (name: string, key: string) =>
  press(
    'add-customer',
    '/ui/call/customers.create',
    {
      node: 'add-customer',
      body: { Name: name, Domain: 'once.test', ContactName: 'Sam Once', ContactEmail: 'sam@once.test' },
    },
    key,
  );
const countNamed = async (name: string) =>
  (await reseller.get(`/ui/data/customers.list?search=${encodeURIComponent(name)}`)).body.Result.Total;

test('a customer whose answer was lost is told as unknown, and the same press again is answered with the first success', async () => {
  const key = randomUUID();
  withhold(/^POST \/api\/customers$/);
  const lost = await addCustomer('Lost Answer Ltd', key);
  assert.deepEqual([lost.status, lost.body.Succeed, lost.body.Resources.code], [504, false, 'OUTCOME_UNKNOWN']);
  assert.equal(lost.body.Error, unknown);
  proxy.withhold(undefined);
  const again = await addCustomer('Lost Answer Ltd', key);
  assert.equal(again.status, 201, again.text);
  assert.match(again.body.Result.organisationId, /^\d+$/);
  assert.equal(await countNamed('Lost Answer Ltd'), 1);
  const records = await portal.store.run(db =>
    db.selectFrom('audit').select('outcome').where('action', '=', 'customer.created').orderBy('id').execute(),
  );
  assert.deepEqual(
    records.slice(-2).map(({ outcome }) => outcome),
    ['unknown', 'done'],
  );
});

test('an order whose answer was lost is placed once, and the same press again leads to it', async () => {
  const given = { customer: '10003', route: 'share-point' };
  const details = { Quantity: 3, TermId: 'monthly', BillingId: 'monthly', Domain: 'contoso.test' };
  const order = (body: object, key: string) =>
    press('add-service', '/ui/command/order-add.step', { node: 'order', with: given, body }, key);
  const count = async () =>
    Number(
      (
        await sandbox.db
          .selectFrom('orders')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    );
  const before = await count();
  await order({ ...details, $step: 'details' }, randomUUID());
  const key = randomUUID();
  withhold(/^POST \/api\/orders$/);
  const lost = await order({ ...details, $step: 'check' }, key);
  assert.deepEqual([lost.status, lost.body.Resources.code, lost.body.Error], [504, 'OUTCOME_UNKNOWN', unknown]);
  proxy.withhold(undefined);
  const again = await order({ ...details, $step: 'check' }, key);
  assert.equal(again.status, 200, again.text);
  const effects = again.body.effects as { do: string; to?: string }[];
  assert.deepEqual(
    effects.map(effect => effect.do),
    ['toast', 'navigate'],
  );
  assert.match(effects[1]?.to ?? '', /^\/customers\/customer\/10003\/services\/\d+$/);
  assert.equal(await count(), before + 1);
});

test('it holds for what is suspended and deleted, too', async () => {
  const made = await addCustomer('Twice Suspended Ltd', randomUUID());
  const { organisationId } = made.body.Result;
  const suspend = (key: string) =>
    press('customers', '/ui/call/customers.suspend', { node: 'suspend', with: { customerId: organisationId } }, key);
  const key = randomUUID();
  withhold(/suspend$/);
  assert.equal((await suspend(key)).status, 504);
  proxy.withhold(undefined);
  assert.equal((await suspend(key)).status, 200);
  assert.equal((await suspend(randomUUID())).status, 409);
});

test('it holds when the portal was started anew in between', async () => {
  const key = randomUUID();
  withhold(/^POST \/api\/customers$/);
  assert.equal((await addCustomer('Started Anew Ltd', key)).body.Resources.code, 'OUTCOME_UNKNOWN');
  proxy.withhold(undefined);
  await portal.close();
  portal = await start();
  const { cookie } = reseller;
  reseller = portal.client();
  reseller.cookie = cookie;
  const again = await addCustomer('Started Anew Ltd', key);
  assert.equal(again.status, 201, again.text);
  assert.equal(await countNamed('Started Anew Ltd'), 1);
});

test('whatever is no answer leaves it unknown: a page of a balancer, half an answer, a failure of the cloud', async () => {
  for (const [status, type, text] of [
    [502, 'text/html', '<h1>Bad Gateway</h1>'],
    [503, 'application/json', '{"Succeed":false}'],
    [500, 'application/json', '{"Succeed":false,"Error":"stack"}'],
    [200, 'application/json', '{"Succeed":tr'],
    [200, 'text/html', '<h1>Welcome</h1>'],
  ] as const) {
    proxy.intercept(({ method, url }, response) => {
      if (method !== 'POST' || url !== '/api/customers') return false;
      response.writeHead(status, { 'content-type': type }).end(text);
      return true;
    });
    const { body } = await addCustomer('No Answer Ltd', randomUUID());
    assert.deepEqual([body.Resources.code, body.Error], ['OUTCOME_UNKNOWN', unknown], `${status} ${text}`);
  }
});

test('what was refused and what changes nothing is told as before', async () => {
  proxy.intercept(({ url }, response) => {
    if (url === '/api/customers') response.writeHead(429, { 'content-type': 'text/html' }).end('slow down');
    else if (url === '/api/orders/quote') response.destroy();
    else return false;
    return true;
  });
  assert.equal((await addCustomer('Refused Ltd', randomUUID())).body.Resources.code, 'UPSTREAM_FAILED');
  const quoted = await press(
    'add-service',
    '/ui/command/order-add.step',
    {
      node: 'order',
      with: { customer: '10002', route: 'share-point' },
      body: { Quantity: 1, TermId: 'monthly', BillingId: 'monthly', Domain: 'contoso.test', $step: 'details' },
    },
    randomUUID(),
  );
  assert.equal(quoted.body.Resources.code, 'UPSTREAM_UNREACHABLE');
});
