import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage } from '../fixtures/browser.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { signInContext } from '../fixtures/sign-in.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';
import { result, withUpstream } from '../fixtures/upstream.ts';

const reseller = 'reseller@northwind.test';

const upstream = withUpstream();
const portal = withPortalBefore(upstream);

const mandatory = (page: Page) => page.getByText('This is a mandatory field');
const writes = () => upstream.asked.filter(line => /^(POST|PUT|DELETE) \/api\/(popups|dynamicForm)/.test(line));

/** Opens an entry of a customer's menu and gives the form of its popup. */
async function openPopup(page: Page, entry: string, form: string) {
  await page.getByTestId('customer-more').click();
  await page.getByTestId(entry).click();
  const popup = page.getByTestId(form);
  await popup.waitFor();
  return popup;
}

test('a form of the cloud shows an error only once a field was touched, in the words of the spec', async t => {
  const page = await openPageAs(t, portal, reseller, '/support/callback');
  const form = page.getByTestId('callback-form');
  const name = form.getByLabel('Your name');
  const phone = form.getByLabel('Phone number');
  await name.waitFor();
  assert.equal(await mandatory(page).count(), 0);
  await name.focus();
  await phone.focus();
  await mandatory(page).waitFor();
  assert.equal(await mandatory(page).count(), 1);
  await phone.fill('12');
  await form.getByText('Must be a phone number, such as 01632960123').waitFor();
  await phone.fill('');
  await eventually(async () => (await mandatory(page).count()) === 2);
  await form.getByLabel('Best time to call').fill('25:00');
  await form.getByText('Must be a time, such as 14:30').waitFor();
  await form.getByText('A few words help us to have the right person call.').waitFor();
  await form.getByText('We call between 08:00 and 18:00.').waitFor();
  await form.getByRole('button', { name: 'Request call' }).click();
  await eventually(async () => (await mandatory(page).count()) === 3);
  assert.equal(await name.evaluate(element => element === document.activeElement), true);
});

test('a form of the cloud that was taken shows the first message as confirmation', async t => {
  const page = await openPageAs(t, portal, reseller, '/support/callback');
  const form = page.getByTestId('callback-form');
  await form.getByLabel('Your name').fill('Priya');
  await form.getByLabel('Phone number').fill('01632960123');
  await form.getByLabel('What is it about?').fill('Billing');
  await form.getByRole('button', { name: 'Request call' }).click();
  await page.getByRole('status').getByText('Thank you. We will call 01632960123 soon.').waitFor();
  assert.equal(await form.count(), 0);
});

test('a popup of the cloud carries its title, hides and disables while the controlling value holds, and sends by PUT', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const id = await addCustomer(page, portal.url, uniqueName('Prefers'));
  const form = await openPopup(page, 'customer-alerts', 'contact-details-form');
  await page.getByRole('dialog').getByText('Contact details', { exact: true }).waitFor();
  await page.getByRole('heading', { name: 'Invoices', exact: true }).waitFor();

  const phone = form.getByLabel('Phone number');
  await phone.fill('01632960123');
  await form.getByLabel('Can be reached by phone').uncheck();
  assert.equal(await phone.isVisible(), false);
  assert.equal(await form.getByRole('textbox', { name: 'Phone number' }).count(), 0);
  await form.getByLabel('Can be reached by phone').check();
  assert.equal(await phone.inputValue(), '01632960123');

  const invoices = form.getByLabel('Send invoices to', { exact: true });
  assert.equal(await invoices.isDisabled(), true);
  await form.getByLabel('Send invoices to the main contact').uncheck();
  assert.equal(await invoices.isEnabled(), true);
  await invoices.fill('books@example.test');

  const employees = form.getByLabel('Number of employees');
  await employees.fill('many');
  await employees.blur();
  await form.getByText('Must be a whole number').or(form.getByText('Must contain only digits')).waitFor();
  await employees.fill('42');
  await form.getByLabel('Name', { exact: true }).fill('Changed Contact');
  const sent = page.waitForRequest(request => request.url().endsWith('delivered.submit'));
  await form.getByRole('button', { name: 'Save changes' }).click();
  const { body } = (await sent).postDataJSON() as { body: Record<string, unknown> };
  assert.equal(body.Employees, 42);
  assert.equal('CustomerName' in body, false);
  await page.getByRole('dialog').getByText('The contact details were saved.').waitFor();
  assert.equal(writes().at(-1), `PUT /api/popups/contact-details/submit/${id}`);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  const again = await openPopup(page, 'customer-alerts', 'contact-details-form');
  assert.equal(await again.getByLabel('Number of employees').inputValue(), '42');
  assert.equal(await again.getByLabel('Name', { exact: true }).inputValue(), 'Changed Contact');
});

