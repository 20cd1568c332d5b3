import { test } from 'node:test';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const administrator = 'admin@contoso.test';
const contoso = '/customers/customer/10001';
const details = '/customers/user-details?organisation=10001&user=20003';

const portal = withBrowserPortal();

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
  { name: 'add-user', username: reseller, path: `${contoso}?tab=users`, press: ['add-user'], ready: 'add-user-form' },
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
    path: `${contoso}?tab=users`,
    press: ['add-user'],
    ready: 'add-user-form',
  },
  { name: 'privacy', username: administrator, path: contoso, press: ['footer-privacy'], ready: 'policy' },
];

for (const { name, username, path, press, ready } of popups) {
  test(`the popup ${name} is accessible and fits, light and dark, wide and on a phone`, async t => {
    const page = await openPageAs(t, portal, username, path);
    for (const testId of press) await page.getByTestId(testId).click();
    await page.getByTestId(ready).waitFor();
    await page.locator('dialog[open]').waitFor();
    await inspect(page, `popup-${name}`);
  });
}

test('errors of a form are accessible', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add');
  await page.getByTestId('customer-name').fill('🚀');
  await page.getByTestId('add-customer-form').getByRole('button', { name: 'Add customer' }).click();
  await page.getByText('The customer name has invalid characters.').waitFor();
  await inspect(page, 'add-customer-errors');
});
