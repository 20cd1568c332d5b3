import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPage, openListeningPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortalBefore(cloud);

/** Does all that is under way, phase by phase. */
const finishChanges = () => cloud.tickOnce();

/** The heading, the window and the breadcrumbs say for whom an order is. */
async function namesItsCustomer(page: Page, heading: string, customer?: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  assert.ok((await page.title()).startsWith(heading), await page.title());
  if (customer === undefined) return;
  const crumb = page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: customer, exact: true });
  assert.match((await crumb.getAttribute('href')) ?? '', /^\/customers\/customer\/\d+/);
}

/** The check before the press says for whom and what is ordered, and so does its button. */
async function checksFor(page: Page, customer: string, product: string): Promise<void> {
  const check = page.getByTestId('order-check');
  await check.getByText('Cancel free until').waitFor();
  await check.getByText(customer, { exact: true }).waitFor();
  await check.getByText(product, { exact: true }).waitFor();
  await page.getByRole('button', { name: `Place order for ${customer}`, exact: true }).waitFor();
}

const option = (page: Page, name: string) => page.getByRole('option', { name });

test('a reseller sells the office suite to a new customer with agreements to sign, and sees it come alive', async t => {
  const page = await openListeningPageAs(t, portal, 'unsigned@millbrook.test', '/customers');
  const name = uniqueName('Hilltop');
  await page.getByTestId('menu-new').click();
  await page.getByTestId('new-product').click();
  await page.getByTestId('product-first-8-1').getByText('Agreement to sign').waitFor();
  await page.getByTestId('product-first-8-1').click();
  const customers = page.getByRole('combobox', { name: 'Select or add a customer' });
  await customers.fill(name);
  await page.getByText('No matches found').waitFor();
  await page.getByTestId('add-new-customer').click();
  assert.equal(await page.getByTestId('customer-name').inputValue(), name);
  await page.getByTestId('customer-domain').fill(`${name.toLowerCase().replaceAll(' ', '-')}.test`);
  await page.getByTestId('contact-name').fill('Ada Hill');
  await page.getByTestId('contact-email').fill('ada@hill.test');
  // The product is remembered: once the customer is there, one goes on adding it.
  await page.getByTestId('add-customer-first-form-submit').click();
  await page.getByTestId('review').click();
  const agreements = ['Office suite agreement', 'Customer terms of the office suite'];
  for (const [index, agreement] of agreements.entries()) {
    await page.getByLabel(`I accept the ${agreement}`).check();
    const button = page.getByTestId('download').nth(index);
    const [paper] = await Promise.all([page.waitForEvent('download'), button.click()]);
    assert.match(paper.suggestedFilename(), /^agreement-\d+-v\d+\.pdf$/);
  }
  const canvas = page.getByTestId('signature-canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 20, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 160, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await page.getByTestId('sign-sign-submit').click();
  await page.getByTestId('continue-order').click();
  await page.waitForURL('**/cs/add-service/office-suite');
  await namesItsCustomer(page, `Add Office Suite Business for ${name}`, name);

  await page.getByTestId('order-details-Quantity').fill('5');
  await page.getByTestId('order-details-Domain').fill('hilltop.test');
  await page.getByTestId('order-details-AdminEmail').fill('ada@hill.test');
  await page.getByTestId('order-details-submit').click();
  await page.getByText('£47.00').first().waitFor();
  await checksFor(page, name, 'Office Suite Business');
  await page.getByTestId('order-check-submit').click();
  await page.getByText(/Order ORD-\d+ was placed/).waitFor();
  const status = page.getByTestId('instance-status');
  await status.getByText('Activating').waitFor();
  await namesItsCustomer(page, `Office Suite Business for ${name}`, name);
  await finishChanges();
  await status.getByText('Active', { exact: true }).waitFor();
  // What is over is history; progress is shown while something moves.
  await page.getByTestId('instance-history').getByText('Service activated').waitFor();
  assert.equal(await page.getByTestId('instance-steps').count(), 0);
});

test('an activation that fails says why, is tried again and succeeds, without a reload', async t => {
  const start = '/customers/customer/10003/add-service/share-point';
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', start);
  const customer = (await page.getByTestId('crumb-2').textContent()) ?? '';
  assert.ok(customer.length > 0);
  await namesItsCustomer(page, `Add Team Sites for ${customer}`, customer);
  await page.getByTestId('order-details-Quantity').fill('13');
  await page.getByTestId('order-details-Domain').fill('contoso.test');
  await page.getByTestId('order-details-submit').click();
  await checksFor(page, customer, 'Team Sites');
  await page.getByTestId('order-check-submit').click();
  const status = page.getByTestId('instance-status');
  await status.getByText('Activating').waitFor();
  await finishChanges();
  await status.getByText('Activation failed').waitFor();
  await page.getByTestId('instance-failed').getByText('There was no room for all of them just now.').waitFor();
  await openListeningPage(page, page.url());
  await page.getByTestId('instance-steps').getByText('Failed').waitFor();
  await page.getByTestId('resize').click();
  assert.equal(await page.getByTestId('resize-quantity').inputValue(), '13');
  await axe(page);
  await page.getByTestId('resize-quantity').fill('8');
  await page.getByTestId('resize-service-form-submit').click();
  await status.getByText('Activating').waitFor();
  await finishChanges();
  await status.getByText('Active', { exact: true }).waitFor();

  await page.getByTestId('service-more').click();
  await page.getByTestId('delete-service').click();
  await page.getByRole('dialog', { name: `Delete Team Sites of ${customer}?` }).waitFor();
  await page.getByTestId('confirmation').fill('Something else');
  await page.getByTestId('delete-service-form-submit').click();
  await page.getByTestId('confirmation').fill('Team Sites');
  await page.getByTestId('delete-service-form-submit').click();
  await status.getByText('Deleting').waitFor();
});

test('an administrator of a customer adds a mailbox product for a user, by the keys alone', async t => {
  const page = await openListeningPageAs(t, portal, 'buyer@zephyrcycles.test', '/');
  await page.getByTestId('nav-users').click();
  const first = page.getByTestId('users-table').getByRole('rowheader').getByRole('link').first();
  const user = (await first.textContent()) ?? '';
  assert.ok(user.length > 0);
  await first.click();
  // The page that was come to takes the focus first.
  await page.getByRole('heading', { level: 1, name: user }).and(page.locator(':focus')).waitFor();
  await page.getByTestId('add-product').focus();
  await page.keyboard.press('Enter');
  const product = page.getByTestId('product-4-1');
  await product.waitFor();
  assert.equal(await page.getByTestId('product-12-1').count(), 0, 'hidden at user level');
  await product.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/customers\/customer\/\d+\+\d+\/cs\/add-service\/advanced-email-security$/);
  await page.getByTestId('order-details-Domain').fill('zephyrcycles.test');
  // There are no breadcrumbs for those of one customer.
  await namesItsCustomer(page, `Add Advanced Email Security for ${user}, Zephyr Cycles`);
  await page.keyboard.press('Enter');
  await checksFor(page, 'Zephyr Cycles', 'Advanced Email Security');
  await page.getByTestId('order-check').getByText(user, { exact: true }).waitFor();
  assert.equal(await page.getByText('£').count(), 0, 'prices are hidden from them');
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.getByText('What you have begun on this page is not saved.').waitFor();
  await page.getByTestId('question-no').click();
  await page.getByTestId('order-check-submit').click();
  await page.getByTestId('instance-status').waitFor();
});