test('a popup that is open in two tabs: the later one is told, keeps what was typed and shows what is newer', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const id = await addCustomer(page, portal.url, uniqueName('Twice'));
  const tab = await page.context().newPage();
  await tab.goto(`${portal.url}/customers/customer/${id}`);
  const [first, second] = [
    await openPopup(page, 'customer-alerts', 'contact-details-form'),
    await openPopup(tab, 'customer-alerts', 'contact-details-form'),
  ];
  await second.getByLabel('Number of employees').fill('7');
  await first.getByLabel('Name', { exact: true }).fill('Earlier Contact');
  await first.getByLabel('Can be reached by phone').uncheck();
  await first.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('dialog').getByText('The contact details were saved.').waitFor();

  const before = writes().length;
  await second.getByLabel('Can be reached by phone').uncheck();
  await second.getByRole('button', { name: 'Save changes' }).click();
  await second.getByText('Somebody else has changed this meanwhile.').waitFor();
  assert.equal(writes().length, before);
  await tab.waitForFunction(() => [...document.querySelectorAll('input')].some(one => one.value === 'Earlier Contact'));
  assert.equal(await second.getByLabel('Number of employees').inputValue(), '7');
  await second.getByRole('button', { name: 'Save changes' }).click();
  await tab.getByRole('dialog').getByText('The contact details were saved.').waitFor();
});

test('a field that is hidden is skipped, even when what it holds is wrong', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await addCustomer(page, portal.url, uniqueName('Hidden'));
  const form = await openPopup(page, 'customer-alerts', 'contact-details-form');
  await form.getByLabel('Phone number').fill('nonsense');
  await form.getByLabel('Can be reached by phone').uncheck();
  const sent = page.waitForRequest(request => request.url().endsWith('delivered.submit'));
  await form.getByRole('button', { name: 'Save changes' }).click();
  const { body } = (await sent).postDataJSON() as { body: Record<string, unknown> };
  assert.equal('Phone' in body, false);
  assert.equal('InvoiceEmail' in body, false);
  await page.getByRole('dialog').getByText('The contact details were saved.').waitFor();
});

test('a field that is optional may be left blank', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await addCustomer(page, portal.url, uniqueName('Blank'));
  const form = await openPopup(page, 'customer-alerts', 'contact-details-form');
  await form.getByLabel('Send invoices to the main contact').uncheck();
  await form.getByLabel('Phone number').fill('01632960123');
  await form.getByRole('textbox', { name: 'Send invoices to' }).fill('');
  const isOptional = (label: string) =>
    form
      .locator('.field', { has: page.getByLabel(label, { exact: true }) })
      .getByText('Optional')
      .count();
  assert.deepEqual([await isOptional('Send invoices to'), await isOptional('Email')], [1, 0]);
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByText('The contact details were saved.').waitFor();
  await page.keyboard.press('Escape');
  const again = await openPopup(page, 'customer-alerts', 'contact-details-form');
  assert.equal(await again.getByRole('textbox', { name: 'Send invoices to' }).inputValue(), '');
});

test('the event of a popup reads the page’s own data again', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await addCustomer(page, portal.url, uniqueName('Event'));
  await page.getByTestId('tab-activity').click();
  await page.getByTestId('activity-timeline').getByText('Customer created').waitFor();
  const form = await openPopup(page, 'customer-alerts', 'contact-details-form');
  await form.getByLabel('Can be reached by phone').uncheck();
  await form.getByLabel('Name', { exact: true }).fill('Another Contact');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByTestId('activity-timeline').getByText('Contact details changed').waitFor();
});

test('a popup that posts and one that deletes send what they say, and a required value must be met', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const id = await addCustomer(page, portal.url, uniqueName('Post'));
  const mail = await openPopup(page, 'mail-forwarding', 'mail-forwarding-form');
  assert.equal(await mail.getByLabel('Forward to').count(), 0);
  await mail.getByLabel('Forward mail of the whole domain').check();
  await mail.getByLabel('Forward to').fill('nobody');
  await mail.getByRole('button', { name: 'Save changes' }).click();
  await mail.getByText('Must be a valid email address').waitFor();
  await mail.getByLabel('Forward to').fill('box@example.test');
  await mail.getByRole('button', { name: 'Save changes' }).click();
  await page.getByRole('dialog').getByText('Mail forwarding was saved.').waitFor();
  assert.equal(writes().at(-1), `POST /api/popups/mail-forwarding/submit/${id}`);
  await page.getByRole('button', { name: 'Done' }).click();

  const note = await openPopup(page, 'close-note', 'close-account-note-form');
  const before = writes().length;
  await note.getByLabel('Type DELETE to go on').fill('delete');
  await note.getByRole('button', { name: 'Close note' }).click();
  await note.getByText('Must be DELETE').waitFor();
  assert.equal(writes().length, before);
  await note.getByLabel('Type DELETE to go on').fill('DELETE');
  await note.getByRole('button', { name: 'Close note' }).click();
  await page.getByRole('dialog').getByText('The account note was closed.').waitFor();
  assert.equal(writes().at(-1), `DELETE /api/popups/close-account-note/submit/${id}`);
});

