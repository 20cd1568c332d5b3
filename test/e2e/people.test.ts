import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs, openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withPortalBefore(withSandbox());
const person = (name: string) => `/account-setting/manage-access/${encodeURIComponent(name)}`;

test('a profile is edited by whoever manages people while its owner edits it, who is told and loses nothing', async t => {
  const theirs = await openListeningPageAs(t, portal, 'engineer@northwind.test', '/account-setting/profile');
  await theirs.getByTestId('phone').fill('01134960123');
  const page = await openPageAs(t, portal, 'reseller@northwind.test', person('engineer@northwind.test'));
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
