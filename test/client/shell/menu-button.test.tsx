import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen } from '@testing-library/react';
import { openPage } from './open-page.tsx';

afterEach(cleanup);

const main = [
  {
    id: 'support',
    text: 'Support',
    items: [
      { id: 'overview', text: 'Overview', to: '/support' },
      { id: 'tickets', text: 'Tickets', to: '/support/tickets' },
      { id: 'training', text: 'Training', to: '/support/training' },
      { id: 'statistics', text: 'Statistics', to: '/support/statistics' },
      { id: 'status', text: 'Status page', external: 'https://status.fernhill.test' },
    ],
  },
];

function open() {
  const page = openPage({ navigation: { main } });
  return { ...page, button: screen.getByRole('button', { name: 'Support' }) };
}

const focused = () => document.activeElement?.textContent;

test('a press opens the menu and moves the focus to its first entry', async () => {
  const { user, button } = open();
  assert.equal(button.getAttribute('aria-expanded'), 'false');
  await user.click(button);
  assert.equal(button.getAttribute('aria-expanded'), 'true');
  assert.equal(screen.getByRole('menu', { name: 'Support' }).id, button.getAttribute('aria-controls'));
  assert.equal(focused(), 'Overview');
});

test('arrow keys open the menu at its first or last entry, and go round inside', async () => {
  const { user, button } = open();
  button.focus();
  await user.keyboard('{ArrowUp}');
  assert.match(focused() ?? '', /^Status page/);
  await user.keyboard('{ArrowDown}');
  assert.equal(focused(), 'Overview');
  await user.keyboard('{ArrowUp}{Home}{ArrowDown}');
  assert.equal(focused(), 'Tickets');
  await user.keyboard('{End}');
  assert.match(focused() ?? '', /^Status page/);
});

test('typed letters go to the next entry that begins so', async () => {
  const { user, button } = open();
  await user.click(button);
  await user.keyboard('tr');
  assert.equal(focused(), 'Training');
});

test('a second letter stays at an entry that begins with both; after a pause a letter moves on', async () => {
  const { user, button } = open();
  await user.click(button);
  await user.keyboard('st');
  assert.equal(focused(), 'Statistics');
  // Longer than the pause after which typing begins anew.
  await new Promise(resolve => setTimeout(resolve, 700));
  await user.keyboard('s');
  assert.match(focused() ?? '', /^Status page/);
});

test('Escape closes the menu and gives the focus back to its button', async () => {
  const { user, button } = open();
  await user.click(button);
  await user.keyboard('{Escape}');
  assert.equal(screen.queryByRole('menu'), null);
  assert.ok(document.activeElement === button);
});

test('Tab closes the menu', async () => {
  const { user, button } = open();
  await user.click(button);
  await user.tab();
  assert.equal(screen.queryByRole('menu'), null);
});

test('a press outside closes the menu', async () => {
  const { user, button } = open();
  await user.click(button);
  await user.click(screen.getByRole('heading', { level: 1 }));
  assert.equal(screen.queryByRole('menu'), null);
});

test('an entry with an address goes there and closes the menu', async () => {
  const { user, button, visited } = open();
  await user.click(button);
  await user.click(screen.getByRole('menuitem', { name: 'Tickets' }));
  assert.deepEqual(visited, ['/support/tickets']);
  assert.equal(screen.queryByRole('menu'), null);
});

test('an entry outside opens a new tab and says so', async () => {
  const { user, button } = open();
  await user.click(button);
  const entry = screen.getByRole('menuitem', { name: 'Status page (opens in a new tab)' });
  assert.equal(entry.getAttribute('target'), '_blank');
  assert.equal(entry.getAttribute('rel'), 'noopener noreferrer');
});

test('going back in the history closes an open menu', async () => {
  const { user, button } = open();
  await user.click(button);
  window.dispatchEvent(new window.PopStateEvent('popstate'));
  await screen.findByRole('button', { name: 'Support', expanded: false });
  assert.equal(screen.queryByRole('menu'), null);
});
