import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLoader } from '../../server/layouts/load/load.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { openEditor } from '../fixtures/editor.ts';
import { runSchemas } from '../fixtures/schemas-tool.ts';
import { setUp } from '../fixtures/set-up.ts';

const schemas = withEditedSchemas();
setUp(async () => {
  const { code, text } = await runSchemas(['names', schemas.folder]);
  assert.equal(code, 0, text);
});

test('an editor underlines nothing in the documents of the product', async () => {
  const editor = openEditor(schemas.folder);
  const { sources } = await createLoader(schemas.folder)();
  assert.ok(sources.length > 100);
  for (const { file } of sources) assert.deepEqual(await editor.underlined(file), [], file);
});

/** Of each kind of reference one in the product: the file, what stands before the name, and the name. */
const references = [
  ['operation', 'customers/customers.json', /"operation": "/, 'customers.list'],
  ['text', 'customers/customers.json', /"title": "/, 'customers.title'],
  ['catalogue', 'customers/customers.json', /"catalogue": "/, 'status'],
  ['event', 'customers/customers.json', /"refreshOn": \["/, 'services'],
  ['user right', 'access.json', /"permissions": \["/, 'addOrEditCustomers'],
  ['requirement', 'customers/customers.json', /"requires": "/, 'may-edit-customers'],
  ['view', 'customers/customers.json', /"views": \[\s*"/, 'customers'],
  ['form', 'operations/customers.json', /"body": "/, 'customer-contact'],
  ['command', 'sign-in/login.json', /"command": "/, 'auth.login'],
] as const;

for (const [kind, file, start, name] of references)
  test(`an editor completes a reference of the kind ${kind}, and underlines a name that exists nowhere`, async () => {
    const editor = openEditor(schemas.folder);
    const text = await readFile(join(schemas.folder, file), 'utf8');
    const found = start.exec(text);
    assert.ok(found, `${file} has ${start}`);
    const at = found.index + found[0].length;
    const offered = await editor.offered(file, text, at);
    assert.ok(offered.includes(name), `${name} is offered among ${offered.length}`);
    const line = text.slice(0, at).split('\n').length;
    const wrong = `${text.slice(0, at)}nowhere.at-all-${text.slice(at)}`;
    const said = await editor.underlined(file, wrong);
    assert.ok(
      said.some(one => one.startsWith(`${line}: `)),
      said.join('\n'),
    );
  });
