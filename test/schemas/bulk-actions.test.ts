import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { compiler } from '../fixtures/compiler.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

type Tree = Record<string, unknown>;

const file = 'customers/customers.json';
const schemas = withEditedSchemas();
const portal = withPortal(withSandbox());
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');

/** The first object in a document that has a property. */
function having(value: unknown, property: string): Tree | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (Object.hasOwn(value, property)) return value as Tree;
  for (const part of Object.values(value)) {
    const found = having(part, property);
    if (found) return found;
  }
  return undefined;
}

/** What is wrong with the customers screen after a change. */
async function problemsAfter(change: (document: Tree) => void): Promise<string> {
  let before = '';
  await schemas.edit(file, text => {
    before = text;
    const document = JSON.parse(text) as Tree;
    change(document);
    return JSON.stringify(document);
  });
  const problems = await checkFolder(schemas.folder, commandDeclarations, compiler);
  await schemas.edit(file, () => before);
  return problems.map(formatProblem).join('\n');
}

const actionOf = (document: Tree) =>
  ((having(document, 'bulk') as Tree)['bulk'] as Tree[])[0] as { on: Record<string, Tree[]> };

for (const handler of ['each', 'undo']) {
  test(`what is done to many rows (${handler}) is one call for each`, async () => {
    const toast = { do: 'toast', text: 'customers.title' };
    const said = await problemsAfter(document => {
      actionOf(document).on[handler] = [toast];
    });
    assert.match(said, /What is done to each row is a call, not "toast"\./);
    const twice = await problemsAfter(document => {
      const [call = {}] = actionOf(document).on[handler] ?? [];
      actionOf(document).on[handler] = [call, call];
    });
    assert.match(twice, new RegExp(`"${handler}" has more than 1 entries\\.`));
  });
}

test('a toolbar names a table of its document', async () => {
  const said = await problemsAfter(document => {
    (having(document, 'table') as Tree)['table'] = 'custmers';
  });
  assert.match(said, /Table "custmers" not found in this document\. Did you mean "customers"\?/);
});

test('the sum of a column of money is declared as money', async () => {
  const said = await problemsAfter(document => {
    const column = having(document, 'total') as Tree;
    column['total'] = String(column['total']).replace('MonthlySpend', 'Page');
  });
  assert.match(said, /what is shown as currency is declared as "money"/);
});

test('who may change no customer gets no action on many, and may not make its calls', async () => {
  const tableOf = async (client: typeof reseller) => {
    const { body } = await client.get('/ui/screen?path=/customers');
    return having(body, 'columns') as Tree;
  };
  assert.ok((await tableOf(reseller))['bulk']);
  const table = await tableOf(engineer);
  assert.ok(!('bulk' in table));
  assert.doesNotMatch(JSON.stringify(table), /customers\.suspend|MonthlySpend/);
});
