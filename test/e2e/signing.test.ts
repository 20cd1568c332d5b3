import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { eventually } from '../fixtures/eventually.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { addCustomer, openListeningPageAs, uniqueName } from '../fixtures/signed-in-page.ts';
import { tabTo } from '../fixtures/tab-to.ts';

const cloud = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortalBefore(cloud);

const missing = 'Draw or type your signature. Nothing is signed yet.';
const signing = (id: number) => `/account-setting/service-agreements/sign?agreements=${id}`;

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
  await page.getByTestId('sign-sign-submit').click();
  const typed = page.getByTestId('signature-typed');
  await page.getByTestId('signature').getByText(missing).waitFor();
  assert.equal(await typed.getAttribute('aria-invalid'), 'true');
  assert.equal(await typed.evaluate(input => input === document.activeElement), true, 'the focus');
  const described = (await typed.getAttribute('aria-describedby')) ?? '';
  const texts = await Promise.all(described.split(' ').map(id => page.locator(`[id="${id}"]`).textContent()));
  assert.ok(texts.includes(missing), texts.join());
  assert.equal(await page.getByTestId('agreements-signed').count(), 0);
}

test('an agreement is not signed by an empty pad, by a dot, nor by what was cleared', async t => {
  const page = await openListeningPageAs(t, portal, 'unsigned@millbrook.test', signing(4));
  await page.getByLabel('I accept the Cloud platform agreement, version 1').check();
  assert.equal(await page.getByTestId('signatory').inputValue(), 'Mara Brook', 'the name is known');
  await isRefused(page);
  await draw(page, 0);
  await isRefused(page);
  await draw(page, 150);
  assert.equal(await page.getByText(missing).count(), 0, 'what was drawn is a signature');
  await page.getByTestId('signature-clear').click();
  await isRefused(page);
  await draw(page, 150);
  await page.getByTestId('sign-sign-submit').click();
  await page.getByRole('heading', { level: 1, name: '1 agreement is signed' }).waitFor();
  const signed = page.getByTestId('signed-table').getByRole('row').filter({ hasText: 'Cloud platform agreement' });
  await signed.getByText('Mara Brook').waitFor();
});

test('two linked agreements are signed together in the middle of an order, by the keys alone, and the order is placed', async t => {
  const page = await openListeningPageAs(t, portal, 'unsigned@millbrook.test', '/customers');
  const name = uniqueName('Meadow');
  const customer = await addCustomer(page, portal.url, name);
  await page.goto(`${portal.url}/customers/customer/${customer}/cs/add-service/office-suite`);
  await page.getByTestId('close-sign').focus();
  await page.keyboard.press('Enter');
  const steps = page.getByRole('list', { name: 'Steps' });
  await steps.getByText('Agreements', { exact: true }).waitFor();
  await page.getByTestId('order-details-Quantity').fill('5');
  await page.getByTestId('order-details-Domain').fill('meadow.test');
  await page.getByTestId('order-details-AdminEmail').fill('ada@meadow.test');
  await page.keyboard.press('Enter');

  const dialog = page.getByRole('dialog');
  await dialog.getByText(`To add Office Suite Business for ${name} you must sign these 2 agreements.`).waitFor();
  await dialog.getByText('Customer terms of the office suite').waitFor();
  assert.equal(await page.locator('dialog[open]').count(), 1);
  await tabTo(page, 'review');
  await page.keyboard.press('Enter');

  const heading = `Sign 2 agreements to order Office Suite Business for ${name}`;
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  for (const agreement of ['Office suite agreement, version 2', 'Customer terms of the office suite, version 1'])
    await page.getByRole('heading', { name: agreement }).waitFor();
  const [first, second] = [
    page.getByLabel('I accept the Office suite'),
    page.getByLabel('I accept the Customer terms'),
  ];
  await first.focus();
  await page.keyboard.press('Space');
  await tabTo(page, 'signature-typed');
  await page.keyboard.type('Mara Brook');
  await page.keyboard.press('Enter');
  await page.getByText('Tick every agreement. Nothing is signed yet.').waitFor();
  assert.equal(await second.evaluate(box => box === document.activeElement), true, 'the focus is on what is missing');
  await page.keyboard.press('Space');
  await tabTo(page, 'sign-sign-submit');
  await page.keyboard.press('Enter');

  await page.getByRole('heading', { level: 1, name: '2 agreements are signed' }).waitFor();
  await page.getByText(`Go on with Office Suite Business for ${name}: nothing has been ordered yet.`).waitFor();
  await tabTo(page, 'continue-order');
  await page.keyboard.press('Enter');
  assert.equal(await page.getByTestId('order-details-Domain').inputValue(), 'meadow.test', 'what was typed is there');
  assert.equal(await page.getByTestId('order-details-Quantity').inputValue(), '5');
  assert.equal(await page.locator('dialog[open]').count(), 0, 'nothing is asked again');
  await page.getByTestId('order-details-Domain').focus();
  await page.keyboard.press('Enter');
  await page.getByTestId('order-check').getByText('Cancel free until').waitFor();
  const agreements = page.getByTestId('order-agreements').getByRole('listitem');
  await eventually(async () => (await agreements.filter({ hasText: 'Signed' }).count()) === 2);
  assert.equal(await steps.getByText('Agreements', { exact: true }).count(), 0, 'nothing is left to sign');
  await tabTo(page, 'order-check-submit');
  await page.keyboard.press('Enter');
  await page.getByText(/Order ORD-\d+ was placed/).waitFor();
});

test('agreements to sign are shown in the product picker and in their list, which filters them and signs all at once', async t => {
  const page = await openListeningPageAs(t, portal, 'unsigned@millbrook.test', '/customers');
  await addCustomer(page, portal.url, uniqueName('Weir'));
  await page.getByTestId('add-product').click();
  await page.getByTestId('product-6-6').getByText('Agreement to sign').waitFor();
  await page.getByTestId('cancel-add').click();
  await page.goto(`${portal.url}/account-setting/service-agreements`);
  await page.getByRole('tab', { name: 'Not signed 1' }).click();
  const rows = page.getByTestId('agreements-table').getByRole('rowheader');
  await rows.filter({ hasText: 'Backup agreement' }).waitFor({ state: 'detached' });
  await rows.filter({ hasText: 'Cloud plan agreement' }).waitFor();
  await eventually(async () => (await rows.count()) === 1);
  await page.getByRole('button', { name: 'Actions for Cloud plan agreement' }).click();
  await page.getByTestId('row-sign').click();
  await page.getByRole('heading', { name: 'Cloud plan agreement, version 1' }).waitFor();
  await page.goBack();
  await page.getByTestId('sign-all').click();
  await page.getByLabel('I accept the Cloud plan agreement').check();
  await page.getByTestId('signature-typed').fill('Mara Brook');
  await page.getByTestId('sign-sign-submit').click();
  await page.getByRole('heading', { level: 1, name: '1 agreement is signed' }).waitFor();
  await page.getByTestId('to-list').click();
  await page.getByRole('tab', { name: 'Not signed 0' }).waitFor();
  assert.equal(await page.getByTestId('sign-all').count(), 0);
  await page.goto(`${portal.url}/account-setting/terms-conditions/2/false/false`);
  await page.getByRole('heading', { level: 1, name: 'Office suite agreement', exact: true }).waitFor();
});
