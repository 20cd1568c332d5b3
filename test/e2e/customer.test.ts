import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';

const portal = withBrowserPortal();

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const submitNew = (page: Page) => page.getByTestId('add-customer-form').getByRole('button', { name: 'Add customer' });
const nameField = (page: Page) => page.getByTestId('customer-name');

/** Fills in what a new customer needs. */
async function fill(page: Page, name: string): Promise<void> {
  await nameField(page).fill(name);
  await page.getByTestId('customer-domain').fill('example.test');
  await page.getByTestId('contact-name').fill('Somebody Else');
  await page.getByTestId('contact-email').fill('else@example.test');
}

/** A new customer, with the page open on it. */
async function newCustomer(page: Page, word: string): Promise<{ id: string; name: string }> {
  const name = uniqueName(word);
  return { id: await addCustomer(page, portal.url, name), name };
}

test('a customer name is validated in the words of the product, and goes back to the field', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add');
  const cases = [
    ['', 'The customer name cannot be empty.'],
    ['Fast & 🚀 Ltd', 'The customer name has invalid characters.'],
    ['<b>Bold</b>', 'The customer name has invalid characters.'],
    ['=1+1', 'The customer name has invalid characters.'],
    ['x'.repeat(101), 'Must be a maximum of 100 characters'],
  ] as const;
  for (const [name, message] of cases) {
    await nameField(page).fill(name);
    await submitNew(page).click();
    await page.getByText(message).waitFor();
    assert.equal(await nameField(page).getAttribute('aria-invalid'), 'true', name);
    assert.equal(await nameField(page).evaluate(element => element === document.activeElement), true, name);
  }
  await page.getByTestId('customer-domain').fill('no domain');
  await page.getByTestId('contact-email').fill('nobody');
  await page.getByTestId('contact-phone').fill('12');
  await submitNew(page).click();
  for (const message of [
    'Enter a domain such as contoso.test.',
    'Must be a valid email address',
    'Must be a valid phone number, such as 01632 960 123 or +44 1632 960 123',
  ])
    await page.getByText(message).waitFor();
});

test('a name in any alphabet is accepted, and the customer’s page opens with a toast', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const name = `${uniqueName('مكتب')} (Zoë & Sons)`;
  await page.getByTestId('add-customer').click();
  await fill(page, name);
  await submitNew(page).click();
  await page.getByText(`${name} was added.`).waitFor();
  await heading(page, name).waitFor();
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name, exact: true }).waitFor();
});

test('a name that is taken is told in the form, with all that was typed still there', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add');
  await fill(page, 'Contoso');
  await submitNew(page).click();
  await page.getByRole('alert').getByText('A customer with this name already exists.').waitFor();
  assert.equal(await nameField(page).inputValue(), 'Contoso');
  assert.equal(await page.getByTestId('contact-name').inputValue(), 'Somebody Else');
});

test('a double click adds one customer', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add');
  const name = uniqueName('Double');
  let calls = 0;
  page.on('request', request => {
    if (request.url().endsWith('/ui/call/customers.create')) calls += 1;
  });
  await fill(page, name);
  await submitNew(page).dblclick();
  await heading(page, name).waitFor();
  assert.equal(calls, 1);
});

test('leaving a form that was changed asks first; an unchanged one is left at once', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await nameField(page).fill('Half a customer');
  await page.getByTestId('nav-customers').click();
  await question.getByRole('button', { name: 'Stay' }).click();
  assert.equal(await nameField(page).inputValue(), 'Half a customer');
  await page.getByTestId('nav-customers').click();
  await question.getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/customers');
  await page.getByTestId('add-customer').click();
  await nameField(page).waitFor();
  await page.getByTestId('nav-customers').click();
  await page.waitForURL('**/customers');
  assert.equal(await question.count(), 0);
});

test('the tabs of a customer are kept in the address and come back with reload and Back', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001');
  const tab = (id: string) => page.getByTestId(`tab-${id}`);
  await page.getByTestId('costs-table').getByRole('rowheader').first().waitFor();
  await tab('services').click();
  await page.waitForURL('**?tab=services');
  await page.getByTestId('services-table').getByRole('rowheader').first().waitFor();
  await page.reload();
  assert.equal(await tab('services').getAttribute('aria-selected'), 'true');
  await tab('activity').click();
  await page.waitForURL('**?tab=activity');
  await page.getByTestId('activity-timeline').getByRole('listitem').first().waitFor();
  await page.goBack();
  await page.getByTestId('services-table').waitFor();
  await page.goBack();
  await page.getByTestId('costs-table').waitFor();
  await tab('overview').focus();
  await page.keyboard.press('End');
  await page.waitForURL('**?tab=activity');
});

