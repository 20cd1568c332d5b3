import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { compiler } from '../fixtures/compiler.ts';
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
  (await checkFolder(schemas.folder, commandDeclarations, compiler))
    .filter(({ severity }) => severity === 'error')
    .map(formatProblem);

const firstCustomer = async (caller: Client) => (await caller.get('/ui/data/customers.list')).body.Result.Items[0];

const money = /"(MonthlySpend|MonthlyPrice|MeteredLast7Days|UnitPrice|Price)":/;

test('a letter wrong in a field of a contract opens no price to who sees none', async () => {
  const { OrganisationId } = await firstCustomer(reseller);
  const address = `/ui/data/customers.services?customerId=${OrganisationId}`;
  assert.match((await reseller.get(address)).text, money);
  const rename = (from: string, to: string) =>
    schemas.edit('customers/operations.json', text => text.replaceAll(`"${from}": "money`, `"${to}": "money`));
  await rename('MonthlyPrice', 'MonthlyPricx');
  await saveText();
  const { status, text } = await engineer.get(address);
  assert.equal(status, 200);
  assert.doesNotMatch(text, money);
  assert.match((await reseller.get(address)).text, money);
  const said = (await problems()).filter(problem => problem.includes('"customers.services" has no "MonthlyPrice"'));
  assert.ok(said.length > 0);
  for (const problem of said) {
    assert.match(problem, /^[a-z-]+\/[a-z-]+\.json:\d+:\d+: error: The reply of "/);
    assert.match(problem, /Did you mean "MonthlyPricx"\? A field is declared in "reply" .*, in customers\/operations/);
  }
  await rename('MonthlyPricx', 'MonthlyPrice');
  await saveText();
  assert.deepEqual(await problems(), []);
});

test('what a document shows as money is declared as money, so that prices are asked for', async () => {
  await schemas.edit('customers/operations.json', text =>
    text.replaceAll('"MonthlyPrice": "money"', '"MonthlyPrice": "number"'),
  );
  const said = await problems();
  assert.ok(said.length > 0);
  for (const problem of said)
    assert.match(
      problem,
      /^customers\/customer-services\.json:\d+:\d+: error: "Result\.Items\.MonthlyPrice" of "customers\.services" is of kind "number", and what is shown as currency is declared as "money"/,
    );
  await schemas.edit('customers/operations.json', text =>
    text.replaceAll('"MonthlyPrice": "number"', '"MonthlyPrice": "money"'),
  );
  assert.deepEqual(await problems(), []);
});

test('a new operation passes what it declares and nothing else, and its money to those alone who see prices', async () => {
  const orders = (reply: string) => `"orders.all": {
      "service": "cloud", "method": "GET", "path": "/api/orders",
      "requires": { "userTypes": ["reseller", "engineer"] }${reply}
    },
    "customers.list": {`;
  const reply = (price: string) =>
    `, "reply": { "Items": [{ "OrderNumber": "text", "Name": "text", "UnitPrice": ${price} }] }`;
  await schemas.edit('customers/operations.json', text => text.replace('"customers.list": {', orders('')));
  await schemas.edit('customers/customers.json', text =>
    text
      .replace('"data": {', '"data": { "placed": { "operation": "orders.all" },')
      .replace(
        '"children": [',
        '"children": [{ "type": "repeat", "rows": "data.placed.Result.Items", "key": "OrderNumber", "children": [{ "type": "text", "path": "row.Name" }, { "type": "text", "path": "row.UnitPrice" }] },',
      ),
  );
  assert.match((await problems())[0] ?? '', /"orders\.all" is read, so it says in "reply" what comes back\.$/);
  const declare = (before: string, after: string) =>
    schemas.edit('customers/operations.json', text => text.replace(orders(before), orders(after)));
  await declare('', reply('"money"'));
  assert.deepEqual(await problems(), []);
  await saveText();
  const listed = async (caller: Client) => (await caller.get('/ui/data/orders.all')).body.Result;
  const namesOf = async (caller: Client) => Object.keys((await listed(caller)).Items[0]).sort();
  assert.deepEqual(await namesOf(reseller), ['Name', 'OrderNumber', 'UnitPrice']);
  assert.deepEqual(await namesOf(engineer), ['Name', 'OrderNumber']);
  await declare(reply('"money"'), reply('{ "kind": "money", "requires": "anyone" }'));
  assert.deepEqual(await problems(), []);
  await declare(reply('{ "kind": "money", "requires": "anyone" }'), reply('{ "kind": "text", "requires": "anyone" }'));
  assert.match((await problems()).join(), /What is not money and no model is open anyway: leave this out\./);
});
