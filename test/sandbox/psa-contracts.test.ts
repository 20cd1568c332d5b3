import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

let clock = new Date();
const sandbox = withSandbox({ now: () => clock, tokenSeconds: 86_400 });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test', 'matcher@fairbank.test']);
beforeEach(() => setCaching(false));

const call = (who: string, method: string, path: string) => sandbox.call(tokens[who]!, method, path);
const setCaching = (enabled: boolean) =>
  sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', 'PSADataCaching').execute();
const pass = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000);
};

const reports: Readonly<Record<string, string>> = {
  reseller: '/api/reconciliation-report',
  matcher: '/api/reconciliation-report',
  rival: '/api/integration/ReconciliationReportActions',
};
type Compared = { quantity: number; psaQuantity: number };
async function billed(who: string): Promise<number> {
  const { status, body } = await call(who, 'GET', `${reports[who]}?pageSize=100`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.Result.response.results.reduce((sum: number, { psaQuantity }: Compared) => sum + psaQuantity, 0);
}

/** One more of everything that the contracts of a tenant bill. */
const billMore = async (tenant: string) => {
  const { numUpdatedRows } = await sandbox.db
    .updateTable('psa_stand_in_lines')
    .set(on => ({ quantity: on('quantity', '+', 1) }))
    .where('ends', 'is', null)
    .where('bill_customer', '=', 'Billable')
    .where('contract', 'in', on => on.selectFrom('psa_stand_in_contracts').select('id').where('tenant', '=', tenant))
    .executeTakeFirst();
  return Number(numUpdatedRows);
};
const setAddress = (reseller: number, base_url: string | null) =>
  sandbox.db.updateTable('psa_connections').set({ base_url }).where('reseller_id', '=', reseller).execute();

test('what is billed is read from the business system, from ConnectWise as from Autotask', async () => {
  for (const [who, tenant] of [
    ['reseller', 'northwind'],
    ['rival', 'southridge'],
  ] as const) {
    const before = await billed(who);
    assert.ok(before > 0, who);
    const lines = await billMore(tenant);
    assert.ok(lines > 0, who);
    pass(44);
    assert.equal(await billed(who), before, `${who} for three quarters of an hour`);
    pass(2);
    assert.equal(await billed(who), before + lines, who);
  }
});

test('a business system that cannot be reached fails the report, which is all right again afterwards', async () => {
  for (const [who, reseller] of [
    ['reseller', 1001],
    ['rival', 1002],
  ] as const) {
    const before = await billed(who);
    await setAddress(reseller, 'http://127.0.0.1:9');
    assert.equal(await billed(who), before, 'what is kept is good for a while');
    pass(46);
    const reply = await call(who, 'GET', reports[who] as string);
    assert.deepEqual([reply.status, reply.body.Messages], [424, ['Contracts failed to load from PSA']]);
    if (who === 'reseller') {
      const refresh = await call(who, 'POST', '/api/reconciliation-report/refresh');
      assert.deepEqual([refresh.status, refresh.body.Messages], [424, ['Contracts failed to load from PSA']]);
      const { response } = (await call(who, 'GET', '/api/integration/overview')).body.Result;
      assert.equal(response.state, 'failed');
    }
    await setAddress(reseller, null);
    assert.equal(await billed(who), before);
  }
});

test('asked to compute again it reads the business system at once', async () => {
  const before = await billed('reseller');
  const lines = await billMore('northwind');
  pass(1);
  assert.equal(await billed('reseller'), before);
  assert.equal((await call('reseller', 'POST', '/api/reconciliation-report/refresh')).status, 200);
  assert.equal(await billed('reseller'), before + lines);
});

test('with PSADataCaching the copy is compared with, and again once it was taken again', async () => {
  await setCaching(true);
  const before = await billed('reseller');
  const lines = await billMore('northwind');
  pass(46);
  assert.equal(await billed('reseller'), before);
  const reply = await call('reseller', 'GET', '/api/reconciliation-report');
  assert.equal(reply.body.Result.synchronization.status, 'in progress');
  await sandbox.tickOnce();
  assert.equal(await billed('reseller'), before + lines);
});

type Line = {
  contract: { name: string };
  customer: { id: string; name: string };
  service: { id: string; name: string } | null;
  quantity: number;
};
const contracts = async () => (await call('matcher', 'GET', '/api/psa/contracts')).body.Result;

test('contracts are listed with what they bill now, and copied again where that is asked for', async () => {
  const { response, synchronization } = (await contracts()) as {
    response: Line[];
    synchronization: { status: string };
  };
  assert.equal(synchronization.status, 'completed');
  assert.ok(response.length > 50, `${response.length} lines`);
  for (const { contract, customer } of notEmpty(response)) assert.ok(contract.name && customer.name !== customer.id);
  assertEvery(response, ({ service, quantity }) => (service === null ? quantity === 0 : quantity > 0));
  await setCaching(true);
  const sum = (lines: Line[]) => lines.reduce((total, { quantity }) => total + quantity, 0);
  const lines = await billMore('fairbank');
  assert.equal((await call('matcher', 'POST', '/api/psa/contracts/refresh')).status, 200);
  assert.equal((await contracts()).synchronization.status, 'in progress');
  await sandbox.tickOnce();
  const after = await contracts();
  assert.deepEqual([after.synchronization.status, sum(after.response)], ['completed', sum(response) + lines]);
});

test('only the new service has contracts', async () => {
  for (const [method, path] of [
    ['GET', '/api/psa/contracts'],
    ['POST', '/api/psa/contracts/refresh'],
  ] as const) {
    const reply = await call('rival', method, path);
    assert.equal(reply.status, 409);
    assert.deepEqual(reply.body.Messages, ['This method is only supported for new PSA service implementation.']);
  }
});

test('the reseller with 2,000 customers has product movement: what came, what went and what was changed', async () => {
  const months: { id: string }[] = (await call('matcher', 'GET', '/api/product-movement-report/date-range')).body.Result
    .response;
  assert.ok(months.length >= 6, `${months.length} months`);
  const kinds = new Set<string>();
  for (const { id } of months.slice(0, 6)) {
    const { results, counts } = (await call('matcher', 'GET', `/api/product-movement-report/${id}?pageSize=100`)).body
      .Result.response;
    assert.ok(counts.all > 0, id);
    for (const { quantityBefore, quantityAfter } of results)
      kinds.add(quantityBefore === 0 ? 'came' : quantityAfter === 0 ? 'went' : 'changed');
  }
  assert.deepEqual([...kinds].sort(), ['came', 'changed', 'went']);
});
