import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, cleanup, screen, within } from '@testing-library/react';
import { openPage } from '../shell/open-page.tsx';

afterEach(cleanup);

const bell = {
  type: 'bell' as const,
  id: 'bell',
  label: { one: 'Notifications, {{count}} new', other: 'Notifications, {{count}} new' },
  heading: 'Notifications',
  count: 'data.count.Result',
  rows: 'data.notes.Result',
  key: 'Id',
  at: 'row.At',
  titlePath: 'row.Message',
  detail: 'row.Service',
  isNew: { path: 'row.Status', is: 'new' },
  filterPath: 'state.view',
  newText: 'New',
  readText: 'Read',
  markText: 'Mark as read',
  markAllText: 'Mark all as read',
  limit: 3,
  moreText: 'Show {{count}} more',
  lessText: 'Show fewer',
  emptyText: 'You are up to date.',
  on: {
    mark: [{ do: 'call' as const, operation: 'notifications.update', body: { Id: 'row.Id' } }],
    markAll: [{ do: 'call' as const, operation: 'notifications.readAll' }],
  },
};

const note = (Id: number, Status: string) => ({
  Id,
  Status,
  Message: `Message ${Id}`,
  Service: 'Voice',
  At: `2019-03-0${Id}T12:00:00Z`,
});
const notes = [note(1, 'new'), note(3, 'new'), note(2, 'read'), note(4, 'new'), note(5, 'new')];

function open(rows: unknown = notes, count = 4) {
  const page = openPage({
    navigation: { state: { view: 'new' }, bell },
    navigationData: { count: { Succeed: true, Result: count }, notes: { Succeed: true, Result: rows } },
    answers: [{ status: 200, envelope: { Succeed: true } }],
  });
  return { ...page, button: screen.getByRole('button', { name: `Notifications, ${count} new` }) };
}

const messages = () => screen.queryAllByText(/^Message/).map(one => one.textContent);

test('the number of new notifications is in the name of the bell and on its badge', () => {
  const { container } = open();
  assert.equal(container.querySelector('.bell__count')?.textContent, '4');
});

test('a bell with nothing new has no badge, one with very many says so', () => {
  assert.equal(open([], 0).container.querySelector('.bell__count'), null);
  cleanup();
  assert.equal(open([], 250).container.querySelector('.bell__count')?.textContent, '99+');
});

test('the panel shows the newest three of the new ones, the rest on demand', async () => {
  const { user, button } = open();
  await user.click(button);
  await screen.findByRole('dialog');
  assert.deepEqual(messages(), ['Message 5', 'Message 4', 'Message 3']);
  await user.click(screen.getByRole('button', { name: 'Show 1 more' }));
  assert.deepEqual(messages(), ['Message 5', 'Message 4', 'Message 3', 'Message 1']);
  await user.click(screen.getByRole('button', { name: 'Show fewer' }));
  assert.equal(messages().length, 3);
});

test('the read view has the read ones, without a way to mark them', async () => {
  const { user, button, portal } = open();
  await user.click(button);
  await screen.findByRole('dialog');
  const read = screen.getByRole('button', { name: 'Read' });
  await user.click(read);
  assert.equal(read.getAttribute('aria-pressed'), 'true');
  assert.deepEqual(messages(), ['Message 2']);
  assert.equal(screen.queryByRole('button', { name: 'Mark as read' }), null);
  assert.equal(screen.queryByRole('button', { name: 'Mark all as read' }), null);
  assert.equal(portal.navigation.get()?.state.get().view, 'read');
});

test('marking one as read calls with its row and keeps the focus in the panel', async () => {
  const { user, button, sent } = open();
  await user.click(button);
  await screen.findByRole('dialog');
  const panel = screen.getByRole('dialog', { name: 'Notifications' });
  await user.click(within(panel).getAllByRole('button', { name: 'Mark as read' })[0] as HTMLElement);
  assert.deepEqual(
    sent.map(({ name, node, body }) => ({ name, node, body })),
    [{ name: 'notifications.update', node: 'bell', body: { Id: 5 } }],
  );
  assert.ok(panel.contains(document.activeElement));
});

test('all can be marked at once', async () => {
  const { user, button, sent } = open();
  await user.click(button);
  await screen.findByRole('dialog');
  await user.click(screen.getByRole('button', { name: 'Mark all as read' }));
  assert.deepEqual(
    sent.map(({ name }) => name),
    ['notifications.readAll'],
  );
});

test('an empty list says so', async () => {
  const { user, button } = open([], 0);
  await user.click(button);
  await screen.findByRole('dialog');
  assert.ok(screen.getByText('You are up to date.'));
});

test('a read that failed quietly keeps the last list', async () => {
  const { user, button, portal } = open();
  await user.click(button);
  await screen.findByRole('dialog');
  act(() => portal.navigation.get()?.status.set({ notes: { loading: false, failed: 'The cloud did not answer.' } }));
  assert.equal(messages().length, 3);
  assert.equal(screen.queryByText('The cloud did not answer.'), null);
});

test('Escape closes the panel and gives the focus back to the bell', async () => {
  const { user, button } = open();
  await user.click(button);
  await screen.findByRole('dialog');
  assert.equal(button.getAttribute('aria-expanded'), 'true');
  await user.keyboard('{Escape}');
  assert.equal(screen.queryByRole('dialog'), null);
  assert.ok(document.activeElement === button);
});
