import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { runSchemas, runSchemasProgram } from '../fixtures/schemas-tool.ts';

const schemas = withEditedSchemas();

for (const [name, options, file, written, edited] of [
  ['list', [], 'text/en/customers.json', '"title": "Customers"', '"title": "Clients"'],
  ['explain', ['--screen', 'customers'], 'customers/customers.json', 'status-filter', 'filter-by-state'],
] as const)
  test(`schemas ${name} reads the folder that is named, and says which one it read`, async () => {
    await schemas.edit(file, text => text.replaceAll(written, edited));
    const mark = /Clients|filter-by-state/;
    const own = await runSchemas([name, '--as', 'engineer', ...options]);
    assert.equal(own.code, 0, own.text);
    assert.match(own.text, /^Documents of schemas\n/);
    assert.doesNotMatch(own.text, mark);
    const other = await runSchemas([name, schemas.folder, '--as', 'engineer', ...options]);
    assert.equal(other.code, 0, other.text);
    assert.ok(other.text.startsWith(`Documents of ${schemas.folder}\n`), other.text);
    assert.match(other.text, mark);
  });

test('a command that is not known says how the commands are written', async () => {
  const { code, text } = await runSchemasProgram(['expain']);
  assert.equal(code, 2);
  assert.match(text, /npm run schemas explain \[folder\] -- --as engineer --screen customers/);
});
