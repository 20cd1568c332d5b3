import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notify } from '../../server/sandbox/notifications/store.ts';
import { newPage } from '../fixtures/browser.ts';
import { inspect } from '../fixtures/inspect.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const sandbox = withSandbox();
const portal = withPortalBefore(sandbox);

test('mails that were asked for from the profile are stopped by a link without signing in, and come again by a press', async t => {
  const own = await openPageAs(t, portal, accounts.reseller, '/account-setting/profile');
  await own.getByTestId('notification-ways').click();
  await own.getByTestId('notification-ways-form').waitFor();
  await own.getByTestId('danger-mail').check();
  await own.getByRole('button', { name: 'Save' }).click();
  await own.getByText('You are told like this from now on.').first().waitFor();

  const { db } = sandbox;
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', accounts.reseller)
    .executeTakeFirstOrThrow();
  const note = { service_name: 'Backup', message: 'Backup failed', content: 'One failed', category: 'danger' as const };
  await db.transaction().execute(trx => notify(trx, [id], note, new Date()));
  const mail = await db.selectFrom('outbox').select('unsubscribe').orderBy('id', 'desc').executeTakeFirstOrThrow();
  const page = await newPage(t, portal.browser);
  await page.goto(portal.url + new URL(mail.unsubscribe ?? '').pathname);
  await page.getByTestId('stopped').waitFor();
  await inspect(page, 'unsubscribed');
  await page.getByTestId('undo-notifications').click();
  await page.getByTestId('resumed').waitFor();
  assert.equal(await page.getByTestId('choose-resumed').count(), 0);
  await page.getByTestId('sign-in-resumed').click();
  await page.waitForURL(/\/login\?return=%2Faccount-setting%2Fnotifications$/);
  await own.reload();
  await own.getByTestId('danger-mail').and(own.locator(':checked')).waitFor();
});
