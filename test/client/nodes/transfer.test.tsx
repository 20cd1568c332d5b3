import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, within } from '@testing-library/react';
import type { FormNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => page.unmount());

const list = (propertyName: string, label: string) =>
  ({ type: 'field', kind: 'list', propertyName, label, key: 'Address' }) as const;
const form = (more: object = {}, ofTransfer: object = {}): FormNode => ({
  type: 'form',
  id: 'access',
  initial: 'data.access.Result',
  submit: 'Save',
  children: [
    { type: 'field', kind: 'hidden', propertyName: 'IsClosed' },
    {
      type: 'transfer',
      label: 'Access',
      searchLabel: 'Search {{list}}',
      selectAll: 'Select all: {{list}}',
      selectedText: '{{count}} of {{all}}',
      move: 'Move to {{list}}',
      moved: { one: '{{count}} moved to {{list}}', other: '{{count}} moved to {{list}}' },
      emptyText: 'Nobody',
      noMatchText: 'Nothing matches',
      ...ofTransfer,
      children: [list('None', 'None'), list('Full', 'Full'), list('Send', 'Send')].map(field => ({
        ...field,
        ...more,
      })),
    },
  ],
  on: { submit: [{ do: 'call', operation: 'access.save' }] },
});

const items = (...addresses: string[]) => addresses.map(Address => ({ Address }));
async function open(None: string[], Full: string[] = [], Send: string[] = [], more = {}, IsClosed = false) {
  const Result = { None: items(...None), Full: items(...Full), Send: items(...Send), IsClosed };
  page = await mount([form(more)], { data: { access: { Succeed: true, Result } } });
}
const entriesOf = (name: string) => {
  const box = screen.queryByRole('listbox', { name });
  return box ? within(box).getAllByRole('option') : [];
};
const texts = (name: string) => entriesOf(name).map(({ textContent }) => textContent);
const chosen = (name: string) =>
  entriesOf(name)
    .filter(option => option.getAttribute('aria-selected') === 'true')
    .map(({ textContent }) => textContent);
const box = (name: string) => screen.getByRole('listbox', { name });
const all = (name: string) => screen.getByRole('checkbox', { name: `Select all: ${name}` }) as HTMLInputElement;
const search = (name: string) => screen.getByRole('searchbox', { name: `Search ${name}` });
const inList = (name: string) => within(screen.getByRole('group', { name }));
const move = (from: string, to: string) => page.user.click(inList(from).getByRole('button', { name: `Move to ${to}` }));
const save = () => screen.getByRole('button', { name: 'Save' }) as HTMLButtonElement;

test('what is selected is moved to the list that is named and back, and every list stays in order', async () => {
  await open(['c@x', 'a@x', 'd@x'], ['b@x'], ['e@x']);
  assert.deepEqual(texts('None'), ['a@x', 'c@x', 'd@x']);
  await page.user.click(screen.getByRole('option', { name: 'a@x' }));
  await page.user.click(screen.getByRole('option', { name: 'd@x' }));
  await move('None', 'Full');
  assert.deepEqual([texts('None'), texts('Full'), texts('Send')], [['c@x'], ['a@x', 'b@x', 'd@x'], ['e@x']]);
  assert.ok(screen.getByText('2 moved to Full').matches('[role=status]'));
  assert.deepEqual(chosen('Full'), []);
  await page.user.click(screen.getByRole('option', { name: 'a@x' }));
  await move('Full', 'None');
  assert.deepEqual(texts('None'), ['a@x', 'c@x']);
  assert.equal(inList('Full').queryByRole('button', { name: 'Move to Send' }), null, 'by way of the first list only');
});

test('a box selects all of its list and none of another, and shows when some are', async () => {
  await open(['a@x', 'b@x'], ['c@x']);
  await page.user.click(all('None'));
  assert.deepEqual([chosen('None'), chosen('Full')], [['a@x', 'b@x'], []]);
  await page.user.click(screen.getByRole('option', { name: 'a@x' }));
  assert.deepEqual([all('None').checked, all('None').indeterminate], [false, true]);
  await page.user.click(all('None'));
  await page.user.click(all('None'));
  assert.deepEqual(chosen('None'), []);
});

test('a search narrows its own list, and all that is selected then is what it finds', async () => {
  await open(['ada@x', 'ben@x', 'adam@x'], ['adele@x']);
  await page.user.type(search('None'), ' ADA');
  assert.deepEqual([texts('None'), texts('Full')], [['ada@x', 'adam@x'], ['adele@x']]);
  await page.user.click(all('None'));
  await page.user.clear(search('None'));
  assert.deepEqual(chosen('None'), ['ada@x', 'adam@x']);
  await page.user.type(search('None'), 'zoe');
  assert.ok(screen.getByText('Nothing matches'));
  await page.user.keyboard('{Enter}');
  assert.equal(page.calls.length, 0, 'Enter in a search sends nothing');
});

