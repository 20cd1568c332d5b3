import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { compiler } from '../fixtures/compiler.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const schemas = withEditedSchemas();
setUp(async () => {
  await schemas.edit('customers/customers.json', text =>
    text.replace('"sizes": [25, 50, 100]', '"sizes": [10, 25]').replace(/"initial": "Name"/, '"initial": "-Users"'),
  );
});
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');

/** What the cloud was asked for the list of customers while something was done. */
async function askedWhile(act: () => Promise<unknown>): Promise<URLSearchParams[]> {
  const before = proxy.exchanges.length;
  await act();
  return proxy.exchanges
    .slice(before)
    .filter(({ url }) => url.split('?')[0] === '/api/customers')
    .map(({ url }) => new URL(url, 'http://cloud').searchParams);
}

const openScreen = (path: string) => reseller.get(`/ui/screen?path=${encodeURIComponent(path)}`);

test('a list begins with the page size and the order of its document', async () => {
  let items: { Users: number }[] = [];
  const [asked, ...others] = await askedWhile(async () => {
    items = (await openScreen('/customers')).body.data.customers.Result.Items;
  });
  assert.deepEqual(others, []);
  assert.deepEqual([asked?.get('pageSize'), asked?.get('sort')], ['10', '-Users']);
  const users = items.map(({ Users }) => Users);
  assert.equal(users.length, 10);
  assert.deepEqual(
    users,
    users.toSorted((a, b) => b - a),
  );
});

test('a page that is loaded whole brings the first rows that its document says', async () => {
  const { screen } = (await reseller.page('/customers')) as unknown as {
    screen: { data: { customers: { Result: { Items: object[] } } } };
  };
  assert.equal(screen.data.customers.Result.Items.length, 10);
});

test('what the address says wins over the document', async () => {
  const [asked] = await askedWhile(() => openScreen('/customers?size=25&sort=Name'));
  assert.deepEqual([asked?.get('pageSize'), asked?.get('sort')], ['25', 'Name']);
  const [onlySize] = await askedWhile(() => openScreen('/customers?size=25'));
  assert.deepEqual([onlySize?.get('pageSize'), onlySize?.get('sort')], ['25', '-Users']);
});

test('an export has the order that the list shows', async () => {
  const hash = await reseller.hashOf('/customers');
  const path = encodeURIComponent('/customers');
  const asked = await askedWhile(() => reseller.get(`/ui/files/${hash}/customers.csv?path=${path}`));
  assert.ok(asked.length > 0);
  for (const query of asked) assert.equal(query.get('sort'), '-Users');
});

test('an order that the caller may not have is not sent', async () => {
  await schemas.editLive(portal, 'customers/customers.json', text => text.replace('"-Users"', '"-MonthlySpend"'));
  const [asked] = await askedWhile(() => openScreen('/customers'));
  assert.equal(asked?.get('sort'), '-MonthlySpend');
  const engineer = await portal.signIn('engineer@northwind.test');
  const [withoutPrices] = await askedWhile(() => engineer.get(`/ui/screen?path=${encodeURIComponent('/customers')}`));
  assert.deepEqual([withoutPrices?.get('pageSize'), withoutPrices?.get('sort')], ['10', null]);
  await schemas.editLive(portal, 'customers/customers.json', text => text.replace('"-MonthlySpend"', '"-Users"'));
});

for (const [what, right, wrong, said] of [
  [
    'a first order',
    '"-Users"',
    '"-Usrs"',
    'The parameter "sort" of "customers.list" cannot be "-Usrs". Did you mean "-Users"?',
  ],
  [
    'an order of a column',
    '"sort": "Services"',
    '"sort": "Service"',
    'The parameter "sort" of "customers.list" cannot be "Service". Did you mean "Services"?',
  ],
  [
    'a choice of a filter',
    '"value": "Active"',
    '"value": "Activ"',
    'The parameter "status" of "customers.list" cannot be "Activ". Did you mean "Active"?',
  ],
  ['a page size', '[10, 25]', '[10, 101]', '"sizes" must be at most 100.'],
] as const) {
  test(`${what} that the operation does not take is refused when it is saved`, async () => {
    await schemas.edit('customers/customers.json', text => text.replace(right, wrong));
    const problems = (await checkFolder(schemas.folder, commandDeclarations, compiler)).map(formatProblem);
    await schemas.edit('customers/customers.json', text => text.replace(wrong, right));
    assert.ok(problems.length > 0);
    const found = problems.find(problem => problem.endsWith(`: error: ${said}`));
    assert.match(found ?? problems.join('\n'), /^customers\/customers\.json:\d+:\d+: error/);
  });
}
