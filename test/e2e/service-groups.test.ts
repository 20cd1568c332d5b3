import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();
const services = '/customers/customer/10001?tab=services';

const view = (page: Page, name: string) => page.getByTestId('services-view').getByRole('button', { name });
const table = (page: Page, id: string) => page.getByTestId(`${id}-table`);

test('the services of a customer are seen by group, and a group leads to its services', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', services);
  await view(page, 'By group').press('Enter');
  const group = table(page, 'groups').getByRole('row').filter({ hasText: 'Hosted Exchange' });
  await group.waitFor();
  await table(page, 'groups').getByRole('row').filter({ hasText: 'Total' }).getByText(/£\d/).waitFor();
  await group.getByRole('link').press('Enter');
  await page.waitForURL('**servicesGroup=hostedExchange');
  await table(page, 'services').getByRole('link', { name: 'Hosted Exchange' }).waitFor();
  await eventually(async () => (await table(page, 'services').getByRole('rowheader').count()) === 1);
});

test('a bundle of a customer is seen with its parts, each leads to its service', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', services);
  await view(page, 'Bundles').press('Enter');
  const parts = page.getByRole('table', { name: 'Parts of Secure Workplace' });
  await parts.getByRole('link', { name: 'Hosted Exchange' }).waitFor();
  await page
    .getByText(/^£[\d,.]+ per month, recurring$/)
    .first()
    .waitFor();
  await parts.getByRole('link', { name: 'Hosted Exchange' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Hosted Exchange for Contoso' }).waitFor();
});

test('whoever sees no prices sees groups and bundles without them', async t => {
  const page = await openPageAs(t, portal, 'engineer@northwind.test', `${services}&servicesView=groups`);
  await table(page, 'groups').getByRole('link', { name: 'Hosted Exchange' }).waitFor();
  assert.doesNotMatch(await table(page, 'groups').innerText(), /£|Per month/);
  await view(page, 'Bundles').press('Enter');
  await page.getByRole('heading', { name: 'Secure Workplace' }).waitFor();
  assert.doesNotMatch(await page.locator('main').innerText(), /£|per month/i);
  for (const operation of ['customers.serviceGroups', 'customers.bundles']) {
    const reply = await page.evaluate(
      async name => await (await fetch(`/ui/data/${name}?customerId=10001`)).text(),
      operation,
    );
    assert.doesNotMatch(reply, /MonthlyPrice/, operation);
    assert.match(reply, /"Items":\[\{/, operation);
  }
});
