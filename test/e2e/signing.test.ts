import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowser } from '../fixtures/browser.ts';
import { withBuiltPortal } from '../fixtures/built-portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { addCustomer, openListeningPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withBuiltPortal(() => ({ CLOUD_API_URL: cloud.url }));
const browser = withBrowser();

const missing = 'Draw or type your signature. This agreement is not signed yet.';
const terms = (id: number) => `/account-setting/terms-conditions/${id}/false/false`;

/** Draws on the pad, from its left edge, so many pixels far. */
async function draw(page: Page, far: number): Promise<void> {
  const canvas = page.getByTestId('signature-canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + 20, box.y + 40);
  await page.mouse.down();
  if (far > 0) await page.mouse.move(box.x + 20 + far, box.y + 60, { steps: 5 });
  await page.mouse.up();
}

/** Signs, and expects to be told at the signature that there is none, with the focus on it. */
async function isRefused(page: Page): Promise<void> {
  await page.getByTestId('sign-agreement-form-submit').click();
  const typed = page.getByTestId('signature-typed');
  await page.getByTestId('signature').getByText(missing).waitFor();
  assert.equal(await typed.getAttribute('aria-invalid'), 'true');
  assert.equal(await typed.evaluate(input => input === document.activeElement), true, 'the focus');
  const described = (await typed.getAttribute('aria-describedby')) ?? '';
  const texts = await Promise.all(described.split(' ').map(id => page.locator(`[id="${id}"]`).textContent()));
  assert.ok(texts.includes(missing), texts.join());
  assert.equal(await page.getByTestId('agreement-signed').count(), 0);
}

test('an agreement is not signed by an empty pad, by a dot, nor by what was cleared', async t => {
  const page = await openListeningPageAs(t, { browser, url: portal.url }, 'unsigned@millbrook.test', terms(4));
  await page.getByTestId('agreed').check();
  assert.equal(await page.getByTestId('signatory').inputValue(), 'Mara Brook', 'the name is known');
  await isRefused(page);
  await draw(page, 0);
  await isRefused(page);
  await draw(page, 150);
  assert.equal(await page.getByText(missing).count(), 0, 'what was drawn is a signature');
  await page.getByTestId('signature-clear').click();
  await isRefused(page);
  await draw(page, 150);
  await Promise.all([
    page.getByText('Cloud platform agreement is signed.').waitFor(),
    page.getByTestId('sign-agreement-form-submit').click(),
  ]);
  await page.waitForURL('**/account-setting/service-agreements');
});

test('one signs by the keys alone: the name is typed', async t => {
  const page = await openListeningPageAs(t, { browser, url: portal.url }, 'unsigned@millbrook.test', terms(5));
  await page.getByTestId('signature-clear').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type('M');
  await page.getByTestId('agreed').focus();
  await page.keyboard.press('Space');
  await isRefused(page);
  await page.keyboard.type('ara Brook');
  assert.equal(await page.getByTestId('signature-typed').inputValue(), 'Mara Brook');
  await Promise.all([page.getByText('Cloud plan agreement is signed.').waitFor(), page.keyboard.press('Enter')]);
});

test('signing two agreements says which is signed and which is next, with one scrim at a time', async t => {
  const page = await openListeningPageAs(t, { browser, url: portal.url }, 'unsigned@millbrook.test', '/customers');
  const name = uniqueName('Meadow');
  await addCustomer(page, portal.url, name);
  await page.getByTestId('add-product').click();
  await page.getByTestId('product-8-1').click();
  const dialog = page.getByRole('dialog');
  await page.getByRole('dialog', { name: 'Please sign: Office suite agreement' }).waitFor();
  await dialog.getByText(`To add Office Suite Business for ${name} you must sign this agreement.`).waitFor();
  await dialog.getByText('This is 1 of 2 agreements.').waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 1, 'the list of products has gone');
  await page.getByTestId('review-and-sign').click();

  await page.getByTestId('signature-typed').fill('Mara Brook');
  await page.getByTestId('agreed').check();
  await page.getByTestId('sign-agreement-form-submit').click();
  await page.getByRole('dialog', { name: 'Please sign: Customer terms of the office suite' }).waitFor();
  const said = 'Office suite agreement is signed. Next is Customer terms of the office suite, 2 of 2.';
  await dialog.getByText(said).waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 1);
  // What stands behind does not ask for what was just given.
  await page.getByTestId('agreement-signed').waitFor();
  assert.equal(await page.getByTestId('sign-agreement-form').count(), 0);
  await page.getByTestId('review-and-sign').click();

  await page.getByTestId('agreement').getByRole('heading', { name: 'Customer terms of the office suite' }).waitFor();
  await page.getByTestId('signature-typed').fill('Mara Brook');
  await page.getByTestId('agreed').check();
  await Promise.all([
    page.getByText('Customer terms of the office suite is signed.').waitFor(),
    page.getByTestId('sign-agreement-form-submit').click(),
  ]);
  await page.waitForURL('**/cs/add-service/office-suite');
});
