import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { VoiceOrderBody } from '../../server/sandbox/voice/body.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';
import { handsets, leeds, voiceOrder, warehouse } from '../fixtures/voice.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'engineer@northwind.test',
  'buyer@zephyrcycles.test',
  'euro@westhaven.test',
]);

const call = (who: string, method: string, path: string, body?: unknown, key?: string) =>
  sandbox.call(tokens[who]!, method, path, body, key ? { 'idempotency-key': key } : {});
const at = (customer: string, rest = '') => `/api/voice/organisations/${customer}/orders${rest}`;

async function newCustomer(who = 'reseller'): Promise<string> {
  const name = `Voice ${randomUUID().slice(0, 8)}`;
  const body = { Name: name, Domain: 'voice.test', ContactName: 'V', ContactEmail: 'v@voice.test' };
  return (await call(who, 'POST', '/api/customers', body)).body.Result.organisationId;
}

async function placed(customer: string, body: VoiceOrderBody): Promise<string> {
  const reply = await call('reseller', 'POST', at(customer), body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.Result.OrderId;
}
const read = async (customer: string, id: string) =>
  (await call('reseller', 'GET', at(customer, `/${id}`))).body.Result;

test('the catalogue has products, handsets and deliveries, priced in the caller’s currency', async () => {
  const [pounds, euros] = await Promise.all(
    ['reseller', 'euro'].map(async who => (await call(who, 'GET', '/api/voice/catalogue')).body.Result),
  );
  assert.deepEqual(
    pounds.Products.map(({ Id }: { Id: string }) => Id),
    ['hosted-voice', 'hosted-voice-hardware'],
  );
  assert.deepEqual([pounds.Currency, pounds.Hardware[0].Price, pounds.Delivery[0].Cost], ['GBP', '64', '9.5']);
  assert.deepEqual([euros.Currency, euros.Hardware[0].Price, euros.Delivery[0].Cost], ['EUR', '76.8', '11.4']);
});

test('an order has its sites lettered in their order, brings the seats, and adds to them the next time', async () => {
  const customer = await newCustomer();
  const depot = { ...leeds, SiteName: 'Depot', DDIBlocks: 0, PropertyType: 'Residential' } as const;
  const Hardware = [{ ProductId: 'mitel-6920', Quantity: 4 }];
  const body = voiceOrder({
    Sites: [leeds, depot],
    Hardware,
    DeliveryOption: 'next-day',
    HardwareAddress: warehouse,
  });
  const quoted = (await call('reseller', 'POST', at(customer, '/quote'), body)).body.Result;
  assert.deepEqual([quoted.MonthlyPrice, quoted.HardwarePrice, quoted.DeliveryCost], ['57.5', '472', '18']);
  assert.equal(quoted.TotalOnce, '490');
  const id = await placed(customer, body);
  const order = await read(customer, id);
  assert.deepEqual(
    order.Sites.map(({ Letter, SiteName }: { Letter: string; SiteName: string }) => [Letter, SiteName]),
    [
      ['A', 'Head office'],
      ['B', 'Depot'],
    ],
  );
  const { Letter, ...second } = order.Sites[1];
  assert.deepEqual(second, depot);
  assert.deepEqual([order.OrderType, order.MitelLicences, order.MitelLicencesChange], [0, 4, 4]);
  assert.deepEqual(
    [order.OrderStatus, order.OrderCreatedBy, order.DeliveryOption],
    ['Submitted', 'Priya Raman', 'Next working day'],
  );
  assert.match(order.OrderNumber, /^HV-\d{7}$/);

  await sandbox.tickOnce();
  await sandbox.tickOnce();
  assert.equal((await read(customer, id)).OrderStatus, 'Completed');
  const more = await read(customer, await placed(customer, voiceOrder({ MitelLicences: 0, NonMitelLicences: 3 })));
  assert.deepEqual([more.MitelLicences, more.MitelLicencesChange], [4, 0]);
  assert.deepEqual([more.NonMitelLicences, more.NonMitelLicencesChange], [4, 3]);
  await sandbox.tickOnce();
  const services = (await call('reseller', 'GET', `/api/customers/${customer}/services`)).body.Result.Items;
  assert.deepEqual(
    services.map(({ Name, Quantity }: { Name: string; Quantity: number }) => [Name, Quantity]),
    [['Hosted Voice', 8]],
  );
});

test('an order that is completed says when that was, a seeded one as well, never a day ahead', async () => {
  const customer = await newCustomer();
  const id = await placed(customer, handsets());
  assert.ok(Date.parse((await read(customer, id)).EstimatedCompletionDate) > Date.now());
  await sandbox.tickOnce();
  await sandbox.tickOnce();
  const order = await read(customer, id);
  assert.equal(order.OrderStatus, 'Completed');
  const { Items } = (await call('reseller', 'GET', at('10001'))).body.Result;
  assertEvery([order, ...Items], item => {
    const day = Date.parse(item.EstimatedCompletionDate);
    return day >= Date.parse(item.OrderCreatedOn) && day <= Date.now();
  });
});

test('an order whose seats are not there yet is not completed', async () => {
  const customer = await newCustomer();
  // So many that there is no room for them.
  const id = await placed(customer, voiceOrder({ MitelLicences: 13, NonMitelLicences: 0 }));
  for (let ticks = 0; ticks < 3; ticks += 1) await sandbox.tickOnce();
  assert.equal((await read(customer, id)).OrderStatus, 'In progress');
});

test('an order is placed once: with one key, and with one reference whatever the key', async () => {
  const customer = await newCustomer();
  const body = handsets();
  const replies = await Promise.all(
    ['one', 'one', 'two', 'three'].map(key => call('reseller', 'POST', at(customer), body, `${customer}-${key}`)),
  );
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(replies.map(({ body }) => body.Result.OrderId)).size, 1);
  const { Items } = (await call('reseller', 'GET', at(customer))).body.Result;
  assert.deepEqual(
    Items.map(({ OrderType }: { OrderType: number }) => OrderType),
    [1],
  );
});

