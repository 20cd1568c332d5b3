import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, cleanup, screen } from '@testing-library/react';
import { publish } from '../../../client/runtime/portal.ts';
import { listenForPalette } from '../../../client/runtime/shortcut.ts';
import { openPalette } from '../../../client/shell/palette.tsx';
import { openPage } from './open-page.tsx';

let end = () => {};
afterEach(() => {
  end();
  cleanup();
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
  end = listenForPalette(page.portal, async () => openPalette);
  return page;
}
const options = () => screen.queryAllByRole('option', { hidden: true }).map(one => one.textContent);
const press = (keys: string, { user }: ReturnType<typeof open>) => act(() => user.keyboard(keys));

test('Ctrl+K offers all that the menus hold, those within menus too, with the menu they are in', async () => {
  const page = open();
  await press('{Control>}k{/Control}', page);
  assert.deepEqual(options(), ['ProductNew', 'Dashboard', 'MarketplaceProvision']);
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
