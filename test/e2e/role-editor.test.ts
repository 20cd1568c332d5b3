import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe } from '../fixtures/browser.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openListeningPage, openPageAs } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox();
const portal = withPortalBefore(cloud);
const engineer = 'engineer@northwind.test';

const tick = (page: Page, right: string) => page.getByTestId(`right-${right}`);
const count = (page: Page, kind: string, text: RegExp) => page.getByTestId(`count-${kind}`).getByText(text).first();

test('a role is made by ticks that say what they open, and what is taken from it vanishes from an open page', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/account-setting/roles');
  await page.getByTestId('roles-table').waitFor();
  await axe(page);
  await page.getByTestId('new-role').click();
  await page.getByTestId('name').fill('Front desk');
  await page.getByTestId('user-type').selectOption({ label: 'Engineer' });
  await tick(page, 'customers').check();
  await count(page, 'screens', /[1-9]\d* appear, 0 vanish/).waitFor();
  await page.getByTestId('effects-screens').getByText('/customers', { exact: true }).waitFor();
  await tick(page, 'billing').check();
  await page.getByTestId('effects-screens').getByText('/billing', { exact: true }).waitFor();
  await axe(page);

  // The tests of the role are judged before it is saved.
  await page.getByTestId('may-open').fill('/customers');
  await page.getByTestId('may-not-open').fill('/billing');
  await page.getByRole('button', { name: 'Save the role' }).click();
  await page.getByText('With these rights it opens: /billing.').waitFor();
  await tick(page, 'billing').uncheck();
  await page.getByRole('button', { name: 'Save the role' }).click();
  await page.getByRole('heading', { name: 'Front desk' }).waitFor();
  await page.getByTestId('role-tests').getByText('Passes').nth(1).waitFor();
  await axe(page);
  const role = page.url();

  await page.goto(`${portal.url}/account-setting/manage-access/${engineer}/rolesEditor`);
  await page.getByTestId('give-role').click();
  await page.getByTestId('roles-to-give').getByText('Front desk').click();
  await page.getByText(/^Front desk: \d+ screens, \d+ calls and \d+ fields appear\./).waitFor();
  await axe(page);
  await page.getByRole('button', { name: 'Give the role' }).click();
  const given = page.getByTestId('given-table');
  await given.getByText('Front desk').waitFor();
  await given.getByRole('row', { name: 'Engineer' }).getByRole('button').click();
  await page.getByTestId('take-role').click();
  // Text is paler while a table is read again.
  const isRead = () => page.locator('[data-testid=reasons-table] [aria-busy=true]').waitFor({ state: 'detached' });
  const both = page.getByTestId('reasons-table').getByText('Engineer, Front desk').first();
  await both.waitFor();
  await isRead();
  await axe(page);
  await page.getByRole('button', { name: 'Take the role away' }).click();
  await given.getByText('Engineer').waitFor({ state: 'detached' });
  await both.waitFor({ state: 'detached' });
  await isRead();
  await axe(page);
  // Why a screen opens: the right, and the role that gives it.
  const reason = page.getByTestId('reasons-table').getByRole('row', { name: /See customers/ });
  await reason.first().getByText('Front desk').waitFor();
  const persons = page.url();
  // What the person can do is searched, and leads to everybody else who can.
  await page.getByTestId('search-acts').fill('distribution');
  await page.getByTestId('reasons-table').getByRole('link', { name: 'Distribution groups' }).click();
  await page.getByTestId('who-table').getByText(engineer).waitFor();
  await page.getByTestId('needs-table').getByText('See customers').first().waitFor();
  await axe(page);
  await page.getByTestId('other-act').click();
  await page.getByTestId('search-acts').fill('disables');
  await page
    .getByTestId('acts-table')
    .getByRole('link', { name: /disables/i })
    .first()
    .click();
  await page.getByTestId('needs-table').getByText('Manage people and roles').first().waitFor();
  await page.getByTestId('who-table').getByText('reseller@northwind.test').waitFor();
  await page.goto(persons);
  await page.getByTestId('open-screen').first().click();
  await page.waitForURL(address => !address.pathname.includes('manage-access'));
  await page.goto(persons);
  await page.getByTestId('single-rights').click();
  await tick(page, 'support').check();
  await count(page, 'screens', /[1-9]\d* appear, 0 vanish/).waitFor();
  await axe(page);
  // The right ends by itself.
  await page.getByTestId('right-until').fill(new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10));
  await page.getByRole('button', { name: 'Save the rights' }).click();
  await page.getByTestId('right-ends-table').getByText('See support').waitFor();
  await axe(page);

  const theirs = await openPageAs(t, portal, engineer, '/');
  await openListeningPage(theirs, `${portal.url}/customers`);
  await theirs.getByTestId('customers-table').waitFor();
  await page.goto(role);
  await tick(page, 'customers').uncheck();
  await count(page, 'screens', /0 appear, [1-9]\d* vanish/).waitFor();
  await tick(page, 'support').check();
  await page.getByTestId('may-open').fill('/support/callback');
  await page.getByRole('button', { name: 'Save the role' }).click();
  await theirs.getByTestId('nav-customers').waitFor({ state: 'detached' });
  await theirs.getByTestId('customers-table').waitFor({ state: 'detached' });
});

test('on a phone the rights come first, what they open below, and nothing is wider than the page', async t => {
  const options = { viewport: { width: 360, height: 760 } };
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/account-setting/roles/new', options);
  await tick(page, 'billing').focus();
  await page.keyboard.press('Space');
  await count(page, 'calls', /[1-9]\d* appear/).waitFor();
  // The counts are of the chosen kind of user.
  await page.getByTestId('user-type').selectOption({ label: 'End user' });
  await count(page, 'calls', /^0 appear/).waitFor();
  await tick(page, 'hostedExchange').check();
  await count(page, 'calls', /[1-9]\d* appear/).waitFor();
  const [rights, effects] = await Promise.all(
    [page.getByTestId('new-role-form'), page.getByTestId('role-effects')].map(part => part.boundingBox()),
  );
  assert.ok(rights && effects && effects.y > rights.y);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), true);
});

test('what a user of a customer can do is reached from the user, with the reasons', async t => {
  const page = await openPageAs(
    t,
    portal,
    'reseller@northwind.test',
    '/customers/user-details?organisation=10001&user=20003',
  );
  await page.getByTestId('user-rights').click();
  await page.getByTestId('reasons-table').getByRole('link').first().waitFor();
  await page.getByTestId('kind-filter').getByText('Acts').click();
  await page.getByTestId('reasons-table').getByText('Needs no right').first().waitFor();
  await axe(page);
});
