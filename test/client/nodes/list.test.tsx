import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { act, cleanup, screen, within } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(() => {
  cleanup();
  mock.timers.reset();
});

const catalogue = [
  { value: 'Failed', text: 'Activation failed', kind: 'bad' },
  { value: 'Active', text: 'Active', kind: 'ok' },
];
const list = {
  type: 'list' as const,
  label: 'Services',
  rows: 'data.it.Result',
  key: 'Id',
  iconPath: 'row.Icon',
  titlePath: 'row.Name',
  detail: 'row.Detail',
  at: 'row.At',
  status: 'row.Status',
  catalogue,
  to: '/services/{row.Id}',
  emptyText: 'No services yet.',
};

test('an item has its icon tinted by its status, two lines, its date and the word of its status', () => {
  const row = {
    Id: 7,
    Icon: 'phone',
    Name: 'Hosted Voice',
    Detail: 'Eastcote',
    At: '2019-03-04T12:00:00Z',
    Status: 'Failed',
  };
  const { container } = openNodes([list], [row]);
  const item = within(screen.getByRole('list', { name: 'Services' })).getByRole('listitem');
  assert.ok(container.querySelector('.tile--bad use')?.getAttribute('href')?.endsWith('#phone'));
  assert.equal(within(item).getByRole('link', { name: 'Hosted Voice' }).getAttribute('href'), '/services/7');
  assert.ok(
    within(item).getByText('4/3/19', { selector: 'time' }).closest('small')?.textContent === 'Eastcote · 4/3/19',
  );
  assert.equal(within(item).getByText('Activation failed').className, 'status status--bad');
});

test('only the first items are shown, the rest on demand', async () => {
  const rows = ['a', 'b', 'c', 'd'].map((Name, Id) => ({ Id, Name }));
  const { user } = openNodes([{ ...list, limit: 3 }], rows);
  const names = () =>
    within(screen.getByRole('list', { name: 'Services' }))
      .getAllByRole('listitem')
      .map(one => one.textContent);
  assert.deepEqual(names(), ['a', 'b', 'c']);
  await user.click(screen.getByRole('button', { name: 'Show 1 more' }));
  assert.deepEqual(names(), ['a', 'b', 'c', 'd']);
  await user.click(screen.getByRole('button', { name: 'Show fewer' }));
  assert.deepEqual(names(), ['a', 'b', 'c']);
});

test('no more than the limit needs no button', () => {
  openNodes([{ ...list, limit: 3 }], [{ Id: 1, Name: 'a' }]);
  assert.deepEqual(screen.queryAllByRole('button'), []);
});

test('an empty list says so in place of the list', () => {
  openNodes([list], []);
  assert.ok(screen.getByText('No services yet.'));
  assert.equal(screen.queryByRole('list', { name: 'Services' }), null);
});

test('bones stand for a list that has been loading for a while', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { portal, container } = openNodes([{ ...list, rows: 'data.slow.Result' }]);
  act(() => portal.screen.get()?.document.status.set({ slow: { loading: true, failed: undefined } }));
  assert.equal(container.querySelector('.bone'), null);
  act(() => mock.timers.tick(400));
  assert.ok(container.querySelector('.bone'));
});

test('old rows stay while new ones load', () => {
  const { portal } = openNodes([list], [{ Id: 1, Name: 'a' }]);
  act(() => portal.screen.get()?.document.status.set({ it: { loading: true, failed: undefined } }));
  assert.equal(screen.getByRole('list', { name: 'Services' }).getAttribute('aria-busy'), 'true');
  assert.ok(screen.getByText('a'));
});

test('a list that could not be read offers to try again', () => {
  const { portal } = openNodes([{ ...list, rows: 'data.slow.Result' }]);
  act(() =>
    portal.screen.get()?.document.status.set({ slow: { loading: false, failed: 'The cloud did not answer.' } }),
  );
  assert.ok(screen.getByText('The cloud did not answer.'));
  assert.ok(screen.getByRole('button', { name: 'Try again' }));
});
