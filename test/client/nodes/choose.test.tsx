import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, within } from '@testing-library/react';
import type { ChoicesNode, ComboboxNode, FilterNode, Node, StepsNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => page.unmount());

const catalogue = [{ value: 'Activating', text: 'Activating', kind: 'wait', moving: true }];
const rows = [
  { Id: '1', Name: 'Ashdown', Status: null, Added: false, Disabled: false },
  { Id: '2', Name: 'Bramley', Status: 'Activating', Added: true, Disabled: true },
  { Id: '3', Name: 'Calder', Status: null, Added: false, Disabled: false },
];
const data = { it: { Succeed: true, Result: rows } };
const look = {
  rows: 'data.it.Result',
  key: 'Id',
  titlePath: 'row.Name',
  status: 'row.Status',
  catalogue,
  markPath: 'row.Added',
  markText: 'Added',
  disabledWhen: { path: 'row.Disabled', is: true },
} as const;
const combobox: ComboboxNode = {
  type: 'combobox',
  id: 'customer',
  testId: 'customer',
  path: 'state.customer',
  searchPath: 'state.words',
  label: 'Customer',
  emptyText: 'No matches found',
  ...look,
};
const shown: Node[] = [
  { type: 'text', text: 'Chosen:', path: 'state.customer', testId: 'chosen' },
  { type: 'text', text: 'Asked:', path: 'state.words', testId: 'asked' },
];
const layout = { state: { customer: null, words: null } };
const textOf = (id: string) => screen.getByTestId(id).textContent;

test('a combobox opens with all items, and arrows and Enter choose one; one that cannot be chosen says why', async () => {
  page = await mount([combobox, ...shown], { data, layout });
  const input = screen.getByRole('combobox', { name: 'Customer' });
  assert.equal(input.getAttribute('aria-expanded'), 'false');
  await page.user.click(input);
  assert.equal(input.getAttribute('aria-expanded'), 'true');
  const greyed = screen.getByRole('option', { name: /Bramley/ });
  assert.equal(greyed.getAttribute('aria-disabled'), 'true');
  assert.match(greyed.textContent ?? '', /Added.*Activating/);
  await page.user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  assert.equal(textOf('chosen').trim(), 'Chosen:', 'a greyed one is not chosen');
  assert.equal(input.getAttribute('aria-activedescendant'), greyed.id);
  await page.user.keyboard('{ArrowDown}{Enter}');
  assert.match(textOf('chosen') ?? '', /3/);
  assert.equal((input as HTMLInputElement).value, 'Calder');
  assert.equal(screen.queryByRole('listbox'), null);
});

test('typing takes the choice back and asks once it has paused; Escape closes the list alone', async () => {
  page = await mount([combobox, ...shown], { data, layout });
  const input = screen.getByRole('combobox');
  await page.user.click(screen.getByRole('combobox'));
  await page.user.click(screen.getByRole('option', { name: 'Ashdown' }));
  assert.match(textOf('chosen') ?? '', /1/);
  await page.user.type(input, 'x');
  assert.equal(screen.queryByText('1'), null);
  await screen.findByText('Ashdownx');
  await page.user.keyboard('{Escape}');
  assert.equal(screen.queryByRole('listbox'), null);
});

const filter: FilterNode = {
  type: 'filter',
  path: 'state.customer',
  label: 'Customer',
  look: 'select',
  testId: 'by-customer',
  options: [{ value: '', text: 'Any customer' }],
  rows: 'data.it.Result.Items',
  key: 'Id',
  titlePath: 'row.Name',
  search: { path: 'state.words', chosen: 'data.it.Result.Chosen', total: 'data.it.Result.Total' },
};
const found = (Chosen: string | null) => ({ it: { Succeed: true, Result: { Items: rows, Total: 754, Chosen } } });

test('a filter that searches says how many more there are, and leaves nothing typed that narrows nothing', async () => {
  page = await mount([filter, ...shown], { data: found(null), layout });
  const input = await screen.findByRole('combobox', { name: 'Customer:' });
  assert.equal(input.getAttribute('placeholder'), 'Any customer');
  await page.user.click(input);
  assert.match(document.querySelector('.combobox__more')?.textContent ?? '', /751/);
  await page.user.type(input, 'Cal');
  await page.user.tab();
  assert.equal((input as HTMLInputElement).value, '');
  await page.user.click(input);
  await page.user.click(screen.getByRole('option', { name: 'Calder' }));
  assert.match(textOf('chosen') ?? '', /3/);
  assert.equal((input as HTMLInputElement).value, 'Calder');
  await page.user.clear(input);
  assert.equal(textOf('chosen').trim(), 'Chosen:');
});

test('a filter that searches names what was chosen before, though it is not among the choices', async () => {
  page = await mount([filter, ...shown], { data: found('Zeller'), layout: { state: { customer: '99', words: null } } });
  assert.equal(((await screen.findByRole('combobox')) as HTMLInputElement).value, 'Zeller');
});

test('a combobox without items says so at the field', async () => {
  page = await mount([combobox], { data: { it: { Succeed: true, Result: [] } }, layout });
  assert.equal(screen.getByText('No matches found').className, 'field__error');
});

