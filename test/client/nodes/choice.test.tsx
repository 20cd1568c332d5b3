import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen } from '@testing-library/react';
import type { FilterNode, Node, TabsNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => page.unmount());
const open = async (...args: Parameters<typeof mount>) => {
  page = await mount(...args);
};

const tabs: TabsNode = {
  type: 'tabs',
  path: 'route.tab',
  label: 'Parts',
  tabs: [
    { id: 'users', title: 'Users', count: 'data.it.Result.Users', children: [{ type: 'text', text: 'All users' }] },
    { id: 'bills', title: 'Bills', children: [{ type: 'text', text: 'All bills' }] },
    {
      id: 'extra',
      title: 'Extra',
      when: { path: 'state.extra', is: true },
      children: [{ type: 'text', text: 'More' }],
    },
  ],
};
const data = { it: { Succeed: true, Result: { Users: 1204 } } };
const placeText: Node = { type: 'text', path: 'route.status' };
const filter: FilterNode = {
  type: 'filter',
  path: 'route.status',
  label: 'Status',
  resets: ['route.page'],
  options: [
    { value: '', text: 'All', count: 'data.it.Result.Users' },
    { value: 'ok', text: 'Active' },
  ],
};

test('one tab is seen at a time, the first to begin with; a tab whose condition is not met is not there', async () => {
  await open([tabs], { data });
  assert.deepEqual(
    screen.getAllByRole('tab').map(tab => tab.textContent),
    ['Users1,204', 'Bills'],
  );
  assert.ok(screen.getByText('All users'));
  assert.equal(
    screen.getByRole('tabpanel').getAttribute('aria-labelledby'),
    screen.getByRole('tab', { name: /Users/ }).id,
  );
  await page.user.click(screen.getByRole('tab', { name: 'Bills' }));
  assert.ok(screen.getByText('All bills'));
  assert.equal(screen.queryByText('All users'), null);
});

test('tabs have one tab stop; arrows, Home and End move and select', async () => {
  await open([tabs], { data });
  await page.user.tab();
  assert.equal(document.activeElement?.textContent, 'Users1,204');
  await page.user.keyboard('{ArrowRight}');
  assert.equal(document.activeElement?.textContent, 'Bills');
  assert.equal(document.activeElement?.getAttribute('aria-selected'), 'true');
  await page.user.keyboard('{ArrowRight}');
  assert.equal(document.activeElement?.textContent, 'Users1,204');
  await page.user.keyboard('{End}');
  assert.equal(document.activeElement?.textContent, 'Bills');
  assert.equal(screen.getByRole('tab', { name: /Users/ }).tabIndex, -1);
});

test('what is typed in a tab is there when one comes back to it', async () => {
  const form: Node = {
    type: 'form',
    id: 'f',
    submit: 'Save',
    children: [{ type: 'field', propertyName: 'Name', kind: 'text', label: 'Name' }],
    on: { submit: [] },
  };
  const [users, bills] = tabs.tabs;
  await open([{ ...tabs, tabs: [{ ...users!, children: [form] }, bills!] }], { data });
  await page.user.type(screen.getByLabelText('Name'), 'Ada');
  await page.user.click(screen.getByRole('tab', { name: 'Bills' }));
  await page.user.click(screen.getByRole('tab', { name: /Users/ }));
  assert.equal((screen.getByLabelText('Name') as HTMLInputElement).value, 'Ada');
});

for (const look of ['tabs', 'select', 'segments'] as const) {
  test(`a filter as ${look} keeps its choice in its place; the choice of all clears it`, async () => {
    await open([{ ...filter, look }, placeText], { data });
    const choose = async (name: RegExp) => {
      if (look !== 'select') return page.user.click(screen.getByRole(look === 'tabs' ? 'tab' : 'button', { name }));
      await page.user.selectOptions(
        screen.getByRole('combobox', { name: 'Status' }),
        screen.getByRole('option', { name }),
      );
    };
    await choose(/Active/);
    assert.ok(screen.getByText('ok'));
    await choose(/All/);
    assert.equal(screen.queryByText('ok'), null);
  });
}

test('a filter takes further choices from a list, and a day is kept in its place until it is cleared', async () => {
  const rows = { it: { Succeed: true, Result: { Actors: [{ Name: 'Ada' }, { Name: 'Cloud' }] } } };
  await open(
    [
      { ...filter, look: 'select', rows: 'data.it.Result.Actors', titlePath: 'row.Name' },
      { type: 'day', path: 'route.from', label: 'From', resets: ['route.page'] },
      placeText,
      { type: 'text', path: 'route.from' },
    ],
    { data: rows },
  );
  const list = await screen.findByRole('combobox', { name: 'Status' });
  await page.user.selectOptions(list, 'Cloud');
  assert.equal(screen.getAllByText('Cloud').at(-1)?.tagName, 'P');
  const day = (await screen.findByRole('textbox', { name: 'From:' })) as HTMLInputElement;
  await page.user.type(day, '31.2.26{Enter}');
  assert.equal(day.getAttribute('aria-invalid'), 'true');
  await page.user.clear(day);
  await page.user.type(day, '22.11.26');
  assert.equal(screen.queryByText('2026-11-22'), null, 'not before it is whole');
  await page.user.tab();
  assert.ok(await screen.findByText('2026-11-22'));
  assert.equal(day.value, '22/11/2026');
  await page.user.clear(day);
  await page.user.tab();
  assert.equal(screen.queryByText('2026-11-22'), null);
});

test('a day that nobody chose shows how one is typed as long as the input is focused, after Enter too', async () => {
  await open([{ type: 'day', path: 'route.from', label: 'From' }]);
  const day = (await screen.findByRole('textbox', { name: 'From:' })) as HTMLInputElement;
  const whenLeft = day.placeholder;
  await page.user.click(day);
  assert.match(day.placeholder, /^\d\d\/\d\d\/\d{4}$/);
  await page.user.keyboard('{Enter}');
  assert.match(day.placeholder, /^\d\d\/\d\d\/\d{4}$/);
  await page.user.tab();
  assert.equal(day.placeholder, whenLeft);
});

test('a further choice may have a value that is not what it is called', async () => {
  const rows = { it: { Succeed: true, Result: [{ Value: 'p-1', Text: 'Production' }] } };
  const more = { rows: 'data.it.Result', key: 'Value', titlePath: 'row.Text' };
  await open([{ ...filter, ...more, look: 'select' }, placeText], { data: rows });
  await page.user.selectOptions(await screen.findByRole('combobox', { name: 'Status' }), 'Production');
  assert.ok(await screen.findByText('p-1'));
});
