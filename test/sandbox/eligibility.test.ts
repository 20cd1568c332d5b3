import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const post = (path: string, body?: unknown, key = '', who = token) =>
  sandbox.call(who, 'POST', path, body, key === '' ? {} : { 'idempotency-key': key });
const get = async (path: string) => (await sandbox.call(token, 'GET', path)).body.Result;
const of = (serviceId: number, subId: number) => `/api/marketplace/services/${serviceId}/${subId}/eligibility`;

async function customer(more: Row = {}): Promise<string> {
  const name = `Eligible ${randomUUID().slice(0, 8)}`;
  const body = {
    Name: name,
    Domain: `${name.slice(9)}.test`,
    ContactName: 'E',
    ContactEmail: `e@${name.slice(9)}.test`,
  };
  return (await post('/api/customers', { ...body, ...more })).body.Result.organisationId;
}
const set = (id: string, columns: object) =>
  sandbox.db.updateTable('customers').set(columns).where('organisation_id', '=', Number(id)).execute();

const fieldsOf = async (serviceId: number, subId: number) =>
  (await get(`/api/marketplace/services/${serviceId}/${subId}`)).Fields as Row[];
const answers: Row = {
  Domain: 'own.test',
  AdminEmail: 'own@own.test',
  HostName: 'own',
  AreaCode: '0113',
  Region: 'UK South',
};

test('the list, the quote and each order say the same of who can have a product, and why not', async () => {
  const partners = [await customer(), await customer()];
  await set(partners[0]!, { partner_id: 1 });
  await set(partners[1]!, { partner_id: 2 });
  const suspended = await customer();
  await post(`/api/customers/${suspended}/suspend`);
  const met = new Set<string>();
  for (const [ServiceId, SubId] of [
    [8, 1],
    [9, 1],
    [17, 1],
    [3, 1],
    [18, 1],
  ] as const) {
    const { Items, Total, Counts } = await get(`${of(ServiceId, SubId)}?pageSize=100`);
    assert.equal(Items.length, Total);
    assert.equal(Counts.All, Total);
    const can = Items.filter(({ Obstacle }: Row) => Obstacle === null).map(({ CustomerId }: Row) => CustomerId);
    assert.equal(Counts.Available, can.length);
    const only = await get(`${of(ServiceId, SubId)}?pageSize=100&show=available`);
    assert.deepEqual(
      only.Items.map(({ CustomerId }: Row) => CustomerId),
      can,
    );
    assert.equal(only.Total, can.length);
    assert.deepEqual(await get(`${of(ServiceId, SubId)}/ids`), can);

    const { Terms, Billing } = await get(`/api/marketplace/services/${ServiceId}/${SubId}`);
    const what = { ServiceId, SubId, Quantity: 1, TermId: Terms[0].Id, BillingId: Billing[0].Id };
    const fields = await fieldsOf(ServiceId, SubId);
    const given = (isOwn: boolean) =>
      Object.fromEntries(
        fields
          .filter(({ PerCustomer }) => PerCustomer === isOwn)
          .map(({ PropertyName }) => [PropertyName, answers[PropertyName]]),
      );
    const Customers = Items.map(({ CustomerId }: Row) => ({ CustomerId, Fields: given(true) }));
    const { Result } = (await post('/api/orders/bulk/quote', { ...what, Fields: given(false), Customers })).body;
    assert.deepEqual(
      Result.Customers.map(({ CustomerId }: Row) => CustomerId),
      can,
    );
    const reasons = new Map(Result.LeftOut.map(({ CustomerId, Reason }: Row) => [CustomerId, Reason]));
    for (const { CustomerId, Obstacle, Reason } of notEmpty<Row>(Items)) {
      const order = { ...what, CustomerId, Action: 'Add', Fields: { ...given(false), ...given(true) } };
      const single = await post('/api/orders/quote', order);
      assert.equal(single.status, Obstacle === null ? 200 : 409, `${CustomerId}: ${Obstacle}`);
      if (Obstacle === null) continue;
      met.add(Obstacle);
      assert.deepEqual([single.body.Messages, reasons.get(CustomerId)], [[Reason], Reason]);
    }
  }
  for (const obstacle of ['OwnPartner', 'OtherPartner', 'Suspended', 'Added']) assert.ok(met.has(obstacle), obstacle);
});

test('of several customers, what a reseller can have once is quoted for one', async () => {
  const made = [await customer({ Name: 'Solo B' }), await customer({ Name: 'Solo A' })];
  const what = { ServiceId: 31, SubId: 1, Quantity: 1, TermId: 'monthly', BillingId: 'monthly', Fields: {} };
  const Customers = made.map(CustomerId => ({ CustomerId, Fields: { AdminEmail: 'ada@solo.test' } }));
  const { Result } = (await post('/api/orders/bulk/quote', { ...what, Customers })).body;
  assert.deepEqual(
    Result.Customers.map(({ Name }: Row) => Name),
    ['Solo A'],
  );
  assert.equal(Result.MonthlyPrice, Result.Customers[0].Price);
  assert.equal(Result.LeftOut[0].Name, 'Solo B');
  assert.match(Result.LeftOut[0].Reason, /can be added for one customer only\.$/);
});

