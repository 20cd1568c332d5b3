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
const sum = (rows: readonly Row[]) => rows.reduce((total, { MonthlyPrice }) => total + pence(MonthlyPrice), 0);
const customers = async (): Promise<Row[]> => (await get('/api/customers?pageSize=100')).Items;

test('the groups of a customer add up to its services and to what it costs per month', async () => {
  const seen = new Set<string>();
  for (const { OrganisationId, MonthlySpend, Services } of notEmpty(await customers())) {
    const { Items, Total, MonthlyPrice } = await get(`/api/customers/${OrganisationId}/service-groups`);
    assert.equal(Total, Items.length);
    assert.equal(pence(MonthlyPrice), pence(MonthlySpend), OrganisationId);
    assert.equal(sum(Items), pence(MonthlySpend), OrganisationId);
    assert.equal(
      Items.reduce((total: number, item: Row) => total + item.Services, 0),
      Services,
    );
    for (const { Group } of Items) seen.add(Group);
  }
  for (const group of ['hostedExchange', 'bitDefender', 'microsoft', 'azure', 'other'])
    assert.ok(seen.has(group), group);
});

test('the services of a customer are listed by group', async () => {
  const { Items } = await get('/api/customers/10001/service-groups');
  for (const { Group, Services, MonthlyPrice } of notEmpty(Items as Row[])) {
    const listed = await get(`/api/customers/10001/services?pageSize=100&group=${Group}`);
    assert.equal(listed.Total, Services, Group);
    assert.equal(sum(listed.Items), pence(MonthlyPrice), Group);
  }
  const [exchange] = (await get('/api/customers/10001/services?group=hostedExchange')).Items;
  assert.equal(exchange.Name, 'Hosted Exchange');
  const { status } = await sandbox.call(token, 'GET', '/api/customers/10001/services?group=nothing');
  assert.equal(status, 400);
});

test('a bundle has its parts and costs what they cost; one that lacks a part is incomplete', async () => {
  const [bundle] = (await get('/api/customers/10001/bundles')).Items.filter(
    (one: Row) => one.Name === 'Secure Workplace',
  );
  assert.deepEqual(bundle.Parts.map(({ Name, Status }: Row) => [Name, Status]).slice(0, 2), [
    ['Hosted Exchange', 'Active'],
    ['Email Security', 'Active'],
  ]);
  assert.deepEqual([bundle.Parts.length, bundle.Parts[2].Name], [3, 'Mail Signatures']);
  assert.equal(bundle.State, 'Whole');
  assert.equal(pence(bundle.MonthlyPrice), sum(bundle.Parts));
  assert.ok(sum(bundle.Parts) > 0);
  const all: Row[] = [];
  for (const { OrganisationId } of await customers())
    all.push(...(await get(`/api/customers/${OrganisationId}/bundles`)).Items);
  const incomplete = notEmpty(all.filter(({ State }) => State === 'Incomplete'));
  assertEvery(incomplete, ({ Parts }) => Parts.some(({ Status }: Row) => Status === 'NotHeld'));
});

test('a part that is deleted is no longer held, and its price is no part of the bundle', async () => {
  const bundleNow = async (): Promise<Row> =>
    (await get('/api/customers/10001/bundles')).Items.find((one: Row) => one.Name === 'Secure Workplace');
  const { Parts } = await bundleNow();
  const { InstanceId } = Parts[1];
  await sandbox.call(token, 'POST', `/api/customers/10001/services/${InstanceId}/delete`, {
    Confirmation: 'Email Security',
  });
  for (let turn = 0; turn < 10 && (await bundleNow()).State === 'Whole'; turn++) await sandbox.tickOnce();
  const after = await bundleNow();
  assert.equal(after.State, 'Incomplete');
  const { Status, InstanceId: held, MonthlyPrice } = after.Parts[1];
  assert.deepEqual([Status, held, pence(MonthlyPrice)], ['NotHeld', null, 0]);
  assert.equal(pence(after.MonthlyPrice), sum([Parts[0], after.Parts[2]]));
});
