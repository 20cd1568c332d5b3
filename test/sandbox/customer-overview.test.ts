import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
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
const customers = async (): Promise<readonly Row[]> =>
  notEmpty((await get('/api/customers?pageSize=100')).Items as Row[]);
const named = async (word: string): Promise<Row> =>
  notEmpty((await get(`/api/customers?search=${word}`)).Items as Row[])[0] as Row;

test('what recurs in a customer’s costs is its figure per month, and the sum of what its services cost', async () => {
  let total = 0;
  for (const { OrganisationId, MonthlySpend } of await customers()) {
    const { Recurring, Items } = await get(`/api/customers/${OrganisationId}/costs`);
    const recurring = (Items as Row[]).filter(({ Kind }) => Kind === 'recurring');
    const added = recurring.reduce((sum, { Cost }) => sum + pence(Cost), 0);
    assert.equal(added, pence(Recurring), OrganisationId);
    assert.equal(added, pence(MonthlySpend), OrganisationId);
    total += added;
  }
  assert.ok(total > 0);
  assert.equal(pence((await get('/api/dashboard/summary')).MonthlySpend), total);
});

test('what failed to be activated is not charged, and in no sum', async () => {
  const { OrganisationId } = await named('Eastcote');
  const { Items, NotCharged } = await get(`/api/customers/${OrganisationId}/costs`);
  const failed = (Items as Row[]).filter(({ Status }) => Status === 'ActivationFailed');
  assert.deepEqual(
    notEmpty(failed).map(({ Name, Kind, Cost }) => [Name, Kind, Cost]),
    [['Hosted Voice', 'not-charged', null]],
  );
  assert.equal(NotCharged, 1);
});

test('metered use stands apart from what recurs, and is that of the usage report', async () => {
  const { OrganisationId } = await named('Contoso');
  const { MeteredLast7Days, Items } = await get(`/api/customers/${OrganisationId}/costs`);
  const metered = (Items as Row[]).filter(({ Kind }) => Kind === 'metered');
  assert.deepEqual(
    notEmpty(metered).map(({ Name, Cost }) => [Name, pence(Cost)]),
    [['Cloud Platform', pence(MeteredLast7Days)]],
  );
  assert.equal(pence(MeteredLast7Days), pence((await get(`/api/customers/${OrganisationId}/usage?days=7`)).Spend));
});

test('what is bought once is a one-off of its month, never a part of what recurs', async () => {
  const { OrganisationId } = await named('Kestrel');
  const before = await get(`/api/customers/${OrganisationId}/costs`);
  const reply = await sandbox.call(token, 'POST', '/api/orders', {
    ...{ CustomerId: OrganisationId, ServiceId: 8, SubId: 10, Action: 'Add', Quantity: 2 },
    ...{ TermId: 'once', BillingId: 'once', Fields: { AdminEmail: 'it@kestrel.test' } },
  });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  const after = await get(`/api/customers/${OrganisationId}/costs`);
  assert.equal(after.Recurring, before.Recurring);
  assert.equal(pence(after.OneOff) - pence(before.OneOff), 43_800);
  const bought = (after.Items as Row[]).filter(({ Kind }) => Kind === 'one-off');
  assert.deepEqual(
    notEmpty(bought).map(({ Quantity, Cost }) => [Quantity, pence(Cost)]),
    [[2, 43_800]],
  );
});

test('a service renews when its committed term ends, and can be stopped until a week before', async () => {
  const { Items, Total } = await get('/api/dashboard/renewals');
  assert.equal(Items.length, Total);
  const soon = notEmpty(Items as Row[]);
  assert.equal(soon.length, 2);
  assertEvery(soon, ({ Term, NextTerm }) => Term === '1 year' && pence(NextTerm) > 0);
  const days = (later: string, earlier: string | number) =>
    (new Date(later).getTime() - new Date(earlier).getTime()) / 86_400_000;
  for (const renewal of soon) {
    assert.equal(days(renewal.RenewsOn, renewal.StopUntil), 7);
    assert.ok(days(renewal.RenewsOn, Date.now()) > 0 && days(renewal.RenewsOn, Date.now()) < 30);
    const own = notEmpty((await get(`/api/customers/${renewal.OrganisationId}/renewals`)).Items as Row[]);
    assert.ok(own.some(({ Id }) => Id === renewal.Id));
  }
});

test('a customer’s agreements are those that its services need, the unsigned ones first', async () => {
  const { OrganisationId } = await named('Contoso');
  const { Items } = await get(`/api/customers/${OrganisationId}/agreements`);
  const titles = notEmpty(Items as Row[]).map(({ Title }) => Title);
  assert.ok(titles.includes('Mail services agreement') && titles.includes('Cloud platform agreement'));
  assert.ok(!titles.includes('Office suite agreement'), 'Contoso holds no office suite');
  const signed = (Items as Row[]).map(({ Signed }) => Number(Signed));
  assert.deepEqual(signed, signed.toSorted());
});

test('the dashboard tells what failed apart from what is changing; each change says how far it has come', async () => {
  const [failed, changing] = await Promise.all(
    ['Failed', 'Changing'].map(async group => (await get(`/api/dashboard/attention?group=${group}`)) as Row),
  );
  assert.ok(failed && changing);
  assertEvery(notEmpty<Row>(failed.Items), ({ StatusGroup, CanRetry }) => StatusGroup === 'Failed' && CanRetry);
  assertEvery(
    notEmpty<Row>(changing.Items),
    ({ StatusGroup, Done, Phases }) => StatusGroup === 'Changing' && Done < Phases,
  );
  const voice = (failed.Items as Row[]).find(({ CustomerName }) => CustomerName === 'Eastcote Learning Trust');
  assert.deepEqual([voice?.CanFix, voice?.Reason], [true, 'The number port was refused.']);
});

test('the dashboard lists the agreements that are not signed', async () => {
  const other = await sandbox.signIn('unsigned@millbrook.test');
  const read = async (path: string) => (await sandbox.call(other, 'GET', path)).body.Result;
  const all = (await read('/api/agreements')).Items as Row[];
  const { Items, Total } = await read('/api/dashboard/unsigned-agreements');
  const unsigned = notEmpty(all.filter(({ Signed }) => !Signed)).map(({ Title }) => Title);
  assert.deepEqual(
    (Items as Row[]).map(({ Title }) => Title),
    unsigned,
  );
  assert.equal(Total, unsigned.length);
});
