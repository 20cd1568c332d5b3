import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { axe, hasTestIds, hidesNoFocus, newPage, takePicture } from '../fixtures/browser.ts';
import { openTheatre, type Theatre } from '../fixtures/theatre.ts';
import { visit } from '../fixtures/visit.ts';

const reseller = 'reseller@northwind.test';
const engineer = 'engineer@northwind.test';
const administrator = 'admin@contoso.test';
const endUser = 'user@contoso.test';
const contoso = '/customers/customer/10001';
const details = '/customers/user-details?organisation=10001&user=20003';
let theatre: Theatre;

before(async () => {
  theatre = await openTheatre();
});
after(() => theatre.close());

/** What is wider than the page, if anything is, or a chosen tab that is not whole. */
function tooWide(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const tab = document.querySelector('[role=tab][aria-selected=true]');
    if (tab && tab.getBoundingClientRect().right > clientWidth) return `tab ${tab.textContent}`;
    if (scrollWidth <= clientWidth) return '';
    const wide = [...document.querySelectorAll('body *')].filter(
      element => element.getBoundingClientRect().right > clientWidth + 1,
    );
    return `${scrollWidth} > ${clientWidth}: ${wide.slice(0, 3).map(element => element.outerHTML.slice(0, 120))}`;
  });
}

const widths = [1440, 1024, 390];

/**
 * axe and no sideways scrolling, wide and on a phone, in both themes: the dark one differs in its colours alone. With
 * SCREENSHOTS=1 pictures of it all are left in `test/results/screens`.
 */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of widths) {
      await page.setViewportSize({ width, height: width > 1000 ? 900 : 844 });
      assert.equal(await tooWide(page), '', `${name} at ${width}`);
      if (width !== 1024) await axe(page, colorScheme === 'dark' ? ['color-contrast'] : undefined);
      if (width !== 1024 && colorScheme === 'light') {
        await hasTestIds(page);
        await hidesNoFocus(page);
      }
      if (process.env.SCREENSHOTS === '1') await takePicture(page, `${name}-${width}-${colorScheme}`);
    }
  }
}

type Place = { readonly name: string; readonly path: string; readonly ready: string };

const places: Readonly<Record<string, readonly Place[]>> = {
  [reseller]: [
    { name: 'dashboard', path: '/dashboard', ready: 'months-chart-plot' },
    { name: 'customers', path: '/customers', ready: 'customers-table' },
    { name: 'customers-failed', path: '/customers?status=Failed', ready: 'customers-table' },
    { name: 'customers-none', path: '/customers?search=nobodyhere', ready: 'customers-table' },
    { name: 'add-customer', path: '/customers/add', ready: 'add-customer-form' },
    { name: 'customer', path: contoso, ready: 'users-table' },
    { name: 'customer-services', path: `${contoso}?tab=services`, ready: 'services-table' },
    { name: 'customer-activity', path: `${contoso}?tab=activity`, ready: 'activity-table' },
    {
      name: 'customer-usage',
      path: `${contoso}?tab=usage&by=resource&days=28&shown=yes`,
      ready: 'usage-chart-plot',
    },
    { name: 'user-details', path: details, ready: 'user-facts' },
    { name: 'configure-quick-links', path: '/configure-quick-links', ready: 'quick-links-form' },
    { name: 'callback', path: '/support/callback', ready: 'callback-form' },
    { name: 'profile', path: '/account-setting/profile', ready: 'profile-facts' },
    { name: 'profile-security', path: '/account-setting/profile?tab=security', ready: 'set-up-mfa' },
    { name: 'profile-sessions', path: '/account-setting/profile?tab=sessions', ready: 'sessions-table' },
    { name: 'profile-log', path: '/account-setting/profile?tab=log', ready: 'log-table' },
    { name: 'services', path: '/services', ready: 'my-services-table' },
    { name: 'service-customers', path: '/services/1/1', ready: 'holders-table' },
    { name: 'add-to-many', path: '/services/9/1/add-to-many', ready: 'bulk-customers' },
    { name: 'marketplace', path: '/marketplace', ready: 'products' },
    { name: 'marketplace-product', path: '/marketplace/8/1', ready: 'product-add' },
    { name: 'add-service', path: `${contoso}/add-service/share-point`, ready: 'order-details' },
    { name: 'delete-service', path: `${contoso}/delete-service`, ready: 'all-services' },
    { name: 'nce-question', path: `${contoso}/nce-question?serviceRouteName=power-bi`, ready: 'nce-no-classic' },
    { name: 'service-agreements', path: '/account-setting/service-agreements', ready: 'agreements-table' },
    { name: 'agreement', path: '/account-setting/terms-conditions/2/false/false', ready: 'agreement-signed' },
    { name: 'psa-overview', path: '/billing/psa/overview', ready: 'psa-customers-counts' },
    { name: 'psa-customers', path: '/billing/psa/match', ready: 'psa-customers-accept-all' },
    { name: 'psa-services', path: '/billing/psa/match?tab=services', ready: 'psa-services-accept-all' },
    { name: 'psa-movement', path: '/billing/psa/report', ready: 'psa-movement' },
    { name: 'psa-reconciliation', path: '/billing/psa/report?tab=reconciliation', ready: 'psa-reconciliation' },
    { name: 'not-found', path: '/nothing', ready: 'go-home' },
  ],
  'unsigned@millbrook.test': [
    {
      name: 'unsigned-agreement',
      path: '/account-setting/terms-conditions/4/false/false',
      ready: 'signature',
    },
  ],
  [engineer]: [
    { name: 'engineer-customers', path: '/customers', ready: 'customers-table' },
    { name: 'engineer-customer', path: contoso, ready: 'users-table' },
    { name: 'engineer-user-details', path: details, ready: 'user-facts' },
    { name: 'engineer-callback', path: '/support/callback', ready: 'callback-form' },
    { name: 'access-denied', path: '/customers/add', ready: 'go-home' },
  ],
  [administrator]: [
    { name: 'administrator-users', path: contoso, ready: 'users-table' },
    { name: 'administrator-services', path: `${contoso}?tab=services`, ready: 'services-table' },
    { name: 'administrator-user-details', path: details, ready: 'user-facts' },
  ],
  [endUser]: [
    { name: 'end-user', path: '/end-user', ready: 'my-services' },
    { name: 'opt-out', path: '/opt-out', ready: 'opt-outs-form' },
    { name: 'redirect', path: '/redirect?redirectUrl=https%3A%2F%2Fevil.test', ready: 'redirect-refused' },
    { name: 'end-user-details', path: '/customers/user-details', ready: 'user-details-form' },
  ],
  'mustsign@northwind.test': [
    { name: 'must-sign', path: '/account-setting/terms-conditions/0/true/true', ready: 'sign-agreement-form' },
  ],
  'noaccess@northwind.test': [{ name: 'no-access', path: '/no-access-resources', ready: 'back-to-sign-in' }],
  'empty@eastmoor.test': [
    { name: 'empty-dashboard', path: '/dashboard', ready: 'dashboard-figures' },
    { name: 'empty-customers', path: '/customers', ready: 'customers-table' },
  ],
};

