import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

test('a customer is chosen from suggestions: shown before anything is typed, asked once per pause, by keyboard', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/orders');
  await page.getByTestId('choose-customer').press('Enter');
  const field = page.getByRole('combobox', { name: 'Customer' });
  const options = page.getByRole('listbox', { name: 'Customer' }).getByRole('option');
  await field.click();
  await options.nth(19).waitFor();
  assert.equal(await options.count(), 20);
  const show = page.getByRole('button', { name: 'Show orders' });
  assert.equal(await show.isDisabled(), true);

  const asked: string[] = [];
  page.on('request', request => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith('/customers.suggestions')) asked.push(searchParams.get('search') ?? '');
  });
  await field.fill('nobody here');
  const none = page.getByRole('status').filter({ hasText: 'No matches found' });
  await none.waitFor();
  assert.match((await none.getAttribute('class')) ?? '', /error/);
  // Typed in one go: only where it ends is asked for.
  await field.evaluate((input: HTMLInputElement) => {
    const write = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!;
    for (const words of ['c', 'co', 'con', 'contoso']) {
      write.call(input, words);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });
  await options.filter({ hasText: 'Contoso' }).waitFor();
  assert.deepEqual(asked, ['nobody here', 'contoso']);
  await field.press('ArrowDown');
  await field.press('Enter');
  await show.press('Enter');
  await page.waitForURL('**/orders?customer=10001');
  await page.getByRole('heading', { level: 1, name: 'Orders of Contoso' }).waitFor();
});

test('an administrator of a customer has no customers to choose from', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', '/orders');
  await page.getByTestId('order-state').waitFor();
  assert.equal(await page.getByTestId('choose-customer').count(), 0);
  const status = await page.evaluate(async () => (await fetch('/ui/data/customers.suggestions')).status);
  assert.equal(status, 403);
});
