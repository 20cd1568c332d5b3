import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test', 'buyer@zephyrcycles.test']);

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const get = async (path: string, who = 'reseller') => {
  const reply = await sandbox.call(tokens[who]!, 'GET', path);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.Result as Row;
};
const order = async (CustomerId: string, more: Row = {}) => {
  const body = { CustomerId, ServiceId: 2, SubId: 1, Action: 'Add', Quantity: 3, ...more };
  const terms = { TermId: 'monthly', BillingId: 'monthly', Fields: { Domain: 'order.test' } };
  const reply = await sandbox.call(tokens.reseller!, 'POST', '/api/orders', { ...body, ...terms });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.Result as Row;
};

test('the demo has orders as old as the services they made, and orders for several customers with their results', async () => {
  const { Items, Counts } = await get('/api/orders?pageSize=50&sort=-Created');
  assert.ok(Counts.Done >= 20, JSON.stringify(Counts));
  assertEvery(Items as Row[], ({ InstanceId, UnitPrice }) => InstanceId !== null && Number(UnitPrice) > 0);
  const bulks: Row[] = (await get('/api/orders/bulk')).Items;
  assert.equal(bulks.length, 2);
  assertEvery(bulks, ({ Done, All }) => Done >= 2 && All > Done);
});

test('all orders are listed with their states, the newest first, and narrowed by state, customer and words', async () => {
  const { OrderNumber } = await order('10003');
  // Thirteen fail the first time.
  await sandbox.tickOnce();
  const failed = await order('10004', { Quantity: 13 });
  await sandbox.tickOnce();
  const waiting = await order('10005');
  const all = await get('/api/orders');
  assert.equal(all.Items[0].OrderNumber, waiting.OrderNumber);
  assert.equal(all.Counts.All, all.Counts.Placed + all.Counts.Done + all.Counts.Failed);
  for (const [state, number] of [
    ['Placed', waiting.OrderNumber],
    ['Failed', failed.OrderNumber],
    ['Done', OrderNumber],
  ]) {
    const { Items, Total, Counts } = await get(`/api/orders?status=${state}&pageSize=100`);
    assertEvery(Items as Row[], ({ Status }) => Status === state);
    assert.equal(Total, Counts[state as string]);
    assert.ok(notEmpty(Items as Row[]).some(({ OrderNumber }) => OrderNumber === number));
  }
  const [why] = (await get('/api/orders?status=Failed')).Items;
  assert.match(why.Reason, /\w/);
  const own = await get('/api/orders?customerId=10003');
  assert.equal(own.Customer, 'Brightwater Dental Group');
  assertEvery(own.Items, ({ CustomerId }: Row) => CustomerId === '10003');
  assert.equal((await get(`/api/orders?search=${OrderNumber.toLowerCase()}`)).Total, 1);
  const named = await get('/api/orders?search=brightwater&pageSize=100');
  assertEvery(named.Items, ({ CustomerName }: Row) => CustomerName === 'Brightwater Dental Group');
  assert.equal((await get('/api/orders?search=100%25')).Total, 0);
});

test('orders are sorted by what they cost, and a page is as long as it is asked for', async () => {
  const { Items } = await get('/api/orders?sort=-MonthlyPrice&pageSize=2');
  assert.equal(Items.length, 2);
  assert.ok(Number(Items[0].MonthlyPrice) >= Number(Items[1].MonthlyPrice));
  const next = await get('/api/orders?sort=-MonthlyPrice&pageSize=2&page=2');
  assert.notEqual(next.Items[0]?.OrderNumber, Items[0].OrderNumber);
});

test('nobody sees the orders of another reseller, nor a customer those of others', async () => {
  const own = (await get('/api/orders?pageSize=100')).Items.map((item: Row) => item.OrderNumber);
  const others = (await get('/api/orders?pageSize=100', 'rival')).Items.map((item: Row) => item.OrderNumber);
  assert.ok(own.length > 0);
  assert.deepEqual(
    others.filter((number: string) => own.includes(number)),
    [],
  );
  const { Items } = await get('/api/orders', 'buyer');
  assert.deepEqual([...new Set(Items.map((item: Row) => item.CustomerName))].slice(1), []);
  const foreign = await sandbox.call(tokens.buyer!, 'GET', '/api/orders?customerId=10003');
  assert.equal(foreign.status, 404);
});

test('the open and failed orders of many customers are counted at once; customers of others are left out', async () => {
  const { Items } = await get('/api/orders?pageSize=100&status=Placed');
  const id = notEmpty(Items as Row[])[0]!.CustomerId;
  const placed = Items.filter(({ CustomerId }: Row) => CustomerId === id).length;
  const count = async (ids: string, who?: string) =>
    (await get(`/api/orders/by-customer?customerIds=${ids}`, who)).Items;
  const all: Row[] = await count(`${id},10002,99999`);
  assert.deepEqual(all.map(({ CustomerId }) => CustomerId).sort(), ['10002', id].sort());
  assert.equal(all.find(({ CustomerId }) => CustomerId === id)?.Placed, placed);
  assert.deepEqual(await count(id, 'rival'), []);
  for (const keys of ['', 'x', '1,', `1${',1'.repeat(100)}`])
    assert.equal(
      (await sandbox.call(tokens.reseller!, 'GET', `/api/orders/by-customer?customerIds=${keys}`)).status,
      400,
    );
});

test('how much of many services is in use is counted at once, for who sees their customers', async () => {
  const id = notEmpty((await get('/api/dashboard/renewals')).Items as Row[])[0]!.Id;
  const use = (who?: string) => get(`/api/services/in-use?instanceIds=${id},1`, who);
  const { Items } = await use();
  assert.equal(Items.length, 1);
  assert.equal(Items[0].InstanceId, id);
  assert.ok(Items[0].InUse <= Items[0].Quantity);
  assert.deepEqual((await use('rival')).Items, []);
});

test('orders for several customers are listed with how far each has come, by who ordered them', async () => {
  const Customers = ['10003', '10004'].map(CustomerId => ({ CustomerId, Fields: { AdminEmail: 'a@order.test' } }));
  const body = { Customers, ServiceId: 9, SubId: 1, Quantity: 2, TermId: 'monthly', BillingId: 'monthly', Fields: {} };
  const placed = await sandbox.call(tokens.reseller!, 'POST', '/api/orders/bulk', body);
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const [before] = (await get('/api/orders/bulk')).Items;
  assert.equal(before.BulkId, placed.body.Result.BulkId);
  assert.deepEqual([before.All, before.OrderedBy, before.Product], [2, 'Priya Raman', 'Cloud Backup']);
  for (let phase = 0; phase < 6; phase++) await sandbox.tickOnce();
  const [after] = (await get('/api/orders/bulk')).Items;
  assert.equal(after.Waiting, 0);
  assert.equal(after.Done + after.Failed + after.NotEligible, 2);
  assert.equal((await get('/api/orders/bulk', 'rival')).Total, 0);
});
