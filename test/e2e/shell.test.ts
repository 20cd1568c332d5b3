import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, newPage, type PageOptions } from '../fixtures/browser.ts';
import { eventually } from '../fixtures/eventually.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { accounts, signInAs, signInContext } from '../fixtures/sign-in.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

type Role = keyof typeof accounts;

// What the bell counts must not change while it is counted.
const portal = withPortalBefore(withSandbox());

async function open(t: TestContext, role: Role, address?: string, options?: PageOptions): Promise<Page> {
  const page = await newPage(t, portal.browser, options);
  if (address) {
    await signInContext(page.context(), portal.url, accounts[role]);
    await page.goto(portal.url + address);
  } else await signInAs(page, portal.url, accounts[role]);
  await page.locator('h1').waitFor();
  return page;
}

const pathOf = (page: Page): string => new URL(page.url()).pathname;
const testIds = (page: Page, within: string): Promise<(string | null)[]> =>
  page
    .locator(`${within} [data-testid]`)
    .filter({ visible: true })
    .evaluateAll(found => found.map(one => one.getAttribute('data-testid')));
const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(() => document.activeElement?.getAttribute('data-testid') ?? document.activeElement?.textContent);
const isFocusOnHeading = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.activeElement?.tagName === 'H1');

const landings = {
  reseller: '/dashboard',
  engineer: '/customers',
  endUserAdmin: '/customers/customer/10001',
  endUser: '/end-user',
  withoutAccess: '/no-access-resources',
  withoutRecord: '/permission-error',
} satisfies Partial<Record<Role, string>>;
const mainEntries = {
  reseller: ['nav-dashboard', 'nav-customers', 'nav-provision', 'nav-billing', 'nav-support'],
  engineer: ['nav-customers', 'nav-provision', 'nav-support'],
  endUserAdmin: ['nav-services', 'nav-users', 'nav-provision'],
  endUser: ['nav-end-user'],
  withoutAccess: [],
  withoutRecord: [],
};
const newEntries = {
  reseller: ['new-product', 'bulk-new', 'new-customer', 'new-ticket', 'new-callback'],
  engineer: ['new-ticket', 'new-callback'],
  endUserAdmin: [],
  endUser: [],
  withoutAccess: [],
  withoutRecord: [],
};

for (const role of Object.keys(landings) as (keyof typeof landings)[]) {
  test(`${role}: lands on ${landings[role]}, with exactly its own entries of navigation and New menu`, async t => {
    const page = await open(t, role);
    assert.equal(pathOf(page), landings[role]);
    assert.deepEqual(await testIds(page, 'header nav'), mainEntries[role]);
    const menu = page.getByTestId('menu-new');
    assert.equal(await menu.count(), newEntries[role].length > 0 ? 1 : 0);
    if (await menu.count()) {
      await menu.click();
      await page.getByRole('menuitem').first().waitFor();
      assert.deepEqual(await testIds(page, '[role=menu]'), newEntries[role]);
      await page.keyboard.press('Escape');
    }
    const logo = await page.getByTestId('logo').getAttribute('href');
    assert.equal(logo, landings[role] === '/permission-error' ? '/no-access-resources' : landings[role]);
  });
}

test('the account menu is walked with the arrows, Home and End, and Escape gives the focus back', async t => {
  const page = await open(t, 'reseller');
  const button = page.getByTestId('menu-account');
  await button.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('menu').waitFor();
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  assert.equal(await focused(page), 'my-profile');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(page), 'first-steps');
  await page.keyboard.press('End');
  assert.equal(await focused(page), 'sign-out');
  await page.keyboard.press('ArrowDown');
  assert.equal(await focused(page), 'my-profile');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(page), 'sign-out');
  await page.keyboard.press('Home');
  assert.equal(await focused(page), 'my-profile');
  await page.keyboard.press('s');
  assert.equal(await focused(page), 'sign-out');
  await page.keyboard.press('Escape');
  assert.equal(await page.getByRole('menu').count(), 0);
  assert.equal(await focused(page), 'menu-account');
  await page.keyboard.press('ArrowUp');
  assert.equal(await focused(page), 'sign-out');
  await page.keyboard.press('Escape');
});

