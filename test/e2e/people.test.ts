import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const portal = withPortalBefore(withSandbox());
const person = (name: string) => `/account-setting/manage-access/${encodeURIComponent(name)}`;

test('a profile is edited by whoever manages people while its owner edits it, who is told and loses nothing', async t => {
  const theirs = await openListeningPageAs(t, portal, 'engineer@northwind.test', '/account-setting/profile');
  await theirs.getByTestId('phone').fill('01134960123');
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', person('engineer@northwind.test'));
  await page.getByTestId('last-name').fill('Fraser-Lowe');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('was saved.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Ewan Fraser-Lowe' }).waitFor();
  await theirs.getByRole('button', { name: /Ewan Fraser-Lowe$/ }).waitFor();
  const save = theirs.getByRole('button', { name: 'Save changes' });
  await save.click();
  await theirs.getByText('Somebody else has changed the profile of Ewan Fraser-Lowe meanwhile.').waitFor();
  assert.equal(await theirs.getByTestId('phone').inputValue(), '01134960123');
  await axe(theirs);
  await theirs.reload();
  assert.equal(await theirs.getByTestId('last-name').inputValue(), 'Fraser-Lowe');
  for (const phone of ['01134960123', '01134960124']) {
    await theirs.getByTestId('phone').fill(phone);
    await save.click();
    await theirs.getByText('Your profile was saved.').first().waitFor();
    await theirs.getByText('Your profile was saved.').first().waitFor({ state: 'detached' });
  }
});

test('somebody’s open session is ended from their sign-ins, where it stands how it was made, and they are out at once', async t => {
  const theirs = await openListeningPageAs(t, portal, 'codes@northwind.test', '/customers');
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', person('codes@northwind.test'));
  await page.getByTestId('person-sign-ins').click();
  await page.getByRole('heading', { level: 1, name: 'Sign-ins of' }).waitFor();
  const sessions = page.getByTestId('sessions-table');
  await sessions.getByText('Password', { exact: true }).first().waitFor();
  await axe(page);
  await sessions.getByRole('row').nth(1).getByRole('button').click();
  await page.getByTestId('end-session').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
  await theirs.waitForURL('**/login**');
  await page.getByText('Not signed in anywhere').waitFor();
  await page.getByTestId('log-table').getByText('A session ended by an administrator').waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
});
