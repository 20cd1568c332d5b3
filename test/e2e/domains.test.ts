import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

let ahead = 0;
const sandbox = withSandbox(() => ({ now: () => new Date(Date.now() + ahead) }));
const portal = withBrowserPortal(() => ({ ...unhurried, CLOUD_API_URL: sandbox.url }));

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const domains = '/customers/customer/10001/domains';

test('a domain of any alphabet is added and deleted, also on a phone; one that is in use stays', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', domains, phone);
  await page.getByTestId('add-domain').tap();
  const name = page.getByRole('textbox', { name: 'Domain' });
  await name.fill('not a domain');
  await Promise.all([axe(page), hasTestIds(page)]);
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).tap();
  await page.getByText('Must be a domain, for example contoso.com').waitFor();
  await name.fill('Büro.test');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).tap();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('xn--bro-hoa.test').waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);

  await page.getByRole('button', { name: 'Actions for büro.test' }).tap();
  await page.getByTestId('row-delete-domain').tap();
  await page.getByRole('button', { name: 'Delete domain' }).tap();
  await page.getByText('büro.test was deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().tap();
  await page.getByRole('button', { name: 'Actions for büro.test' }).waitFor();

  await page.getByTestId('add-domain').tap();
  await name.fill('mistake.test');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).tap();
  await page.getByRole('link', { name: 'mistake.test' }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).last().tap();
  await page.getByRole('link', { name: 'mistake.test' }).waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Actions for contoso-events.test' }).tap();
  await page.getByTestId('row-delete-domain').tap();
  await page.getByRole('button', { name: 'Delete domain' }).tap();
  await page.getByText(/Addresses of this domain are in use: 1\. The first is una@contoso-events\.test\./).waitFor();
});

/** Sets a record on the page of the sandbox. */
async function setRecord(name: string, type: string, value: string): Promise<void> {
  const { origin } = new URL(sandbox.url);
  const body = new URLSearchParams({ name, type, value });
  const { status } = await fetch(`${origin}/dns`, { method: 'POST', headers: { origin }, body });
  assert.equal(status, 200);
}

test('a domain is set up until DNS is right, on a phone', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', domains, phone);
  await page.getByTestId('add-domain').tap();
  await page.getByRole('textbox', { name: 'Domain' }).fill('story.test');
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).tap();
  await page.getByRole('link', { name: 'story.test' }).tap();
  await page.getByRole('heading', { name: 'story.test', level: 1 }).waitFor();
  await page.getByText('Not checked yet').nth(5).waitFor();
  await Promise.all([axe(page), hasTestIds(page)]);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const check = page.getByTestId('check-domain');
  await check.tap();
  await page.getByText('DNS does not know this domain').first().waitFor();
  await page.getByText('Mail of this domain does not arrive yet.').waitFor();

  await setRecord('story.test', 'MX', '10 mx.fernhill.test');
  await setRecord('story.test', 'TXT', 'v=spf1 include:spf.fernhill.test -all');
  for (const host of ['autodiscover', 's1._domainkey', 's2._domainkey'])
    await setRecord(`${host}.story.test`, 'CNAME', `${host}.fernhill.test`);
  // A check at once after another would be answered with what that one found.
  ahead += 10_000;
  await check.tap();
  await page.getByText('The domain is active: mailboxes and groups').waitFor();
  await page.getByText('5 of 6 records right').waitFor();
  await axe(page);
});