test('a page of the list is asked for by number, narrowed by words and by who can have it', async () => {
  const made = [
    await customer({ Name: 'Paged Alpha' }),
    await customer({ Name: 'Paged Beta' }),
    await customer({ Name: 'Paged Gamma' }),
  ];
  await post(`/api/customers/${made[1]}/suspend`);
  const names = async (query: string) => {
    const { Items, Total, Counts } = await get(`${of(17, 1)}?search=paged&${query}`);
    return [Items.map(({ Name }: Row) => Name), Total, Counts];
  };
  const Counts = { All: 3, Available: 2, Without: 2 };
  assert.deepEqual(await names('pageSize=2&page=2'), [['Paged Gamma'], 3, Counts]);
  assert.deepEqual(await names('pageSize=1&page=2&show=available'), [['Paged Gamma'], 2, Counts]);
});

test('who has a product already is told from who has none, where one can have it again too', async () => {
  const { Items, Counts } = await get(`${of(9, 1)}?pageSize=100`);
  const has = Items.filter(({ Status, Obstacle }: Row) => Status === 'Added' && Obstacle === null);
  assert.ok(has.length > 0);
  assert.equal(Counts.Without, Counts.Available - has.length);
  const without = (await get(`${of(9, 1)}?pageSize=100&show=without`)).Items;
  assert.equal(without.length, Counts.Without);
  assert.deepEqual(new Set(without.map(({ Status }: Row) => Status)), new Set([null]));
  const ids = without.map(({ CustomerId }: Row) => CustomerId);
  assert.deepEqual(await get(`${of(9, 1)}/ids?show=without`), ids);
});

test('customers that are named are told with what their records propose for their own fields', async () => {
  const id = await customer({ Domain: 'meadow.test', ContactEmail: 'ada@meadow.test' });
  const { Items } = (await post(of(8, 1), { CustomerIds: [id, '10001', id] })).body.Result;
  assert.equal(Items.length, 2);
  assert.deepEqual(Items[0].Fields, { Domain: 'meadow.test', AdminEmail: 'ada@meadow.test' });
  assert.equal(Items[0].Obstacle, null);
  const own = (await fieldsOf(6, 1)).map(({ PropertyName, PerCustomer }) => [PropertyName, PerCustomer]);
  assert.deepEqual(own, [
    ['Domain', true],
    ['Region', false],
    ['Budget', false],
  ]);
  for (const CustomerIds of [['99999'], ['nobody'], [id, "10001' or true"]])
    assert.equal((await post(of(8, 1), { CustomerIds })).status, 404);
  assert.equal(
    (await post(of(8, 1), { CustomerIds: [id] }, '', await sandbox.signIn('rival@southridge.test'))).status,
    404,
  );
});

const signatures = { ServiceId: 17, SubId: 1, Quantity: 2, TermId: 'monthly', BillingId: 'monthly', Fields: {} };
const domains = (values: Row) =>
  Object.entries(values).map(([CustomerId, Domain]) => ({ CustomerId, Fields: { Domain } }));

test('each customer is ordered for with its own values, which the result tells', async () => {
  const ids = [await customer(), await customer()];
  const Customers = domains({ [ids[0]!]: 'first.test', [ids[1]!]: 'second.test' });
  const { BulkId } = (await post('/api/orders/bulk', { ...signatures, Customers })).body.Result;
  await sandbox.tickOnce();
  const { Items } = await get(`/api/orders/bulk/${BulkId}`);
  assert.deepEqual(
    Items.map(({ Values }: Row) => Values),
    ['first.test', 'second.test'],
  );
  for (const [at, id] of ids.entries()) {
    const [held] = (await get(`/api/customers/${id}/services`)).Items;
    const { Fields } = await get(`/api/customers/${id}/services/${held.Id}`);
    assert.deepEqual(Fields, [{ PropertyName: 'Domain', Label: 'Domain', Value: ['first.test', 'second.test'][at] }]);
  }
});

test('a wrong value is told by the customer and the field; one value for all is refused', async () => {
  const ids = [await customer(), await customer()];
  const wrong = domains({ [ids[0]!]: 'fine.test', [ids[1]!]: 'not a domain' });
  for (const path of ['/api/orders/bulk', '/api/orders/bulk/quote']) {
    const { status, body } = await post(path, { ...signatures, Customers: wrong });
    assert.equal(status, 400);
    assert.deepEqual(body.Errors, { [`Customers.${ids[1]}.Domain`]: ['Must be a domain, for example contoso.com'] });
    const shared = { ...signatures, Fields: { Domain: 'all.test' }, Customers: domains({ [ids[0]!]: 'fine.test' }) };
    assert.equal((await post(path, shared)).status, 400);
  }
});

test('an order for all or nobody is refused once one of them cannot have it, and one that nobody can have always', async () => {
  const ids = [await customer(), await customer()];
  const Customers = domains({ [ids[0]!]: 'one.test', [ids[1]!]: 'two.test' });
  await post(`/api/customers/${ids[1]}/suspend`);
  const { status, body } = await post('/api/orders/bulk', { ...signatures, Customers, OnlyIfAll: true });
  assert.equal(status, 409);
  assert.match(body.Messages[0], /This customer is suspended\.$/);
  const nobody = await post('/api/orders/bulk', { ...signatures, Customers: Customers.slice(1) });
  assert.deepEqual([nobody.status, nobody.body.Messages], [409, ['None of these customers can have Mail Signatures.']]);
  assert.equal((await get(`/api/orders?customerId=${ids[0]}`)).Total, 0);
});