test('an address with a tab that a customer does not have shows the overview, and says so', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001?tab=nonsense');
  await page.getByText('This page has no such part, so you see the first one.').waitFor();
  await page.getByTestId('costs-table').getByRole('rowheader').first().waitFor();
  await page.getByTestId('tab-users').click();
  await page.getByTestId('users-table').waitFor();
  assert.equal(await page.getByTestId('customer-tabs-unknown').count(), 0);
});

test('the overview of a customer edits its contact in place, and shows what was saved', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await newCustomer(page, 'Overview');
  const card = page.getByTestId('customer-contact');
  await card.getByText('Sam Example').waitFor();
  await page.getByTestId('edit-contact-card').click();
  await page.getByRole('dialog').getByTestId('contact-name').fill('Jo Other');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await card.getByText('Jo Other').waitFor();
  await page.getByTestId('latest-activity').getByText('Contact details changed').waitFor();
  await page.getByRole('heading', { level: 2, name: 'Cost by service' }).waitFor();
  await page.getByTestId('export-costs').waitFor();
});

test('rename starts in its field, refuses what the product refuses, and Escape leaves all as it was', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const { name } = await newCustomer(page, 'Before');
  const popup = page.getByRole('dialog', { name: `Rename ${name}` });
  const field = page.getByTestId('new-name');
  await page.getByTestId('rename-customer').click();
  await popup.waitFor();
  assert.equal(await field.evaluate(element => element === document.activeElement), true);
  assert.equal(await field.inputValue(), name);
  await field.fill('');
  await field.press('Enter');
  await popup.getByText('The customer name cannot be empty.').waitFor();
  await field.fill('Contoso');
  await field.press('Enter');
  await popup.getByText('A customer with this name already exists.').waitFor();
  assert.equal(await field.inputValue(), 'Contoso');
  await page.keyboard.press('Escape');
  // What was typed is not thrown away without a question.
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await popup.waitFor({ state: 'detached' });
  await heading(page, name).waitFor();
});

test('a new name shows at once in the heading, then in the list and under activity with who gave it', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const { id, name } = await newCustomer(page, 'Old');
  const next = uniqueName('New');
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByTestId('rename-customer').click();
  await page.getByTestId('new-name').fill(next);
  await page.getByTestId('new-name').press('Enter');
  await page.getByText(`${next} is now the name of the customer.`).waitFor();
  await heading(page, next).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByTestId('tab-activity').click();
  const rows = page.getByTestId('activity-timeline').getByRole('listitem');
  await rows.filter({ hasText: 'Priya Raman' }).first().waitFor();
  await page.getByTestId('nav-customers').click();
  await page.getByTestId('search-customers').fill(next);
  await page.getByRole('link', { name: next, exact: true }).waitFor();
  assert.equal(
    await page.getByRole('link', { name: next, exact: true }).getAttribute('href'),
    `/customers/customer/${id}`,
  );
});

test('the activity is read by day, page by page, or compared in a table', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001?tab=activity&activitySize=5');
  const timeline = page.getByTestId('activity-timeline');
  const events = timeline.locator('ol > li');
  await events.first().waitFor();
  await eventually(async () => (await events.count()) === 5);
  assert.ok((await timeline.getByRole('heading', { level: 2 }).count()) > 0);
  assert.match(await events.first().innerText(), /(Done|Failed)\s+\d\d:\d\d$/);
  await timeline.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL('**activityPage=2**');
  await timeline.getByText('6–10').waitFor();
  await page.getByTestId('activity-view').selectOption('Table');
  await page.getByTestId('activity-table').getByRole('columnheader', { name: 'Outcome' }).waitFor();
  assert.equal(await timeline.count(), 0);
});

test('days of the activity in the wrong order are told, and no longer once they are right', async t => {
  const path = '/customers/customer/10001?tab=activity&activityTo=2026-01-01&activityFrom=2026-01-02';
  const page = await openPageAs(t, portal, reseller, path);
  const told = page.getByTestId('activity-wrong-order');
  await told.getByText('so nothing is found').waitFor();
  const to = page.getByLabel('To:', { exact: true });
  assert.equal(await to.inputValue(), '01/01/2026', 'days are written as the portal writes them');
  await to.fill('32/1/2026');
  await to.press('Enter');
  assert.equal(await to.getAttribute('aria-invalid'), 'true');
  await to.fill('2/1/26');
  await to.press('Enter');
  await told.waitFor({ state: 'detached' });
});

