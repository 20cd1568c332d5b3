import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { inspect } from '../fixtures/inspect.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const portal = withPortalBefore(withSandbox());
const phone = { viewport: { width: 390, height: 844 } };

test('a reseller fills in its business on a phone, and sees what is still missing', async t => {
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting', phone);
  await page.getByRole('link', { name: 'My business' }).click();
  const progress = page.getByTestId('company-progress');
  await progress.getByText('4 of 12', { exact: true }).waitFor();
  await inspect(page, 'my-business');

  await page.getByLabel('Company number').fill('12');
  await page.getByLabel('Company number').press('Tab');
  await page.getByText('5 to 12 letters and digits, such as 01234567').waitFor();
  await page.getByLabel('Company number').fill('01234567');
  await page.getByTestId('company-form').getByRole('button', { name: 'Save' }).click();
  await progress.getByText('5 of 12', { exact: true }).waitFor();

  const work = page.getByTestId('company-information-form');
  await work.getByLabel('People in your company').selectOption('Small');
  await work.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Add Telephony' }).click();
  await page.getByRole('button', { name: 'Remove Telephony' }).waitFor();
  await progress.getByText('7 of 12', { exact: true }).waitFor();
  await page.getByTestId('missing-fields').getByText('Company number').waitFor({ state: 'detached' });
  await axe(page);
});
