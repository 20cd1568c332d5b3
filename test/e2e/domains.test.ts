import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const domains = '/customers/customer/10001/domains';

test('a domain of any alphabet is added and deleted, also on a phone; one that is in use stays', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', domains, phone);
  await page.getByTestId('add-domain').tap();
  const name = page.getByRole('textbox', { name: 'Domain' });
  await name.fill('not a domain');
  await Promise.all([axe(page), hasTestIds(page)]);
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).tap();
  await page.getByText('Must be a domain, for example contoso.com').waitFor();
  await name.fill('Büro.test');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).tap();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('xn--bro-hoa.test').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);

  await page.getByRole('button', { name: 'Actions for büro.test' }).tap();
  await page.getByTestId('row-delete-domain').tap();
  await page.getByRole('button', { name: 'Delete domain' }).tap();
  await page.getByText('büro.test was deleted.').waitFor();

  await page.getByRole('button', { name: 'Actions for contoso-events.test' }).tap();
  await page.getByTestId('row-delete-domain').tap();
  await page.getByRole('button', { name: 'Delete domain' }).tap();
  await page.getByText(/Addresses of this domain are in use: 1\. The first is una@contoso-events\.test\./).waitFor();
});
