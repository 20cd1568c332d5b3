import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
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
  const tool = ['--import', 'tsx', 'scripts/schemas.ts', 'contract', file, schemas.folder];
  const { stdout, code = 0 } = (await promisify(execFile)(process.execPath, tool, { timeout: 240_000 }).catch(
    (error: { stdout: string; code: number }) => error,
  )) as { stdout: string; code?: number };
  const lines = stdout.trimEnd().split('\n');
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
