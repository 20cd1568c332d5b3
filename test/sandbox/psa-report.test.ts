import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const now = new Date();
/** So many months back, at the day of the month that is given. */
const back = (months: number, day = 1) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, day));
const month = back(2).toISOString().slice(0, 7);
const sandbox = withSandbox({ now: () => now });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test', 'engineer@northwind.test']);
let contoso: string;
setUp(async () => {
  const found = sandbox.db.selectFrom('customers').select('id').where('organisation_id', '=', 10001);
  contoso = (await found.executeTakeFirstOrThrow()).id;
  await sandbox.db.deleteFrom('service_instances').where('customer_id', '=', contoso).execute();
});
beforeEach(() => setFlags({ UseNewPSAService: true, 'PSA-V2': true }));

const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who]!, method, path, body);

async function setFlags(flags: Readonly<Record<string, boolean>>): Promise<void> {
  for (const [name, enabled] of Object.entries(flags))
    await sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', name).execute();
}

type Product = { service_id: number; sub_id: number; name: string };
const products = (): Promise<Product[]> =>
  sandbox.db.selectFrom('products').select(['service_id', 'sub_id', 'name']).orderBy('name').limit(6).execute();

async function hold(
  { service_id, sub_id }: Product,
  quantity: number,
  created: Date,
  status: 'Active' | 'Deleted' | 'ActivationFailed' = 'Active',
  last_change = created,
): Promise<number> {
  const held = { service_id, sub_id, quantity, created, status, last_change, monthly_price: 10 };
  const { id } = await sandbox.db
    .insertInto('service_instances')
    .values({ ...held, reseller_id: 1001, customer_id: contoso })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** An order of 2 more for a service, which is done. */
async function modify(instance: number, { service_id, sub_id }: Product, quantity: number, created: Date) {
  await sql`
    insert into orders (reseller_id, customer_id, ordered_by, instance_id, action, service_id, sub_id, quantity,
      quantity_before, price_before, term_id, billing_id, fields, unit_price, monthly_price, first_charge,
      first_charge_date, cancel_free_until, currency, status, created)
    values (1001, ${contoso}, 'Rhys', ${instance}, 'Modify', ${service_id}, ${sub_id}, ${quantity},
      ${quantity - 2}, 10, 'monthly', 'monthly', '{}', 10, ${quantity * 10}, 0,
      ${created}, ${created}, 'GBP', 'Done', ${created})`.execute(sandbox.db);
}

const movement = '/api/product-movement-report';
const reconciliation = '/api/reconciliation-report';
const read = async (path: string, who = 'reseller') => (await call(who, 'GET', path)).body.Result.response;
const contosos = `${movement}/${month}?search=contoso`;

type Row = {
  id: string;
  selected: boolean;
  cmCustomer: { id: string; name: string };
  service: string;
  quantityBefore: number;
  quantityAfter: number;
  change: number;
  priceChange: string;
};
const told = ({ service, quantityBefore, quantityAfter, change, priceChange }: Row) =>
  [service, quantityBefore, quantityAfter, change, Number(priceChange)] as const;

test('product movement says what a customer held before and after a month, where that differs', async () => {
  const [added, gone, changed, kept, failed, later] = await products();
  assert.ok(added && gone && changed && kept && failed && later);
  await hold(added, 5, back(2, 10));
  await hold(gone, 3, back(4), 'Deleted', back(2, 12));
  const modified = await hold(changed, 6, back(4));
  await modify(modified, changed, 6, back(2, 14));
  await hold(kept, 7, back(4));
  await hold(failed, 9, back(2, 10), 'ActivationFailed');
  await hold(later, 4, back(1, 10));
  const { results, reportStartDate, reportEndDate } = await read(contosos);
  assert.deepEqual(
    results.filter((row: Row) => row.cmCustomer.id === '10001').map(told),
    [
      [added.name, 0, 5, 5, 50],
      [gone.name, 3, 0, -3, -30],
      [changed.name, 4, 6, 2, 20],
    ].toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
  assert.deepEqual([new Date(reportStartDate), new Date(reportEndDate)], [back(2), back(1)]);
});

test('the months go back from this one, which is the latest; others there are not', async () => {
  const months: { id: string; start: string }[] = await read(`${movement}/date-range`);
  assert.equal(months[0]?.id, now.toISOString().slice(0, 7));
  assert.ok(months.length <= 12 && months.some(({ id }) => id === month));
  assert.equal((await read(`${movement}/latest`)).reportStartDate, months[0]?.start);
  for (const wrong of ['2001-01', 'nothing'])
    assert.equal((await call('reseller', 'GET', `${movement}/${wrong}`)).status, 404);
});

test('rows are selected, counted and filtered, and stay selected when a month is computed again', async () => {
  const { results, counts } = await read(contosos);
  const [row] = results as Row[];
  assert.ok(row);
  assert.deepEqual([counts.selected, counts.notSelected], [0, counts.all]);
  const select = (Selected: string, Id = row.id, who = 'reseller', path = movement) =>
    call(who, 'POST', path, { Id, Selected });
  assert.equal((await select('yes')).status, 200);
  const chosen = await read(`${contosos}&selected=yes`);
  assert.deepEqual([chosen.results.map(({ id }: Row) => id), chosen.total], [[row.id], 1]);
  assert.equal((await read(`${contosos}&selected=no`)).total, counts.all - 1);
  assert.equal((await read(`${movement}/${month}?search=nobodyhere`)).counts.all, 0);

  const product = (await products())[3];
  assert.ok(product);
  await hold(product, 1, back(2, 20));
  assert.equal((await read(contosos)).counts.all, counts.all, 'a month that is over stays as it was computed');
  assert.equal((await call('reseller', 'POST', `${movement}/refresh?date=${month}`)).status, 200);
  const again = await read(contosos);
  assert.deepEqual([again.counts.all, again.counts.selected], [counts.all + 1, 1]);

  // Neither another's row, nor one of another report, nor none.
  assert.equal((await select('no', row.id, 'rival', '/api/integration/UpdateProductMovementReport')).status, 404);
  assert.equal((await select('no', row.id, 'reseller', reconciliation)).status, 404);
  assert.equal((await select('no', 'nothing')).status, 404);
  assert.equal((await select('maybe')).status, 400);
  assert.equal((await read(contosos)).counts.selected, 1);
});

test('reconciliation compares what matched customers hold with what the business system bills', async () => {
  const { results, counts } = await read(`${reconciliation}?pageSize=100`);
  type Compared = { quantity: number; psaQuantity: number; difference: number };
  assert.ok(results.length > 0 && counts.all >= results.length);
  for (const row of notEmpty<Compared>(results)) assert.equal(row.difference, row.quantity - row.psaQuantity);
  const has = (is: (row: Compared) => boolean) => assert.ok((results as Compared[]).some(is));
  has(({ difference }) => difference === 0);
  has(({ difference, psaQuantity }) => difference > 0 && psaQuantity === 0);
  has(({ difference, quantity }) => difference < 0 && quantity > 0);
  has(({ quantity }) => quantity === 0);
  assert.equal((await call('reseller', 'POST', reconciliation, { Id: results[0].id, Selected: 'yes' })).status, 200);
  assert.equal((await read(`${reconciliation}?selected=yes`)).total, 1);
});

test('while the business system is synchronised no reconciliation is stored; completed or unknown it is', async () => {
  const set = (status: 'Running' | 'Failed' | 'Completed') =>
    sandbox.db.updateTable('psa_syncs').set({ status }).where('reseller_id', '=', 1001).execute();
  const refresh = () => call('reseller', 'POST', `${reconciliation}/refresh`);
  const lines = () =>
    sandbox.db
      .updateTable('psa_stand_in_lines')
      .set({ ends: back(1) })
      .execute();
  const billed = async () =>
    (await read(`${reconciliation}?pageSize=100`)).results.some(
      ({ psaQuantity }: { psaQuantity: number }) => psaQuantity,
    );
  assert.equal(await billed(), true);
  await set('Running');
  await lines();
  assert.equal((await refresh()).status, 200);
  assert.equal(await billed(), true);
  assert.equal((await call('reseller', 'GET', reconciliation)).body.Result.synchronization.status, 'in progress');
  await set('Failed');
  await refresh();
  assert.equal(await billed(), false);
  assert.equal((await call('reseller', 'GET', reconciliation)).body.Result.synchronization.status, 'unknown');
  await set('Completed');
});

const reads = [`${movement}/date-range`, `${movement}/latest`, reconciliation];
const oldReads = [
  '/api/integration/GetProductMovementDateRange',
  '/api/integration/ProductMovementReportActions/latest',
  '/api/integration/ReconciliationReportActions',
];

test('without PSA-V2 there are no reports, and without the view nobody has them', async () => {
  for (const path of reads) assert.equal((await call('engineer', 'GET', path)).status, 403, path);
  await setFlags({ 'PSA-V2': false });
  for (const path of [...reads, ...oldReads]) assert.equal((await call('reseller', 'GET', path)).status, 403, path);
  for (const path of [movement, reconciliation])
    for (const [at, body] of [
      [path, { Id: '1', Selected: 'yes' }],
      [`${path}/refresh`, undefined],
    ] as const)
      assert.equal((await call('reseller', 'POST', at, body)).status, 403, at);
});

test('without UseNewPSAService the monolith answers the same, and computes nothing again', async () => {
  for (const [index, path] of oldReads.entries())
    assert.deepEqual(await read(path), await read(reads[index] ?? ''), path);
  for (const path of reads) assert.equal((await call('rival', 'GET', path)).status, 409, path);
  for (const path of [movement, reconciliation])
    assert.equal((await call('rival', 'POST', `${path}/refresh`)).status, 409);
  const { results } = await read(contosos);
  for (const [path, list] of [
    ['UpdateProductMovementReport', results],
    ['UpdateReconciliationReport', (await read(reconciliation)).results],
  ])
    assert.equal(
      (await call('reseller', 'POST', `/api/integration/${path}`, { Id: list[0].id, Selected: 'no' })).status,
      200,
    );
});

test('both reports are given as CSV, at the new service and at the monolith, with numbers and no formula', async () => {
  const text = async (path: string, who: string) => {
    const reply = await fetch(`${sandbox.url}${path}`, {
      headers: { authorization: `Bearer ${tokens[who]}`, 'actor-id': `${who}@northwind.test` },
    });
    const disposition = reply.headers.get('content-disposition') ?? '';
    return { status: reply.status, type: reply.headers.get('content-type'), disposition, body: await reply.text() };
  };
  const customers = sandbox.db.updateTable('customers').where('organisation_id', '=', 10001);
  await customers.set({ name: '=1+1;-2' }).execute();
  for (const [file, name] of [
    [`/api/product-movement-report/${month}/csv`, 'Product movement'],
    [`/api/integration/ProductMovementReport/Csv/${month}`, 'Product movement'],
    ['/api/reconciliation-report/csv', 'Reconciliation'],
    ['/api/integration/ReconciliationReport/Csv', 'Reconciliation'],
  ] as const) {
    const { status, type, disposition, body } = await text(file, 'reseller');
    assert.deepEqual([status, type], [200, 'text/csv; charset=utf-8'], file);
    assert.match(disposition, new RegExp(`^attachment; filename="${name}.*\\.csv"$`));
    assert.match(body, /^Customer,Service,.*Selected\r\n/);
    assert.doesNotMatch(body, /(^|[,;"])[=+@]|'-?\d+(\.\d+)?,/m, file);
    assert.equal((await text(file, 'engineer')).status, 403, file);
    await setFlags({ 'PSA-V2': false });
    assert.equal((await text(file, 'reseller')).status, 403, file);
    await setFlags({ 'PSA-V2': true });
  }
  const { body } = await text(`/api/product-movement-report/${month}/csv`, 'reseller');
  assert.match(body, /^"'=1\+1;'-2",[^\r\n]*,-\d+,-\d+\.?\d*,No\r$/m);
  assert.equal((await text('/api/product-movement-report/1999-01/csv', 'reseller')).status, 404);
  await customers.set({ name: 'Contoso' }).execute();
});
