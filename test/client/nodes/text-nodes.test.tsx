import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(cleanup);

const catalogue = [
  { value: 'Active', text: 'Active', kind: 'ok' },
  { value: 'Activating', text: 'Activating', kind: 'wait', moving: true },
];

test('a heading is of the second level unless it says the third', () => {
  openNodes([
    { type: 'heading', text: 'Two' },
    { type: 'heading', level: 3, text: 'Three' },
  ]);
  assert.ok(screen.getByRole('heading', { level: 2, name: 'Two' }));
  assert.ok(screen.getByRole('heading', { level: 3, name: 'Three' }));
});

test('a text shows its words, a value in its format, or the value before the words', () => {
  openNodes(
    [
      { type: 'text', testId: 'words', text: 'Hello {{name}}', values: { name: 'data.it.Result.Name' } },
      { type: 'text', testId: 'value', path: 'data.it.Result.Since', format: 'date' },
      { type: 'text', testId: 'both', path: 'data.it.Result.Users', format: 'number', text: 'users' },
    ],
    { Name: 'Priya', Since: '2021-03-14T12:00:00Z', Users: 1204 },
  );
  assert.equal(screen.getByTestId('words').textContent, 'Hello Priya');
  assert.equal(screen.getByTestId('value').textContent, '14/03/2021');
  assert.equal(screen.getByTestId('both').textContent, '1,204 users');
});

test('a text without a value is not there', () => {
  openNodes([{ type: 'text', testId: 'value', path: 'data.it.Result.None' }], {});
  assert.equal(screen.queryByTestId('value'), null);
});

test('html of the cloud is drawn as markup, and again when it changes', async () => {
  const { container } = openNodes([{ type: 'html', path: 'data.it.Result' }], '<p>Hello <b>you</b></p>');
  await waitFor(() => assert.equal(container.querySelector('.prose b')?.textContent, 'you'));
});

test('html that is no text draws nothing', async () => {
  const { container } = openNodes([{ type: 'html', path: 'data.it.Result' }], { html: '<b>x</b>' });
  await waitFor(() => assert.equal(container.querySelector('.prose')?.innerHTML, ''));
});

test('a bad alert is announced at once, others politely', () => {
  openNodes([
    { type: 'alert', kind: 'bad', title: 'Not saved', text: 'Try again.' },
    {
      type: 'alert',
      kind: 'info',
      text: 'Planned work',
      actions: [{ type: 'button', text: 'More', on: { press: [] } }],
    },
  ]);
  assert.equal(screen.getByRole('alert').textContent, 'Not savedTry again.');
  assert.ok(screen.getByText('Planned work').closest('[role=status]')?.querySelector('button'));
});

test('a status is a shape and a word', () => {
  openNodes([{ type: 'status', testId: 'status', path: 'data.it.Result', catalogue }], 'Activating');
  const status = screen.getByTestId('status');
  assert.equal(status.textContent, 'Activating');
  assert.equal(status.className, 'status status--wait status--moving');
});

test('a status that says where leads there', async () => {
  const to = '/services/{data.it.Result.Id}?status=Failed';
  const status = { type: 'status', testId: 'status', path: 'data.it.Result.Status', catalogue, to } as const;
  const { user, visited } = openNodes([status], { Id: 7, Status: 'Active' });
  await user.click(screen.getByRole('link', { name: 'Active' }));
  assert.deepEqual(visited, ['/services/7?status=Failed']);
});

test('a status that the catalogue lacks is shown as it is, and nothing as nothing', () => {
  openNodes(
    [
      { type: 'status', testId: 'odd', path: 'data.it.Result.Odd', catalogue },
      { type: 'status', testId: 'none', path: 'data.it.Result.None', catalogue },
    ],
    { Odd: 'Limbo' },
  );
  assert.equal(screen.getByTestId('odd').textContent, 'Limbo');
  assert.equal(screen.queryByTestId('none'), null);
});

test('a badge shows the word of its entry, else the value', async () => {
  openNodes(
    [
      { type: 'badge', testId: 'own', path: 'data.it.Result' },
      { type: 'badge', testId: 'entry', path: 'data.it.Result', catalogue },
      { type: 'badge', testId: 'none', path: 'data.it.None', catalogue },
    ],
    'Active',
  );
  assert.equal((await screen.findByTestId('own')).textContent, 'Active');
  assert.equal(screen.getByTestId('own').className, 'badge');
  assert.equal(screen.getByTestId('entry').textContent, 'Active');
  assert.equal(screen.getByTestId('entry').className, 'badge badge--ok');
  assert.equal(screen.queryByTestId('none'), null);
});

test('an empty state says what is missing and offers what to do', () => {
  openNodes([
    {
      type: 'empty',
      icon: 'inbox',
      title: 'No invoices yet',
      text: 'They come monthly.',
      actions: [{ type: 'button', text: 'Add product', on: { press: [] } }],
    },
  ]);
  assert.ok(screen.getByRole('heading', { level: 2, name: 'No invoices yet' }));
  assert.ok(screen.getByText('They come monthly.'));
  assert.ok(screen.getByRole('button', { name: 'Add product' }));
});

test('an empty state of the first level is the whole page', () => {
  openNodes([{ type: 'empty', level: 1, title: '403 Access Denied' }], undefined, { screen: { heading: 'hidden' } });
  assert.ok(screen.getByRole('heading', { level: 1, name: '403 Access Denied' }).closest('.outcome'));
});