for (const [username, list] of Object.entries(places)) {
  for (const { name, path, ready } of list) {
    test(`the page ${name} is accessible and fits, light and dark, wide and on a phone`, async t => {
      const page = await visit(t, theatre, username, path);
      await page.getByTestId(ready).waitFor();
      await inspect(page, name);
    });
  }
}

for (const [name, path, ready] of [
  ['login', '/login', 'username'],
  ['nothing-to-link', '/link-account', 'nothing-to-link'],
  ['sign-on-failed', '/login?signOn=failed', 'sso-again'],
  ['signup', '/signup', 'back-to-sign-in'],
  ['sign-in', '/sign-in?username=reseller%40northwind.test', 'password'],
  ['policy', '/policies/privacy', 'policy'],
  ['archive-access', '/verify-email-archive-access/search/nonsense', 'not-verified'],
  ['reset-password', '/reset-password', 'user-name'],
  ['new-password', '/change-password/endUser/user%40contoso.test/a-key', 'strength'],
  ['jump', '/jump?cmtoken=none&adminid=1', 'jump'],
  ['jump-incomplete', '/jump?adminid=1', 'jump-incomplete'],
] as const) {
  test(`the page ${name} is accessible and fits, light and dark, wide and on a phone`, async t => {
    const page = await newPage(t, theatre.browser);
    await page.goto(theatre.url + path);
    await page.getByTestId(ready).waitFor();
    await inspect(page, name);
  });
}

test('the page link-account is accessible and fits, light and dark, wide and on a phone', async t => {
  const page = await newPage(t, theatre.browser);
  await page.goto(`${theatre.url}/handle-ext-auth`);
  await page.getByLabel('Email address').fill('link@northwind.test');
  await page.getByLabel('Password').fill(seedPassword);
  await page.keyboard.press('Enter');
  await page.getByTestId('link-account-form').waitFor();
  await inspect(page, 'link-account');
});

type Popup = {
  readonly name: string;
  readonly username: string;
  readonly path: string;
  readonly press: readonly string[];
  readonly ready: string;
};

