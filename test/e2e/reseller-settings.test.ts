import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const portal = withPortalBefore(withSandbox());
const phone = { viewport: { width: 390, height: 844 } };

test('a reseller chooses the time zone and language of its people on a phone, and takes the last change back', async t => {
  const path = '/account-setting/reseller-settings';
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', path, phone);
  const zone = page.getByTestId('reseller-time-zone');
  await zone.getByText('Europe/London').waitFor();
  await page.getByTestId('choose-default-time-zone').click();
  await page.getByTestId('default-time-zone').pressSequentially('kathm');
  await page.getByRole('option', { name: /Kathmandu/ }).click();
  await axe(page);
  await page.getByTestId('use-default-time-zone').click();
  await zone.getByText(/^Asia\/Kath?mandu$/).waitFor();
  await page.getByTestId('use-default-language').first().click();
  await page.getByText('Last changed by').waitFor();
  await axe(page);
  await page.getByTestId('undo-settings').click();
  await page.getByTestId('question-yes').click();
  await page.getByText('The last change is undone.').waitFor();
});