test('a choice is pressed with its row; one that cannot be pressed does nothing and has its reason beside it', async () => {
  const choices: ChoicesNode = {
    type: 'choices',
    id: 'product',
    label: 'Products',
    emptyText: 'None',
    ...look,
    on: { press: [{ do: 'command', command: 'product.add', with: { id: 'row.Id' } }] },
  };
  page = await mount([choices], { data, layout });
  const list = screen.getByRole('list', { name: 'Products' });
  const off = within(list).getByRole('button', { name: /Bramley/ });
  assert.equal(off.getAttribute('aria-disabled'), 'true');
  await page.user.click(off);
  assert.equal(page.calls.length, 0);
  await page.user.click(within(list).getByRole('button', { name: 'Calder' }));
  assert.deepEqual(page.calls[0]?.with, { id: '3' });
});

test('choices that lead somewhere are one link each, with their amount, what it is for and the marks that hold', async () => {
  const choices: ChoicesNode = {
    type: 'choices',
    id: 'offer',
    look: 'cards',
    label: 'Offers',
    rows: 'data.offers.Result',
    key: 'Id',
    titlePath: 'row.Name',
    price: {
      path: 'row.Price',
      format: 'currency',
      texts: [{ text: 'once', when: { path: 'row.Once', is: true } }, { text: 'a month' }],
    },
    marks: [{ text: 'To sign', kind: 'wait', when: { path: 'row.Marked', is: true } }],
    to: '/offers/{row.Id}',
    emptyText: 'None',
  };
  const offers = [
    { Id: 'a', Name: 'Mail', Price: 3.95, Once: false, Marked: true },
    { Id: 'b', Name: 'Handset', Price: 74, Once: true, Marked: false },
  ];
  page = await mount([choices], { data: { offers: { Succeed: true, Result: offers } }, layout });
  assert.deepEqual(
    screen.getAllByRole('link').map(link => [link.getAttribute('href'), link.textContent]),
    [
      ['/offers/a', 'Mail£3.95a monthTo sign'],
      ['/offers/b', 'Handset£74.00once'],
    ],
  );
  assert.equal(screen.queryAllByRole('button').length, 0);
});

test('choices that the server cuts have the pages of a table; an empty page beyond the last leads back', async () => {
  const choices: ChoicesNode = {
    type: 'choices',
    id: 'product',
    testId: 'product',
    label: 'Products',
    emptyText: 'None',
    ...look,
    paging: { page: 'state.page', size: 'state.size', sizes: [2], total: 'data.it.Total' },
    on: { press: [{ do: 'command', command: 'product.add', with: { id: 'row.Id' } }] },
  };
  const it = { Succeed: true, Total: 5, ...(data.it as object) };
  page = await mount([choices, { type: 'text', path: 'state.page' }], { data: { it }, layout });
  assert.ok(screen.getByText(/of 5$/));
  await page.user.click(screen.getByTestId('product-next'));
  assert.ok(await screen.findByText('2'));

  page.unmount();
  const beyond = { data: { it: { Succeed: true, Total: 5, Result: [] } }, layout: { ...layout, state: { page: '9' } } };
  page = await mount([choices, { type: 'text', path: 'state.page' }], beyond);
  assert.equal(screen.queryByText('None'), null);
  assert.equal(screen.queryByText('9'), null);
});

test('a wizard shows the steps that its command delivers, sends what was typed in all of them, and goes back', async () => {
  const steps: StepsNode = {
    type: 'steps',
    id: 'order',
    label: 'Steps',
    back: 'Back',
    steps: [
      { id: 'details', title: 'Details', submit: 'Continue' },
      { id: 'check', title: 'Check', submit: 'Order' },
      { id: 'mend', title: 'Mend', submit: 'Retry', when: { path: 'state.words', is: 'mend' } },
    ],
    on: { step: [{ do: 'command', command: 'order.step', with: { product: 'state.words' } }] },
  };
  const check = {
    Succeed: true,
    Result: { step: 'check', children: [{ type: 'text', text: 'Pay 9.40' }], values: {} },
  };
  const quantity: Node = { type: 'field', propertyName: 'Quantity', kind: 'number', label: 'Quantity' };
  page = await mount([steps], {
    layout: { state: { words: '8-1' } },
    replies: [
      { Succeed: true, Result: { step: 'details', title: 'Office', children: [quantity], values: { Quantity: 1 } } },
      check,
      check,
      { Succeed: true },
    ],
  });
  const input = await screen.findByRole('textbox', { name: /Quantity/ });
  assert.equal(screen.getByText('Details').parentElement?.getAttribute('aria-current'), 'step');
  assert.equal(screen.queryByRole('button', { name: 'Back' }), null);
  assert.equal(screen.queryByText('Mend'), null, 'a step that is not on this way');
  await page.user.clear(input);
  await page.user.type(input, '5');
  await page.user.click(screen.getByRole('button', { name: 'Continue' }));
  assert.ok(await screen.findByText('Pay 9.40'));
  assert.deepEqual(page.calls[1]?.body, { Quantity: 5, $step: 'details' });
  await page.user.click(screen.getByRole('button', { name: 'Back' }));
  assert.equal(((await screen.findByRole('textbox', { name: /Quantity/ })) as HTMLInputElement).value, '5');
  await page.user.click(screen.getByRole('button', { name: 'Continue' }));
  await page.user.click(await screen.findByRole('button', { name: 'Order' }));
  assert.deepEqual(page.calls.at(-1)?.body, { Quantity: 5, $step: 'check' });
});
