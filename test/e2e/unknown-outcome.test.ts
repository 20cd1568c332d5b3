import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';
import { withUpstream } from '../fixtures/upstream.ts';

// What was asked is done, and its answer never arrives: the cloud's, the portal's, or a balancer's in its place.

const reseller = 'reseller@northwind.test';
const allow = [/status of 50[0-9]/, /ERR_FAILED/];

const upstream = withUpstream();
const portal = withPortalBefore(upstream);
afterEach(() => {
  upstream.withheld = undefined;
});

const made = () => upstream.asked.filter(line => line === 'POST /api/customers').length;
const doubt = (page: Page) => page.getByRole('alert').filter({ hasText: 'we do not know whether this was done' });
const doubtOfCloud = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'We do not know whether this was done' });

async function fillCustomer(page: Page, name: string): Promise<void> {
  await page.getByTestId('customer-name').fill(name);
  await page.getByTestId('customer-domain').fill('lost.test');
  await page.getByTestId('contact-name').fill('Sam Lost');
  await page.getByTestId('contact-email').fill('sam@lost.test');
}
const submit = (page: Page) => page.getByTestId('add-customer-form-submit').click();

/** How many customers have this name; the list is asked in the page's own name. */
async function countNamed(page: Page, name: string): Promise<number> {
  const reply = await page.request.get(`${portal.url}/ui/data/customers.list?search=${encodeURIComponent(name)}`);
  return (await reply.json()).Result.Total;
}

test('a customer whose answer the cloud lost is not told as failed, can be looked for, and is added once', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add', { allow });
  const name = uniqueName('Lost');
  await fillCustomer(page, name);
  upstream.withheld = /^POST \/api\/customers$/;
  const before = made();
  await submit(page);
  await doubtOfCloud(page).waitFor();
  assert.equal(await page.getByText('could not be added').count(), 0);
  await axe(page);
  const [list] = await Promise.all([page.waitForEvent('popup'), page.getByTestId('unknown-check').click()]);
  await list.getByRole('heading', { level: 1, name: 'Customers' }).waitFor();
  await list.close();
  assert.equal(await page.getByTestId('customer-name').inputValue(), name);
  const [ticket] = await Promise.all([page.waitForEvent('popup'), page.getByTestId('write-ticket').click()]);
  const facts = await ticket.getByTestId('page-facts').textContent();
  const reference =
    /Reference ([A-Z0-9]{4}-[A-Z0-9]{4})/.exec((await doubtOfCloud(page).textContent()) ?? '')?.[1] ?? 'none';
  assert.ok(facts?.includes('/customers/add') && facts.includes(reference), facts ?? '');
  await ticket.close();
  upstream.withheld = undefined;
  await page.getByTestId('unknown-again').click();
  // The toast goes by itself after a while.
  await Promise.all([
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
    page.getByText(`${name} was added`).waitFor(),
  ]);
  assert.deepEqual([made() - before, await countNamed(page, name)], [2, 1]);
});

test('nobody answers, then a balancer does, then the page is loaded anew: it is still one press', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add', { allow });
  const name = uniqueName('Balanced');
  await fillCustomer(page, name);
  const keys: string[] = [];
  let answer: 'nothing' | 'html' | 'the truth' = 'nothing';
  await page.route('**/ui/call/customers.create', async route => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (answer === 'the truth') return route.continue();
    await route.fetch();
    if (answer === 'nothing') return route.abort();
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
  });
  await submit(page);
  await doubt(page).waitFor();
  answer = 'html';
  await page.getByTestId('unknown-again').click();
  await page.waitForFunction(() => document.querySelector('[data-testid=add-customer-form-submit]:not([aria-busy])'));
  await doubt(page).waitFor();
  answer = 'the truth';
  page.once('dialog', dialog => void dialog.accept());
  await page.reload();
  await fillCustomer(page, name);
  await submit(page);
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  assert.deepEqual([keys.length, new Set(keys).size, await countNamed(page, name)], [3, 1, 1]);
});

test('an order whose answer was lost is placed once and leads to its service', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers', { allow });
  const id = await addCustomer(page, portal.url, uniqueName('Ordered'));
  await page.goto(`${portal.url}/customers/customer/${id}/add-service/share-point`);
  await page.getByTestId('order-details-Quantity').fill('2');
  await page.getByTestId('order-details-Domain').fill('ordered.test');
  await page.getByTestId('order-details-submit').click();
  await page.getByTestId('order-check-submit').waitFor();
  upstream.withheld = /^POST \/api\/orders$/;
  await page.getByTestId('order-check-submit').click();
  await doubtOfCloud(page).waitFor();
  upstream.withheld = undefined;
  await page.getByTestId('unknown-again').click();
  await page.getByText(/Order ORD-\d+ was placed/).waitFor();
  await page.waitForURL(`**/customers/customer/${id}/services/*`);
  const services = await page.request.get(`${portal.url}/ui/data/customers.services?customerId=${id}`);
  assert.equal((await services.json()).Result.Items.length, 1);
});

test('an action of a row says so below the row, and looking shows that it was done', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers', { allow });
  const name = uniqueName('Rowed');
  await addCustomer(page, portal.url, name);
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  await row.getByTestId('customers-table-row-menu').click();
  await page.getByTestId('row-suspend').click();
  upstream.withheld = /suspend$/;
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend customer' }).click();
  const said = page.locator('tr.row-trouble').filter({ hasText: 'We do not know' });
  await said.waitFor();
  await row.getByText('Active').waitFor();
  await page.getByTestId('unknown-check').click();
  await row.getByText('Suspended').waitFor();
  await page.locator('tr.row-trouble').getByText('The page now shows what is there.').waitFor();
});
