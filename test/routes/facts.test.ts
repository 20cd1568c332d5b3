import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

// Without a pause a tick does all the phases of a job.
const sandbox = withSandbox({ phaseMilliseconds: 0 });
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'buyer@zephyrcycles.test',
  'admin@contoso.test',
  'user@contoso.test',
]);

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const get = async (path: string, as = 'reseller') => (await sandbox.call(tokens[as]!, 'GET', path)).body.Result;
const post = async (path: string, body: Row) =>
  (await sandbox.call(tokens.reseller!, 'POST', path, body, { 'idempotency-key': randomUUID() })).body.Result;
const all = async (path: string, as?: string): Promise<readonly Row[]> =>
  notEmpty((await get(path, as)).Items as Row[]);
const contoso = '10001';
const pence = (amount: unknown) => Math.round(Number(amount) * 100);
const sum = (rows: readonly Row[], field: string) => rows.reduce((total, row) => total + pence(row[field]), 0);
const day = (moment: string) => moment.slice(0, 10);

/** Two places that tell one fact. The first of each pair is never empty. */
const facts: Readonly<Record<string, () => Promise<readonly [unknown, unknown]>>> = {
  async 'how many customers hold a product: the marketplace and the list of services'() {
    const held = (await all('/api/services')).map(({ Name, Customers }) => [Name, Customers]);
    const offered = await all('/api/marketplace/services');
    return [held, held.map(([name]) => [name, offered.find(({ Name }) => Name === name)?.HeldBy])];
  },

  async 'what a customer holds: its services, and what its administrator’s marketplace marks'() {
    const { OrganisationId } = (await all('/api/customers?search=zephyrcycles'))[0]!;
    const own = await all(`/api/customers/${OrganisationId}/services`);
    const marked = (await all('/api/marketplace/services', 'buyer')).filter(({ Added }) => Added);
    return [[...new Set(own.map(({ Name }) => Name))].sort(), marked.map(({ Name }) => Name).sort()];
  },

  async 'when a term ends: the renewals and the page of the service, after it was changed'() {
    const { body } = await sandbox.call(tokens.reseller!, 'POST', '/api/orders', {
      ...{
        CustomerId: contoso,
        ServiceId: 9,
        SubId: 1,
        Action: 'Modify',
        Quantity: 3,
        Fields: { AdminEmail: 'a@contoso.test' },
      },
      ...{ InstanceId: (await serviceNamed('Cloud Backup')).Id, TermId: 'annual', BillingId: 'monthly' },
    });
    assert.ok(body.Succeed, JSON.stringify(body));
    await sandbox.tickOnce();
    const renewals = (await all(`/api/customers/${contoso}/renewals`)).map(({ Id, RenewsOn }) => [Id, day(RenewsOn)]);
    const told: unknown[] = [];
    for (const [id] of renewals) {
      const { TermEnds } = await get(`/api/customers/${contoso}/services/${id}`);
      told.push([id, day(new Date(new Date(TermEnds).getTime() + 86_400_000).toISOString())]);
    }
    return [renewals, told];
  },

  async 'when a term ends that a change keeps: its check and the page of the service'() {
    const { Id } = await serviceNamed('Cloud Backup');
    const change = { CustomerId: contoso, ServiceId: 9, SubId: 1, Action: 'Modify', InstanceId: Id };
    const quoted = await post('/api/orders/price', { ...change, Quantity: 4, TermId: 'annual', BillingId: 'monthly' });
    return [quoted.TermEnds, (await get(`/api/customers/${contoso}/services/${Id}`)).TermEnds];
  },

  async 'what a user has: the page of the user, the user’s own page and what it costs'() {
    const { UserId } = (await all(`/api/customers/${contoso}/users?search=user@contoso.test`))[0]!;
    const services = await all(`/api/customers/${contoso}/services?user=${UserId}`);
    const { MonthlyCost } = await get(`/api/customers/${contoso}/users/${UserId}`);
    const own = await all('/api/end-user/services', 'user');
    return [
      [services.map(({ Id }) => Id).sort(), sum(services, 'UnitCharge')],
      [own.map(({ Id }) => Id).sort(), pence(MonthlyCost)],
    ];
  },

  async 'since when a user has a service: never before the account'() {
    const { rows } = await sql<Row>`
      select u.email, held.since >= u.created and held.since >= i.created as later from user_services held
      join users u on u.id = held.user_id join service_instances i on i.id = held.instance_id`.execute(sandbox.db);
    return [notEmpty(rows), rows.map(row => ({ ...row, later: true }))];
  },

  async 'what a mailbox uses: the page of the user and the user’s service'() {
    const { UsedMb, QuotaMb } = await get('/api/end-user/mailbox', 'user');
    const [exchange] = (await all('/api/end-user/services', 'user')).filter(({ Name }) => Name === 'Hosted Exchange');
    const unit = new Intl.NumberFormat('en-GB', { style: 'unit', unit: 'gigabyte', maximumFractionDigits: 1 });
    return [`${unit.format(UsedMb / 1024)} of ${unit.format(QuotaMb / 1024)}`, exchange!.Detail];
  },

  async 'how many of a service: the service and what was last said of it'() {
    const { rows } = await sql<Row>`
      select i.id, i.quantity || ' in total' as held, split_part(told.after, ',', 1) as after
      from service_instances i
      join products p using (service_id, sub_id)
      cross join lateral (
        select after from activity a where a.customer_id = i.customer_id and a.target = p.name
          and a.at >= i.created and a.after like '%in total%' order by a.at desc, a.id desc limit 1
      ) told
      where i.reseller_id = 1001 and i.status = 'Active' and i.user_id is null`.execute(sandbox.db);
    return [notEmpty(rows.map(({ id, held }) => [id, held])), rows.map(({ id, after }) => [id, after])];
  },

  async 'what is being activated or failed to be: the dashboard and the list of orders'() {
    const shown = await all('/api/dashboard/attention');
    const of = (status: string) => shown.filter(({ Status }) => Status === status).map(({ Id }) => Id);
    const orders = async (status: string) =>
      (await all(`/api/orders?status=${status}&pageSize=100`)).map(({ InstanceId }) => InstanceId);
    const [failed, activating] = [notEmpty(of('ActivationFailed')), notEmpty(of('Activating'))];
    return [
      [[...failed].sort(), [...activating].sort()],
      [(await orders('Failed')).sort(), (await orders('Placed')).sort()],
    ];
  },

  async 'by how much an invoice changed: its sum, its rows and its customers'() {
    const [{ Id }] = (await all('/billing/invoices')) as [Row];
    const { Change, Net, BeforeNet, Items } = await get(`/billing/invoices/${Id}/changes`);
    const customers = await get(`/billing/invoices/${Id}/changes/customers?pageSize=100`);
    assert.equal(customers.Total, customers.Items.length);
    return [
      [pence(Change), pence(Change), pence(Change)],
      [sum(notEmpty(Items), 'Change'), sum(customers.Items, 'Change'), pence(Net) - pence(BeforeNet)],
    ];
  },

  async 'what an invoice is: its own sum, and what a comparison explains, does not and leaves out'() {
    const [{ Id }] = (await all('/billing/invoices')) as [Row];
    const { Rest, NotCompared, NotComparedRows, Classes } = await get(`/billing/invoices/${Id}/reconciliation`);
    const compared = (Classes as Row[]).filter(({ Class }) => Class !== 'Ignored');
    const { Total } = await get(`/billing/invoices/${Id}/reconciliation?class=Ignored`);
    return [
      [pence((await get(`/billing/invoices/${Id}`)).Net), Total],
      [sum(compared, 'Amount') + pence(Rest) + pence(NotCompared), NotComparedRows],
    ];
  },

  async 'how many customers of a state there are, and what they cost: header, rows and tab'() {
    const { Total, Counts, MonthlySpend, Items } = await get('/api/customers?status=Failed&pageSize=100');
    return [
      [Total, pence(MonthlySpend), Total],
      [notEmpty(Items).length, sum(Items, 'MonthlySpend'), Counts.Failed],
    ];
  },

  async 'the number of an order: the list of orders and the page of the service'() {
    const orders = (await all('/api/orders?pageSize=5')).map(row => [row.OrderNumber, row.CustomerId, row.InstanceId]);
    const told: unknown[] = [];
    for (const [, customer, id] of orders) {
      told.push([(await get(`/api/customers/${customer}/services/${id}`)).OrderNumber, customer, id]);
    }
    return [orders, told];
  },

  async 'who ordered: the list of orders and the activity of the customer'() {
    const { rows } = await sql<Row>`
      select o.id, o.ordered_by, a.actor from orders o join products p using (service_id, sub_id)
      join activity a on a.customer_id = o.customer_id and a.target = p.name and a.at = o.created
        and a.action = 'Service ordered'
      where o.reseller_id = 1001`.execute(sandbox.db);
    return [notEmpty(rows.map(({ id, ordered_by }) => [id, ordered_by])), rows.map(({ id, actor }) => [id, actor])];
  },
};

const serviceNamed = async (name: string): Promise<Row> =>
  (await all(`/api/customers/${contoso}/services`)).find(({ Name }) => Name === name)!;

for (const [fact, read] of Object.entries(facts)) {
  test(`one fact, two places: ${fact}`, async () => {
    const [one, other] = await read();
    assert.deepEqual(other, one);
  });
}
