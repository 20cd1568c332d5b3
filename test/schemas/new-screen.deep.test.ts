import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { readLongForm } from '../fixtures/long-forms.ts';
import { runSchemas, runSchemasProgram, type ToolOutput } from '../fixtures/schemas-tool.ts';

const schemas = withEditedSchemas();

const read = (file: string): Promise<string> => readFile(join(schemas.folder, file), 'utf8');
const readJson = async (file: string) => JSON.parse(await read(file));
const readLong = async (file: string) => JSON.parse(await readLongForm(schemas.folder, file));

type Answers = Readonly<Record<'operation' | 'route' | 'title' | 'requires', string>>;
const customers: Answers = {
  operation: 'customers.list',
  route: '/reports/customers',
  title: 'All customers',
  requires: 'customer-editor',
};

const wordsOf = (answers: Partial<Answers>, more: readonly string[]): string[] => [
  ...['new', 'screen', schemas.folder],
  ...Object.entries(answers).flatMap(([name, answer]) => [`--${name}`, answer]),
  ...more,
];

const newScreen = (answers: Partial<Answers>, more: readonly string[] = []): Promise<ToolOutput> =>
  runSchemas(wordsOf(answers, more));
/** The questions that the options do not answer are answered by what is typed. */
const typeAnswers = (answers: Partial<Answers>, typed: string): Promise<ToolOutput> =>
  runSchemasProgram(wordsOf(answers, []), undefined, typed);

/** Every document of the folder with its text. */
async function readAll(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(schemas.folder, { recursive: true })).filter(file => file.endsWith('.json')).sort();
  return new Map(await Promise.all(files.map(async file => [file, await read(file)] as const)));
}

async function checkFolder(): Promise<void> {
  const { code, text } = await runSchemas(['check', schemas.folder]);
  assert.equal(code, 0, text);
  assert.match(text, /no errors, 0 warnings/);
}

test('a new screen shows what its operation lists, has texts and a menu entry, and is right at once', async () => {
  const before = await readAll();
  const { code, text } = await newScreen(customers, ['--menu']);
  assert.equal(code, 0, text);
  assert.match(text, /Reached, with all rights, by: reseller, engineer\n/);
  const after = await readAll();
  const changed = [...after].filter(([file, now]) => before.get(file) !== now).map(([file]) => file);
  assert.deepEqual(changed, ['navigation.json', 'reports/reports-customers.json', 'text/en/reports.json']);
  const screen = await readLong('reports/reports-customers.json');
  assert.deepEqual(
    (await readJson('reports/reports-customers.json')).children[1].columns.slice(0, 3),
    ['Name', 'Domain', 'Status'],
    'it is written as the guide writes',
  );
  assert.deepEqual(
    [screen.id, screen.route, screen.requires, screen.data.list.operation],
    ['reports-customers', '/reports/customers', 'customer-editor', 'customers.list'],
  );
  const [toolbar, table] = screen.children;
  assert.equal(toolbar.children[0].type, 'search');
  assert.equal(table.key, 'OrganisationId');
  assert.equal(table.paging.total, 'data.list.Result.Total');
  const shown = table.columns.map((column: Record<string, string>) => [
    column.path,
    column.format ?? column.catalogue,
    column.sort,
  ]);
  assert.deepEqual(shown.slice(0, 3), [
    ['row.Name', undefined, 'Name'],
    ['row.Domain', undefined, undefined],
    ['row.Status', 'status', 'Status'],
  ]);
  assert.ok(shown.some((column: unknown[]) => column.join() === 'row.Users,number,Users'));
  assert.ok(shown.some((column: unknown[]) => column.join() === 'row.MonthlySpend,currency,MonthlySpend'));
  const texts = await readJson('text/en/reports.json');
  assert.equal(texts['reports-customers.title'], 'All customers');
  assert.equal(texts['reports-customers.monthlySpend'], 'Monthly spend');
  const entry = (await readJson('navigation.json')).main.at(-1);
  assert.equal(entry['reports.reports-customers.title'], '/reports/customers');
  await checkFolder();
  const list = await runSchemas(['list', schemas.folder, '--as', 'engineer']);
  assert.match(list.text, /^\/reports\/customers +reports-customers +All customers/m);
});

test('what is there is never written over', async () => {
  await newScreen({ ...customers, route: '/reports/twice' });
  const before = await readAll();
  assert.ok(before.has('reports/reports-twice.json'));
  for (const [route, said] of [
    ['/reports/twice', '--route: reports/reports-twice.json stands at /reports/twice already.\n'],
    ['/reports-twice', '--route: reports/reports-twice.json is called "reports-twice" already.\n'],
    ['/customers', '--route: customers/customers.json stands at /customers already.\n'],
  ] as const) {
    const { code, text } = await newScreen({ ...customers, route });
    assert.deepEqual([code, text], [2, said]);
  }
  assert.deepEqual(await readAll(), before);
});

