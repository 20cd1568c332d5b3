import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { addCustomer, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

const reseller = 'reseller@northwind.test';
const contoso = '/customers/customer/10001';

const portal = withBrowserPortal();

const table = (page: Page) => page.getByTestId('users-table');
const names = (page: Page) => table(page).getByRole('rowheader').getByRole('link');

/** An address of a customer's domain that nobody has. */
const newEmail = (domain: string): string => `${uniqueName('u').replace(' ', '-')}@${domain}`;

/** Fills and sends the form of a new user; gives the address that it has. */
async function addUser(page: Page, first: string, email = newEmail('example.test')) {
  await page.getByTestId('tab-users').click();
  await page.getByTestId('add-user').click();
  const popup = page.getByRole('dialog', { name: 'Add user' });
  await popup.getByTestId('first-name').fill(first);
  await popup.getByTestId('last-name').fill('Example');
  await popup.getByTestId('email').fill(email);
  await popup.getByRole('radio', { name: 'Customer administrator' }).check();
  await popup.getByRole('button', { name: 'Add user' }).click();
  return email;
}

test('users are searched and sorted, and both are kept in the address', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}?tab=users`);
  await names(page).first().waitFor();
  await page.getByTestId('users-search').fill('una');
  await page.waitForURL('**usersSearch=una');
  await names(page).getByText('Una Marsh').waitFor();
  await page.reload();
  await names(page).getByText('Una Marsh').waitFor();
  assert.equal(await page.getByTestId('users-search').inputValue(), 'una');
  await page.getByTestId('users-search').fill('nobodyhere');
  await page.getByText('No users match').waitFor();
  await page.getByTestId('users-search').fill('');
  await names(page).first().waitFor();
  await table(page).getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await page.waitForURL('**usersSort=-DisplayName');
  await table(page).locator('th[aria-sort="descending"]').waitFor();
});

test('a user is added with a role, is in the list at once, and an address that is taken is told in the form', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await addCustomer(page, portal.url, uniqueName('People'));
  await page.getByTestId('tab-users').click();
  await page.getByText('No users yet').waitFor();
  const email = await addUser(page, 'Vera');
  await page.getByText(`${email} was added. A welcome mail is on its way.`).waitFor();
  const row = table(page).getByRole('row').filter({ hasText: email });
  await row.getByText('Customer administrator').waitFor();
  await addUser(page, 'Twin', email);
  const popup = page.getByRole('dialog', { name: 'Add user' });
  await popup
    .getByText(/already/i)
    .first()
    .waitFor();
  assert.equal(await popup.getByTestId('first-name').inputValue(), 'Twin');
  assert.equal(await popup.getByTestId('email').inputValue(), email);
});

test('a new user needs a name and an address that is one', async t => {
  const page = await openPageAs(t, portal, reseller, `${contoso}?tab=users`);
  await page.getByTestId('add-user').click();
  const popup = page.getByRole('dialog', { name: 'Add user' });
  await popup.getByTestId('email').fill('not an address');
  await popup.getByRole('button', { name: 'Add user' }).click();
  for (const message of ['First name is required', 'Last name is required', 'Must be a valid email address'])
    await popup.getByText(message).waitFor();
  assert.equal(await popup.getByTestId('first-name').evaluate(element => element === document.activeElement), true);
});

test('details of a user are changed and kept', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const id = await addCustomer(page, portal.url, uniqueName('Details'));
  await addUser(page, 'Dora');
  await names(page).getByText('Dora Example').click();
  await page.waitForURL(`**/customers/user-details?organisation=${id}&user=*`);
  const form = page.getByTestId('user-details-form');
  const save = form.getByRole('button', { name: 'Save changes' });
  assert.equal(await save.isDisabled(), true);
  await form.getByTestId('last-name').fill('Changed');
  await form.getByTestId('phone').fill('12');
  await save.click();
  await form.getByText(/^Must be a valid phone number/).waitFor();
  await form.getByTestId('phone').fill('+44 1632 960123'.replaceAll(' ', ''));
  await save.click();
  await page.getByText('The details were saved.').waitFor();
  await page.getByRole('heading', { level: 1, name: 'Dora Changed' }).waitFor();
  await page.reload();
  assert.equal(await form.getByTestId('phone').inputValue(), '+441632960123');
});

test('the groups of a user are listed, and a card without anything in it is not there', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/user-details?organisation=10001&user=20003');
  await page.getByTestId('user-facts').getByText('All staff').waitFor();
  const notes = page.getByRole('heading', { name: 'Notes' });
  assert.equal(await notes.count(), await page.getByText('Prefers to be called before noon.').count());
});

test('deleting a user asks first and takes the row away', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await addCustomer(page, portal.url, uniqueName('Leaver'));
  const email = await addUser(page, 'Gone');
  const row = table(page).getByRole('row').filter({ hasText: email });
  const question = page.getByRole('dialog', { name: 'Delete Gone Example?' });
  await row.getByRole('button', { name: 'Actions for Gone Example' }).click();
  await page.getByTestId('row-delete-user').click();
  await question.getByText('Their account and details go').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await row.getByRole('button', { name: 'Actions for Gone Example' }).click();
  await page.getByTestId('row-delete-user').click();
  await question.getByRole('button', { name: 'Delete user' }).click();
  await page.getByText('Gone Example was deleted.').waitFor();
  await page.getByText('No users yet').waitFor();
});

test('a customer administrator adds, changes and deletes users of the own organisation', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', `${contoso}?tab=users`);
  const first = uniqueName('Temp').replace(/\W/g, '');
  const email = await addUser(page, first, newEmail('contoso.test'));
  await page.getByText(`${email} was added.`).waitFor();
  await page.getByTestId('users-search').fill(email);
  await names(page).getByText(`${first} Example`).click();
  const form = page.getByTestId('user-details-form');
  await form.getByTestId('job-title').fill('Apprentice');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The details were saved.').waitFor();
  await page.getByTestId('user-more').click();
  await page.getByTestId('delete-user').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
  await page.waitForURL(`**${contoso}?tab=users`);
  await page.getByText(`${first} Example was deleted.`).waitFor();
});

test('an end user changes the own phone number and nothing that is not theirs', async t => {
  const page = await openPageAs(t, portal, 'user@contoso.test', '/customers/user-details');
  const form = page.getByTestId('user-details-form');
  const phone = `01632960${String(100 + Math.floor(Math.random() * 900))}`;
  await page.getByRole('heading', { level: 1, name: 'Una Marsh' }).waitFor();
  assert.equal(await form.getByTestId('last-name').count(), 0);
  assert.equal(await page.getByTestId('user-more').count(), 0);
  await form.getByTestId('phone').fill(phone);
  await form.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('The details were saved.').waitFor();
  await page.reload();
  assert.equal(await form.getByTestId('phone').inputValue(), phone);
  // The address of another user's details leads nowhere.
  await page.goto(`${portal.url}/customers/user-details?organisation=10002&user=20030`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
});

test('an end user reads on a page of their own what was changed of theirs, and by whom', async t => {
  const admin = await openPageAs(t, portal, 'admin@contoso.test', `${contoso}?tab=users&usersSearch=una`);
  await names(admin).getByText('Una Marsh').click();
  const job = uniqueName('Planner');
  await admin.getByTestId('job-title').fill(job);
  await admin.getByTestId('user-details-form').getByRole('button', { name: 'Save changes' }).click();
  await admin.getByText('The details were saved.').waitFor();

  const page = await openPageAs(t, portal, 'user@contoso.test', '/end-user');
  await page.getByTestId('activity').click();
  await page.waitForURL('**/end-user/activity');
  const row = page.getByTestId('my-activity').locator('ol > li').first();
  await row.getByText('User changed').waitFor();
  assert.match(await row.innerText(), new RegExp(`Ada Whitfield[^]*Job title: ${job}`));
  assert.doesNotMatch(await page.getByTestId('my-activity').innerText(), /Customer created/);
});

test('what belongs to another reseller is as little there as what never was', async t => {
  const rival = await openPageAs(t, portal, 'rival@southridge.test', '/customers');
  const seen = async (path: string) => {
    await rival.goto(portal.url + path);
    await rival.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
    return (await rival.locator('main').innerText()).replaceAll(/\d{4,}/g, '#');
  };
  assert.equal(await seen(contoso), await seen('/customers/customer/99999999'));
  const user = '/customers/user-details?organisation=10001&user=20001';
  assert.equal(await seen(user), await seen('/customers/user-details?organisation=99999999&user=99999999'));
});

test('nobody is offered to delete or suspend themselves, and the portal lets nobody', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', `${contoso}?tab=users`);
  const reply = await page.request.get(`${portal.url}/ui/data/users.list?pageSize=100`);
  const users: { UserId: number; Email: string; Status: string }[] = (await reply.json()).Result.Items;
  const own = users.find(({ Email }) => Email === 'admin@contoso.test');
  const other = users.find(({ Email, Status }) => Email !== 'admin@contoso.test' && Status === 'Active');
  assert.ok(own && other);
  for (const [user, offers] of [
    [own, 0],
    [other, 1],
  ] as const) {
    await page.goto(`${portal.url}${contoso}?tab=users&usersSearch=${encodeURIComponent(user.Email)}`);
    const row = table(page).getByRole('row').filter({ hasText: user.Email });
    await row.getByTestId('users-table-row-menu').click();
    await page.getByTestId('row-open-user').waitFor();
    assert.equal(await page.getByTestId('row-delete-user').count(), offers, user.Email);
    await page.goto(`${portal.url}/customers/user-details?organisation=10001&user=${user.UserId}`);
    await page.getByTestId('user-facts').getByText('Mailbox').first().waitFor();
    // A menu without an entry is not there.
    if ((await page.getByTestId('user-more').count()) > 0) {
      await page.getByTestId('user-more').click();
      await page.getByRole('menuitem').first().waitFor();
    }
    for (const entry of ['delete-user', 'suspend-user'])
      assert.equal(await page.getByTestId(entry).count(), offers, `${entry} ${user.Email}`);
  }
});
