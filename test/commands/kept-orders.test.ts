import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

type Body = Readonly<Record<string, unknown>>;
const byRoute = { customer: '10003', route: 'share-point' };
const byService = { customer: '10003', service: '2' };
const step = async (given: Body, body: Body) => {
  const { text, body: reply } = await reseller.post('/ui/command/order-add.step', {
    ...{ node: 'order', layout: await reseller.hashOf('add-service'), with: given, body },
  });
  assert.equal(reply.Succeed, true, text);
  return reply.Result;
};
const typed = { Quantity: 7, TermId: 'monthly', BillingId: 'monthly', Domain: 'kept.test' };
const said = (reply: { nodes: readonly { type: string; text?: string }[] }) =>
  reply.nodes.flatMap(({ type, text = '' }) => (type === 'alert' && text.startsWith('What you typed') ? [text] : []));

test('what is typed in an order is there again at any address of it until it is placed', async () => {
  const first = await step(byRoute, {});
  assert.deepEqual(said(first), []);
  await step(byRoute, { ...typed, $step: 'details', $estimate: true });

  for (const given of [byRoute, byService]) {
    const again = await step(given, {});
    assert.equal(again.values.Quantity, 7);
    assert.equal(again.values.Domain, 'kept.test');
    assert.match(said(again)[0] ?? '', /^What you typed on .+ is here again\. Nothing has been ordered yet\.$/);
    assert.equal(again.data.quote.Result.Quantity ?? 7, 7);
  }
  const { values } = await step({ ...byRoute, customer: '10004' }, {});
  assert.notEqual(values.Quantity, 7, 'another customer');

  assert.equal((await step(byRoute, { ...typed, $step: 'details' })).step, 'check');
  const key = { 'idempotency-key': 'the-press-of-a-kept-order' };
  const layout = await reseller.hashOf('add-service');
  const place = { node: 'order', layout, with: byRoute, body: { ...typed, $step: 'check' } };
  const placed = await reseller.post('/ui/command/order-add.step', place, key);
  assert.equal(placed.body.Succeed, true, placed.text);
  assert.match(JSON.stringify(placed.body.effects), /was placed/);
  const after = await step(byRoute, {});
  assert.notEqual(after.values.Quantity, 7);
  assert.deepEqual(said(after), []);
});

test('what is typed in an order for many is there again until it is placed, and not for other customers', async () => {
  const bulk = async (body: Body, more: Body = {}, headers = {}) => {
    const layout = await reseller.hashOf('bulk-order');
    const given = { serviceId: 9, subId: 1, ...more };
    const { text, body: reply } = await reseller.post(
      '/ui/command/order.bulk-step',
      { node: 'bulk', layout, with: given, body },
      headers,
    );
    assert.equal(reply.Succeed, true, text);
    return reply;
  };
  const Customers = '10004\n10009';
  await bulk({ Customers, $step: 'customers', $estimate: true });
  const first = (await bulk({})).Result;
  assert.equal(first.values.Customers, Customers);
  assert.match(JSON.stringify(first.children), /What you typed on .+ is here again/);
  assert.equal((await bulk({}, { customers: '10005' })).Result.values.Customers, '10005');

  const shared = { TermId: 'monthly', BillingId: 'monthly' };
  const Values = JSON.stringify([['10009', { Quantity: 7 }]]);
  await bulk({ Customers, Values, ...shared, $step: 'details', $estimate: true });
  const details = (await bulk({ Customers, $step: 'customers' })).Result;
  assert.deepEqual(JSON.parse(details.values.Values), [['10009', { Quantity: 7 }]]);
  const fewer = (await bulk({ Customers: '10004', $step: 'customers' })).Result;
  assert.equal(fewer.values.Values, undefined);

  const order = { Customers, Values, ...shared };
  const check = (await bulk({ ...order, $step: 'details' })).Result;
  const { $price, $ordered } = check.values;
  const press = { 'idempotency-key': 'the-press-of-a-kept-bulk' };
  const placed = await bulk({ ...order, $price, $ordered, $step: 'check' }, {}, press);
  assert.match(JSON.stringify(placed.effects), /services\/bulk/);
  assert.deepEqual((await bulk({})).Result.values, {});
});