test('suspending asks first, can be undone from the toast, and reactivating takes it back', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const { name } = await newCustomer(page, 'Pause');
  const status = page.locator('.page__meta');
  const question = page.getByRole('alertdialog', { name: 'Suspend this customer?' });
  await page.getByTestId('customer-more').click();
  await page.getByTestId('suspend').click();
  await question.getByText(`The services of ${name} stop`).waitFor();
  assert.equal(await page.locator(':focus').textContent(), 'Cancel');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await status.getByText('Active').waitFor();

  await page.getByTestId('customer-more').click();
  await page.getByTestId('suspend').click();
  await question.getByRole('button', { name: 'Suspend customer' }).click();
  await page.getByRole('button', { name: 'Undo' }).hover();
  await status.getByText('Suspended').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await status.getByText('Active').waitFor();

  await page.getByTestId('customer-more').click();
  await page.getByTestId('suspend').click();
  await question.getByRole('button', { name: 'Suspend customer' }).click();
  await status.getByText('Suspended').waitFor();
  await page.getByTestId('customer-more').click();
  await page.getByTestId('reactivate').click();
  await status.getByText('Active').waitFor();
  await page.getByTestId('tab-activity').click();
  const activity = page.getByTestId('activity-timeline');
  await activity
    .getByText(/suspended/i)
    .first()
    .waitFor();
  await activity
    .getByText(/reactivated/i)
    .first()
    .waitFor();
});

test('contact and address open filled in, can be saved only when changed, and Cancel forgets the change', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await newCustomer(page, 'Contact');
  const popup = page.getByRole('dialog', { name: 'Contact and address' });
  const save = popup.getByRole('button', { name: 'Save changes' });
  const contact = popup.getByTestId('contact-name');
  const open = async () => {
    await page.getByTestId('customer-more').click();
    await page.getByTestId('edit-contact').click();
    await contact.waitFor();
  };
  await open();
  await popup.locator('[value="Sam Example"]').waitFor();
  assert.equal(await save.isDisabled(), true);
  await contact.fill('Ada Whitfield');
  assert.equal(await save.isEnabled(), true);
  await contact.fill('Sam Example');
  assert.equal(await save.isDisabled(), true);
  await contact.fill('Ada Whitfield');
  await popup.getByRole('button', { name: 'Cancel' }).click();
  await popup.waitFor({ state: 'detached' });
  await open();
  assert.equal(await contact.inputValue(), 'Sam Example');
  await contact.fill('Ada Whitfield');
  await popup.getByTestId('contact-phone').fill('nonsense');
  await save.click();
  await popup.getByText(/^Must be a valid phone number/).waitFor();
  await popup.getByTestId('contact-phone').fill('01632 960 123');
  await save.click();
  await popup.getByText(/^Must be a valid phone number/).waitFor({ state: 'detached' });
  await page.getByText('The changes were saved.').waitFor();
  await open();
  await popup.getByLabel('Contact name').and(popup.locator('[value="Ada Whitfield"]')).waitFor();
});

test('a customer with a failed service is suspended from the list, and has failed again once reactivated', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?status=Failed');
  const table = page.getByTestId('customers-table');
  const link = table.getByTestId('customers-table-link-name').first();
  const name = await link.innerText();
  const row = table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
  await row.getByTestId('customers-table-row-menu').click();
  await page.getByTestId('row-suspend').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend customer' }).click();
  await page.getByText(`${name} is suspended.`).waitFor();
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await row.getByText('Suspended').waitFor();
  await row.getByTestId('customers-table-row-menu').click();
  await page.getByTestId('row-reactivate').click();
  await row.getByText('Activation failed').waitFor();
});

test('why a service failed stands beneath its status, and no column is kept for it', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers?search=Drayton');
  await page.getByRole('link', { name: 'Drayton Pharmacy' }).click();
  await page.getByRole('tab', { name: /^Services/ }).click();
  const row = page.getByRole('row').filter({ hasText: 'Email Security' });
  await row.getByRole('cell').filter({ hasText: 'The inbound route of the domain did not answer.' }).waitFor();
  assert.equal(await page.getByRole('columnheader', { name: 'Reason' }).count(), 0);
});
