import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const sandbox = withSandbox();
const portal = withPortalBefore(sandbox);

/** Gives the engineer a key. */
async function giveKey(name: string): Promise<string> {
  const key = `portal_${randomBytes(32).toString('base64url')}`;
  const accounts = sandbox.db.selectFrom('accounts').select('id').where('username', '=', 'engineer@northwind.test');
  const { id } = await accounts.executeTakeFirstOrThrow();
  await sandbox.db
    .insertInto('api_keys')
    .values({
      ...{ account_id: id, name, hash: createHash('sha256').update(key).digest('base64url') },
      ...{ old_hash: null, old_until: null, operations: ['customers.list'], calls: ['GET /api/customers'] },
      ...{ addresses: [], created: new Date(), last_used: null, last_address: null },
      expires: new Date(Date.now() + 30 * 86_400_000),
    })
    .execute();
  return key;
}

test('the key of a colleague is found and revoked, from then on it opens nothing, and its owner is told', async t => {
  const key = await giveKey('Night run');
  const call = async () =>
    (await fetch(`${portal.url}/api/v1/customers.list`, { headers: { authorization: `Bearer ${key}` } })).status;
  assert.equal(await call(), 200);
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting');
  await page.getByRole('link', { name: 'Keys of colleagues' }).click();
  const row = page.getByRole('row', { name: /Night run/ });
  await row.getByText('Ewan Fraser').waitFor();
  await page.getByTestId('search-keys').fill('nobody');
  await page.getByText('No key matches').waitFor();
  await page.getByTestId('search-keys').fill('ewan');
  await row.waitFor();
  await axe(page);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
  }
  await row.getByRole('button', { name: 'Actions for Night run of Ewan Fraser' }).click();
  await page.getByTestId('revoke-colleague-key').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await row.waitFor({ state: 'detached' });
  assert.equal(await call(), 401);
  const owner = await openListeningPageAs(t, portal, 'engineer@northwind.test', '/notifications');
  await owner
    .getByText(/has revoked your API key Night run/)
    .first()
    .waitFor();
});