test('a chosen theme is there at once and after a reload', async t => {
  const page = await open(t, 'reseller');
  const theme = () => page.evaluate(() => document.documentElement.getAttribute('data-theme'));
  assert.equal(await theme(), null);
  await page.getByTestId('menu-account').click();
  await page.getByTestId('theme-dark').click();
  assert.equal(await theme(), 'dark');
  await page.reload();
  await page.locator('h1').waitFor();
  assert.equal(await theme(), 'dark');
  await page.getByTestId('menu-account').click();
  assert.equal(await page.getByTestId('theme-dark').getAttribute('aria-checked'), 'true');
  await page.getByTestId('theme-system').click();
  assert.equal(await theme(), null);
});

const crumbsOf = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumb' });

test('breadcrumbs lead from the dashboard to the page, which stands as plain text', async t => {
  const page = await open(t, 'reseller');
  assert.equal(await crumbsOf(page).count(), 0);
  await page.goto(`${portal.url}/customers/customer/10001`);
  await page.getByRole('heading', { level: 1, name: 'Contoso' }).waitFor();
  const crumbs = crumbsOf(page).getByRole('listitem');
  assert.deepEqual(await crumbs.allInnerTexts(), ['Dashboard', 'Customers', 'Contoso']);
  assert.equal(await crumbs.last().getByRole('link').count(), 0);
  assert.equal(await crumbs.last().locator('[aria-current=page]').count(), 1);
  await crumbs.nth(1).getByRole('link').click();
  await page.waitForURL('**/customers');
  await crumbsOf(page).getByRole('link', { name: 'Dashboard' }).click();
  await page.waitForURL('**/dashboard');
});

test('an engineer without a dashboard still has breadcrumbs where there is more than one', async t => {
  const page = await open(t, 'engineer');
  assert.equal(await crumbsOf(page).count(), 0);
  await page.goto(`${portal.url}/customers/customer/10001`);
  await page.getByRole('heading', { level: 1, name: 'Contoso' }).waitFor();
  assert.deepEqual(await crumbsOf(page).getByRole('listitem').allInnerTexts(), ['Home', 'Contoso']);
});

for (const [role, address] of [
  ['endUserAdmin', '/customers/customer/10001'],
  ['endUser', '/customers/user-details'],
] as const) {
  test(`${role}: has no breadcrumbs`, async t => {
    const page = await open(t, role, address);
    assert.equal(await crumbsOf(page).count(), 0);
  });
}

test('the first Tab offers to skip to the content', async t => {
  const page = await open(t, 'reseller');
  await page.keyboard.press('Tab');
  assert.equal(await page.locator(':focus').innerText(), 'Skip to content');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.id === 'main');
});

