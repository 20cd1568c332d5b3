import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { referencesIn } from '../../server/editing/references.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { openEditor } from '../fixtures/editor.ts';
import { runSchemas } from '../fixtures/schemas-tool.ts';
import { setUp } from '../fixtures/set-up.ts';

const schemas = withEditedSchemas();
setUp(async () => {
  const { code, text } = await runSchemas(['meta', schemas.folder]);
  assert.equal(code, 0, text);
});

test('an editor underlines nothing in the documents of the product', async () => {
  const editor = openEditor(schemas.folder);
  const { sources } = createLoader(schemas.folder)();
  assert.ok(sources.length > 100);
  for (const { file } of sources) assert.deepEqual(await editor.underlined(file), [], file);
});

/** Of each kind of reference some in the product: the kind, the file, what stands before the name, and the name. */
const references = [
  ['operation', 'customers/customers.json', /"operation": "/, 'customers.list'],
  ['operation', 'customers/operations.json', /"refreshes": \["/, 'customers.list'],
  ['text', 'customers/customers.json', /"title": "/, 'customers.title'],
  ['catalogue', 'customers/customers.json', /"catalogue": "/, 'status'],
  ['catalogue', 'customers/operations.json', /"Status": "/, 'code:status'],
  ['event', 'customers/customers.json', /"refreshOn": \["/, 'services'],
  ['event', 'psa/psa-match-list.json', /"do": "publish",\s*"event": "/, 'psa'],
  ['permission', 'access.json', /"permissions": \["/, 'addOrEditCustomers'],
  ['requirement', 'selling/list-customer.json', /"requires": "/, 'may-edit-customers'],
  ['requirement', 'customers/operations.json', /"requires": "/, 'reseller-side'],
  ['view', 'customers/customers.json', /"views": \[\s*"/, 'customers'],
  ['view', 'mail/group-operations.json', /"kind": "text\?", "requires": \{ "views": \["/, 'customerUsers'],
  ['feature', 'psa/psa-overview.json', /"features": \["/, 'PSAScreenOverview'],
  ['user type', 'access.json', /"userTypes": \["/, 'public'],
  ['user type', 'customers/operations.json', /"userTypes": \["/, 'endUserAdmin'],
  ['form', 'customers/operations.json', /"body": "/, 'customer-contact'],
  ['form', 'psa/psa-settings.json', /"form": "/, 'psa-settings'],
  ['journey', 'mail/disaster-recovery.json', /"journey": "/, 'recovery'],
  ['parameter', 'mail/disaster-recovery.json', /"journey": "recovery",[^{}]*"with": \{\s*"/, 'mailbox'],
  ['popup', 'customers/customers.json', /"popup": "/, 'rename-customer'],
  ['part', 'psa/psa-report.json', /"part": "/, 'psa-charges'],
  ['operation', 'customers/customer-users.json', /"operation": "/, 'users.list'],
  ['text', 'customers/customer-users.json', /"label": "/, 'users.search'],
  ['command', 'sign-in/login.json', /"command": "/, 'auth.login'],
  ['parameter', 'customers/customers.json', /"operation": "customers.list",\s*"with": \{\s*"/, 'page'],
  ['parameter', 'customers/customers.json', /"popup": "rename-customer",\s*"with": \{\s*"/, 'name'],
  ['parameter', 'customers/customer.json', /"part": "customer-users",\s*"with": \{\s*"/, 'customerId'],
  ['parameter', 'public/redirect.json', /"command": "redirect.open", "with": \{ "/, 'redirectUrl'],
] as const;

/**
 * What depends on its place: a path on the data sources and lists around, a key and an order on the list, a filter value on
 * the operation that it narrows, a table on its document, an address on whole routes and queries. These are the checker's.
 */
const ofTheChecker = ['path', 'key', 'join key', 'order', 'filter value', 'constant', 'table', 'address'];

test('an editor completes every kind of reference that does not depend on its place', async () => {
  const { sources } = createLoader(schemas.folder)();
  const kinds = new Set(sources.flatMap(referencesIn).map(({ what }) => what));
  const known = new Set([...ofTheChecker, ...references.map(([kind]) => kind)]);
  assert.deepEqual([...kinds].sort(), [...known].sort());
});

for (const [kind, file, start, name] of references)
  test(`an editor completes ${name} as ${kind} in ${file}, and underlines one that exists nowhere`, async () => {
    const editor = openEditor(schemas.folder);
    const text = await readFile(join(schemas.folder, file), 'utf8');
    const found = start.exec(text);
    assert.ok(found, `${file} has ${start}`);
    const at = found.index + found[0].length;
    const offered = await editor.offered(file, text, at);
    assert.ok(offered.includes(name), `${name} is offered among ${offered.length}`);
    const line = text.slice(0, at).split('\n').length;
    // One letter too many, as it is typed.
    const end = text.indexOf('"', at);
    const wrong = `${text.slice(0, end)}x${text.slice(end)}`;
    const said = await editor.underlined(file, wrong);
    assert.ok(
      said.some(one => one.startsWith(`${line}: `)),
      said.join('\n'),
    );
  });

/** A document in short form, which names something of each kind. */
const short = `{
  "$schema": "../meta/popup.schema.json",
  "title": "customers.title",
  "parameters": ["customerId"],
  "data": { "customer": { "customers.get": { "customerId": "popup.customerId" } }, "all": "customers.list" },
  "children": [
    { "text": "customers.none", "when": { "data.customer.Status": "Active", "given": "data.customer.Domain" } },
    { "facts": ["data.customer.Status", { "customers.domain": "data.customer.Domain" }] },
    { "table": "data.all.Items", "columns": ["Name", { "path": "Status", "catalogue": "status" }], "empty": { "title": "customers.none" } },
    { "form": "customer-name", "submit": "customers.save", "on": { "submit": [{ "call": "customers.rename", "with": ["popup.customerId", { "customerId": "popup.customerId" }] }, "close-popup", { "toast": "customers.saved" }] } },
    { "button": "customers.rename", "press": { "open-popup": "rename-customer", "with": { "customerId": "popup.customerId" } } }
  ]
}
`;
const shortReferences = [
  ['text', /"text": "/, 'customers.none'],
  ['operation', /"all": "/, 'customers.list'],
  ['operation', /"call": "/, 'customers.rename'],
  ['text', /"toast": "/, 'customers.saved'],
  ['popup', /"open-popup": "/, 'rename-customer'],
  ['form', /"form": "/, 'customer-name'],
  ['catalogue', /"catalogue": "/, 'status'],
  ['parameter', /"open-popup": "rename-customer", "with": \{ "/, 'customerId'],
] as const;

test('an editor underlines nothing in a document in short form', async () => {
  const editor = openEditor(schemas.folder);
  assert.deepEqual(await editor.underlined('customers/rename-customer.json', short), []);
});

for (const [kind, start, name] of shortReferences)
  test(`an editor completes ${name} as ${kind} in a short form, and underlines one that exists nowhere: ${start.source}`, async () => {
    const file = 'customers/rename-customer.json';
    const editor = openEditor(schemas.folder);
    const found = start.exec(short);
    assert.ok(found, String(start));
    const at = found.index + found[0].length;
    const offered = await editor.offered(file, short, at);
    assert.ok(offered.includes(name), `${name} is offered among ${offered.length}`);
    const end = short.indexOf('"', at);
    const said = await editor.underlined(file, `${short.slice(0, end)}x${short.slice(end)}`);
    const line = short.slice(0, at).split('\n').length;
    assert.ok(
      said.some(one => one.startsWith(`${line}: `)),
      said.join('\n'),
    );
  });

test('an editor underlines a pair whose name exists nowhere', async () => {
  const editor = openEditor(schemas.folder);
  for (const name of ['customers.get', 'customers.domain']) {
    const wrong = short.replace(`"${name}"`, `"${name}x"`);
    const line = wrong.slice(0, wrong.indexOf(`"${name}x"`)).split('\n').length;
    const said = await editor.underlined('customers/rename-customer.json', wrong);
    assert.ok(
      said.some(one => one.startsWith(`${line}: `)),
      `${name}: ${said.join('\n')}`,
    );
  }
});

test('an editor offers the types of nodes and effects as the first name', async () => {
  const editor = openEditor(schemas.folder);
  for (const [before, name] of [
    ['"children": [\n    { "', 'table'],
    ['"press": { "', 'navigate'],
  ] as const) {
    const at = short.indexOf(before) + before.length;
    const end = short.indexOf('"', at);
    const typed = `${short.slice(0, at)}${short.slice(end)}`;
    const offered = await editor.offered('customers/rename-customer.json', typed, at);
    assert.ok(offered.includes(name), `${name} is offered among ${offered.length}`);
  }
});
