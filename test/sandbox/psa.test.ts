import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

let clock = new Date();
const sandbox = withSandbox({ now: () => clock, tokenSeconds: 86_400 });
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'engineer@northwind.test',
  'rival@southridge.test',
  'matcher@fairbank.test',
  'euro@westhaven.test',
  'admin@contoso.test',
]);
beforeEach(() => setFlags({ UseNewPSAService: true, PSADataCaching: false }));

const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who]!, method, path, body);
const get = async (who: string, path: string) => (await call(who, 'GET', path)).body.Result;

async function setFlags(flags: Readonly<Record<string, boolean>>): Promise<void> {
  for (const [name, enabled] of Object.entries(flags))
    await sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', name).execute();
}

type Option = { id: string; name: string };
type Row = { id: string; name: string; selectedOption: Option | null; ignored: boolean; suggestion: Option | null };
const customers = '/api/mapping/customers';
const services = '/api/mapping/services';
const rowsOf = async (who: string, path = customers): Promise<{ response: Row[]; version: number }> => get(who, path);
const save = async (who: string, changes: object[], path = customers, version?: number) =>
  call(who, 'POST', path, { changes, version: version ?? (await rowsOf(who, path)).version });
const change = ({ id }: { id: string }, optionId: string | null, ignored = false) => ({ id, optionId, ignored });

test('2,000 customers are there to be matched, some matched, some ignored, most with a suggestion', async () => {
  const { response } = await rowsOf('matcher');
  assert.equal(response.length, 2000);
  const overview = (await get('matcher', '/api/integration/overview')).response.customers;
  const matched = response.filter(row => row.selectedOption && !row.ignored).length;
  const ignored = response.filter(row => row.ignored).length;
  assert.deepEqual(
    [overview.total, overview.matched, overview.ignored, overview.unmatched],
    [2000, matched, ignored, 2000 - matched - ignored],
  );
  assert.ok(matched > 300 && ignored > 50);
  assert.ok(response.filter(row => row.suggestion).length > 700);
  const options: Option[] = (await get('matcher', '/api/psa/customers')).response;
  assert.ok(options.length > 1900);
  for (const { suggestion } of notEmpty(response))
    if (suggestion) assert.ok(options.some(({ id }) => id === suggestion.id));
});

test('a customer is matched, ignored and unmatched, and a suggestion goes once its row is decided', async () => {
  const { response } = await rowsOf('reseller');
  const [one, other] = response.filter(row => row.suggestion);
  assert.ok(one?.suggestion && other?.suggestion);
  const reply = await save('reseller', [change(one, one.suggestion.id), change(other, null, true)]);
  assert.deepEqual([reply.status, reply.body.Messages], [200, ['Customers updated successfully']]);
  const find = async (id: string) => (await rowsOf('reseller')).response.find(row => row.id === id);
  assert.deepEqual([(await find(one.id))?.selectedOption, (await find(one.id))?.suggestion], [one.suggestion, null]);
  assert.deepEqual([(await find(other.id))?.ignored, (await find(other.id))?.suggestion], [true, null]);
  await save('reseller', [change(one, null), change(other, other.suggestion.id, true)]);
  assert.equal((await find(one.id))?.selectedOption, null);
  assert.deepEqual(
    [(await find(other.id))?.selectedOption, (await find(other.id))?.ignored],
    [other.suggestion, true],
    'what is ignored keeps what it was matched with',
  );
});

