import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const get = async (path: string) => (await sandbox.call(token, 'GET', path)).body.Result;
const pence = (amount: string) => Math.round(Number(amount) * 100);
const sum = (rows: readonly Row[], name: string) => rows.reduce((total, row) => total + pence(row[name]), 0);
const allCustomers = async (): Promise<Row[]> => (await get('/api/customers?pageSize=100&sort=-MonthlySpend')).Items;
const servicesOf = async (id: string): Promise<Row[]> =>
  (await get(`/api/customers/${id}/services?pageSize=100`)).Items;

test('every figure per month is the sum of the services that have become active', async () => {
  const customers = await allCustomers();
  assert.ok(customers.length > 30);
  const charged = new Map<string, number>();
  const byProduct = new Map<string, number>();
  let notYet = 0;
  for (const { OrganisationId, MonthlySpend } of customers) {
    const services = await servicesOf(OrganisationId);
    for (const service of services) {
      if (service.Status === 'ActivationFailed' || service.Status === 'Activating') {
        notYet += 1;
        assert.equal(service.MonthlyPrice, '0', `${service.Name} of ${OrganisationId} is not active yet`);
        const instance = await get(`/api/customers/${OrganisationId}/services/${service.Id}`);
        assert.equal(instance.MonthlyPrice, '0');
      }
      const key = `${service.ServiceId}/${service.SubId}`;
      byProduct.set(key, (byProduct.get(key) ?? 0) + pence(service.MonthlyPrice));
    }
    charged.set(OrganisationId, sum(services, 'MonthlyPrice'));
    assert.equal(pence(MonthlySpend), charged.get(OrganisationId), OrganisationId);
    assert.equal(pence((await get(`/api/customers/${OrganisationId}`)).MonthlySpend), charged.get(OrganisationId));
  }
  assert.ok(notYet > 1, 'some are not active yet');
  const total = [...charged.values()].reduce((one, other) => one + other, 0);
  assert.ok(total > 0);
  assert.equal(pence((await get('/api/customers?pageSize=1')).MonthlySpend), total);
  assert.equal(pence((await get('/api/dashboard/summary')).MonthlySpend), total);
  const mine: Row[] = (await get('/api/services')).Items;
  assert.equal(sum(mine, 'MonthlySpend'), total);
  for (const { ServiceId, SubId, MonthlySpend } of mine) {
    const key = `${ServiceId}/${SubId}`;
    assert.equal(pence(MonthlySpend), byProduct.get(key), key);
    assert.equal(
      sum((await get(`/api/services/${key}/customers?pageSize=1000`)).Items, 'MonthlyPrice'),
      byProduct.get(key),
    );
  }
  const order = customers.map(({ MonthlySpend }) => MonthlySpend);
  assert.deepEqual(
    order,
    order.toSorted((one, other) => other - one),
    'the list is sorted by it',
  );
});

test('a service is charged from its activation on: not when it is ordered, when it has failed, or while it is tried again', async () => {
  const { OrganisationId } = await customerNamed('Kestrel');
  const spend = async () => pence((await get(`/api/customers/${OrganisationId}`)).MonthlySpend);
  const voice = async () => (await servicesOf(OrganisationId)).find(({ Name }) => Name === 'Hosted Voice') as Row;
  const before = await spend();
  const { Id, MonthlyPrice, Status } = await voice();
  assert.deepEqual([Status, MonthlyPrice], ['Activating', '0']);
  const finish = async () => {
    await sandbox.db.updateTable('jobs').set({ due: new Date() }).where('instance_id', '=', Id).execute();
    await sandbox.tickOnce();
  };
  await finish();
  assert.equal((await voice()).Status, 'ActivationFailed');
  assert.equal(await spend(), before);
  const retried = await sandbox.call(token, 'POST', `/api/customers/${OrganisationId}/services/${Id}/retry`, {
    Fields: { AreaCode: '0121' },
  });
  assert.equal(retried.status, 200, JSON.stringify(retried.body));
  assert.equal(await spend(), before);
  await finish();
  const active = await voice();
  assert.equal(active.Status, 'Active');
  assert.ok(pence(active.MonthlyPrice) > 0);
  assert.equal(await spend(), before + pence(active.MonthlyPrice));
});

/** The customers whose use is metered, and the others, each as its page has it. */
async function meteredAndOthers(): Promise<readonly [Row[], Row[]]> {
  const customers = await Promise.all(
    (await allCustomers()).map(({ OrganisationId }): Promise<Row> => get(`/api/customers/${OrganisationId}`)),
  );
  const isMetered = ({ MeteredLast7Days }: Row) => MeteredLast7Days !== null;
  return [customers.filter(isMetered), customers.filter(customer => !isMetered(customer))];
}

test('metered use is told beside what is charged per month, as the usage report has it', async () => {
  const [metered, others] = await meteredAndOthers();
  assert.ok(metered.length >= 2 && others.length > 0);
  for (const { OrganisationId, MeteredLast7Days } of metered) {
    const report = await get(`/api/customers/${OrganisationId}/usage?days=7`);
    assert.equal(pence(MeteredLast7Days), pence(report.Spend), OrganisationId);
    assert.ok(report.Spend > 0);
  }
  assert.equal(pence((await get('/api/dashboard/summary')).MeteredLast7Days), sum(metered, 'MeteredLast7Days'));
});

test('a customer whose use is metered holds the product that is metered', async () => {
  const [metered] = await meteredAndOthers();
  assert.ok(metered.some(({ Name }) => Name === 'Contoso'));
  for (const { OrganisationId, Name } of metered) {
    const platform = (await servicesOf(OrganisationId)).find(service => service.Name === 'Cloud Platform');
    assert.equal(platform?.Status, 'Active', Name);
    const subscriptions = await get(`/api/customers/${OrganisationId}/usage/subscriptions`);
    assert.ok(platform?.Quantity >= subscriptions.length, Name);
  }
});

test('while a service is upgraded it is charged once, and a change that fails leaves it charged as it was', async () => {
  const { OrganisationId } = await customerNamed('Contoso');
  const spend = async () => pence((await get(`/api/customers/${OrganisationId}`)).MonthlySpend);
  const named = async (name: string) => (await servicesOf(OrganisationId)).find(({ Name }) => Name === name) as Row;
  const Fields = { Domain: 'contoso.test', Region: 'UK South' };
  const order = async (body: object) => {
    const terms = { TermId: 'monthly', BillingId: 'monthly' };
    const content = { CustomerId: OrganisationId, ServiceId: 6, SubId: 6, ...terms, Fields, ...body };
    const reply = await sandbox.call(token, 'POST', '/api/orders', content);
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
  };
  const platform = await named('Cloud Platform');
  const before = await spend();
  await order({ Action: 'Upgrade', InstanceId: platform.Id, Quantity: platform.Quantity });
  assert.equal(await spend(), before);
  await sandbox.tickOnce();
  const plan = await named('Cloud Platform Plan');
  assert.equal(plan.Status, 'Active');
  const after = before - pence(platform.MonthlyPrice) + pence(plan.MonthlyPrice);
  assert.equal(await spend(), after);
  await order({ Action: 'Modify', InstanceId: plan.Id, Quantity: 13 });
  await sandbox.tickOnce();
  assert.equal((await named('Cloud Platform Plan')).Status, 'ActivationFailed');
  assert.equal(await spend(), after);
});

async function customerNamed(word: string): Promise<Row> {
  const found = (await get(`/api/customers?search=${word}`)).Items[0];
  assert.ok(found, word);
  return found;
}