test('HTML of the cloud is shown without anything that could run', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/user-details?organisation=10001&user=20003');
  await page.getByTestId('user-more').click();
  await page.getByTestId('remove-photo').click();
  const form = page.getByTestId('remove-address-book-photo-form');
  await form.getByText('This cannot be undone.').waitFor();
  assert.equal(await form.locator('.prose script, .prose [onerror], .prose a[href^="javascript"]').count(), 0);
  assert.notEqual(await page.title(), 'run');
});

test('a failure without words says that nothing was changed and keeps what was typed', async t => {
  const page = await openPageAs(t, portal, reseller, '/support/callback', { allow: [/status of 50\d/] });
  const form = page.getByTestId('callback-form');
  await form.getByLabel('Your name').fill('Priya');
  await form.getByLabel('Phone number').fill('01632960123');
  await form.getByLabel('What is it about?').fill('Billing');
  upstream.fault = (request, response) => {
    if (request.method !== 'POST' || !request.url?.startsWith('/api/dynamicForm')) return undefined;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"Succeed":false}');
    return true;
  };
  t.after(() => {
    upstream.fault = undefined;
  });
  await form.getByRole('button', { name: 'Request call' }).click();
  await page.getByRole('alert').waitFor();
  assert.equal(await form.getByLabel('What is it about?').inputValue(), 'Billing');
});

const nonsense = {
  'a form without fields': { Fields: 'none' },
  'a field of an unknown type': { Fields: [{ PropertyName: 'A', Label: 'A', Type: 9, Mandatory: true }] },
  'a name that is used twice': {
    Fields: [1, 2].map(() => ({ PropertyName: 'A', Label: 'A', Type: 1, Mandatory: false })),
  },
  'a pattern that is none': { Fields: [{ PropertyName: 'A', Label: 'A', Type: 1, Mandatory: false, Regex: '(' }] },
} as const;

test('a model that cannot be read is refused with a clear message and nothing is shown of it', async t => {
  const page = await newPage(t, portal.browser, { allow: [/status of 502/] });
  t.after(() => {
    upstream.fault = undefined;
  });
  await signInContext(page.context(), portal.url, reseller);
  for (const [what, model] of Object.entries(nonsense)) {
    upstream.fault = result('/api/dynamicForm/', model);
    await page.goto(`${portal.url}/support/callback`);
    await page.getByText('The cloud service sent a form that we could not read.').waitFor();
    assert.equal(await page.getByTestId('callback-form').count(), 0, what);
  }
  upstream.fault = undefined;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByTestId('callback-form').getByLabel('Your name').waitFor();
});

test('a path outside of the listed operations is never called', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10002', { allow: [/status of 502/] });
  t.after(() => {
    upstream.fault = undefined;
  });
  const good = {
    Title: 'T',
    ApiGetSchemaPath: '/api/popups/contact-details/schema',
    ApiGetDataPath: '/api/popups/contact-details/data/10002',
    ApiSubmitPath: '/api/popups/contact-details/submit/10002',
    ApiSubmitRequestMethod: 'put',
  };
  const bad = [
    // A record that the page itself does not read.
    { ApiGetDataPath: '/api/customers/10003' },
    { ApiGetSchemaPath: 'http://elsewhere.test/api/popups/contact-details/schema' },
    { ApiGetSchemaPath: '/api/popups/../customers/schema' },
    { ApiSubmitPath: '/api/customers/10002/suspend', ApiSubmitRequestMethod: 'post' },
    { ApiSubmitRequestMethod: 'patch' },
  ];
  for (const part of bad) {
    upstream.fault = result('/api/popups/contact-details?', { ...good, ...part });
    const before = upstream.asked.length;
    await page.getByTestId('customer-more').click();
    await page.getByTestId('customer-alerts').click();
    await page.getByText('The cloud service sent a form that we could not read.').waitFor();
    const asked = upstream.asked.slice(before).join('\n');
    assert.doesNotMatch(asked, /suspend|elsewhere|submit|\/api\/customers\/(?:schema|10003)/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});