test('the keys go through a list, select one, a range and all, and the reader hears which one it is', async () => {
  await open(['a@x', 'b@x', 'c@x', 'd@x', 'e@x']);
  box('None').focus();
  const active = () => document.getElementById(box('None').getAttribute('aria-activedescendant') ?? '');
  await page.user.keyboard('{ArrowDown} ');
  assert.equal(active()?.textContent, 'b@x');
  assert.deepEqual([active()?.getAttribute('aria-posinset'), active()?.getAttribute('aria-setsize')], ['2', '5']);
  assert.deepEqual(chosen('None'), ['b@x']);
  await page.user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  assert.deepEqual(chosen('None'), ['b@x', 'c@x', 'd@x']);
  await page.user.keyboard('{End}');
  assert.equal(active()?.textContent, 'e@x');
  await page.user.keyboard('{Home}');
  assert.equal(active()?.textContent, 'a@x');
  await page.user.keyboard('{Control>}a{/Control}');
  assert.equal(chosen('None').length, 5);
});

test('the form is changed while a list is another than it was, and sends each as lines', async () => {
  await open(['a@x', 'b@x'], [], [], { item: { IsSelected: false } });
  assert.equal(save().disabled, true);
  await page.user.click(screen.getByRole('option', { name: 'b@x' }));
  await move('None', 'Send');
  assert.equal(save().disabled, false);
  await page.user.click(screen.getByRole('option', { name: 'b@x' }));
  await move('Send', 'None');
  assert.equal(save().disabled, true, 'as it was');
  await page.user.click(screen.getByRole('option', { name: 'a@x' }));
  await move('None', 'Full');
  await page.user.click(save());
  assert.deepEqual(page.calls.at(-1)?.body, { IsClosed: false, None: 'b@x', Full: 'a@x', Send: '' });
});

test('lists that are disabled can be read, but nothing in them is selected or moved', async () => {
  await open(['a@x'], [], [], { disabledWhen: { path: 'form.IsClosed', is: true } }, true);
  await page.user.click(screen.getByRole('option', { name: 'a@x' }));
  box('None').focus();
  await page.user.keyboard(' {Control>}a{/Control}');
  assert.deepEqual(chosen('None'), []);
  assert.equal(box('None').getAttribute('aria-disabled'), 'true');
  assert.equal(all('None').disabled, true);
  await move('None', 'Full');
  assert.deepEqual(texts('None'), ['a@x']);
});

test('where an entry can be in several lists it is added and leaves the first, to which it comes back from the last', async () => {
  const lists = { None: items('a@x', 'b@x'), Full: items(), Send: items(), IsClosed: false };
  page = await mount([form({}, { also: 'Also to {{list}}' })], { data: { access: { Succeed: true, Result: lists } } });
  const add = (from: string, to: string) =>
    page.user.click(inList(from).getByRole('button', { name: `Also to ${to}` }));
  const choose = async (name: string) => page.user.click(within(box(name)).getByRole('option', { name: 'a@x' }));
  await choose('None');
  await move('None', 'Full');
  await choose('Full');
  await add('Full', 'Send');
  assert.deepEqual([texts('None'), texts('Full'), texts('Send')], [['b@x'], ['a@x'], ['a@x']]);
  await choose('Full');
  await add('Full', 'Send');
  assert.deepEqual(texts('Send'), ['a@x'], 'once');
  await choose('Full');
  await move('Full', 'None');
  assert.deepEqual([texts('None'), texts('Full'), texts('Send')], [['b@x'], [], ['a@x']]);
  await choose('Send');
  await move('Send', 'None');
  assert.deepEqual([texts('None'), texts('Send')], [['a@x', 'b@x'], []]);
  assert.equal(save().disabled, true, 'as it was');
});

test('an entry is shown with what it is called, and found by it', async () => {
  const named = [{ Address: 'a@x', Name: 'Zoe' }];
  const lists = { None: [...named, ...items('b@x')], Full: items(), Send: items(), IsClosed: false };
  page = await mount([form({ nameKey: 'Name' })], { data: { access: { Succeed: true, Result: lists } } });
  assert.deepEqual(texts('None'), ['Zoea@x', 'b@x']);
  await page.user.type(search('None'), 'zo');
  assert.deepEqual(texts('None'), ['Zoea@x']);
});

test('of 5,000 entries those within reach are drawn, and the last one is reached by a key', async () => {
  const many = Array.from({ length: 5000 }, (_, index) => `user${String(index).padStart(4, '0')}@x`);
  await open(many);
  assert.ok(entriesOf('None').length < 60, String(entriesOf('None').length));
  await page.user.click(all('None'));
  await move('None', 'Full');
  assert.ok(screen.getByText('5,000 moved to Full'));
  assert.ok(inList('None').getByText('Nobody'));
  box('Full').focus();
  await page.user.keyboard('{End} ');
  assert.equal(
    document.getElementById(box('Full').getAttribute('aria-activedescendant') ?? '')?.textContent,
    many.at(-1),
  );
  await move('Full', 'None');
  assert.deepEqual(texts('None'), [many.at(-1)]);
});