test('an engineer without addProducts sees no door, in no menu and no palette; others find it in the header', async t => {
  const engineer = await openListeningPageAs(t, portal, 'engineer@northwind.test', '/customers/customer/10002');
  await engineer.getByTestId('latest-activity').waitFor();
  assert.equal(await engineer.getByTestId('add-product').count(), 0);
  await engineer.keyboard.press('Control+k');
  await engineer.getByTestId('palette-words').fill('add product');
  await engineer.getByText('Nothing matches').waitFor();

  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/marketplace?type=security');
  // A card is one link; to the product, which is added from there.
  const first = page.getByTestId('products').getByRole('listitem').first();
  assert.deepEqual([await first.getByRole('link').count(), await first.getByRole('button').count()], [1, 0]);
  await first.getByText('per mailbox, per month').waitFor();
  await first.getByText(/^(Nobody has it yet|Held by \d+ customers?)$/).waitFor();
  await first.getByRole('link').click();
  await page.getByTestId('terms-table').getByText('1 year').waitFor();
  await page.getByTestId('product-agreements').getByText('Signed').first().waitFor();
  await page.getByTestId('product-add').click();
  await page.getByTestId('cancel-add').click();
  await page.getByTestId('open-palette').click();
  await page.getByTestId('palette-words').fill('add product');
  await page.keyboard.press('Enter');
  await page.getByTestId('picker-type').selectOption({ label: 'Modern workplace' });
  await page.getByTestId('product-first-9-1').waitFor({ state: 'detached' });
  await page.getByTestId('picker-search').fill('exchange');
  await page.getByTestId('product-first-8-1').waitFor({ state: 'detached' });
  await page.getByTestId('product-first-1-1').getByText('£3.95').waitFor();
  await page.getByTestId('product-first-1-1').click();
  await page.getByTestId('customer').click();
  await option(page, 'Contoso').waitFor();
  await page.keyboard.press('Escape');
  await page.getByTestId('cancel-add').click();
  assert.equal(await page.locator('dialog[open]').count(), 0);
});

