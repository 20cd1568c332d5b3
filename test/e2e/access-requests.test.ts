import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPage, openPageAs } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox();
const portal = withPortalBefore(cloud);
const engineer = 'engineer@northwind.test';
const manageAccess = '/account-setting/manage-access';

test('who asks for a right on a phone gets it by one press of whoever gives it, and what they asked for opens by itself', async t => {
  const phone = { viewport: { width: 390, height: 800 } };
  const theirs = await openPageAs(t, portal, engineer, '/', phone);
  await openListeningPage(theirs, `${portal.url}${manageAccess}`);
  await theirs.getByRole('heading', { name: 'Manage access' }).waitFor();
  await axe(theirs);
  await theirs.getByTestId('reason').fill('I invite the new engineers');
  await theirs.getByRole('button', { name: 'Ask for it' }).click();
  await theirs.getByTestId('request-waits').waitFor();

  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/dashboard');
  await page.getByTestId('bell').click();
  await page.getByRole('link', { name: /asks for “Manage access”/ }).click();
  await page
    .getByTestId('asked-for')
    .getByText(/is ticked: manage users/)
    .waitFor();
  await page.getByText('Reason given: I invite the new engineers').waitFor();
  await axe(page);
  await page.getByRole('button', { name: 'Save the rights' }).click();

  await theirs.getByTestId('staff-table').waitFor();
  await theirs.getByTestId('bell').click();
  await theirs.getByText('You have “Manage access” now').waitFor();
});

test('what stands in place of a button asks in a popup, and who asked takes it back', async t => {
  const page = await openPageAs(t, portal, engineer, '/customers');
  await page.getByRole('button', { name: 'Add a customer' }).click();
  const popup = page.getByRole('dialog', { name: 'Ask for access' });
  await popup.getByRole('heading', { name: 'Add a customer' }).waitFor();
  await axe(page);
  await popup.getByRole('button', { name: 'Ask for it' }).click();
  await popup.getByTestId('request-waits').waitFor();
  await page.goto(`${portal.url}/account-setting/own-requests`);
  const row = page.getByRole('row', { name: /Add a customer/ });
  await row.getByText('Waits').waitFor();
  await axe(page);
  const granter = await openPageAs(t, portal, 'reseller@northwind.test', '/account-setting/access-requests');
  const asked = granter.getByRole('row', { name: /Add a customer/ });
  await asked.getByText('add or edit customers').waitFor();
  await axe(granter);
  await asked.getByRole('button').click();
  await granter.getByRole('menuitem', { name: 'Refuse' }).click();
  await granter.getByRole('dialog', { name: 'Refuse Add a customer?' }).waitFor();
  await axe(granter);

  await row.getByRole('button').click();
  await page.getByTestId('withdraw-request').click();
  await row.getByText('Withdrawn').waitFor();
});