test('everything that is wrong is told by the name of its field, and nothing is placed', async () => {
  const customer = await newCustomer();
  const wrong: [VoiceOrderBody, string][] = [
    [voiceOrder({ Sites: [] }), 'Sites'],
    [voiceOrder({ Sites: Array.from({ length: 27 }, () => leeds) }), 'Sites'],
    [voiceOrder({ Sites: [leeds, { ...leeds, Postcode: 'nowhere' }] }), 'Sites.1.Postcode'],
    [voiceOrder({ Sites: [{ ...leeds, SiteName: ' ' }] }), 'Sites.0.SiteName'],
    [voiceOrder({ Sites: [{ ...leeds, DDIAreaCode: '113' }] }), 'Sites.0.DDIAreaCode'],
    [voiceOrder({ Sites: [{ ...leeds, DDIBlocks: 101 }] }), 'Sites.0.DDIBlocks'],
    [voiceOrder({ Sites: [{ ...leeds, PropertyType: 'Castle' as 'Commercial' }] }), 'Sites.0.PropertyType'],
    [voiceOrder({ MitelLicences: 0, NonMitelLicences: 0 }), 'MitelLicences'],
    [voiceOrder({ MitelLicences: -1 }), 'MitelLicences'],
    [voiceOrder({ BandwidthConfirmed: false }), 'BandwidthConfirmed'],
    [voiceOrder({ CallReportingAddress: 'nobody' }), 'CallReportingAddress'],
    [voiceOrder({ DeliveryOption: 'standard' }), 'DeliveryOption'],
    [voiceOrder({ HardwareAddress: warehouse }), 'HardwareAddress'],
    [voiceOrder({ Reference: 'mine' }), 'Reference'],
    [handsets({ Hardware: [] }), 'Hardware'],
    [handsets({ Hardware: [{ ProductId: 'gold', Quantity: 1 }] }), 'Hardware.0.ProductId'],
    [handsets({ Hardware: [{ ProductId: 'poly-trio-c60', Quantity: 51 }] }), 'Hardware.0.Quantity'],
    [handsets({ Hardware: [1, 2].map(Quantity => ({ ProductId: 'mitel-6905', Quantity })) }), 'Hardware.1.ProductId'],
    [handsets({ DeliveryOption: 'pigeon' }), 'DeliveryOption'],
    [handsets({ HardwareAddress: null }), 'HardwareAddress'],
    [handsets({ HardwareAddress: { ...warehouse, Telephone: '12' } }), 'HardwareAddress.Telephone'],
    [handsets({ Sites: [leeds] }), 'SelectedProduct'],
  ];
  for (const [body, name] of wrong) {
    for (const path of ['', '/quote']) {
      const reply = await call('reseller', 'POST', at(customer, path), body);
      assert.equal(reply.status, 400, `${name}: ${JSON.stringify(reply.body)}`);
      assert.ok(reply.body.Errors[name], `${name}: ${JSON.stringify(reply.body.Errors)}`);
    }
  }
  assert.equal((await call('reseller', 'GET', at(customer))).body.Result.Total, 0);
});

test('who may not order sees orders only; a suspended customer gets none', async () => {
  for (const [method, path] of [
    ['GET', '/api/voice/catalogue'],
    ['POST', at('10001')],
    ['POST', at('10001', '/quote')],
  ] as const)
    assert.equal((await call('engineer', method, path, method === 'POST' ? voiceOrder() : undefined)).status, 403);
  assert.equal((await call('engineer', 'GET', at('10001'))).status, 200);
  assert.equal((await call('buyer', 'GET', at('10001'))).status, 404);

  const customer = await newCustomer();
  await call('reseller', 'POST', `/api/customers/${customer}/suspend`);
  for (const body of [voiceOrder(), handsets()])
    assert.equal((await call('reseller', 'POST', at(customer), body)).status, 409);
});

test('the orders of the past are there, of every type', async () => {
  const { Items } = (await call('reseller', 'GET', at('10001'))).body.Result;
  const types = Items.map(({ OrderType }: { OrderType: number }) => OrderType);
  assert.deepEqual(types.slice(-3), [4, 1, 0]);
  const customer = (await call('reseller', 'GET', '/api/customers?search=zephyr')).body.Result.Items[0].OrganisationId;
  assert.equal((await call('buyer', 'GET', at(customer))).body.Result.Total, 1);
});
