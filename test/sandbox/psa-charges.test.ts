import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

/** The clock of the sandbox stands still, so that no month ends meanwhile. */
const now = new Date();
const sandbox = withSandbox({ now: () => now });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);

const base = '/api/azure-charges';
const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who]!, method, path, body);
const read = async (path: string) => (await call('reseller', 'GET', path)).body.Result.response;

type Row = { id: string; selected: boolean; cmCustomer: { id: string }; subscription: string; charge: string };

test('what customers are charged for a month of the cloud platform is the sum of their usage', async () => {
  const months: { id: string }[] = await read(`${base}/date-range/12`);
  assert.equal(months[0]?.id, now.toISOString().slice(0, 7));
  let total = 0;
  for (const { id } of months) {
    const { results, reportStartDate } = await read(`${base}/${id}?pageSize=100`);
    const { rows } = await sql<{ cost: number }>`
      select coalesce(round(sum(cost), 2), 0) as cost from usage_days d
      join usage_resources r on r.id = d.resource_id join usage_groups g on g.id = r.group_id
      join usage_subscriptions s on s.id = g.subscription_id join customers c on c.id = s.customer_id
      where c.reseller_id = 1001 and to_char(d.day, 'YYYY-MM') = ${id}`.execute(sandbox.db);
    const sum = (results as Row[]).reduce((all, { charge }) => all + Number(charge), 0);
    // Each subscription is rounded to a penny.
    assert.ok(Math.abs(sum - Number(rows[0]?.cost)) <= results.length / 100, id);
    assert.equal(reportStartDate.slice(0, 7), id);
    total += sum;
  }
  assert.ok(total > 0);
  assert.equal((await read(`${base}/date-range/1`)).length, 1);
  assert.equal((await call('reseller', 'GET', `${base}/2001-01`)).status, 404);
});

test('charges are selected, stay so when they are computed again, of one month or of all', async () => {
  const months: { id: string }[] = await read(`${base}/date-range/12`);
  const charged = months.find((_, index) => index > 0)?.id ?? assert.fail('only this month');
  const [row] = (await read(`${base}/${charged}`)).results as Row[];
  assert.ok(row && Number(row.charge) > 0 && row.subscription);
  assert.equal((await call('reseller', 'POST', base, { Id: row.id, Selected: 'yes' })).status, 200);
  await sql`update usage_resource_days set cost = cost * 2`.execute(sandbox.db);
  const chosen = async () => (await read(`${base}/${charged}?selected=yes`)).results as Row[];
  assert.deepEqual(
    (await chosen()).map(({ charge }) => charge),
    [row.charge],
    'a month that is over stays',
  );
  assert.equal((await call('reseller', 'POST', `${base}/${charged}/refresh`)).status, 200);
  assert.ok(Math.abs(Number((await chosen())[0]!.charge) - 2 * Number(row.charge)) < 0.02);
  await sql`update usage_resource_days set cost = 0`.execute(sandbox.db);
  assert.equal((await call('reseller', 'POST', `${base}/refresh`)).status, 200);
  assert.equal((await chosen())[0]?.charge, '0');
  for (const path of ['/api/product-movement-report', '/api/reconciliation-report'])
    assert.equal((await call('reseller', 'POST', path, { Id: row.id, Selected: 'no' })).status, 404);
});

test('only the new service has charges', async () => {
  for (const [method, path] of [
    ['GET', `${base}/latest`],
    ['GET', `${base}/date-range/6`],
    ['POST', `${base}/refresh`],
    ['POST', `${base}/latest/refresh`],
  ] as const) {
    const { status, body } = await call('rival', method, path);
    assert.deepEqual(
      [status, body.Messages],
      [409, ['This method is only supported for new PSA service implementation.']],
      path,
    );
  }
});
