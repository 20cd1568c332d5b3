import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { fireEvent, screen, within } from '@testing-library/react';
import type { CatalogueEntry, TableNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => {
  localStorage.clear();
  page.unmount();
});

const status: CatalogueEntry[] = [
  { value: 1, text: 'Active', kind: 'ok' },
  { value: 2, text: 'Activating', kind: 'wait', moving: true },
];
const table: TableNode = {
  type: 'table',
  id: 'customers',
  label: 'Customers',
  rows: 'data.it.Result.Items',
  key: 'Id',
  columns: [
    {
      title: 'Customer',
      path: 'row.Name',
      detail: 'row.Domain',
      avatar: true,
      to: '/customers/{row.Id}',
      priority: 'lead',
    },
    { title: 'Status', path: 'row.Status', catalogue: status },
    { title: 'Users', path: 'row.Users', format: 'number' },
    { title: 'Per month', path: 'row.Spend', format: 'currency' },
    { title: 'Owner', path: 'row.Owner', priority: 'low' },
  ],
  empty: { title: 'No customers yet' },
};
const row = (Id: number, more = {}) => ({
  Id,
  Name: `Customer ${Id}`,
  Domain: `c${Id}.test`,
  Status: 1,
  Users: 1204,
  Spend: 18942.1,
  ...more,
});
const of = (Items: unknown[], more = {}) => ({
  data: { it: { Succeed: true, Result: { Items, Total: Items.length, ...more } } },
});
const open = async (node: Partial<TableNode>, options: Parameters<typeof mount>[1]) => {
  page = await mount([{ ...table, ...node }], options);
  return page;
};

test('a row shows its name as a link with initials and a second line, its status as shape and word, its money in two parts', async () => {
  await open({}, of([row(1, { Status: 2 })]));
  const link = screen.getByRole('link', { name: 'Customer 1' });
  assert.equal(link.getAttribute('href'), '/customers/1');
  assert.equal(link.nextElementSibling?.textContent, 'c1.test');
  assert.equal(page.element.querySelector('.avatar')?.textContent, 'C1');
  assert.equal(screen.getByText('Activating').className, 'status status--wait status--moving');
  const money = page.element.querySelector('.money');
  assert.equal(money?.textContent, '£18,942.10');
  assert.equal(money?.querySelector('small')?.textContent, '.10');
});

test('a cell says its column, so that a card on a phone can show it; numbers stand at the end; nothing is a dash', async () => {
  await open({}, of([row(1)]));
  const [, , users, , owner] = [...page.element.querySelectorAll('tbody tr > *')];
  assert.equal(users?.getAttribute('data-label'), 'Users');
  assert.equal(users?.className, 'cell-num');
  assert.equal(users?.textContent, '1,204');
  assert.equal(owner?.textContent, '–');
});

test('a count leads to what it counts, and none leads nowhere', async () => {
  const columns = [
    { title: 'Users', path: 'row.Users', format: 'number', to: '/customers/{row.Id}?tab=users' },
  ] as const;
  await open({ columns: [...columns] }, of([row(1), row(2, { Users: 0 })]));
  assert.deepEqual(
    screen.getAllByRole('link').map(link => [link.textContent, link.getAttribute('href')]),
    [['1,204', '/customers/1?tab=users']],
  );
});

test('a link without a value for its address is plain text', async () => {
  await open({}, of([row(1, { Id: null })]));
  assert.equal(screen.queryByRole('link'), null);
  assert.ok(screen.getByText('Customer 1'));
});

test('the pager says which rows of how many; a total that is a lower bound says so', async () => {
  const paging = {
    page: 'route.page',
    size: 'route.size',
    sizes: [2, 10],
    total: 'data.it.Result.Total',
    exact: 'data.it.Result.Exact',
  };
  await open({ paging }, of([row(1), row(2)], { Total: 10000, Exact: false }));
  assert.ok(screen.getByText('1–2 of 10,000+'));
  assert.equal((screen.getByRole('button', { name: 'Previous page' }) as HTMLButtonElement).disabled, true);
  await page.user.click(screen.getByRole('button', { name: 'Next page' }));
  assert.ok(screen.getByText('3–4 of 10,000+'));
  await page.user.selectOptions(screen.getByLabelText('Rows per page'), '10 per page');
  assert.ok(screen.getByText('1–2 of 10,000+'));
});

test('the last page has no next one', async () => {
  const paging = { page: 'route.page', size: 'route.size', sizes: [25], total: 'data.it.Result.Total' };
  await open({ paging }, of([row(1), row(2)]));
  assert.equal((screen.getByRole('button', { name: 'Next page' }) as HTMLButtonElement).disabled, true);
});