test('a new screen takes the focus to its heading and names the page', async t => {
  const page = await open(t, 'reseller');
  assert.equal(await page.title(), 'Welcome, Priya Raman · Fernhill Cloud');
  await page.getByTestId('nav-customers').click();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  await isFocusOnHeading(page);
  assert.equal(await page.title(), 'Customers · Fernhill Cloud');
  assert.equal(await page.getByTestId('nav-customers').getAttribute('aria-current'), 'page');
  await page.getByTestId('customers-table').getByRole('link', { name: 'Contoso', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Contoso' }).waitFor();
  await isFocusOnHeading(page);
  await page.waitForFunction(() => document.title === 'Contoso · Fernhill Cloud');
  assert.equal(await page.getByTestId('nav-customers').getAttribute('aria-current'), 'true');
});

test('Back and Forward show the lists as they were left', async t => {
  const page = await open(t, 'reseller', '/customers');
  await page.getByRole('tab', { name: /^Failed/ }).click();
  await page.waitForURL('**/customers?status=Failed');
  const rows = page.getByTestId('customers-table').locator('tbody tr');
  const first = rows.first().getByRole('link').first();
  await page.waitForFunction(
    () => !document.querySelector('[data-testid=customers-table] [aria-busy=true], [aria-busy=true]'),
  );
  const name = await first.innerText();
  await first.click();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  assert.equal(await page.getByRole('tab', { name: /^Failed/ }).getAttribute('aria-selected'), 'true');
  assert.equal(await first.innerText(), name);
  await page.goBack();
  await page.waitForURL('**/customers');
  assert.equal(await page.getByRole('tab', { name: /^All/ }).getAttribute('aria-selected'), 'true');
  await page.goForward();
  await page.goForward();
  await page.getByRole('heading', { level: 1, name }).waitFor();
});

test('Escape closes a popup and gives the focus back, and leaving the page closes it too', async t => {
  const page = await open(t, 'reseller', '/customers/customer/10001');
  const popup = page.getByTestId('popup-rename-customer');
  await page.getByTestId('rename-customer').click();
  await popup.waitFor();
  assert.equal(await focused(page), 'new-name');
  assert.equal(await page.evaluate(() => getComputedStyle(document.documentElement).overflowY), 'hidden');
  await page.keyboard.press('Escape');
  await popup.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'rename-customer');

  await page.goto(`${portal.url}/customers`);
  await page.getByTestId('customers-table').getByRole('link', { name: 'Contoso', exact: true }).click();
  await page.getByTestId('rename-customer').click();
  await popup.waitFor();
  await page.goBack();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  assert.equal(await popup.count(), 0);
});

test('on a phone the navigation is a drawer that closes when one has chosen', async t => {
  const page = await open(t, 'reseller', undefined, { viewport: { width: 390, height: 844 } });
  assert.equal(await page.getByTestId('nav-customers').isVisible(), false);
  await page.getByTestId('open-drawer').click();
  const drawer = page.getByRole('dialog', { name: 'Main' });
  await drawer.waitFor();
  const entries = [
    ...['dashboard', 'customers', 'marketplace', 'marketplace-modernWorkplace', 'marketplace-cloudInfrastructure'],
    ...['marketplace-security', 'marketplace-backupContinuity', 'cloud-services', 'orders', 'agreements'],
    ...['billing-overview', 'invoices', 'account-totals', 'pricing', 'payment-options', 'credit'],
    ...['psa-overview', 'psa-match', 'psa-report', 'support-overview', 'tickets', 'network-status', 'community'],
    ...['knowledge-base', 'academy', 'support-callback'],
  ];
  assert.deepEqual(await testIds(page, 'dialog'), [
    'close-drawer',
    ...entries.map(name => `drawer-nav-${name}`),
    ...['drawer-comms', 'drawer-hardware'],
  ]);
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  assert.equal(await focused(page), 'open-drawer');
  await page.getByTestId('open-drawer').click();
  await page.getByTestId('drawer-nav-customers').click();
  await page.waitForURL('**/customers');
  await drawer.waitFor({ state: 'detached' });
  await isFocusOnHeading(page);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok((await overflow()) <= 0, 'the page is wider than the phone');
});

test('the bell counts what is new, shows three first, and reading lowers the count', async t => {
  const page = await open(t, 'reseller', '/customers');
  const bell = page.getByTestId('bell');
  const badge = page.locator('.bell__count');
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  const notes = panel.getByRole('listitem');
  await badge.waitFor();
  assert.equal(await badge.innerText(), '7');
  assert.equal(await bell.getAttribute('aria-label'), 'Notifications, 7 new');
  await bell.click();
  await notes.first().waitFor();
  assert.equal(await notes.count(), 3);
  const { width, height } = (await panel.boundingBox()) ?? { width: 0, height: 0 };
  assert.equal(width, 472);
  assert.ok(height <= 336);
  await panel.getByRole('button', { name: 'Show more' }).click();
  await eventually(async () => (await notes.count()) === 7);

  const first = await notes.first().innerText();
  await notes.first().getByRole('button', { name: 'Mark as read' }).click();
  await page.waitForFunction(() => document.querySelector('.bell__count')?.textContent === '6');
  await page.waitForFunction(() => document.querySelectorAll('.notes > li').length === 6);
  assert.ok(!(await notes.allInnerTexts()).includes(first));

  await panel.getByRole('button', { name: 'Read', exact: true }).click();
  await notes
    .filter({ hasText: first.split('\n')[0] as string })
    .first()
    .waitFor();
  assert.equal(await notes.getByRole('button', { name: 'Mark as read' }).count(), 0);
  await panel.getByRole('button', { name: /^New/ }).click();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await badge.waitFor({ state: 'detached' });
  await panel.getByText('Nothing here. You are up to date.').waitFor();
  await page.keyboard.press('Escape');
  assert.equal(await panel.count(), 0);
  assert.equal(await focused(page), 'bell');
  await page.reload();
  await page.getByRole('button', { name: 'Notifications, 0 new' }).waitFor();
});

test('the bell shows all beside the new and the read ones, each with its kind as symbol and word, by keyboard', async t => {
  const page = await open(t, 'engineer', '/customers');
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  const notes = panel.getByRole('listitem');
  const listed = async (name: string, count: number) => {
    await panel.getByRole('button', { name }).and(panel.locator('[aria-pressed="true"]')).waitFor();
    await panel.getByRole('button', { name: 'Show more' }).click();
    await page.waitForFunction(most => document.querySelectorAll('.notes > li').length === most, count);
    return notes.allInnerTexts();
  };
  await page.getByTestId('bell').focus();
  await page.keyboard.press('Enter');
  await notes.first().waitFor();
  const kind = /^(Information|Success|Warning|Problem) · /;
  for (const text of await notes.allInnerTexts()) assert.match(text.split('\n').at(-1) ?? '', kind);
  for (const name of ['bell-new', 'bell-read', 'bell-all']) {
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), name);
  }
  await page.keyboard.press('Enter');
  const all = await listed('All', 12);
  assert.equal(all.filter(text => text.includes('New · ')).length, 3);
  assert.equal(await panel.getByRole('button', { name: /^Mark/ }).count(), 0);
  await axe(page);
  await panel.getByTestId('bell-read').click();
  const read = await listed('Read', 9);
  assert.equal(read.filter(text => text.includes('New · ')).length, 0);
  assert.equal(read.length, 9);
  assertEvery(read, text => all.includes(text));
});