test('one product is added to many customers, each with values and a result of its own', async t => {
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/services/9/1');
  await page.getByTestId('add-to-many').click();
  // What is said at the head of a long form is seen by whoever pressed the button at its end.
  await page.getByTestId('bulk-customers-submit').click();
  const said = page.getByRole('alert').getByText('Please choose at least one customer.');
  await said.waitFor();
  assert.ok(((await said.boundingBox())?.y ?? -1) > 0);
  const count = page.getByTestId('customers-count');
  await page.getByTestId('customers-all').click();
  // Of the customers of the demo some have it already.
  await page.getByText(/^[23]\d customers chosen$/).waitFor();
  const can = (await page.getByTestId('show-available').locator('.count').textContent()) ?? '';
  assert.equal(await count.textContent(), `${can} customers chosen`);
  await page.getByTestId('customers-none').click();
  const heading = page.getByRole('heading', { level: 1 });
  await page.getByTestId('customers-search').fill('contoso');
  await page.getByTestId('customers-10001').check();
  await page.getByTestId('customers-search').fill('');
  await page.getByTestId('customers-next').click();
  await page.getByTestId('customers-previous').click();
  await page.getByTestId('customers-10002').check();
  assert.equal(await count.textContent(), '2 customers chosen');
  // Who cannot have it says why, in words and by a sign, and cannot be chosen.
  const without = page.getByRole('listitem').filter({ hasText: 'Greyfriars Housing' });
  await without.getByText('Suspended', { exact: true }).waitFor();
  await without.getByText('This customer is suspended.').waitFor();
  assert.equal(await without.getByRole('checkbox').isDisabled(), true);
  await page.getByTestId('show-available').click();
  await without.waitFor({ state: 'detached' });
  await heading.getByText('Add Cloud Backup to 2 customers').waitFor();
  await page.waitForFunction(() => document.title.startsWith('Add Cloud Backup to 2 customers'));
  await page.getByTestId('bulk-customers-submit').click();

  // The list was long: the next step begins at its head.
  const step = page.locator('[aria-current="step"]');
  await page.waitForFunction(() => document.querySelector('[aria-current="step"]')?.textContent === 'Details');
  assert.ok(((await step.boundingBox())?.y ?? -1) > 0);
  const email = (id: number) => page.getByTestId(`bulk-details-values-${id}-AdminEmail`);
  await email(10001).waitFor();
  const proposed = await email(10002).inputValue();
  assert.match(proposed, /@/);
  await email(10001).fill('nobody');
  await page.getByTestId('bulk-details-submit').click();
  await page.getByTestId('bulk-details-values-10001').getByText('Must be a valid email address').waitFor();
  assert.equal(await email(10001).getAttribute('aria-invalid'), 'true');
  await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
  await email(10001).fill('typed@contoso.test');
  // A customer holds it already, so the order asks whether to raise it.
  await page.getByTestId('bulk-details-values-10001-IfHeld').selectOption('Second');

  // Meanwhile one of them can have it no longer: it is left out, with the reason, and of no figure.
  const setSuspended = (suspended: boolean) =>
    cloud.db.updateTable('customers').set({ suspended }).where('organisation_id', '=', 10002).execute();
  await setSuspended(true);
  await page.getByTestId('bulk-details-submit').click();
  await page.getByTestId('left-out').getByText('1 customer is left out and is not charged').waitFor();
  await page.getByTestId('bulk-check-leftOut-10002').getByText('This customer is suspended.').waitFor();
  await heading.getByText('Add Cloud Backup to 1 customer').waitFor();
  await page.getByText('£4').first().waitFor();
  await setSuspended(false);
  await page.getByTestId('bulk-check-cancel').click();
  assert.equal(await email(10001).inputValue(), 'typed@contoso.test', 'what was typed is there when one comes back');
  await page.getByTestId('bulk-details-submit').click();
  await page.getByTestId('bulk-check-ordered-10001').getByText('typed@contoso.test').waitFor();
  await page.getByTestId('bulk-check-ordered-10002').getByText(proposed).waitFor();
  assert.equal(await page.getByTestId('left-out').count(), 0);
  await page.getByText('Total per month').waitFor();
  await page.getByText('£9').first().waitFor();
  await page.getByRole('button', { name: 'Place order for 2 customers' }).click();
  await heading.getByText('Cloud Backup for 2 customers').waitFor();
  const table = page.getByTestId('bulk-table');
  await table.getByRole('rowheader').nth(1).waitFor();
  await finishChanges();
  await table.getByText('Done', { exact: true }).nth(1).waitFor();
  assert.equal(await table.getByRole('rowheader').count(), 2);
  await table.getByText('typed@contoso.test').waitFor();
  await table.getByText(proposed).waitFor();
  await page.getByTestId('bulk-figures').getByText('Not eligible').waitFor();

  await openListeningPage(page, `${portal.url}/services/9/1/add-to-many`);
  const contoso = page.getByRole('listitem').filter({ hasText: 'contoso.test' });
  await contoso.getByText('Has it already').waitFor();
  await page.getByTestId('show-without').click();
  await contoso.waitFor({ state: 'detached' });
  await page.getByTestId('bulk-cancel').click();
  await page.waitForURL('**/services/9/1');

  await openListeningPage(page, `${portal.url}/services/3/1/add-to-many`);
  const holder = page.getByRole('listitem').filter({ hasText: 'Has it already' }).first();
  await holder.getByText('Email Security has already been added.').waitFor();
  assert.equal(await holder.getByRole('checkbox').isDisabled(), true);
});

