import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

/** The clock of the sandbox stands still, so that no day ends meanwhile. */
const now = new Date();
const sandbox = withSandbox({ now: () => now });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

type Values = { Symbol: string; Values: number[] };
type Item = { Date: string; Symbol: string; Quantity: number | null; Unit: string | null; Spend: number };
type Report = { Label: string[]; Values: Values[]; Items: Item[]; Total: number; Spend: number; Currency: string };

const usage = '/api/customers/10001/usage';
const get = async (path: string) => (await sandbox.call(token, 'GET', path)).body.Result;
const report = (query = ''): Promise<Report> => get(`${usage}?${query}`);
/** To a hundred millionth: each figure is exact, adding them up here is not. */
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0).toFixed(8);
const total = ({ Values }: Report) => sum(Values.flatMap(series => series.Values));

test('a report covers the last 7, 14 or 28 whole days, seven unless said otherwise', async () => {
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);
  for (const [query, days] of [
    ['', 7],
    ['days=7', 7],
    ['days=14', 14],
    ['days=28', 28],
  ] as const) {
    const { Label, Values } = await report(query);
    assert.deepEqual([Label.length, new Set(Label).size, Label.at(-1)], [days, days, yesterday]);
    assert.deepEqual(
      Values.map(series => series.Values.length),
      [days],
    );
  }
  for (const query of ['days=8', 'days=0', 'days=x', 'by=colour', 'unknown=1'])
    assert.equal((await sandbox.call(token, 'GET', `${usage}?${query}`)).status, 400, query);
});

test('however they are grouped, the figures add up to the same', async () => {
  const inTotal = await report('days=28');
  assert.ok(inTotal.Spend > 100);
  assert.equal(inTotal.Currency, 'GBP');
  for (const by of ['total', 'group', 'resource', 'meter']) {
    const found = await report(`days=28&by=${by}&pageSize=1000`);
    assert.equal(found.Spend, inTotal.Spend, by);
    assert.equal(total(found), sum([inTotal.Spend]), by);
    assert.equal(sum(found.Items.map(({ Spend }) => Spend)), sum([inTotal.Spend]), by);
  }
});

test('the dearest five stand by name, the rest as one', async () => {
  const names = async (by: string) => (await report(`by=${by}&days=28`)).Values.map(series => series.Symbol);
  assert.deepEqual(await names('total'), ['Total']);
  assert.deepEqual((await names('group')).sort(), ['rg-data', 'rg-dev', 'rg-shared', 'rg-web']);
  const { Values } = await report('by=resource&days=28');
  assert.equal(Values.length, 6);
  assert.equal(Values.at(-1)?.Symbol, 'Other');
  const spends = Values.slice(0, 5).map(series => Number(sum(series.Values)));
  assert.deepEqual(
    spends,
    spends.toSorted((a, b) => b - a),
  );
});

test('a meter tells how much of what was used; unlike things are not added up', async () => {
  const { Items } = await report('by=meter&pageSize=100');
  const compute = Items.filter(series => series.Symbol === 'General Purpose vCore');
  // Hours of cores: the same every day.
  const cores = Number(compute[0]?.Quantity) / 24;
  assert.ok(Number.isInteger(cores) && cores >= 3);
  assert.deepEqual(
    compute.map(({ Quantity, Unit }) => [Quantity, Unit]),
    Array.from({ length: 7 }, () => [24 * cores, 'Hours']),
  );
  const others = Items.filter(series => series.Symbol === 'Other');
  assertEvery(others, ({ Quantity, Unit }) => Quantity === Unit);
  assertEvery((await report('by=group')).Items, ({ Quantity, Unit }) => Quantity === null && Unit === null);
});

