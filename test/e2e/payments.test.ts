import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { inspect } from '../fixtures/inspect.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const policyOf = async (page: Page, address: string): Promise<string> => {
  const reply = await page.context().request.get(address);
  return reply.headers()['content-security-policy'] ?? '';
};

/** Presses "Add a card" and gives the provider's form and the policy of the page around it. */
async function openForm(page: Page): Promise<{ form: FrameLocator; policy: string }> {
  const opened = page.waitForResponse(reply => new URL(reply.url()).pathname.startsWith('/hosted-page/'));
  await page.getByTestId('add-card').click();
  const policy = (await opened).headers()['content-security-policy'] ?? '';
  await page.getByTestId('provider-frame').waitFor();
  return { form: page.frameLocator('[data-testid=provider-frame]'), policy };
}

async function fillIn(form: FrameLocator, number: string): Promise<void> {
  await form.getByLabel('Card number').fill(number);
  await form.getByLabel('Name on the card').fill('Edie Moor');
  await form.getByLabel('Expires').fill('12/49');
  await form.getByLabel('Security code').fill('123');
  await form.getByRole('button', { name: 'Store this card' }).click();
}

test('a card is added by the provider’s form, made the default, and tops the credit up', async t => {
  const page = await openPageAs(t, portal, 'empty@eastmoor.test', '/billing/payment-options');
  await page.getByText('No cards yet').waitFor();

  const { form, policy } = await openForm(page);
  const address = page.url();
  const origin = new URL((await page.getByTestId('provider-frame').getAttribute('src')) ?? '').origin;
  assert.notEqual(origin, portal.url);
  assert.match(policy, new RegExp(`; frame-src ${origin.replaceAll('.', '\\.')}$`));
  assert.equal((await page.getByTestId('provider').boundingBox())?.width, 500);
  await page.getByText(new URL(origin).host).waitFor();
  assert.doesNotMatch(await policyOf(page, address), /frame-src/, 'its address opens once');
  assert.doesNotMatch(await policyOf(page, `${portal.url}/billing/payment-options`), /frame-src/);
  // What is wrong is said in the form itself.
  await fillIn(form, '4242 4242 4242 4241');
  await form.getByText('This is not a card number.').waitFor();
  await inspect(page, 'hosted-page');
  await fillIn(form, '4242 4242 4242 4242');
  await page.getByTestId('method-stored').waitFor();
  const main = page.getByTestId('cards');
  await main.getByText('Visa •••• 4242').waitFor();

  const second = await openForm(page);
  await fillIn(second.form, '5555 5555 5555 4444');
  await main.getByText('Mastercard •••• 4444').waitFor();
  await page.getByRole('button', { name: 'Actions for Mastercard •••• 4444' }).click();
  await page.getByTestId('make-default').click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Make default and cancel 1 other' }).waitFor();
  await dialog.getByRole('row', { name: /Visa •••• 4242.*Cancelled/ }).waitFor();
  await inspect(page, 'make-default');
  await dialog.getByTestId('confirm-default').click();
  await main.getByText('Visa •••• 4242').waitFor({ state: 'detached' });
  await main.getByRole('row', { name: /Mastercard •••• 4444.*Default/ }).waitFor();

  await page.goto(`${portal.url}/billing/credit`);
  await page.getByText('No prepaid credit yet').waitFor();
  await page.getByTestId('open-top-up').click();
  await page.getByTestId('top-up-amount').fill('12.345');
  await inspect(page, 'top-up');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Enter an amount above zero').waitFor();
  await page.getByTestId('top-up-amount').fill('12.30');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByTestId('payment-to-confirm').getByText('Mastercard •••• 4444').waitFor();
  await page.getByRole('button', { name: 'Pay £12.30' }).dblclick();
  await page.getByTestId('payment-paid').getByText('Paid £12.30 with Mastercard •••• 4444.').waitFor();
  await page.getByTestId('close-receipt').click();
  await page.getByTestId('credit-balance').getByText('£12.30').waitFor();
  await page.getByRole('row', { name: /Mastercard •••• 4444/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Top-up/ }).count(), 1, 'two presses at once pay once');
  await inspect(page, 'credit');
});

test('whoever leaves the page of the provider gets a new page, whose policy does not name it', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/billing/payment-options');
  await openForm(page);
  const address = page.url();
  const loaded = page.waitForResponse(reply => reply.url() === `${portal.url}/billing/payment-options`);
  await page.getByTestId('back-to-options').click();
  assert.doesNotMatch((await loaded).headers()['content-security-policy'] ?? '', /frame-src/);
  await page.getByTestId('cards').waitFor();
  await page.goto(address);
  await page.getByTestId('provider-over').waitFor();
});

test('a form that answers with a signature that is not its own stores nothing and says so', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/billing/payment-options');
  const { form } = await openForm(page);
  // A message of another window, or with another nonce, is nobody's.
  await page.evaluate(() => window.postMessage({ kind: 'answer', nonce: 'x', fields: {} }, '*'));
  await fillIn(form, '4000 0000 0000 0192');
  await page.getByTestId('provider-failure').getByText('not genuine').waitFor();
});

test('a bookkeeper pays the newest invoice in two parts, each press once: a part, and the rest on a phone', async t => {
  const page = await openPageAs(t, portal, 'bookkeeper@northwind.test', '/billing/invoices');
  await page.getByRole('link', { name: /^FH-/ }).first().click();
  await page.getByRole('heading', { level: 1, name: /^Invoice FH-/ }).waitFor();
  await page.getByTestId('pay-invoice').click();
  const dialog = page.getByRole('dialog', { name: /^Pay invoice/ });
  await dialog.getByTestId('pay-amount').waitFor();
  await dialog.getByTestId('pay-amount').fill('1.00');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const confirmed = page.getByRole('dialog', { name: 'Check the payment' });
  await confirmed.getByTestId('payment-to-confirm').getByText('Visa •••• 4417').waitFor();
  await inspect(page, 'confirm-payment');
  await confirmed.getByRole('button', { name: 'Pay £1.00' }).dblclick();
  const receipt = page.getByRole('dialog', { name: 'Receipt' });
  await receipt.getByText('Paid £1.00 with Visa •••• 4417.').waitFor();
  await inspect(page, 'receipt');
  const saved = page.waitForEvent('download');
  await receipt.getByTestId('print-receipt').click();
  assert.match((await saved).suggestedFilename(), /^R-\d+\.pdf$/);
  await receipt.getByTestId('close-receipt').click();
  await dialog.waitFor({ state: 'detached' });
  const made = page.getByTestId('payments-made').getByRole('row').filter({ hasText: '£' });
  await made.filter({ hasText: '£1.00' }).waitFor();
  await eventually(async () => (await made.count()) === 1, 'one payment, though it was pressed twice');

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByTestId('pay-invoice').click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await confirmed.getByTestId('confirm-payment').click();
  await receipt.getByTestId('payment-paid').waitFor();
  await receipt.getByTestId('close-receipt').click();
  await page.getByTestId('pay-invoice').waitFor({ state: 'detached' });
  await eventually(async () => (await made.count()) === 2);
  await inspect(page, 'paid-invoice');
});
