import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { migrateFolder } from '../../scripts/schemas/migrate.ts';

const operations = (...names: string[]) => ({
  $schema: '../meta/operations.schema.json',
  operations: Object.fromEntries(names.map(name => [name, { method: 'GET', path: `/api/${name}` }])),
});
const screen = (id: string, ...reads: string[]) => ({
  $schema: '../meta/screen.schema.json',
  id,
  data: Object.fromEntries(reads.map((operation, index) => [`source${index}`, { operation }])),
});

const documents = {
  'customers/customers.json': screen('customers', 'customers.list', 'links.list', 'usage.report'),
  'billing/billing.json': screen('billing', 'links.list', 'usage.invoices'),
  'operations/customers.json': operations('customers.list', 'customers.create'),
  'operations/links.json': operations('links.list', 'links.unused'),
  'operations/sign-on.json': operations('signOn.ask'),
  'operations/terms.json': operations('terms.get', 'terms.sign'),
  'terms-of-use/terms.json': screen('terms', 'terms.get'),
  'operations/usage.json': operations('usage.report', 'usage.invoices'),
};

test('the operations of an area move into its folder, and those without one to who uses them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  try {
    for (const [file, json] of Object.entries(documents)) {
      await mkdir(join(folder, dirname(file)), { recursive: true });
      await writeFile(join(folder, file), `${JSON.stringify(json, null, 2)}\n`);
    }
    await migrateFolder(folder);
    const files = (await readdir(folder, { recursive: true })).filter(file => file.endsWith('.json')).sort();
    const found = await Promise.all(
      files.map(async file => {
        const { operations } = JSON.parse(await readFile(join(folder, file), 'utf8'));
        return operations ? [[file, Object.keys(operations)]] : [];
      }),
    );
    assert.deepEqual(found.flat(), [
      ['billing/operations.json', ['usage.invoices']],
      ['customers/operations.json', ['customers.list', 'customers.create', 'usage.report']],
      ['links/operations.json', ['links.list', 'links.unused']],
      ['sign-on/operations.json', ['signOn.ask']],
      ['terms-of-use/operations.json', ['terms.get', 'terms.sign']],
    ]);
    assert.ok(!(await readdir(folder)).includes('operations'), 'the folder of before is gone');
    assert.deepEqual((await migrateFolder(folder)).files, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('the documents of the product are of this edition', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  try {
    await cp('schemas', folder, { recursive: true });
    assert.deepEqual((await migrateFolder(folder)).files, []);
  } finally {
    await rm(folder, { recursive: true });
  }
});
