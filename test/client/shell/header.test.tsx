import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen, within } from '@testing-library/react';
import { openPage } from './open-page.tsx';

afterEach(cleanup);

const navigation = {
  productName: 'Fernhill Cloud',
  label: 'Main',
  main: [
    { id: 'dashboard', text: 'Dashboard', to: '/dashboard' },
    { id: 'customers', text: 'Customers', to: '/customers', under: '/customers' },
    { id: 'support', text: 'Support', items: [{ id: 'tickets', text: 'Tickets', to: '/support/tickets' }] },
  ],
};

test('the logo carries the name of the product and leads to the landing', async () => {
  const { user, visited } = openPage({ navigation });
  const logo = screen.getByRole('link', { name: 'Fernhill Cloud' });
  assert.equal(logo.getAttribute('href'), '/dashboard');
  await user.click(logo);
  assert.deepEqual(visited, ['/dashboard']);
});

test('the entry of the page one is on is the current one', () => {
  openPage({ path: '/dashboard', navigation });
  assert.equal(screen.getByRole('link', { name: 'Dashboard' }).getAttribute('aria-current'), 'page');
  assert.equal(screen.getByRole('link', { name: 'Customers' }).getAttribute('aria-current'), null);
});

test('an entry is current for every address under its own, but not for one that only begins alike', () => {
  openPage({ path: '/customers/customer/7', navigation });
  assert.equal(screen.getByRole('link', { name: 'Customers' }).getAttribute('aria-current'), 'true');
  cleanup();
  openPage({ path: '/customersearch', navigation });
  assert.equal(screen.getByRole('link', { name: 'Customers' }).getAttribute('aria-current'), null);
});

test('of entries whose addresses differ in the query the one of the page is current, else the one that is above it', () => {
  const main = [
    { id: 'services', text: 'Services', to: '/customers/7?tab=services' },
    { id: 'users', text: 'Users', to: '/customers/7?tab=users', under: '/customers' },
  ];
  for (const [tab, services, users] of [
    ['services', 'page', null],
    ['users', null, 'page'],
    ['activity', null, 'true'],
    [undefined, null, 'true'],
  ] as const) {
    openPage({ path: '/customers/7', route: tab ? { tab } : {}, navigation: { ...navigation, main } });
    assert.equal(screen.getByRole('link', { name: 'Services' }).getAttribute('aria-current'), services, tab);
    assert.equal(screen.getByRole('link', { name: 'Users' }).getAttribute('aria-current'), users, tab);
    cleanup();
  }
});

test('a dropdown is current while one of its entries is', () => {
  openPage({ path: '/support/tickets', navigation });
  assert.equal(screen.getByRole('button', { name: 'Support' }).getAttribute('aria-current'), 'true');
});

test('entries that the header has no room for stand in a menu at its end, as they are', async t => {
  t.mock.getter(HTMLElement.prototype, 'offsetWidth', () => 100);
  t.mock.getter(Element.prototype, 'clientWidth', () => 250);
  const { user, visited } = openPage({ path: '/support/tickets', navigation });
  const menu = within(screen.getByRole('navigation', { name: 'Main' }));
  assert.deepEqual(
    [...menu.queryAllByRole('link'), ...menu.getAllByRole('button')].map(({ textContent }) => textContent),
    ['Dashboard', 'More'],
  );
  const more = menu.getByRole('button', { name: 'More' });
  assert.equal(more.getAttribute('aria-current'), 'true', 'the page is below one of its entries');
  await user.click(more);
  assert.deepEqual(
    (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent),
    ['Customers', 'Tickets'],
  );
  assert.ok(screen.getByRole('group', { name: 'Support' }));
  await user.click(screen.getByRole('menuitem', { name: 'Customers' }));
  assert.deepEqual(visited, ['/customers']);
});

test('what is not in the navigation is not in the header', () => {
  openPage({ navigation: { productName: 'Fernhill Cloud', label: 'Main' } });
  assert.equal(screen.queryByRole('navigation', { name: 'Main' }), null);
  assert.deepEqual(screen.queryAllByRole('button'), []);
});

