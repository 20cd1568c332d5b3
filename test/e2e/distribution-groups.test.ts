import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axe, hasTestIds, hidesNoFocus } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
const groups = '/customers/customer/10001/distribution-groups';
const rows = (page: Page, table: string) => page.getByTestId(table).getByRole('row');
const width = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

for (const [name, group, options] of [
  ['a desk', 'Desk team', {}],
  ['a phone', 'Phone team', phone],
] as const)
  test(`at ${name} a group is added, filled with many addresses, limited to some senders, renamed and deleted`, async t => {
    const address = `${group.toLowerCase().replace(' ', '-')}@contoso.test`;
    const page = await openPageAs(t, portal, 'admin@contoso.test', groups, options);
    const dialog = page.getByRole('dialog');
    await page.getByTestId('groups-dns').waitFor();
    await page.getByTestId('add-group').click();
    await page.getByTestId('group-name').fill(group);
    await page.getByTestId('group-address').fill('user@contoso.test');
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await dialog.getByText('already that of Una Marsh').waitFor();
    await page.getByTestId('group-address').fill(address);
    await dialog.getByRole('button', { name: 'Add group' }).click();
    await page.getByRole('heading', { level: 1, name: group }).waitFor();
    await page.getByText('Mail to this group reaches nobody.').waitFor();
    await Promise.all([axe(page), hasTestIds(page), hidesNoFocus(page)]);

    await page.getByTestId('add-members').click();
    await page.getByTestId('member-addresses').fill('user@contoso.test\nnobody@contoso.test');
    await dialog.getByRole('button', { name: 'Add members' }).click();
    await dialog.getByText('Nobody here has these addresses: nobody@contoso.test. Nothing was added.').waitFor();
    await page.getByTestId('member-addresses').fill('user@contoso.test; admin@contoso.test, directors@contoso.test');
    await dialog.getByRole('button', { name: 'Add members' }).click();
    await page.getByText(`3 members were added to ${group}`).waitFor();
    await rows(page, 'members-table').filter({ hasText: 'directors@contoso.test' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Una Marsh' }).click();
    await page.getByTestId('row-remove-member').click();
    await page.getByText('Una Marsh was removed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rows(page, 'members-table').filter({ hasText: 'user@contoso.test' }).waitFor();

    await page.getByTestId('change-senders').click();
    await dialog.getByRole('radio', { name: 'Chosen people' }).check();
    const others = dialog.getByRole('listbox', { name: 'May not send' }).getByRole('option');
    await others.first().click();
    await axe(page);
    await dialog.getByRole('button', { name: 'Move to May send' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Who may send to ${group} was saved.`).waitFor();
    await page.getByTestId('senders-facts').getByText('Chosen people').waitFor();
    assert.equal(await page.getByTestId('group-senders').getByRole('listitem').count(), 1);

    await page.getByTestId('group-more').click();
    await page.getByTestId('edit-group').click();
    await page.getByTestId('group-name').fill(`${group} renamed`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: `${group} renamed` }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await page.getByRole('heading', { level: 1, name: group, exact: true }).waitFor();
    assert.equal(await width(page), page.viewportSize()?.width);

    await page.getByTestId('group-more').click();
    await page.getByTestId('delete-group').click();
    await page.getByText(/is sent back to its sender\. 3 members no longer get it/).waitFor();
    await axe(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete group' }).click();
    await page.getByTestId('groups-table').waitFor();
    assert.equal(await rows(page, 'groups-table').filter({ hasText: group }).count(), 0);
  });

test('a group that would go round in a circle is refused at its place in the lists', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', groups);
  for (const [into, member] of [
    ['Finance', 'sales@contoso.test'],
    ['Sales', 'finance@contoso.test'],
  ] as const) {
    await page.getByTestId('groups-table').getByRole('link', { name: into }).click();
    await page.getByTestId('add-members').click();
    await page.getByTestId('member-addresses').fill(member);
    await page.getByRole('dialog').getByRole('button', { name: 'Add members' }).click();
    if (into === 'Finance') {
      await page.getByText('1 member was added to Finance').waitFor();
      await page.goto(portal.url + groups);
    } else await page.getByText('This group is in Finance already').waitFor();
  }
});

test('on a phone contacts are added from a list, and the groups of one are said before it is deleted', async t => {
  const mail = '/customers/customer/10001/manage-service/hosted-exchange?tab=mail-enabled-contacts';
  const page = await openPageAs(t, portal, 'admin@contoso.test', mail, phone);
  const dialog = page.getByRole('dialog');
  await page.getByTestId('add-contacts').tap();
  await page.getByTestId('contact-lines').fill('Ada Byron <ada@example.org>\nnobody');
  await dialog.getByRole('button', { name: 'Add contacts' }).tap();
  await dialog.getByText('Line 2 has no valid email address. Nothing was added.').waitFor();
  await page.getByTestId('contact-lines').fill('Ada Byron <ada@example.org>\nbookings@harbourside-events.test');
  await dialog.getByRole('button', { name: 'Add contacts' }).tap();
  await page.getByText('1 contact was added; 1 were there already.').waitFor();
  await page.getByTestId('add-contact').tap();
  await page.getByTestId('contact-name').fill('Colleague');
  await page.getByTestId('contact-address').fill('new@contoso.test');
  await dialog.getByRole('button', { name: 'Add contact' }).tap();
  await dialog.getByText('people at contoso.test have mailboxes').waitFor();
  await Promise.all([axe(page), hasTestIds(page)]);
  await page.getByTestId('contact-address').fill('colleague@example.org');
  await dialog.getByRole('button', { name: 'Add contact' }).tap();
  await page.getByText('Colleague was added.').waitFor();
  await page.getByRole('button', { name: 'Actions for Harbourside Events' }).tap();
  await page.getByTestId('row-edit-contact').tap();
  await eventually(async () => (await page.getByTestId('contact-name').inputValue()) === 'Harbourside Events');
  await page.getByTestId('contact-name').fill('Harbourside');
  await axe(page);
  await dialog.getByRole('button', { name: 'Save' }).tap();
  await page.getByText('Harbourside was saved.').waitFor();
  await page.getByRole('button', { name: 'Actions for Rita Moss' }).tap();
  await page.getByTestId('row-delete-contact').tap();
  await dialog.getByText('Sales').waitFor();
  await axe(page);
  assert.equal(await width(page), 390);
  await page.getByTestId('confirm-delete-contact').tap();
  await page.getByText('Rita Moss (Brightwater) was deleted.').waitFor();
});

test('on a phone a room is added, changed and deleted, and a shared mailbox waits for the settings', async t => {
  const mail = '/customers/customer/10002/manage-service/hosted-exchange';
  const page = await openPageAs(t, portal, 'reseller@northwind.test', `${mail}?tab=room-mailboxes`, phone);
  const dialog = page.getByRole('dialog');
  const addOf = async (kind: 'room' | 'shared') => {
    await page.getByTestId(`add-${kind}`).tap();
    await page.getByTestId(`${kind}-name`).fill('Harbour view');
    await page.getByTestId(`${kind}-address`).fill(`harbour.${kind}@ashdown-legal.test`);
    await dialog.getByRole('button', { name: 'Add', exact: true }).tap();
  };
  const editAs = async (kind: 'room' | 'shared') => {
    await page.getByRole('button', { name: 'Actions for Harbour view' }).tap();
    await page.getByTestId(`row-edit-${kind}`).tap();
    const name = page.getByTestId(`${kind}-name`);
    await eventually(async () => (await name.inputValue()) === 'Harbour view');
    await name.fill('Harbour room');
    await axe(page);
    await dialog.getByRole('button', { name: 'Save' }).tap();
    await page.getByRole('button', { name: 'Actions for Harbour room' }).tap();
    assert.equal(await width(page), 390);
    await page.getByTestId(`row-delete-${kind}`).tap();
    await page.getByRole('button', { name: 'Delete mailbox' }).tap();
    await page.getByText('Harbour room was deleted.').waitFor();
  };
  await addOf('room');
  await editAs('room');
  await page.goto(`${portal.url}${mail}?tab=shared-mailboxes`);
  await addOf('shared');
  await dialog.getByText('Shared mailboxes are switched off.').waitFor();
  await page.goto(`${portal.url}${mail}?tab=settings`);
  await page.getByTestId('add-shared-mailboxes').tap();
  await dialog.getByRole('textbox').or(dialog.getByRole('spinbutton')).fill('20');
  await dialog.getByRole('button', { name: 'Save' }).tap();
  await dialog.waitFor({ state: 'detached' });
  await page.goto(`${portal.url}${mail}?tab=shared-mailboxes`);
  await addOf('shared');
  await editAs('shared');
});