test('in an area that has texts the new ones follow them, and a list without names of orders or pages has neither', async () => {
  const before = await readJson('text/en/customers.json');
  const route = '/customers/{customerId}/subscriptions';
  const { code, text } = await newScreen({
    ...customers,
    operation: 'usage.subscriptions',
    route,
    requires: 'manager',
  });
  assert.equal(code, 0, text);
  const after = Object.entries(await readJson('text/en/customers.json'));
  const own = after.filter(([name]) => name.startsWith('customers-subscriptions.'));
  assert.ok(own.length > 2);
  assert.deepEqual(after, [...Object.entries(before), ...own]);
  const { data, children } = await readLong('customers/customers-subscriptions.json');
  assert.deepEqual(data.list.with, { customerId: 'route.customerId' });
  assert.deepEqual(
    children.map(({ type, sort, paging }: Record<string, unknown>) => [type, sort, paging]),
    [['table', undefined, undefined]],
  );
  await checkFolder();
});

test('without options the four questions are asked, each again until its answer makes sense', async () => {
  const typed = [
    'customers.lst',
    'customers.list',
    'asked',
    '/asked/customers',
    '',
    'Asked customers',
    'seler',
    '',
    'yes',
  ].join('\n');
  const { code, text } = await typeAnswers({}, `${typed}\n`);
  assert.equal(code, 0, text);
  for (const said of [
    'There is no operation "customers.lst". Did you mean "customers.list"?',
    '"asked" is no address of a screen',
    'A screen has a title.',
    'access.json has no requirement "seler". Did you mean "seller"?',
    // An empty answer takes what the operation requires itself.
    'which requirement of access.json? (reseller-side)',
  ])
    assert.ok(text.includes(said), text);
  const screen = await readJson('asked/asked-customers.json');
  assert.equal(screen.requires, 'reseller-side');
  assert.ok(Object.values((await readJson('navigation.json')).main.at(-1)).includes('/asked/customers'));
  await checkFolder();
});

const wrong: readonly (readonly [Partial<Answers>, readonly string[], RegExp])[] = [
  [
    { operation: 'customers.get' },
    [],
    /^--operation: "customers\.get" does not read a list of objects, which a table shows\./,
  ],
  [
    { operation: 'users.list', route: '/people' },
    [],
    /^--route: "users\.list" needs "customerId": write \{customerId\} in the address\.\n$/,
  ],
  [
    { operation: 'users.list', route: '/people/{customerid}' },
    [],
    /^--route: "users\.list" has no parameter "customerid"\. Did you mean "customerId"\?\n$/,
  ],
  [{ route: '/{page}' }, [], /^--route: The document is called as its address, and "" is no name/],
  [{ title: 'Hello {{name}}' }, [], /^--title: A title of this command has no \{\{values\}\}/],
  [
    { requires: 'customer-edtor' },
    [],
    /^--requires: access\.json has no requirement "customer-edtor"\. Did you mean "customer-editor"\?/,
  ],
  [
    { operation: 'users.list', route: '/people/{customerId}' },
    ['--menu'],
    /^--menu: a menu leads to an address without \{parameters\}\.\n$/,
  ],
];
for (const [answers, more, said] of wrong)
  test(`a wrong answer is told, and nothing is written: ${[...Object.entries(answers).flat(), ...more].join(' ')}`, async () => {
    const before = await readAll();
    const { code, text } = await newScreen({ ...customers, route: '/other/customers', ...answers }, more);
    assert.equal(code, 2, text);
    assert.match(text, said);
    assert.deepEqual(await readAll(), before);
  });

test('answers that end too early are told, and nothing is written', async () => {
  const before = await readAll();
  const { code, text } = await typeAnswers({ operation: 'customers.list' }, '/ends/early\n');
  assert.equal(code, 2);
  assert.match(text, /There is no answer to "What is its title\?" Give --title\.\n$/);
  assert.deepEqual(await readAll(), before);
});

test('a folder with errors gets no new screen', async () => {
  await schemas.edit('customers/customers.json', text => text.replace('"type": "search"', '"type": "serch"'));
  const before = await readAll();
  const { code, text } = await newScreen({ ...customers, route: '/late/customers' });
  assert.equal(code, 1);
  assert.match(text, /customers\.json:\d+:\d+: error: .*\nNothing was written: first put these errors right\.\n$/);
  assert.deepEqual(await readAll(), before);
});
