import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { ListNode, Node, TableNode } from '../../../shared/language/types.ts';
import { heardOf, openPage, screenOf, startPortal, type TestPortal, type TestReply } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const table: TableNode = {
  type: 'table',
  id: 'people',
  label: 'People',
  rows: 'data.people.Result.Items',
  key: 'Id',
  columns: [
    { title: 'Name', path: 'row.Name', priority: 'lead' },
    { title: 'Orders', path: 'row.orders.Open', format: 'number' },
  ],
  empty: { title: 'Nobody yet' },
};
const data = {
  people: { operation: 'people.list', with: { page: 'route.page' } },
  orders: { operation: 'orders.of', with: { ids: 'row.Id' }, rows: 'data.people.Result.Items', by: 'PersonId' },
};
const listOf = (Items: readonly unknown[]) => ({ Succeed: true, Result: { Items, Total: Items.length } });
const people = (...names: string[]) => listOf(names.map(Name => ({ Id: Name, Name })));
const orders = (open: Readonly<Record<string, number>>) =>
  listOf(Object.entries(open).map(([PersonId, Open]) => ({ PersonId, Open })));

type Answer = () => TestReply | Promise<TestReply>;
const asked = 'GET /ui/data/orders.of';

/** Opens the list with its rows in the page; what is joined to them comes from `answer`. */
async function open(answer: Answer, node: Node = table, rows = people('Ada', 'Bob')) {
  portal = await startPortal([screenOf('people', [node], { data })]);
  portal.first.set('/people', { people: rows });
  portal.answers.set(asked, answer);
  return await openPage(portal, '/people');
}
const cellOf = (name: string) =>
  within(screen.getByText(name).closest('tr') as HTMLElement)
    .getAllByRole('cell')
    .at(-1)?.textContent;

test('rows stand before what is joined to them, whose cells say nothing until it is there; one read asks for all', async () => {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await open(async () => {
    await held;
    return { body: orders({ Ada: 3 }) };
  });
  await heardOf(portal, asked);
  assert.deepEqual([cellOf('Ada'), cellOf('Bob')], ['', '']);
  release();
  await waitFor(() => assert.equal(cellOf('Ada'), '3'));
  assert.equal(cellOf('Bob'), '–');
  const all = portal.heard.map(({ url }) => url).filter(url => url.startsWith('/ui/data/orders.of'));
  assert.deepEqual(all, ['/ui/data/orders.of?ids=Ada%2CBob']);
});

test('where the other call fails, the rows stay, their cells say –, the reason stands above, and it can be tried again', async () => {
  let isWell = false;
  const { user } = await open(() =>
    isWell ? { body: orders({ Ada: 3 }) } : { status: 400, body: { Succeed: false, Error: 'Orders are closed' } },
  );
  assert.ok(await screen.findByText('Some values could not be read: Orders are closed'));
  assert.deepEqual([cellOf('Ada'), cellOf('Bob')], ['–', '–']);
  isWell = true;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => assert.equal(cellOf('Ada'), '3'));
  assert.equal(screen.queryByText(/could not be read/), null);
});

test('a list says so too, and a fact of its items shows what is joined', async () => {
  const list: ListNode = {
    ...{ type: 'list', label: 'People', rows: 'data.people.Result.Items', key: 'Id', titlePath: 'row.Name' },
    emptyText: 'Nobody yet',
    actions: [{ type: 'facts', items: [{ label: 'Orders', path: 'row.orders.Open' }] }],
  };
  await open(() => ({ status: 400, body: { Succeed: false, Error: 'Orders are closed' } }), list);
  assert.ok(await screen.findByText('Some values could not be read: Orders are closed'));
  assert.deepEqual(
    screen.getAllByRole('definition').map(({ textContent }) => textContent),
    ['–', '–'],
  );
});

test('more rows than are asked for at once say so', async () => {
  const names = Array.from({ length: 101 }, (_, index) => `P${index}`);
  await open(() => ({ body: orders({ P0: 1 }) }), table, people(...names));
  assert.ok(await screen.findByText('Some values are read for the first 100 rows only.'));
});
