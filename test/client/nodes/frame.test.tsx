import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, cleanup, screen, within } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(cleanup);

test('a section is a group named by its title, so that a page may have two of one title', async () => {
  openNodes([
    {
      type: 'section',
      title: 'Aliases',
      children: [{ type: 'text', text: 'None.' }],
    },
  ]);
  const group = await screen.findByRole('group', { name: 'Aliases' });
  assert.ok(within(group).getByText('None.'));
});

test('a card has its count, its actions and the way to all of it in its head', () => {
  openNodes(
    [
      {
        type: 'card',
        title: 'Invoices',
        count: 'data.it.Result.Total',
        to: '/billing/{data.it.Result.Id}',
        moreText: 'All invoices',
        actions: [{ type: 'button', text: 'Pay', on: { press: [] } }],
        children: [{ type: 'text', text: 'Inside' }],
      },
    ],
    { Total: 1204, Id: 7 },
  );
  const card = screen.getByRole('region', { name: 'Invoices' });
  assert.ok(within(card).getByText('1,204'));
  assert.ok(within(card).getByRole('button', { name: 'Pay' }));
  assert.equal(within(card).getByRole('link', { name: 'All invoices' }).getAttribute('href'), '/billing/7');
  assert.ok(within(card).getByText('Inside').closest('.card__body'));
});

test('a flush card leaves the padding to its content', () => {
  openNodes([{ type: 'card', title: 'Invoices', flush: true, children: [{ type: 'text', text: 'Inside' }] }]);
  assert.equal(screen.getByText('Inside').closest('.card__body'), null);
});

test('a card without title, count and actions has no head', () => {
  const { container } = openNodes([{ type: 'card', children: [{ type: 'text', text: 'Inside' }] }]);
  assert.equal(container.querySelector('.card__head'), null);
});

test('columns, stacks and toolbars draw their children in order', async () => {
  const text = (word: string) => ({ type: 'text' as const, text: word });
  openNodes([
    {
      type: 'columns',
      shape: 'even',
      children: [{ type: 'stack', tight: true, children: [text('one'), text('two')] }, text('three')],
    },
    { type: 'toolbar', children: [text('four')], end: [text('five')] },
  ]);
  // Columns are drawn once their code is there.
  await screen.findByText('three');
  assert.match(screen.getByRole('main').textContent ?? '', /onetwothreefourfive$/);
});

test('a template is drawn once per item, each with its own row', async () => {
  openNodes(
    [
      {
        type: 'repeat',
        rows: 'data.it.Result',
        key: 'Id',
        children: [{ type: 'text', text: '{{name}}', values: { name: 'row.Name' } }],
      },
    ],
    [
      { Id: 1, Name: 'Ashdown' },
      { Id: 2, Name: 'Calder' },
    ],
  );
  assert.ok(await screen.findByText('Ashdown'));
  assert.ok(screen.getByText('Calder'));
});

test('an item keeps its element when the order changes', () => {
  const rows = [
    { Id: 1, Name: 'Ashdown' },
    { Id: 2, Name: 'Calder' },
  ];
  const node = {
    type: 'repeat' as const,
    rows: 'data.it.Result',
    key: 'Id',
    children: [{ type: 'text' as const, path: 'row.Name' }],
  };
  const { portal } = openNodes([node], rows);
  const before = screen.getByText('Calder');
  act(() => portal.screen.get()?.document.data.set({ it: { Succeed: true, Result: rows.toReversed() } }));
  assert.equal(screen.getByText('Calder'), before);
  assert.ok(before.compareDocumentPosition(screen.getByText('Ashdown')) & window.Node.DOCUMENT_POSITION_FOLLOWING);
});

test('a list that is not there yet repeats nothing', () => {
  openNodes([{ type: 'repeat', rows: 'data.other.Result', key: 'Id', children: [{ type: 'text', text: 'never' }] }]);
  assert.equal(screen.queryByText('never'), null);
});
