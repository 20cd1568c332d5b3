import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { readGuideEdits } from '../fixtures/guide-edits.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { runSchemas } from '../fixtures/schemas-tool.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const schemas = withEditedSchemas();

// biome-ignore lint/suspicious/noExplicitAny: a description as the cloud gives it
let openApi: any;
setUp(async () => {
  openApi = await (await fetch(`${sandbox.url}/openapi.json`)).json();
});

/** What the tool says of the contracts of a folder and a description of a cloud. */
async function differences(description: unknown): Promise<{ readonly lines: string[]; readonly code: number }> {
  const file = join(schemas.folder, 'openapi.txt');
  await writeFile(file, JSON.stringify(description));
  const { text, code } = await runSchemas(['contract', file, schemas.folder]);
  const lines = text.trimEnd().split('\n');
  assert.match(lines.pop() ?? '', /: \d+ differences$/);
  return { lines: lines.map(line => line.slice(schemas.folder.length + 1)), code };
}

test('the contracts of the operations are what the cloud says of itself', async () => {
  const { operations } = JSON.parse(await readFile(join(schemas.folder, 'customers/operations.json'), 'utf8'));
  assert.equal(operations['customers.list'].reply.Items[0].MonthlySpend, 'money');
  assert.deepEqual(await differences(openApi), { lines: [], code: 0 });
});

test('what a cloud no longer offers, has renamed or retyped is told, with the place in the operations', async () => {
  const changed = structuredClone(openApi);
  const customer = changed.paths['/api/customers'].get.responses['200'].content['application/json'].schema;
  const item = customer.properties.Result.properties.Items.items;
  item.properties.DisplayName = item.properties.Name;
  delete item.properties.Name;
  item.properties.Services = { type: 'string' };
  item.properties.Users.nullable = true;
  item.properties.MonthlySpend = { type: 'number' };
  delete changed.paths['/api/dashboard/summary'];
  const { lines, code } = await differences(changed);
  assert.equal(code, 1);
  const place = /^(customers|dashboard)\/operations\.json:\d+:\d+: error: /;
  assert.deepEqual(
    lines.map(line => line.replace(place, '$1: ')),
    [
      'customers: The cloud no longer answers with "Items.Name".',
      'customers: "Items.Services" is "text" in the cloud, not "count".',
      'customers: "Items.Users" may be absent or null in the cloud: declare it with "?".',
      'customers: "Items.MonthlySpend" is "number" in the cloud, not "money".',
      'dashboard: The cloud no longer offers "GET /api/dashboard/summary". Did you mean "GET /api/dashboard/months"?',
    ],
  );
});

/** What the tool says when it writes operations of a cloud into the folder. */
async function importing(...words: readonly string[]): Promise<{ readonly said: string; readonly code: number }> {
  const file = join(schemas.folder, 'openapi.txt');
  await writeFile(file, JSON.stringify(openApi));
  const { text, code } = await runSchemas(['import', file, ...words], { SCHEMAS_DIR: schemas.folder });
  return { said: text.trim(), code };
}

test('an operation that is not there yet is written as the guide shows it, and a call that there is not is refused', async () => {
  const begin = 'hello.orders=/api/orders';
  const refused = [
    [['hello.orders'], 'There is no operation "hello.orders". Write it with hello.orders=<path of the cloud>'],
    [[begin], 'Say who may call it: --requires, with a name of access.json.'],
    [['hello.orders=/api/order', '--requires', 'reseller-side'], 'The cloud does not offer "GET /api/order".'],
    [['hello=/api/orders', '--requires', 'reseller-side'], '"hello" is no name of an operation'],
    [['customers.list=/api/orders', '--requires', 'reseller-side'], 'customers/operations.json has "customers.list"'],
  ] as const;
  for (const [words, message] of refused) {
    const { said, code } = await importing(...words);
    assert.ok(said.includes(message), said);
    assert.notEqual(code, 0);
  }
  const { said, code } = await importing(begin, '--requires', 'reseller-side');
  assert.match(said, /^hello\.orders: Needs: view customers or .*\nhello\/operations\.json$/);
  assert.equal(code, 0);
  const written = JSON.parse(await readFile(join(schemas.folder, 'hello/operations.json'), 'utf8'));
  const guide = readGuideEdits(await readFile('schemas/README.md', 'utf8'));
  assert.deepEqual(written, guide.find(({ does, file }) => does === 'file' && file === 'hello/operations.json')?.json);
  assert.deepEqual(
    (await importing('hello.send=POST /api/customers/{customerId}/suspend', '--requires', 'customer-editor')).code,
    0,
  );
  const { operations } = JSON.parse(await readFile(join(schemas.folder, 'hello/operations.json'), 'utf8'));
  assert.deepEqual(operations['hello.send'], {
    ...{ service: 'cloud', method: 'POST', path: '/api/customers/{customerId}/suspend' },
    ...{ with: { customerId: { type: 'string', maxLength: 300 } }, audit: 'hello.send', once: true },
    ...{ requires: 'customer-editor', refreshes: ['customers.list', 'customers.get'] },
  });
});
