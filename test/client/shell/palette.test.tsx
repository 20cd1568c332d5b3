import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, cleanup, screen } from '@testing-library/react';
import { listenForKeys } from '../../../client/runtime/page/shortcut.ts';
import { publish } from '../../../client/runtime/state/portal.ts';
import { openPalette, pressLetter } from '../../../client/shell/palette.tsx';
import { openPage } from './open-page.tsx';

let end = () => {};
afterEach(() => {
  end();
  cleanup();
  localStorage.clear();
});

const navigation = {
  productName: 'Fernhill Cloud',
  label: 'Main',
  main: [
    { id: 'dashboard', text: 'Dashboard', to: '/dashboard' },
    { id: 'provision', text: 'Provision', items: [{ id: 'marketplace', text: 'Marketplace', to: '/marketplace' }] },
  ],
  new: {
    text: 'New',
    items: [{ id: 'new-product', text: 'Product', on: { press: [{ do: 'call' as const, operation: 'x.y' }] } }],
  },
};

function open() {
  const page = openPage({ navigation });
  end = listenForKeys(page.portal, async () => ({ openPalette, pressLetter }));
  return page;
}
const options = () => screen.queryAllByRole('option', { hidden: true }).map(one => one.textContent);
const press = (keys: string, { user }: ReturnType<typeof open>) => act(() => user.keyboard(keys));

test('Ctrl+K offers all that the menus hold, those within menus too, with the menu they are in', async () => {
  const page = open();
  await press('{Control>}k{/Control}', page);
  assert.deepEqual(options(), ['ProductNew', 'Dashboard', 'MarketplaceProvision', 'keys.title']);
  await press('{Escape}', page);
});

test('the event of the navigation opens it as the keys do', async () => {
  const page = open();
  await act(async () => publish(page.portal, 'palette'));
  assert.ok(options().length > 0);
  await press('{Escape}', page);
});

test('what is typed narrows it; Enter opens what is marked, and the palette goes', async () => {
  const page = open();
  await press('{Control>}k{/Control}', page);
  await press('market', page);
  assert.deepEqual(options(), ['MarketplaceProvision']);
  await press('{Enter}', page);
  assert.deepEqual(page.visited, ['/marketplace']);
  assert.deepEqual(options(), []);
});

test('what only a press does is done; arrows move around; nothing matches says so', async () => {
  const page = open();
  await press('{Control>}k{/Control}', page);
  await press('{ArrowUp}{ArrowDown}{Enter}', page);
  assert.equal(page.sent[0]?.name, 'x.y');
  await press('{Control>}k{/Control}', page);
  await press('zzz', page);
  assert.deepEqual(options(), []);
  assert.ok(screen.getByText('Nothing matches'));
  await press('{Escape}', page);
  assert.equal(screen.queryByText('Nothing matches'), null);
});

test('what was opened last stands first when the palette is opened again', async () => {
  const page = open();
  await press('{Control>}k{/Control}', page);
  await press('market{Enter}', page);
  await press('{Control>}k{/Control}', page);
  assert.equal(options()[0], 'MarketplaceProvision');
  assert.ok(screen.getByText(/recent/i));
  await press('{Escape}', page);
});

test('a question mark lists the shortcuts, and switches those of a single letter off; the palette still leads there', async () => {
  const page = open();
  await press('?', page);
  const box = screen.getByTestId('shortcuts-letters') as HTMLInputElement;
  assert.equal(box.checked, true);
  await act(() => page.user.click(box));
  assert.equal(box.checked, false);
  await press('{Escape}', page);
  await press('?', page);
  assert.equal(screen.queryByTestId('shortcuts-letters'), null);
  await press('{Control>}k{/Control}', page);
  await act(() => page.user.click(screen.getByTestId('palette-shortcuts')));
  assert.ok(screen.getByTestId('shortcuts-letters'));
  await press('{Escape}', page);
});
