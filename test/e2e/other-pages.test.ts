import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { type InspectedPage, inspect, inspectPages } from '../fixtures/inspect.ts';

const contoso = '/customers/customer/10001';
const details = '/customers/user-details?organisation=10001&user=20003';

const portal = withBrowserPortal();

const places: Readonly<Record<string, readonly InspectedPage[]>> = {
  'unsigned@millbrook.test': [
    {
      name: 'unsigned-agreement',
      path: '/account-setting/terms-conditions/4/false/false',
      ready: 'sign-this',
    },
    { name: 'sign-agreements', path: '/account-setting/service-agreements/sign?agreements=2', ready: 'signature' },
  ],
  'engineer@northwind.test': [
    { name: 'engineer-customers', path: '/customers', ready: 'customers-table' },
    { name: 'engineer-customer', path: contoso, ready: 'latest-activity' },
    { name: 'engineer-user-details', path: details, ready: 'user-facts' },
    { name: 'engineer-callback', path: '/support/callback', ready: 'callback-form' },
    { name: 'access-denied', path: '/customers/add', ready: 'go-home' },
  ],
  'admin@contoso.test': [
    { name: 'administrator-users', path: `${contoso}?tab=users`, ready: 'users-table' },
    { name: 'administrator-services', path: `${contoso}?tab=services`, ready: 'services-table' },
    { name: 'administrator-user-details', path: details, ready: 'user-facts' },
  ],
  'user@contoso.test': [
    { name: 'end-user', path: '/end-user', ready: 'my-services' },
    { name: 'end-user-activity', path: '/end-user/activity', ready: 'my-activity' },
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
  test(`the pages of ${username} are accessible and fit, light and dark, wide and on a phone`, t =>
    inspectPages(t, portal, username, list));
}

for (const [name, path, ready] of [
  ['login', '/login', 'username'],
  ['nothing-to-link', '/link-account', 'nothing-to-link'],
  ['sign-on-failed', '/login?signOn=failed', 'sso-again'],
  ['signup', '/signup', 'back-to-sign-in'],
  ['policy', '/policies/privacy', 'policy'],
  ['archive-access', '/verify-email-archive-access/search/nonsense', 'not-verified'],
  ['reset-password', '/reset-password', 'user-name'],
  ['new-password', '/change-password/endUser/user%40contoso.test/a-key', 'strength'],
  ['jump', '/jump?cmtoken=none&adminid=1', 'jump'],
  ['jump-incomplete', '/jump?adminid=1', 'jump-incomplete'],
] as const) {
  test(`the page ${name} is accessible and fits, light and dark, wide and on a phone`, async t => {
    const page = await newPage(t, portal.browser);
    await page.goto(portal.url + path);
    await page.getByTestId(ready).waitFor();
    await inspect(page, name);
  });
}

test('the page sign-in is accessible and fits, light and dark, wide and on a phone', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill('reseller@northwind.test');
  await page.keyboard.press('Enter');
  await page.getByTestId('password').waitFor();
  await inspect(page, 'sign-in');
});

test('the page switch-mailbox-confirmation is accessible and fits, light and dark, wide and on a phone', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('username').fill('switcher@contoso.test');
  await page.getByTestId('username').press('Enter');
  await page.getByTestId('password').fill(seedPassword);
  await page.getByTestId('password').press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL('**/customers/customer/10001');
  await page.goto(`${portal.url}/switch-mailbox-confirmation`);
  await page.getByTestId('switch-confirmation').waitFor();
  await inspect(page, 'switch-confirmation');
});