test('a row menu has the entries whose conditions the row meets, and a call names the entry and its row', async () => {
  const menu: NonNullable<TableNode['menu']> = [
    {
      id: 'rename',
      text: 'Rename',
      on: { press: [{ do: 'call', operation: 'customers.rename', with: { id: 'row.Id' } }] },
    },
    { id: 'stop', text: 'Suspend', when: { path: 'row.Status', is: 2 }, on: { press: [] } },
  ];
  await open(
    { menu, menuLabel: 'Actions for {{name}}', values: { name: 'row.Name' } },
    of([row(1), row(2, { Status: 2 })]),
  );
  await page.user.click(screen.getByRole('button', { name: 'Actions for Customer 1' }));
  assert.deepEqual(
    screen.getAllByRole('menuitem').map(item => item.textContent),
    ['Rename'],
  );
  assert.equal(document.activeElement?.textContent, 'Rename');
  await page.user.keyboard('{Escape}');
  assert.ok(document.activeElement === screen.getByRole('button', { name: 'Actions for Customer 1' }));
  await page.user.click(screen.getByRole('button', { name: 'Actions for Customer 2' }));
  assert.deepEqual(
    screen.getAllByRole('menuitem').map(item => item.textContent),
    ['Rename', 'Suspend'],
  );
  await page.user.click(screen.getByRole('menuitem', { name: 'Rename' }));
  assert.deepEqual(page.calls, [{ operation: 'customers.rename', with: { id: 2 } }]);
});

test('an entry of the menu that is shown is a button of the row, and no entry', async () => {
  const call = { do: 'call' as const, operation: 'rows.select', with: { id: 'row.Id' } };
  const menu = [{ id: 'select', text: 'Select', shown: true, on: { press: [call] } }];
  await open({ menu }, of([row(1), row(2)]));
  assert.equal(screen.queryByRole('button', { name: 'Actions' }), null);
  await page.user.click(screen.getAllByRole('button', { name: 'Select' })[1] as HTMLElement);
  assert.deepEqual(page.calls, [{ operation: 'rows.select', with: { id: 2 } }]);
});

test('what fails in a row menu is said below the row', async () => {
  const menu = [{ id: 'go', text: 'Go', on: { press: [{ do: 'call' as const, operation: 'x' }] } }];
  await open({ menu }, { ...of([row(1), row(2)]), replies: [{ Succeed: false, Error: 'Not now' }] });
  await page.user.click(screen.getAllByRole('button', { name: 'Actions' })[0] as HTMLElement);
  await page.user.click(screen.getByRole('menuitem', { name: 'Go' }));
  const alert = await screen.findByRole('alert');
  assert.equal(alert.textContent, 'Not now');
  const lines = screen.getAllByRole('row');
  assert.equal(lines.indexOf(alert.closest('tr') as HTMLElement), 2);
});

test('a column can be hidden and stays hidden in this browser; the name of the row stays', async () => {
  await open({}, of([row(1)]));
  await page.user.click(await screen.findByRole('button', { name: 'Display' }));
  assert.deepEqual(
    screen.getAllByRole('menuitemcheckbox').map(item => item.textContent),
    ['Status', 'Users', 'Per month', 'Owner'],
  );
  await page.user.click(screen.getByRole('menuitemcheckbox', { name: 'Users' }));
  assert.ok(!screen.queryByRole('columnheader', { name: 'Users' }));
  // Several are chosen one after the other.
  await page.user.click(screen.getByRole('menuitemcheckbox', { name: 'Owner' }));
  page.unmount();
  await open({}, of([row(1)]));
  assert.deepEqual(
    screen.getAllByRole('columnheader').map(({ textContent }) => textContent),
    ['Customer', 'Status', 'Per month'],
  );
});

test('a column whose condition is not met is not there', async () => {
  const columns = table.columns.map(column =>
    column.title === 'Users' ? { ...column, when: { path: 'state.all', is: true } } : column,
  );
  await open({ columns }, of([row(1)]));
  assert.equal(screen.queryByRole('columnheader', { name: 'Users' }), null);
});

test('of many rows only those within reach are drawn, and each knows its place among all', async () => {
  await open({}, of(Array.from({ length: 1000 }, (_, index) => row(index + 1))));
  const drawn = () => within(screen.getByRole('table')).getAllByRole('row');
  assert.ok(drawn().length < 120);
  assert.equal(screen.getByRole('table').getAttribute('aria-rowcount'), '1001');
  assert.equal(drawn()[1]?.getAttribute('aria-rowindex'), '2');
  const body = page.element.querySelector('tbody') as HTMLElement;
  body.getBoundingClientRect = () => ({ top: -44 * 500, bottom: 0, height: 44_000 }) as DOMRect;
  fireEvent.scroll(window);
  assert.ok(screen.getByText('Customer 500'));
  assert.equal(screen.queryByText('Customer 1'), null);
  assert.ok(drawn().length < 120);
});

test('a few rows are simply drawn', async () => {
  await open({}, of(Array.from({ length: 100 }, (_, index) => row(index + 1))));
  assert.equal(screen.getByRole('table').getAttribute('aria-rowcount'), null);
  assert.ok(screen.getByText('Customer 100'));
});

test('where rows are cards their order is chosen by a list, kept where the heads keep it', async () => {
  const sort = { path: 'route.sort', initial: 'Name' };
  const columns = table.columns.map((column, index) => (index === 0 ? { ...column, sort: 'Name' } : column));
  await open({ testId: 'list', sort, columns }, of([row(1)]));
  const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Sort by' });
  assert.equal(choice.value, 'Name');
  assert.equal(choice.getAttribute('data-testid'), 'list-sort');
  fireEvent.change(choice, { target: { value: '-Name' } });
  assert.equal(screen.getByRole('columnheader', { name: /Customer/ }).getAttribute('aria-sort'), 'descending');
  assert.equal(choice.value, '-Name');
});

test('a table of which no column can be sorted has no such list', async () => {
  await open({}, of([row(1)]));
  assert.equal(screen.queryByRole('combobox'), null);
});
