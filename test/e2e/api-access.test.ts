import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal(() => unhurried);

test('a key is made for one operation, shown once, used by a program, regenerated and revoked', async t => {
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting');
  await page.getByRole('link', { name: 'API access' }).click();
  await page.getByText('No keys yet').waitFor();
  await axe(page);
  await page.getByTestId('add-api-key').click();
  await page.getByLabel('Name', { exact: true }).fill('Nightly report');
  await page.getByLabel('Search operations').fill('customers.list');
  await page.getByText('1–1 of 1').waitFor();
  await page.getByTestId('api-operations').getByRole('checkbox').check();
  await page.getByText('1 chosen').waitFor();
  await axe(page);
  await inspect(page, 'new-api-key-chosen');
  await page.getByRole('button', { name: 'Create the key' }).click();
  const popup = page.getByRole('dialog');
  await popup.getByText('This is the only time that the key is shown.').waitFor();
  const [key = ''] = /portal_[\w-]{43}/.exec(await popup.innerText()) ?? [];
  const call = async (by: string): Promise<number> => {
    const reply = await fetch(`${portal.url}/api/v1/customers.list`, { headers: { authorization: `Bearer ${by}` } });
    return reply.status;
  };
  assert.equal(await call(key), 200);
  await axe(page);
  await inspect(page, 'api-key-shown');
  await page.getByTestId('api-key-kept').click();
  const row = page.getByRole('row', { name: /Nightly report/ });
  await row.waitFor();
  assert.doesNotMatch(await page.content(), new RegExp(key));
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
  assert.ok(!kept.includes(key), kept);
  await inspect(page, 'api-access-with-key');

  await row.getByRole('button', { name: 'Actions for Nightly report' }).click();
  await page.getByTestId('regenerate-api-key').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Regenerate' }).click();
  await page.getByText('This is the only time that the key is shown.').waitFor();
  const [next = ''] = /portal_[\w-]{43}/.exec(await page.getByRole('dialog').innerText()) ?? [];
  assert.notEqual(next, key);
  assert.deepEqual([await call(key), await call(next)], [200, 200]);
  await page.getByTestId('api-key-kept').click();

  await row.getByRole('button', { name: 'Actions for Nightly report' }).click();
  await page.getByTestId('revoke-api-key').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('No keys yet').waitFor();
  assert.deepEqual([await call(key), await call(next)], [401, 401]);
});

test('the integrations tick themselves off on an open page, when a program calls and when the check finds it', async t => {
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting');
  await page.getByRole('link', { name: 'Integration' }).click();
  const api = page.getByTestId('api-guide');
  await page.getByTestId('sign-on-guide-step-1').waitFor();
  await api.getByText('0 of 4 steps done').waitFor();
  await axe(page);
  const other = await page.context().newPage();
  await other.goto(`${portal.url}/account-setting/api-access/new`);
  await other.getByLabel('Name', { exact: true }).fill('Guided');
  await other.getByLabel('Search operations').fill('customers.list');
  await other.getByText('1–1 of 1').waitFor();
  await other.getByTestId('api-operations').getByRole('checkbox').check();
  await other.getByRole('button', { name: 'Create the key' }).click();
  const [key = ''] = /portal_[\w-]{43}/.exec(await other.getByTestId('api-key-value').innerText()) ?? [];
  await api.getByText('2 of 4 steps done').waitFor();
  await fetch(`${portal.url}/api/v1/customers.list`, { headers: { authorization: `Bearer ${key}` } });
  await api.getByText('3 of 4 steps done').waitFor();
  await api.getByRole('heading', { name: 'Make the first call (Done)' }).waitFor();

  const signOn = page.getByTestId('sign-on-guide');
  await signOn.getByText('Not checked yet').waitFor();
  await signOn.getByRole('button', { name: 'Check again' }).click();
  await signOn.getByRole('heading', { name: 'See that the identity provider answers (Done)' }).waitFor();
  await signOn.getByText(/^Checked/).waitFor();
  const system = page.getByTestId('business-system-guide');
  await system.getByRole('button', { name: 'Check again' }).click();
  await system.getByText('3 of 5 steps done').waitFor();

  const toggle = system.getByRole('button', { name: 'Business system', exact: true });
  await toggle.focus();
  await page.keyboard.press('Enter');
  await page.reload();
  await system.getByRole('button', { name: 'Business system', expanded: false, exact: true }).waitFor();
  await toggle.press('Space');
  await system.getByRole('heading', { name: /Match the customers/ }).waitFor();
});