test('an order for many asks for the agreement first; who signs it comes back to the customers that were chosen', async t => {
  const page = await openListeningPageAs(t, portal, 'unsigned@millbrook.test', '/customers/add');
  const name = uniqueName('Weir');
  await page.getByTestId('customer-name').fill(name);
  await page.getByTestId('customer-domain').fill(`${name.toLowerCase().replaceAll(' ', '-')}.test`);
  await page.getByTestId('contact-name').fill('Wes Weir');
  await page.getByTestId('contact-email').fill('wes@weir.test');
  await page.getByTestId('add-customer-form-submit').click();
  await page.getByTestId('add-product').waitFor();
  await page.goto(`${portal.url}/services/6/1/add-to-many`);
  await page.getByTestId('review').waitFor();
  await page.getByTestId('close-sign').click();
  await page.getByLabel(name).check();
  await page.getByTestId('bulk-customers-submit').click();
  await page.getByTestId('review').click();
  await page.getByRole('heading', { name: 'for several customers' }).waitFor();
  await page.getByTestId('signature-typed').fill('Mara Brook');
  await page.getByLabel('I accept the Cloud platform agreement').check();
  await page.getByTestId('sign-sign-submit').click();
  await page.getByTestId('continue-order').click();
  await page.waitForURL('**/services/6/1/add-to-many');
  await page.getByTestId('customers-count').getByText('1 customer chosen').waitFor();
  await page.getByTestId('bulk-customers-submit').click();
  await page.getByTestId('bulk-details-submit').waitFor();
});
