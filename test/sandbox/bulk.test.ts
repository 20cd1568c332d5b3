import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
let token: string;
let rival: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
  rival = await sandbox.signIn('rival@southridge.test');
});

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
const bulk = (ids: string[], more: Row = {}): Row => ({
  Customers: ids.map(CustomerId => ({ CustomerId, Fields: { Domain: 'bulk.test' } })),
  ServiceId: 17,
  SubId: 1,
  Quantity: 4,
  TermId: 'monthly',
  BillingId: 'monthly',
  Fields: {},
  ...more,
});

const ofSignatures = '/api/marketplace/services/17/1/eligibility';

test('a bulk has a result for each customer: done, or not eligible with the reason', async () => {
  const ids = await customers(3);
  await post(`/api/customers/${ids[1]}/suspend`);
  const started = await post('/api/orders/bulk', bulk([...ids, '10001']));
  assert.equal(started.status, 201);
  const path = `/api/orders/bulk/${started.body.Result.BulkId}`;
  const before = await get(path);
  assert.deepEqual([before.Product, before.Counts.Waiting, before.Total], ['Mail Signatures', 2, 4]);
  await sandbox.tickOnce();
  const { Items, Counts } = await get(path);
  assert.deepEqual(Counts, {
    All: 4,
    Done: 2,
    Failed: 0,
    NotEligible: 2,
    Cancelled: 0,
    Waiting: 0,
    Ended: 4,
    Cancellable: 2,
  });
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

test('a quote is for those who can have it, each once, says who cannot and why, and writes nothing', async () => {
  const ids = await customers(3);
  await post(`/api/customers/${ids[2]}/suspend`);
  const { Result } = (await post('/api/orders/bulk/quote', bulk([...ids, ids[0]!, '10001']))).body;
  assert.deepEqual([Result.UnitPrice, Result.MonthlyPrice, Result.FirstCharge], ['0.85', '6.8', '6.8']);
  assert.deepEqual(
    Result.Customers.map(({ CustomerId, Quantity, Price }: Row) => [CustomerId, Quantity, Price]),
    ids.slice(0, 2).map(id => [id, 4, '3.4']),
  );
  assert.deepEqual(
    Result.LeftOut.map(({ CustomerId, Obstacle, Reason }: Row) => [CustomerId, Obstacle, Reason]),
    [
      [ids[2], 'Suspended', 'This customer is suspended.'],
      ['10001', 'Changing', 'Mail Signatures is changing here.'],
    ],
  );
  assert.deepEqual((await get(`/api/customers/${ids[0]}/services`)).Items, []);
  assert.equal((await post('/api/orders/bulk/quote', bulk(ids), '', rival)).status, 404);
});

test('each customer has a quantity of its own, which is judged, priced and ordered', async () => {
  const [one, two] = (await customers(2)) as [string, string];
  const Customers = [
    { CustomerId: one, Quantity: 2, Fields: { Domain: 'bulk.test' } },
    { CustomerId: two, Quantity: 7, Fields: { Domain: 'bulk.test' } },
  ];
  const order = { ...bulk([]), Customers };
  const { Result } = (await post('/api/orders/bulk/quote', order)).body;
  assert.equal(Result.MonthlyPrice, '7.65');
  const wrong = { ...order, Customers: [Customers[0], { ...Customers[1], Quantity: 5000 }] };
  const refused = await post('/api/orders/bulk/quote', wrong);
  assert.deepEqual([refused.status, Object.keys(refused.body.Errors)], [400, [`Customers.${two}.Quantity`]]);
  const { BulkId } = (await post('/api/orders/bulk', order)).body.Result;
  await sandbox.tickOnce();
  const { Items } = await get(`/api/orders/bulk/${BulkId}`);
  assert.deepEqual(
    Items.map(({ Quantity, MonthlyPrice }: Row) => [Quantity, MonthlyPrice]),
    [
      [2, '1.7'],
      [7, '5.95'],
    ],
  );
});

test('only what failed is tried again', async () => {
  const ids = await customers(2);
  const { BulkId } = (await post('/api/orders/bulk', bulk([...ids, '10001'], { Quantity: 13 }))).body.Result;
  await sandbox.tickOnce();
  const failed = await get(`/api/orders/bulk/${BulkId}`);
  assert.deepEqual([failed.Counts.Failed, failed.Counts.NotEligible], [2, 1]);
  assert.equal(failed.Items[0].Reason, 'There was no room for all of them just now.');
  assert.deepEqual((await post(`/api/orders/bulk/${BulkId}/retry`)).body.Result, { Retried: 2 });
  await sandbox.tickOnce();
  const done = await get(`/api/orders/bulk/${BulkId}`);
  assert.deepEqual([done.Counts.Done, done.Counts.Failed, done.Counts.NotEligible], [2, 0, 1]);
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
  assert.equal(await statusOf(bulk([id!], { Customers: [{ CustomerId: id, Fields: {} }] })), 400);
  assert.equal(await statusOf(bulk(Array.from({ length: 10_001 }, (_, at) => String(at)))), 400);
  const { BulkId } = (await post('/api/orders/bulk', bulk([id!]))).body.Result;
  assert.equal((await sandbox.call(rival, 'GET', `/api/orders/bulk/${BulkId}`)).status, 404);
  assert.equal((await post(`/api/orders/bulk/${BulkId}/retry`, undefined, '', rival)).status, 404);
});

test('a long bulk holds nobody else’s change up', async () => {
  const [single, ...many] = await customers(12);
  const { Customers: _, ...what } = bulk([]);
  const body = { ...what, Fields: { Domain: 'bulk.test' }, CustomerId: single, Action: 'Add' };
  const { OrderNumber } = (await post('/api/orders', body, randomUUID())).body.Result;
  await post('/api/orders/bulk', bulk(many));
  await sandbox.tickOnce();
  const done = await sandbox.db
    .selectFrom('jobs as j')
    .innerJoin('orders as o', 'o.id', 'j.order_id')
    .innerJoin('customers as c', 'c.id', 'o.customer_id')
    .where('c.organisation_id', 'in', [single!, many.at(-1)!].map(Number))
    .select(['c.organisation_id', 'j.id', 'j.done', 'o.created'])
    .orderBy('j.id')
    .execute();
  assert.equal(done.length, 2, OrderNumber);
  assert.ok(done[0]!.done.at(-1)! <= done[1]!.created, 'the one was through before the last of the many was placed');
});

test('while a long bulk is placed, everybody else is answered', async () => {
  const ids = await customers(40);
  await post('/api/orders/bulk', bulk(ids));
  let isOver = false;
  const ticking = sandbox.tickOnce().then(() => {
    isOver = true;
  });
  for (let at = 0; at < 5; at += 1) {
    await get('/api/customers?pageSize=1');
    assert.equal(isOver, false, `answer ${at + 1} came after all of it`);
  }
  await ticking;
});

test('two ticks at the same time place each order once and do each phase once', async () => {
  const ids = await customers(4);
  await post('/api/orders/bulk', bulk(ids));
  await Promise.all([sandbox.tickOnce(), sandbox.tickOnce(), sandbox.tickOnce()]);
  for (const id of ids) {
    assert.equal((await get(`/api/orders?customerId=${id}`)).Total, 1);
    const actions = (await get(`/api/customers/${id}/activity`)).Items.map(({ Action }: Row) => Action);
    assert.deepEqual(actions, ['Service activated', 'Service ordered', 'Customer created']);
    const [held] = (await get(`/api/customers/${id}/services`)).Items;
    assert.equal((await get(`/api/customers/${id}/services/${held.Id}`)).Steps.length, 4);
  }
  const { rows } = await sandbox.db
    .selectFrom('jobs')
    .where('state', '=', 'done')
    .select('done')
    .execute()
    .then(rows => ({ rows }));
  assertEvery(rows, ({ done }) => done.length === 4);
});

test('a bulk takes thousands of customers; its result comes page by page, of one outcome where asked', async () => {
  const reseller = 1001;
  const made = await sandbox.db
    .insertInto('customers')
    .values(
      Array.from({ length: 2500 }, (_, at) => ({
        id: randomUUID(),
        organisation_id: 600_000 + at,
        reseller_id: reseller,
        name: `Thousand ${at}`,
        domain: `thousand-${at}.test`,
        created: new Date(),
        last_change: new Date(),
        contact_name: 'T',
        contact_email: 't@thousand.test',
        suspended: at % 1000 === 7,
      })),
    )
    .returning('organisation_id')
    .execute();
  const ids = made.map(({ organisation_id }) => String(organisation_id));
  assert.equal(((await get(`${ofSignatures}/ids?search=thousand`)) as string[]).length, 2497);
  const quoted = await post('/api/orders/bulk/quote', bulk(ids));
  assert.equal(quoted.body.Result.MonthlyPrice, '8489.8');
  assert.equal(quoted.body.Result.LeftOut.length, 3);
  const { BulkId } = (await post('/api/orders/bulk', bulk(ids))).body.Result;
  const path = `/api/orders/bulk/${BulkId}`;
  const first = await get(`${path}?pageSize=100`);
  assert.deepEqual([first.Items.length, first.Total, first.Counts.Waiting, first.Counts.All], [100, 2500, 2497, 2500]);
  const last = await get(`${path}?pageSize=100&page=25`);
  assert.notEqual(last.Items[0].CustomerId, first.Items[0].CustomerId);

  await sandbox.db
    .updateTable('bulk_items')
    .set({ reason: 'Not now.' })
    .where('bulk_id', '=', Number(BulkId))
    .where('position', '<', 2498)
    .execute();
  await sandbox.tickOnce();
  const { Items, Total, Counts } = await get(`${path}?outcome=notEligible&pageSize=1`);
  assert.deepEqual(
    [Items.length, Total, Counts],
    [
      1,
      2498,
      { All: 2500, Done: 2, Failed: 0, NotEligible: 2498, Cancelled: 0, Waiting: 0, Ended: 2500, Cancellable: 2 },
    ],
  );
  assert.deepEqual(
    (await get(`${path}?outcome=done`)).Items.map(({ Outcome }: Row) => Outcome),
    ['done', 'done'],
  );
});

test('all customers that match and can have it are named at once, up to ten thousand of them', async () => {
  const all = (await get(`${ofSignatures}/ids`)) as string[];
  assert.equal(all.length, (await get(`${ofSignatures}?pageSize=1`)).Counts.Available);
  assert.ok(all.length > 0 && all.length < (await get('/api/customers?pageSize=1')).Counts.All);
  assert.deepEqual(await get('/api/marketplace/services/9/1/eligibility/ids?search=contoso'), ['10001']);
  assert.deepEqual(await get('/api/marketplace/services/9/1/eligibility/ids?search=contoso', rival), []);
  await sandbox.db
    .insertInto('customers')
    .columns([
      'id',
      'organisation_id',
      'reseller_id',
      'name',
      'domain',
      'created',
      'last_change',
      'contact_name',
      'contact_email',
    ])
    .expression(
      sql`select gen_random_uuid(), 700000 + n, 1001, 'Myriad ' || n, 'myriad.test', now(), now(), 'M', 'm@myriad.test' from generate_series(1, 10001) n`,
    )
    .execute();
  const { status, body } = await sandbox.call(token, 'GET', `${ofSignatures}/ids?search=myriad`);
  assert.deepEqual([status, body.Messages], [409, ['More than 10,000 customers match. Search for fewer.']]);
});

test('the office suite is added for nobody who has a partner for it, in a bulk as for one', async () => {
  const ids = await customers(3);
  for (const [at, partner_id] of [1, 2].entries())
    await sandbox.db
      .updateTable('customers')
      .set({ partner_id })
      .where('organisation_id', '=', Number(ids[at]))
      .execute();
  const suite = { ServiceId: 8, SubId: 2, Quantity: 1 };
  const started = await post('/api/orders/bulk', bulk(ids, suite));
  assert.equal(started.status, 201, JSON.stringify(started.body));
  await sandbox.tickOnce();
  const { Items } = await get(`/api/orders/bulk/${started.body.Result.BulkId}`);
  assert.deepEqual(
    Items.map(({ Reason }: Row) => Reason),
    [
      'You are the partner of this customer’s office suite already.',
      'Another partner looks after this customer’s office suite.',
      null,
    ],
  );
});

test('a bulk is cancelled while that is free: what is active, failed or under way goes, what was changed since stays', async () => {
  const ids = await customers(4);
  const [active, changed, failing] = ids as [string, string, string];
  const order = bulk(ids);
  const Customers = order.Customers.map((customer: Row) =>
    customer.CustomerId === failing ? { ...customer, Fields: { Domain: 'fail.test' } } : customer,
  );
  const { BulkId } = (await post('/api/orders/bulk', { ...order, Customers })).body.Result;
  const path = `/api/orders/bulk/${BulkId}`;
  await sandbox.tickOnce();
  const outcomes = async () => {
    const { Items } = await get(path);
    return new Map<string, Row>(Items.map((item: Row) => [item.CustomerId, item]));
  };
  const before = await outcomes();
  assert.deepEqual([before.get(active)?.Outcome, before.get(failing)?.Outcome], ['done', 'failed']);
  const change = { CustomerId: changed, Action: 'Modify', InstanceId: before.get(changed)?.InstanceId, Quantity: 9 };
  const terms = { TermId: 'monthly', BillingId: 'monthly', ServiceId: 17, SubId: 1, Fields: { Domain: 'bulk.test' } };
  assert.equal((await post('/api/orders', { ...change, ...terms })).status, 201);
  await sandbox.tickOnce();
  assert.equal((await get(path)).Counts.Cancellable, 3);
  assert.equal((await post(`${path}/cancel`, undefined, '', rival)).status, 404);
  assert.deepEqual((await post(`${path}/cancel`)).body.Result, { Cancelled: 3, Kept: 1 });
  await sandbox.tickOnce();
  const after = await outcomes();
  assert.deepEqual(
    ids.map(id => after.get(id)?.Outcome),
    ['cancelled', 'done', 'cancelled', 'cancelled'],
  );
  const { Counts } = await get(path);
  assert.deepEqual([Counts.Cancelled, Counts.Cancellable, Counts.Failed], [3, 0, 0]);
  assert.deepEqual((await get(`/api/customers/${active}/services`)).Items, []);
  const [{ Status }] = (await get(`/api/orders?customerId=${active}`)).Items;
  assert.equal(Status, 'Cancelled');
  const recorded = (await get(`/api/customers/${active}/activity`)).Items.map(({ Action }: Row) => Action);
  assert.ok(recorded.includes('Service deleted'), recorded.join(', '));
  assert.deepEqual((await post(`${path}/cancel`)).body.Result, { Cancelled: 0, Kept: 1 });
});

test('a bulk whose orders wait for their turn orders nothing more once it is cancelled, and none can be after seven days', async () => {
  const ids = await customers(2);
  const { BulkId } = (await post('/api/orders/bulk', bulk(ids))).body.Result;
  const path = `/api/orders/bulk/${BulkId}`;
  assert.deepEqual((await post(`${path}/cancel`)).body.Result, { Cancelled: 2, Kept: 0 });
  await sandbox.tickOnce();
  assert.equal((await get(path)).Counts.Cancelled, 2);
  assert.equal((await get(`/api/orders?customerId=${ids[0]}`)).Total, 0);

  const late = (await post('/api/orders/bulk', bulk(await customers(1)))).body.Result.BulkId;
  await sandbox.tickOnce();
  const week = sql<Date>`now() - interval '1 second'`;
  await sandbox.db.updateTable('orders').set({ cancel_free_until: week }).where('status', '=', 'Done').execute();
  assert.deepEqual((await post(`/api/orders/bulk/${late}/cancel`)).body.Result, { Cancelled: 0, Kept: 1 });
});

test('who was chosen and cannot have it is part of the result, with the reason, and is never ordered for', async () => {
  const [can, cannot] = (await customers(2)) as [string, string];
  await post(`/api/customers/${cannot}/suspend`);
  const { BulkId } = (await post('/api/orders/bulk', bulk([can], { OnlyIfAll: true, LeftOut: [cannot, can] }))).body
    .Result;
  await post(`/api/customers/${cannot}/reactivate`);
  await sandbox.tickOnce();
  const { Items, Counts } = await get(`/api/orders/bulk/${BulkId}`);
  assert.deepEqual([Counts.All, Counts.Done, Counts.NotEligible], [2, 1, 1]);
  assert.deepEqual([Items[1].Reason, Items[1].Quantity], ['This customer is suspended.', null]);
  const foreign = bulk([cannot], { LeftOut: ['99999'] });
  assert.equal((await post('/api/orders/bulk', foreign)).status, 404);
});