test('the New menu goes to what it names', async () => {
  const { user, visited } = openPage({
    navigation: { ...navigation, new: { text: 'New', items: [{ id: 'n', text: 'Customer', to: '/customers/add' }] } },
  });
  await user.click(screen.getByRole('button', { name: 'New' }));
  await user.click(screen.getByRole('menuitem', { name: 'Customer' }));
  assert.deepEqual(visited, ['/customers/add']);
});

test('the account menu says who is signed in', async () => {
  const account = {
    text: 'My account',
    items: [{ id: 'out', text: 'Sign out', divider: true, on: { press: [{ do: 'sign-out' as const }] } }],
  };
  const { user, visited } = openPage({ navigation: { ...navigation, account } });
  await user.click(screen.getByRole('button', { name: 'My account, Priya Raman' }));
  const menu = screen.getByRole('menu');
  assert.ok(within(menu).getByText('priya@fernhill.test'));
  await user.click(within(menu).getByRole('menuitem', { name: 'Sign out' }));
  assert.deepEqual(visited, ['signed out']);
});

test('a call from a menu names the entry, and its failure is told as a toast', async () => {
  const account = {
    text: 'My account',
    items: [{ id: 'ping', text: 'Ping', on: { press: [{ do: 'call' as const, operation: 'ping' }] } }],
  };
  const answers = [{ status: 502, envelope: { Succeed: false, Error: 'The cloud did not answer.' } }];
  const { user, sent } = openPage({ navigation: { ...navigation, account }, answers });
  await user.click(screen.getByRole('button', { name: 'My account, Priya Raman' }));
  await user.click(screen.getByRole('menuitem', { name: 'Ping' }));
  assert.ok(await screen.findByText('The cloud did not answer.'));
  assert.equal(sent[0]?.node, 'ping');
  assert.equal(sent[0]?.layout, 'navigation');
});

test('the theme chosen in the account menu is on the page and kept for the next visit', async () => {
  const { user } = openPage({ navigation: { ...navigation, account: { text: 'My account', items: [] } } });
  const root = document.documentElement;
  await user.click(screen.getByRole('button', { name: 'My account, Priya Raman' }));
  assert.equal(screen.getByRole('menuitemradio', { name: 'As the device' }).getAttribute('aria-checked'), 'true');
  assert.equal(
    screen.getByRole('menuitemradio', { name: 'Dark' }).closest('[role=group]')?.getAttribute('aria-label'),
    'Theme',
  );
  await user.click(screen.getByRole('menuitemradio', { name: 'Dark' }));
  assert.equal(root.getAttribute('data-theme'), 'dark');
  assert.equal(localStorage.getItem('theme'), 'dark');
  await user.click(screen.getByRole('button', { name: 'My account, Priya Raman' }));
  assert.equal(screen.getByRole('menuitemradio', { name: 'Dark' }).getAttribute('aria-checked'), 'true');
  await user.click(screen.getByRole('menuitemradio', { name: 'As the device' }));
  assert.equal(root.getAttribute('data-theme'), null);
  assert.equal(localStorage.getItem('theme'), null);
});

test('the small-screen menu lists the same entries and closes when one is followed', async () => {
  const { user, visited } = openPage({ path: '/support/tickets', navigation });
  await user.click(screen.getByRole('button', { name: 'Menu' }));
  const drawer = await screen.findByRole('dialog', { name: 'Main' });
  assert.equal(within(drawer).getByRole('link', { name: 'Tickets' }).getAttribute('aria-current'), 'page');
  await user.click(within(drawer).getByRole('link', { name: 'Customers' }));
  assert.deepEqual(visited, ['/customers']);
  assert.equal(screen.queryByRole('dialog'), null);
});

test('the footer has its links and the copyright', () => {
  openPage({
    navigation: {
      ...navigation,
      copyright: '© Fernhill',
      footer: [
        { id: 'privacy', text: 'Privacy', to: '/privacy' },
        { id: 'tax', text: 'Tax strategy', external: 'https://fernhill.test/tax' },
      ],
    },
  });
  const footer = screen.getByRole('contentinfo');
  assert.equal(within(footer).getByRole('link', { name: 'Privacy' }).getAttribute('href'), '/privacy');
  assert.equal(
    within(footer).getByRole('link', { name: 'Tax strategy (opens in a new tab)' }).getAttribute('target'),
    '_blank',
  );
  assert.ok(within(footer).getByText('© Fernhill'));
});