const menu = 'customer-more';
const security = '/account-setting/profile?tab=security';
const popups: readonly Popup[] = [
  {
    name: 'change-password',
    username: reseller,
    path: contoso,
    press: ['menu-account', 'change-password'],
    ready: 'strength',
  },
  { name: 'rename', username: reseller, path: contoso, press: ['rename-customer'], ready: 'new-name' },
  { name: 'contact', username: reseller, path: contoso, press: [menu, 'edit-contact'], ready: 'edit-contact-form' },
  {
    name: 'preferences',
    username: reseller,
    path: contoso,
    press: [menu, 'customer-alerts'],
    ready: 'contact-details-form',
  },
  {
    name: 'forwarding',
    username: reseller,
    path: contoso,
    press: [menu, 'mail-forwarding'],
    ready: 'mail-forwarding-form',
  },
  {
    name: 'close-note',
    username: reseller,
    path: contoso,
    press: [menu, 'close-note'],
    ready: 'close-account-note-form',
  },
  { name: 'set-up-mfa', username: reseller, path: security, press: ['set-up-mfa'], ready: 'confirm-password-form' },
  { name: 'more-information', username: reseller, path: security, press: ['mfa-more'], ready: 'close-more' },
  { name: 'select-service', username: reseller, path: contoso, press: ['add-product'], ready: 'product-1-1' },
  {
    name: 'list-customer',
    username: reseller,
    path: '/marketplace/1/1',
    press: ['product-add', 'customer'],
    ready: 'continue-to-add',
  },
  { name: 'add-user', username: reseller, path: contoso, press: ['add-user'], ready: 'add-user-form' },
  { name: 'delete-user', username: reseller, path: details, press: ['user-more', 'delete-user'], ready: 'user-facts' },
  {
    name: 'photo',
    username: reseller,
    path: details,
    press: ['user-more', 'remove-photo'],
    ready: 'remove-address-book-photo-form',
  },
  {
    name: 'administrator-add-user',
    username: administrator,
    path: contoso,
    press: ['add-user'],
    ready: 'add-user-form',
  },
  { name: 'privacy', username: administrator, path: contoso, press: ['footer-privacy'], ready: 'policy' },
];

for (const { name, username, path, press, ready } of popups) {
  test(`the popup ${name} is accessible and fits, light and dark, wide and on a phone`, async t => {
    const page = await visit(t, theatre, username, path);
    for (const testId of press) await page.getByTestId(testId).click();
    await page.getByTestId(ready).waitFor();
    await page.locator('dialog[open]').waitFor();
    await inspect(page, `popup-${name}`);
  });
}

test('errors of a form are accessible', async t => {
  const page = await visit(t, theatre, reseller, '/customers/add');
  await page.getByTestId('customer-name').fill('🚀');
  await page.getByTestId('add-customer-form').getByRole('button', { name: 'Add customer' }).click();
  await page.getByText('The customer name has invalid characters.').waitFor();
  await inspect(page, 'add-customer-errors');
});

/** Presses Tab until the element with the focus has this text. */
async function tabTo(page: Page, text: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focus = page.locator(':focus');
    const told = `${(await focus.getAttribute('aria-label')) ?? ''} ${await focus.textContent()}`;
    if (typeof text === 'string' ? told.includes(text) : text.test(told)) return;
  }
  assert.fail(`Tab never reached ${text}`);
}

test('a customer is found and its rename popup opened and left without a mouse', async t => {
  const page = await visit(t, theatre, reseller, '/customers');
  await page.getByTestId('customers-table').getByRole('rowheader').first().waitFor();
  await page.keyboard.press('Tab');
  assert.match((await page.locator(':focus').textContent()) as string, /Skip to content/);
  await page.keyboard.press('Enter');
  await page.keyboard.press('/');
  await page.keyboard.type('quayside');
  await page.waitForURL('**/customers?search=quayside');
  await page.getByRole('link', { name: 'Quayside Marine' }).waitFor();
  await tabTo(page, 'Quayside Marine');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Quayside Marine' }).waitFor();
  await tabTo(page, /Rename/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Rename Quayside Marine' }).waitFor();
  assert.equal(await page.locator(':focus').getAttribute('data-testid'), 'new-name');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.locator(':focus').getAttribute('data-testid'), 'rename-customer');
});

test('at 200 % nothing scrolls sideways', async t => {
  const page = await visit(t, theatre, reseller, '/customers', { viewport: { width: 720, height: 450 } });
  for (const path of ['/customers', contoso, details, '/customers/add', '/dashboard', '/support/callback']) {
    await page.goto(theatre.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await tooWide(page), '', path);
  }
});

test('who asked for less motion gets none', async t => {
  const page = await visit(t, theatre, reseller, contoso, { reducedMotion: 'reduce' });
  await page.getByTestId('rename-customer').click();
  await page.getByTestId('new-name').waitFor();
  const moving = await page.evaluate(
    () =>
      document.getAnimations().filter(animation => Number(animation.effect?.getComputedTiming().activeDuration) > 10)
        .length,
  );
  assert.equal(moving, 0);
});
