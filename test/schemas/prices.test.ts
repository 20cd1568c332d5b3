import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

/** Sees no prices. */

const sandbox = withSandbox();
const schemas = withEditedSchemas();
const portal = withPortal(sandbox, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');

let saves = 0;

/** Saves a text, and waits until the portal has taken it over: by then it has checked what was saved before. */
async function saveText(): Promise<void> {
  saves += 1;
  await schemas.editLive(portal, 'text/en/customers.json', text =>
    text.replace(/"title": "[^"]*"/, `"title": "Customers ${saves}"`),
  );
}

const problems = async (): Promise<string[]> =>
  (await checkFolder(schemas.folder, commandDeclarations))
    .filter(({ severity }) => severity === 'error')
    .map(formatProblem);

const firstCustomer = async (caller: Client) => (await caller.get('/ui/data/customers.list')).body.Result.Items[0];

const money = /"(MonthlySpend|MonthlyPrice|MeteredLast7Days|UnitPrice|Price)":/;

for (const [operation, file, right, wrong, query] of [
  ['customers.list', 'customers', 'Result.Items.MonthlySpend', 'Result.Item.MonthlySpend', ''],
  ['customers.get', 'customers', '"Result.MeteredLast7Days"', '"Result.MeteredLast7Day"', 'customerId'],
  ['customers.services', 'customers', 'Result.Items.MonthlyPrice', 'Result.Items.monthlyPrice', 'customerId'],
] as const) {
  test(`a letter wrong in a rule of ${operation} opens no price to who sees none`, async () => {
    const { OrganisationId } = await firstCustomer(reseller);
    const address = `/ui/data/${operation}?${query === '' ? '' : `${query}=${OrganisationId}`}`;
    assert.match((await reseller.get(address)).text, money);
    await schemas.edit(`operations/${file}.json`, text => text.replace(right, wrong));
    await saveText();
    const { status, text } = await engineer.get(address);
    assert.equal(status, 200);
    assert.doesNotMatch(text, money);
    assert.match((await reseller.get(address)).text, money);
    const [meant] = /Result[A-Za-z0-9.]+/.exec(right) as unknown as [string];
    const [written] = /Result[A-Za-z0-9.]+/.exec(wrong) as unknown as [string];
    const said = (await problems()).find(problem => problem.includes(`"${written}"`)) ?? '';
    assert.match(said, new RegExp(`^operations/${file}\\.json:\\d+:\\d+: error: The reply of "${operation}" has no`));
    assert.ok(said.endsWith(`Did you mean "${meant}"?`), said);
    await schemas.edit(`operations/${file}.json`, text => text.replace(wrong, right));
    await saveText();
    assert.deepEqual(await problems(), []);
  });
}

test('money that a document shows without a rule that asks for prices is refused, and says where', async () => {
  const rule = '"Result.Items.MonthlyPrice": { "prices": true }';
  await schemas.edit('operations/customers.json', text =>
    text.replace(rule, '"Result.Items.Name": { "prices": true }'),
  );
  const said = await problems();
  assert.ok(said.length > 0);
  for (const problem of said)
    assert.match(
      problem,
      /^customers\/customer\.json:\d+:\d+: error: "Result\.Items\.MonthlyPrice" of "customers\.services" is money/,
    );
  await schemas.edit('operations/customers.json', text =>
    text.replace('"Result.Items.Name": { "prices": true }', rule),
  );
  assert.deepEqual(await problems(), []);
});

test('what the cloud calls money is money in any format, and may be shown to all who are named', async () => {
  const orders = `"orders.list": {
      "service": "cloud", "method": "GET", "path": "/api/orders", "requires": { "userTypes": ["reseller", "engineer"] }
    },
    "customers.list": {`;
  await schemas.edit('operations/customers.json', text => text.replace('"customers.list": {', orders));
  await schemas.edit('customers/customers.json', text =>
    text
      .replace('"data": {', '"data": { "orders": { "operation": "orders.list" },')
      .replace('"children": [', '"children": [{ "type": "text", "path": "data.orders.Result.Items.UnitPrice" },'),
  );
  const [said = '', ...others] = await problems();
  assert.deepEqual(others, []);
  assert.match(
    said,
    /^customers\/customers\.json:\d+:\d+: error: "Result\.Items\.UnitPrice" of "orders\.list" is money that callers without prices would get: write "Result\.Items\.UnitPrice": \{ "prices": true \} in the "reply"/,
  );
  const open = (path: string) =>
    schemas.edit('operations/customers.json', text =>
      text.replace(/("path": "\/api\/orders"),( "openPrices": \[.*?\],)?/, `$1, "openPrices": ["${path}"],`),
    );
  await open('Result.Items.UnitPric');
  assert.ok((await problems()).some(problem => problem.includes('Did you mean "Result.Items.UnitPrice"?')));
  await open('Result.Items.UnitPrice');
  assert.deepEqual(await problems(), []);
  const closed = (text: string) =>
    text.replace('"openPrices": [', '"reply": { "Result.Items": { "prices": true } }, "openPrices": [');
  await schemas.edit('operations/customers.json', closed);
  assert.match((await problems()).join(), /"Result\.Items\.UnitPrice" cannot be open: "reply" or "requires" asks for/);
});