test('a customer of the business system is matched with one customer, a service with several', async () => {
  const { response } = await rowsOf('reseller');
  const open = response.filter(row => !row.selectedOption && !row.ignored);
  const taken = response.find(row => row.selectedOption)?.selectedOption?.id ?? '';
  const [one, other] = open;
  assert.ok(one && other);
  const refused = await save('reseller', [change(one, taken)]);
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.Errors['changes.0.optionId'], ['This is matched with another customer.']);
  const free = one.suggestion?.id ?? open.find(row => row.suggestion)?.suggestion?.id ?? '';
  assert.equal((await save('reseller', [change(one, free), change(other, free)])).status, 400);

  // Moved from one to the other in one go, it is never matched twice.
  const holder = response.find(row => row.selectedOption?.id === taken);
  assert.ok(holder);
  assert.equal((await save('reseller', [change(one, taken), change(holder, null)])).status, 200);

  const [first, second] = (await rowsOf('reseller', services)).response;
  const [service] = (await get('reseller', '/api/psa/services')).response;
  assert.ok(first && second);
  assert.equal((await save('reseller', [change(first, service.id), change(second, service.id)], services)).status, 200);
});

test('what was changed by somebody else meanwhile is not overwritten', async () => {
  const { response, version } = await rowsOf('matcher');
  const [one, other] = response.filter(row => row.suggestion);
  assert.ok(one && other);
  assert.equal((await save('matcher', [change(one, null, true)], customers, version)).status, 200);
  assert.equal((await save('matcher', [change(other, null, true)], customers, version)).status, 409);
  const { response: now } = await rowsOf('matcher');
  assert.deepEqual(
    [now.find(({ id }) => id === one.id)?.ignored, now.find(({ id }) => id === other.id)?.ignored],
    [true, false],
  );
});

test('nothing of another reseller is matched, nor with what is not there', async () => {
  const [foreign] = (await rowsOf('matcher')).response;
  const [own] = (await rowsOf('reseller')).response;
  const [option] = (await get('matcher', '/api/psa/customers')).response;
  assert.ok(foreign && own);
  for (const wrong of [change(foreign, null, true), change(own, option.id), change(own, 'nothing')])
    assert.equal((await save('reseller', [wrong])).status, 400);
  assert.equal((await save('reseller', [change(own, null, true), change(own, null)])).status, 400);
  assert.equal((await save('reseller', [])).status, 400);
});

test('without the view of business systems nothing is read or written', async () => {
  for (const who of ['engineer', 'admin'])
    for (const [method, path, body] of [
      ['GET', customers],
      ['GET', '/api/psa/services'],
      ['GET', '/api/integration/overview'],
      ['POST', customers, { changes: [change({ id: '10001' }, null, true)], version: 0 }],
      ['POST', '/api/integration/refresh/all'],
    ] as const)
      assert.equal((await call(who, method, path, body)).status, 403, `${who} ${path}`);
});

test('a reseller without a business system is told so', async () => {
  const reply = await call('euro', 'GET', customers);
  assert.deepEqual([reply.status, reply.body.Messages], [409, ['No business system is connected.']]);
  const { response } = await get('euro', '/api/integration/overview');
  assert.deepEqual([response.enabled, response.name], [false, null]);
});

test('without UseNewPSAService the monolith answers the same, what is new fails, and refreshing all does nothing', async () => {
  for (const path of [customers, '/api/psa/customers', '/api/integration/overview', '/api/data-cache/latest']) {
    const reply = await call('rival', 'GET', path);
    assert.equal(reply.status, 409);
    assert.deepEqual(reply.body.Messages, ['This method is only supported for new PSA service implementation.']);
  }
  const { response, version } = await rowsOf('rival', '/api/integration/customers');
  assert.equal(response.length, 12);
  const open = response.find(row => row.suggestion);
  assert.ok(open?.suggestion);
  const body = { changes: [change(open, open.suggestion.id)], version };
  assert.equal((await call('rival', 'POST', '/api/integration/updateCustomers', body)).status, 200);
  assert.deepEqual(
    (await rowsOf('rival', '/api/integration/customers')).response.find(({ id }) => id === open.id)?.selectedOption,
    open.suggestion,
  );
  const before = await sandbox.db.selectFrom('psa_syncs').selectAll().orderBy('kind').execute();
  assert.equal((await call('rival', 'POST', '/api/integration/refresh/all')).status, 200);
  assert.deepEqual(await sandbox.db.selectFrom('psa_syncs').selectAll().orderBy('kind').execute(), before);
  assert.equal((await get('rival', '/api/integration/psaOverview')).response.name, 'Autotask');
});

