import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { skipDays } from '../fixtures/skip-days.ts';

const seeded = new Date('2026-01-22T15:20:00Z');
let now = seeded;
// Without a pause a tick does all the phases of a job.
const sandbox = withSandbox({ seededAt: seeded, now: () => now, phaseMilliseconds: 0 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

/** Sets the clock of the cloud, with all days before in its database; nobody stays signed in over so long a time. */
async function goTo(moment: string): Promise<void> {
  now = new Date(moment);
  await skipDays(sandbox.db, moment.slice(0, 10));
  token = await sandbox.signIn('reseller@northwind.test');
}

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const call = (method: string, path: string, body?: unknown) =>
  sandbox.call(token, method, path, body, method === 'GET' ? {} : { 'idempotency-key': randomUUID() });
const get = async (path: string) => (await call('GET', path)).body.Result;

async function newCustomer(): Promise<string> {
  const body = { Name: `Term ${randomUUID().slice(0, 8)}`, Domain: 'term.test' };
  const contact = { ContactName: 'T', ContactEmail: 't@term.test' };
  return (await call('POST', '/api/customers', { ...body, ...contact })).body.Result.organisationId;
}

/** Orders Mail Signatures, or changes what is there of it, and lets the cloud do it; gives the address of the service. */
async function order(CustomerId: string, more: Row = {}): Promise<string> {
  const body = { CustomerId, ServiceId: 17, SubId: 1, Action: 'Add', Quantity: 10, BillingId: 'monthly' };
  const fields = { TermId: 'monthly', Fields: { Domain: 'term.test' } };
  const placed = await call('POST', '/api/orders', { ...body, ...fields, ...more });
  assert.ok(placed.body.Succeed, JSON.stringify(placed.body));
  await sandbox.tickOnce();
  return `/api/customers/${CustomerId}/services/${placed.body.Result.InstanceId}`;
}

test('who has a service personally is listed by name, a page at a time, and counted', async () => {
  const { Items } = await get('/api/customers/10001/services');
  const { Id } = notEmpty<Row>(Items).find(({ Name }) => Name === 'Hosted Exchange')!;
  const path = `/api/customers/10001/services/${Id}`;
  const { Used, Quantity } = await get(path);
  const users = await get(`${path}/users?pageSize=100`);
  assert.deepEqual([users.Total, users.Items.length], [Used, Used]);
  assert.equal(Used, Quantity, 'a licence for each mailbox');
  const names = users.Items.map(({ DisplayName }: Row) => DisplayName);
  assert.deepEqual(names, [...names].sort());
  assert.deepEqual((await get(`${path}/users?pageSize=2&page=2`)).Items, users.Items.slice(2, 4));
});

test('a seeded service has answers to what its product must know, and one of the cloud platform its use', async () => {
  const { Items } = await get('/api/customers/10001/services');
  const services = await Promise.all(notEmpty<Row>(Items).map(({ Id }) => get(`/api/customers/10001/services/${Id}`)));
  const exchange = services.find(({ Name }) => Name === 'Hosted Exchange');
  assert.deepEqual(exchange.Fields, [{ PropertyName: 'Domain', Label: 'Domain', Value: 'contoso.test' }]);
  const metered = services.filter(({ MeteredLast7Days }) => MeteredLast7Days !== null).map(({ Name }) => Name);
  assert.deepEqual(metered, ['Cloud Platform']);
});

test('users and history of a service are nobody else’s', async () => {
  const { Items } = await get('/api/customers/10001/services');
  const path = `/api/customers/10001/services/${notEmpty<Row>(Items)[0]!.Id}`;
  const rival = await sandbox.signIn('rival@southridge.test');
  const engineer = await sandbox.signIn('noaccess@northwind.test');
  const tried = await Promise.all(
    ['users', 'activity'].flatMap(what => [
      sandbox.call(rival, 'GET', `${path}/${what}`),
      sandbox.call(engineer, 'GET', `${path}/${what}`),
      call('GET', `${path.replace('10001', '10002')}/${what}`),
    ]),
  );
  assertEvery(tried, ({ status }) => status === 403 || status === 404);
});

test('a term ends before the day of the month it began, the last day where a month is shorter, and the next one follows', async () => {
  await goTo('2027-01-31T10:00:00Z');
  const path = await order(await newCustomer());
  const termAt = async (moment: string) => {
    await goTo(moment);
    const { Term, TermMonths, TermEnds, LeftOfTerm } = await get(path);
    return [Term, TermMonths, TermEnds.slice(0, 10), LeftOfTerm];
  };
  assert.deepEqual(await termAt('2027-02-01T00:00:00Z'), ['Monthly', 1, '2027-02-27', null]);
  assert.deepEqual(await termAt('2027-02-28T12:00:00Z'), ['Monthly', 1, '2027-03-30', null]);
  assert.deepEqual(await termAt('2027-04-30T12:00:00Z'), ['Monthly', 1, '2027-05-30', null]);
});

test('another term begins when it is chosen, another quantity keeps the term, and what is left of it is said', async () => {
  await goTo('2027-03-10T10:00:00Z');
  const customer = await newCustomer();
  const path = await order(customer);
  const InstanceId = path.split('/').at(-1);
  await goTo('2027-04-02T10:00:00Z');
  await order(customer, { Action: 'Modify', InstanceId, TermId: 'annual' });
  const year = await get(path);
  // 10 at £0.85 less 10 %, rounded to the penny, for eleven more months and the present one paid.
  assert.deepEqual(
    [year.Term, year.TermEnds.slice(0, 10), year.UnitPrice, year.MonthlyPrice, year.LeftOfTerm],
    ['1 year', '2028-04-01', '0.77', '7.7', '84.7'],
  );
  await goTo('2027-06-20T10:00:00Z');
  await order(customer, { Action: 'Modify', InstanceId, TermId: 'annual', Quantity: 12 });
  const more = await get(path);
  assert.deepEqual([more.Quantity, more.TermEnds.slice(0, 10), more.LeftOfTerm], [12, '2028-04-01', '83.16']);
  await goTo('2028-04-03T10:00:00Z');
  assert.equal((await get(path)).TermEnds.slice(0, 10), '2029-04-01');
});

test('what never worked has no term and costs nothing; its answers stand as they were ordered', async () => {
  await goTo('2027-05-05T10:00:00Z');
  const failed = await get(await order(await newCustomer(), { Fields: { Domain: 'fail.test' } }));
  assert.deepEqual(
    [failed.Status, failed.TermEnds, failed.MonthlyPrice, failed.StepsDone, failed.StepsTotal, failed.Change],
    ['ActivationFailed', null, '0', 2, 4, 'activate'],
  );
  assert.deepEqual(failed.Fields, [{ PropertyName: 'Domain', Label: 'Domain', Value: 'fail.test' }]);
  assert.deepEqual([failed.OrderedBy, failed.Ordered, failed.OrderedQuantity], ['Priya Raman', now.toISOString(), 10]);
});

test('the history of a service is its own: neither that of another product nor of the one that was there before', async () => {
  await goTo('2027-05-06T10:00:00Z');
  const customer = await newCustomer();
  const first = await order(customer);
  await call('POST', `${first}/delete`, { Confirmation: 'Mail Signatures' });
  await sandbox.tickOnce();
  await goTo('2027-05-07T10:00:00Z');
  const second = await order(customer);
  await order(customer, { ServiceId: 2, Fields: { Domain: 'term.test' } });
  const actions = async (path: string) => (await get(`${path}/activity`)).Items.map(({ Action }: Row) => Action);
  assert.deepEqual(await actions(second), ['Service activated', 'Service ordered']);
  assert.deepEqual(await actions(first), [
    'Service deleted',
    'Service deletion requested',
    'Service activated',
    'Service ordered',
  ]);
});
