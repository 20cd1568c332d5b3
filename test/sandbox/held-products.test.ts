import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

// Without a pause a tick does all the phases of a job.
const sandbox = withSandbox({ phaseMilliseconds: 0 });
let token = '';
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const post = (path: string, body: Row) => sandbox.call(token, 'POST', path, body);
const get = async (path: string) => (await sandbox.call(token, 'GET', path)).body.Result;
const order = (body: Row) => post('/api/orders', body);

async function newCustomer(): Promise<string> {
  const Name = `Holder ${randomUUID().slice(0, 8)}`;
  const body = { Name, Domain: 'order.test', ContactName: 'O', ContactEmail: 'o@order.test' };
  return (await post('/api/customers', body)).body.Result.organisationId;
}

const what = { SubId: 1, TermId: 'monthly', BillingId: 'monthly' };
/** An order of mail signatures, of which a customer has one subscription. */
const signatures = (CustomerId: string, more: Row = {}): Row => ({
  ...{ CustomerId, ServiceId: 17, ...what, Action: 'Add', Quantity: 5, Fields: { Domain: 'order.test' } },
  ...more,
});
/** An order of cloud backup, of which a customer may have several. */
const backup = (CustomerId: string, more: Row = {}): Row =>
  signatures(CustomerId, { ServiceId: 9, Fields: { AdminEmail: 'o@order.test' }, ...more });

/** Orders, and lets the cloud do all of it. */
async function fulfil(body: Row): Promise<string> {
  const reply = await order(body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  await sandbox.tickOnce();
  return reply.body.Result.InstanceId;
}
const servicesOf = async (customer: string): Promise<Row[]> => (await get(`/api/customers/${customer}/services`)).Items;
const quantityOf = async (customer: string, id: string): Promise<number> =>
  (await get(`/api/customers/${customer}/services/${id}`)).Quantity;

test('who holds a product is asked: what is held is raised, or a second subscription stands beside it', async () => {
  const customer = await newCustomer();
  const subject = () => get(`/api/orders/subject?customerId=${customer}&action=Add&serviceId=9&subId=1`);
  assert.equal((await subject()).Held, null);
  const early = await order(backup(customer, { IfHeld: 'Raise' }));
  assert.deepEqual([early.status, Object.keys(early.body.Errors)], [400, ['IfHeld']]);
  const held = await fulfil(backup(customer, { Quantity: 25, IfHeld: 'New' }));
  assert.equal((await subject()).Held, 25);
  const unasked = await order(backup(customer, { IfHeld: 'New' }));
  assert.deepEqual(unasked.body.Errors, {
    IfHeld: ['25 are held already: raise these, or order a second subscription'],
  });
  const quoteOf = async (more: Row) => {
    const body = backup(customer, { Quantity: 10, ...more });
    const { Quantity, Beside, Before } = (await post('/api/orders/quote', body)).body.Result;
    return [Quantity, Beside, Before?.Quantity ?? null];
  };
  assert.deepEqual(await quoteOf({ IfHeld: 'Raise' }), [35, null, 25]);
  assert.deepEqual(await quoteOf({ IfHeld: 'Second' }), [10, 25, null]);
  assert.deepEqual(await quoteOf({}), [10, 25, null], 'whoever was not asked is told');
  assert.equal(await fulfil(backup(customer, { Quantity: 10, IfHeld: 'Raise' })), held);
  assert.equal(await quantityOf(customer, held), 35);
  const second = await fulfil(backup(customer, { Quantity: 10, IfHeld: 'Second' }));
  assert.notEqual(second, held);
  assert.deepEqual([await quantityOf(customer, held), await quantityOf(customer, second)], [35, 10]);
});

test('a change that changes nothing is refused, and one of a single thing is not', async () => {
  const customer = await newCustomer();
  const InstanceId = await fulfil(signatures(customer));
  const change = (more: Row = {}) => signatures(customer, { Action: 'Modify', InstanceId, ...more });
  const refused = await order(change());
  assert.equal(refused.status, 409);
  assert.match(refused.body.Messages[0], /^This would change nothing/);
  assert.equal((await servicesOf(customer))[0]?.Status, 'Active');
  for (const more of [{ Quantity: 6 }, { TermId: 'annual' }, { Fields: { Domain: 'other.test' } }]) {
    const quote = await post('/api/orders/quote', change(more));
    assert.equal(quote.status, 200, JSON.stringify(quote.body));
  }
});

test('in an order for many, who holds it is raised or gets a second subscription, and pays for what is more', async () => {
  const [none, raised, second] = [await newCustomer(), await newCustomer(), await newCustomer()];
  const Fields = { AdminEmail: 'b@bulk.test' };
  const many = (ids: string[], more: Row): Row => ({
    ...{ ServiceId: 9, ...what, Fields: {}, Customers: ids.map(CustomerId => ({ CustomerId, Fields })) },
    ...more,
  });
  await post('/api/orders/bulk', many([raised, second], { Quantity: 25 }));
  await sandbox.tickOnce();
  const judged = (await post('/api/marketplace/services/9/1/eligibility', { CustomerIds: [none, raised, second] })).body
    .Result.Items;
  assert.deepEqual(
    judged.map(({ Held }: Row) => Held),
    [null, 25, 25],
  );
  const answers = { [none]: 'New', [raised]: 'Raise', [second]: 'Second' };
  const body = (changed: Row = {}) => ({
    ...many([none, raised, second], { Quantity: 10 }),
    Customers: [none, raised, second].map(CustomerId => ({
      ...{ CustomerId, Fields },
      IfHeld: { ...answers, ...changed }[CustomerId],
    })),
  });
  const unasked = await post('/api/orders/bulk', body({ [raised]: 'New' }));
  assert.equal(unasked.status, 400, JSON.stringify(unasked.body));
  assert.deepEqual(Object.keys(unasked.body.Errors), [`Customers.${raised}.IfHeld`]);
  const quote = (await post('/api/orders/bulk/quote', body())).body.Result;
  assert.deepEqual(new Set(quote.Customers.map(({ Price }: Row) => Price)).size, 1, 'ten more cost the same');
  await post('/api/orders/bulk', body());
  await sandbox.tickOnce();
  const quantities = async (id: string) => (await servicesOf(id)).map(({ Quantity }: Row) => Quantity).sort();
  assert.deepEqual(
    [await quantities(none), await quantities(raised), await quantities(second)],
    [[10], [35], [10, 25]],
  );
});