const rename = (name: string, to: string) =>
  sandbox.db.updateTable('psa_stand_in_records').set({ name: to }).where('name', '=', name).execute();
const names = async () => (await get('reseller', '/api/psa/customers')).response.map(({ name }: Option) => name);

test('with PSADataCaching lists come from the copy, which is taken again after three quarters of its life', async () => {
  await names();
  await setFlags({ PSADataCaching: true });
  await rename('Cash sales', 'Cash desk');
  const start = clock.getTime();
  const status = async () => (await get('reseller', '/api/psa/customers')).synchronization.status;
  clock = new Date(start + 44 * 60_000);
  assert.equal(await status(), 'completed');
  await sandbox.tickOnce();
  assert.ok((await names()).includes('Cash sales'));
  clock = new Date(start + 46 * 60_000);
  const [info] = (await get('reseller', '/api/data-cache/latest')).response;
  assert.deepEqual([info.kind, info.due], ['customers', true]);
  assert.equal(await status(), 'in progress');
  await sandbox.tickOnce();
  assert.equal(await status(), 'completed');
  assert.ok((await names()).includes('Cash desk'));
  clock = new Date();
});

test('without it they come from the business system each time', async () => {
  clock = new Date(Date.now() + 3_600_000);
  await names();
  await rename('Aldgate Consulting', 'Aldgate Advice');
  clock = new Date(clock.getTime() + 5000);
  assert.ok((await names()).includes('Aldgate Advice'));
});

test('a refresh that is asked for is in progress until it is done, and asked for twice is one', async () => {
  await setFlags({ PSADataCaching: true });
  for (let times = 0; times < 2; times += 1) await call('reseller', 'POST', '/api/integration/refresh/all');
  assert.equal((await get('reseller', '/api/integration/overview')).synchronization.status, 'in progress');
  await sandbox.tickOnce();
  const { response, synchronization } = await get('reseller', '/api/integration/overview');
  assert.deepEqual(
    [synchronization.status, response.state, response.customers.status],
    ['completed', 'completed', 'Completed'],
  );
});

test('a business system that refuses or is gone fails the list, keeps the matches, and is all right again afterwards', async () => {
  clock = new Date(clock.getTime() + 60_000);
  const set = (base_url: string | null) =>
    sandbox.db.updateTable('psa_connections').set({ base_url }).where('reseller_id', '=', 1001).execute();
  await set('http://127.0.0.1:9');
  const reply = await call('reseller', 'GET', '/api/psa/services');
  assert.deepEqual([reply.status, reply.body.Messages], [424, ['Services failed to load from PSA']]);
  assert.ok((await rowsOf('reseller')).response.some(row => row.selectedOption));
  const { response, synchronization } = await get('reseller', '/api/integration/overview');
  assert.deepEqual([response.state, response.services.status, synchronization.status], ['failed', 'Failed', 'unknown']);
  await set(null);
  assert.equal((await call('reseller', 'GET', '/api/psa/services')).status, 200);
  await sandbox.db
    .updateTable('psa_connections')
    .set({ credentials: JSON.stringify({ companyId: 'northwind' }) })
    .where('reseller_id', '=', 1001)
    .execute();
  clock = new Date(clock.getTime() + 60_000);
  assert.equal((await call('reseller', 'GET', '/api/psa/customers')).status, 424);
  assert.equal((await get('reseller', '/api/integration/overview')).response.state, 'invalid');
});

test('an integration that is switched off answers no more; sales orders can be ignored', async () => {
  assert.equal((await call('matcher', 'PUT', '/api/settings/ignore-sales-orders', { ignore: true })).status, 200);
  assert.equal((await call('matcher', 'POST', '/api/settings', { enabled: false })).status, 200);
  assert.deepEqual((await get('matcher', '/api/settings')).response, { enabled: false, ignoreSalesOrders: true });
  assert.equal((await call('matcher', 'GET', customers)).status, 409);
});