test('an unknown address leads to the not-found page, which says so with its status too', async t => {
  const page = await open(t, 'reseller');
  await page.getByTestId('nav-customers').click();
  await page.waitForURL('**/customers');
  const reply = await page.goto(`${portal.url}/no/such/page`);
  assert.equal(pathOf(page), '/not-found');
  assert.equal(reply?.status(), 404);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  assert.equal(await page.title(), 'Page not found · Fernhill Cloud');
  await page.getByTestId('back').click();
  await page.waitForURL('**/customers');
  await page.goto(`${portal.url}/no/such/page`);
  await page.getByTestId('go-home').click();
  await page.waitForURL('**/dashboard');
});

test('a page that the role does not include is denied with its status', async t => {
  const page = await open(t, 'engineer');
  const reply = await page.goto(`${portal.url}/customers/add`);
  assert.equal(pathOf(page), '/access-denied');
  assert.equal(reply?.status(), 403);
  await page.getByRole('heading', { level: 1, name: '403 Access Denied' }).waitFor();
  await page.getByText('Your role doesn’t include this page.').waitFor();
  await page.getByTestId('go-home').click();
  await page.waitForURL(`**${landings.engineer}`);
});

for (const [role, heading, text] of [
  [
    'withoutRecord',
    'Permission error!',
    'You do not have permission to access this page. Please contact your administrator.',
  ],
  ['withoutAccess', 'Nothing to show yet', 'Your account has no area of this portal switched on.'],
] as const) {
  test(`${role}: is told so, and the button back to sign in signs out`, async t => {
    const page = await openListeningPageAs(t, portal, accounts[role], landings[role]);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await page.getByText(text).waitFor();
    await page.getByRole('button', { name: 'Back to Sign in' }).click();
    await page.waitForURL('**/login');
    assert.deepEqual(await page.context().cookies(), []);
  });
}

test('nothing is said of a screen that comes soon; of a slow one after 400 ms, and then for a second', async t => {
  const page = await open(t, 'reseller');
  await page.clock.install();
  let release = (): void => undefined;
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  await page.route('**/ui/screen?*', async route => {
    await held;
    await route.continue();
  });
  await page.clock.pauseAt(Date.now() + 3_600_000);
  const bar = page.locator('.waiting');
  await page.getByTestId('nav-customers').dispatchEvent('click');
  await page.clock.runFor(390);
  assert.equal(await bar.count(), 0);
  await page.clock.runFor(20);
  assert.equal(await bar.count(), 1);
  assert.equal(pathOf(page), '/dashboard');
  release();
  await page.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  await page.clock.runFor(900);
  assert.equal(await bar.count(), 1);
  await page.clock.runFor(200);
  assert.equal(await bar.count(), 0);
});
