import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

let sandbox: StartedSandbox;
let token: string;
let rival: string;
before(async () => {
  sandbox = await startSandbox({ stepMilliseconds: 0 });
  token = await sandbox.signIn('reseller@northwind.test');
  rival = await sandbox.signIn('rival@southridge.test');
});
after(() => sandbox.close());

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const post = (path: string, body?: unknown, key = '', who = token) =>
  sandbox.call(who, 'POST', path, body, key === '' ? {} : { 'idempotency-key': key });
const get = async (path: string, who = token) => (await sandbox.call(who, 'GET', path)).body.Result;

async function customers(count: number): Promise<string[]> {
  const made = [];
  for (let at = 0; at < count; at++) {
    const Name = `Bulk ${randomUUID().slice(0, 8)}`;
    const body = { Name, Domain: 'bulk.test', ContactName: 'B', ContactEmail: 'b@bulk.test' };
    made.push((await post('/api/customers', body)).body.Result.organisationId as string);
  }
  return made;
}
const bulk = (CustomerIds: string[], more: Row = {}): Row => ({
  CustomerIds,
  ServiceId: 17,
  SubId: 1,
  Quantity: 4,
  TermId: 'monthly',
  BillingId: 'monthly',
  Fields: { Domain: 'bulk.test' },
  ...more,
});

test('a bulk has a result for each customer: done, or not eligible with the reason', async () => {
  const ids = await customers(3);
  await post(`/api/customers/${ids[1]}/suspend`);
  const started = await post('/api/orders/bulk', bulk([...ids, '10001']));
  assert.equal(started.status, 201);
  const path = `/api/orders/bulk/${started.body.Result.BulkId}`;
  const before = await get(path);
  assert.deepEqual([before.Product, before.Waiting, before.Total], ['Mail Signatures', 4, 4]);
  await sandbox.tickOnce();
  const { Items, ...counts } = await get(path);
  assert.deepEqual([counts.Done, counts.Failed, counts.NotEligible, counts.Waiting], [2, 0, 2, 0]);
  assert.deepEqual(
    Items.map(({ Outcome, Reason }: Row) => [Outcome, Reason]),
    [
      ['done', null],
      ['notEligible', 'This customer is suspended.'],
      ['done', null],
      ['notEligible', 'Mail Signatures is changing here.'],
    ],
  );
  assert.match(Items[0].OrderNumber, /^ORD-\d{7}$/);
  assert.equal((await get(`/api/customers/${ids[0]}/activity`)).Items[1].Actor, 'Priya Raman');
});

test('a quote is for all customers that are named, each once, and writes nothing', async () => {
  const ids = await customers(2);
  const { Result } = (await post('/api/orders/bulk/quote', bulk([...ids, '10001']))).body;
  assert.deepEqual([Result.UnitPrice, Result.MonthlyPrice, Result.FirstCharge], [0.85, 10.2, 10.2]);
  assert.deepEqual((await get(`/api/customers/${ids[0]}/services`)).Items, []);
  assert.equal((await post('/api/orders/bulk/quote', bulk(ids), '', rival)).status, 404);
});

test('only what failed is tried again', async () => {
  const ids = await customers(2);
  const { BulkId } = (await post('/api/orders/bulk', bulk([...ids, '10001'], { Quantity: 13 }))).body.Result;
  await sandbox.tickOnce();
  const failed = await get(`/api/orders/bulk/${BulkId}`);
  assert.deepEqual([failed.Failed, failed.NotEligible], [2, 1]);
  assert.equal(failed.Items[0].Reason, 'There was no room for all of them just now.');
  assert.deepEqual((await post(`/api/orders/bulk/${BulkId}/retry`)).body.Result, { Retried: 2 });
  await sandbox.tickOnce();
  const done = await get(`/api/orders/bulk/${BulkId}`);
  assert.deepEqual([done.Done, done.Failed, done.NotEligible], [2, 0, 1]);
  assert.deepEqual((await post(`/api/orders/bulk/${BulkId}/retry`)).body.Result, { Retried: 0 });
});

test('a double submit makes one bulk, a customer named twice gets one order', async () => {
  const [id] = await customers(1);
  const { CustomerId } = await get(`/api/customers/${id}`);
  const key = randomUUID();
  const body = bulk([id!, CustomerId]);
  const replies = await Promise.all([post('/api/orders/bulk', body, key), post('/api/orders/bulk', body, key)]);
  assert.equal(replies[0]!.body.Result.BulkId, replies[1]!.body.Result.BulkId);
  await sandbox.tickOnce();
  assert.equal((await get(`/api/orders/bulk/${replies[0]!.body.Result.BulkId}`)).Total, 1);
  assert.equal((await get(`/api/orders?customerId=${id}`)).Total, 1);
});

test('a bulk with a foreign customer, a fault or nobody is refused whole', async () => {
  const [id] = await customers(1);
  const statusOf = async (body: Row, who = token) => (await post('/api/orders/bulk', body, '', who)).status;
  assert.equal(await statusOf(bulk([id!, '99999'])), 404);
  assert.equal(await statusOf(bulk([id!]), rival), 404);
  assert.equal(await statusOf(bulk([])), 400);
  assert.equal(await statusOf(bulk([id!], { Fields: {} })), 400);
  assert.equal(await statusOf(bulk(Array.from({ length: 501 }, (_, at) => String(at)))), 400);
  const { BulkId } = (await post('/api/orders/bulk', bulk([id!]))).body.Result;
  assert.equal((await sandbox.call(rival, 'GET', `/api/orders/bulk/${BulkId}`)).status, 404);
  assert.equal((await post(`/api/orders/bulk/${BulkId}/retry`, undefined, '', rival)).status, 404);
});

test('two ticks at the same time place each order once and do each step once', async () => {
  const ids = await customers(4);
  await post('/api/orders/bulk', bulk(ids));
  await Promise.all([sandbox.tickOnce(), sandbox.tickOnce(), sandbox.tickOnce()]);
  for (const id of ids) {
    assert.equal((await get(`/api/orders?customerId=${id}`)).Total, 1);
    const actions = (await get(`/api/customers/${id}/activity`)).Items.map(({ Action }: Row) => Action);
    assert.deepEqual(actions, ['Service activated', 'Service ordered', 'Customer created']);
    const [held] = (await get(`/api/customers/${id}/services`)).Items;
    assert.equal((await get(`/api/service-instances/${held.Id}`)).Steps.length, 4);
  }
  const { rows } = await sandbox.db
    .selectFrom('jobs')
    .where('state', '=', 'done')
    .select('done')
    .execute()
    .then(rows => ({ rows }));
  assert.ok(rows.every(({ done }) => done.length === 4));
});