test('one may look at a subscription and at a group of resources', async () => {
  const subscriptions = await get(`${usage}/subscriptions`);
  assert.deepEqual(
    subscriptions.map(({ Text }: { Text: string }) => Text),
    ['Development', 'Production'],
  );
  const [development, production] = subscriptions.map(({ Value }: { Value: string }) => Value);
  const groups = await get(`${usage}/resource-groups?subscription=${production}`);
  assert.deepEqual(groups[0], { Text: 'rg-data', Value: 'rg-data' });
  assert.equal((await get(`${usage}/resource-groups`)).length, 4);
  const [all, ofDevelopment, ofProduction] = [
    await report(),
    await report(`subscription=${development}`),
    await report(`subscription=${production}`),
  ];
  assert.equal(sum([ofDevelopment.Spend, ofProduction.Spend]), sum([all.Spend]));
  const ofGroup = await report(`subscription=${production}&resourceGroup=RG-DATA&by=resource`);
  assert.deepEqual(ofGroup.Values.map(series => series.Symbol).sort(), ['sql-orders', 'sql-stock', 'st-backup']);
  for (const query of [
    'subscription=nonsense',
    'resourceGroup=nothing',
    `subscription=${development}&resourceGroup=rg-web`,
  ])
    assert.equal((await sandbox.call(token, 'GET', `${usage}?${query}`)).status, 404, query);
});

test('the rows of a report come in pages, in the order of the chart: the oldest first', async () => {
  const whole = await report('by=group&days=14&pageSize=100');
  const page = await report('by=group&days=14&pageSize=10&page=2');
  assert.deepEqual([whole.Total, whole.Items.length, page.Total], [56, 56, 56]);
  assert.deepEqual(page.Items, whole.Items.slice(10, 20));
  const dates = whole.Items.map(item => item.Date);
  assert.deepEqual(dates, dates.toSorted());
  assert.deepEqual((await report('by=group&page=100')).Items, []);
});

test('two of one name are told apart', async () => {
  const { id } = await sandbox.db
    .selectFrom('usage_groups')
    .select('id')
    .where('name', '=', 'rg-dev')
    .executeTakeFirstOrThrow();
  const renamed = sandbox.db.updateTable('usage_resources').where('group_id', '=', id).where('name', '=', 'sql-dev');
  await renamed.set({ name: 'sql-stock' }).execute();
  const symbols = (await report('by=resource&days=28')).Values.map(series => series.Symbol);
  assert.ok(symbols.includes('sql-stock (rg-data)') && symbols.includes('sql-stock (rg-dev)'), symbols.join());
});

test('a customer that uses nothing has no figures, and says so by empty lists', async () => {
  const { Label, Values, Items, Spend } = await get('/api/customers/10002/usage');
  assert.deepEqual([Label.length, Values, Items, Spend], [7, [], [], 0]);
  assert.deepEqual(await get('/api/customers/10002/usage/subscriptions'), []);
});

test('usage is that of the own customers', async () => {
  const [rival, admin] = [await sandbox.signIn('rival@southridge.test'), await sandbox.signIn('admin@contoso.test')];
  for (const path of ['', '/subscriptions', '/resource-groups'])
    assert.equal((await sandbox.call(rival, 'GET', `${usage}${path}`)).status, 404);
  assert.equal((await sandbox.call(admin, 'GET', usage)).status, 200);
  assert.equal((await sandbox.call(admin, 'GET', '/api/customers/10005/usage')).status, 404);
  const { Value } = (await get('/api/customers/10005/usage/subscriptions'))[0];
  assert.equal((await sandbox.call(admin, 'GET', `${usage}?subscription=${Value}`)).status, 404);
});

test('the sums that are kept are what adding up gives', async () => {
  const differing = await sql`
    (select resource_id, day, sum(cost) from usage_days group by 1, 2 except table usage_resource_days)
    union all
    (select resource_id, day, cost from usage_resource_days
      except select resource_id, day, sum(cost) from usage_days group by 1, 2)`.execute(sandbox.db);
  assert.deepEqual(differing.rows, []);
  const ofMeters = await sql`
    select group_id, meter_id, day, sum(quantity), sum(cost)
    from usage_days d join usage_resources r on r.id = d.resource_id group by 1, 2, 3
    except table usage_meter_days`.execute(sandbox.db);
  assert.deepEqual(ofMeters.rows, []);
});
