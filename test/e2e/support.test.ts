import assert from 'node:assert/strict';
import { text as readText } from 'node:stream/consumers';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { axe, newPage } from '../fixtures/browser.ts';
import { inspect } from '../fixtures/inspect.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { signInAs } from '../fixtures/sign-in.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

// A Tuesday on which support is there.
const sandbox = withSandbox({ now: () => new Date('2027-01-05T10:00:00Z'), tokenSeconds: 900 });
const portal = withPortalBefore(sandbox);
const phone = { viewport: { width: 390, height: 844 } };
const eicar = Buffer.from(['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join(''));
const password = 'Demo-portal-2026';

/** Types into a field and waits until the server has it. */
async function typeAndKeep(page: Page, field: string, text: string): Promise<void> {
  const kept = page.waitForResponse(response => response.request().postData()?.includes(text) === true);
  await page.getByTestId(field).fill(text);
  assert.equal((await kept).status(), 200);
}

test('a failed activation becomes a ticket with its context, support answers, and the open page changes by itself', async t => {
  const { id, organisation_id } = await sandbox.db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .select(['i.id', 'c.organisation_id'])
    .where('i.status', '=', 'ActivationFailed')
    .where('i.reseller_id', '=', 1001)
    .orderBy('i.id')
    .executeTakeFirstOrThrow();
  const page = await newPage(t, portal.browser, phone);
  await signInAs(page, portal.url, 'engineer@northwind.test', password);
  await page.getByTestId('menu-new').waitFor();
  await page.goto(`${portal.url}/customers/customer/${organisation_id}/services/${id}`);
  await page.getByTestId('ask-support').click();
  await page.getByTestId('ticket-context').waitFor();
  await page.getByTestId('subject').fill('The activation fails again');
  await typeAndKeep(page, 'description', 'Twice since this morning.');
  await axe(page);

  await page.getByTestId('attach-file').press('Enter');
  const attach = page.getByRole('dialog', { name: 'Attach files' });
  await attach.getByTestId('ticket-file').setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: eicar });
  await attach.getByRole('button', { name: 'Attach', exact: true }).press('Enter');
  await attach.getByText('What is in this file is no PNG').waitFor();
  const picture = await page.screenshot();
  await attach.getByTestId('ticket-file').setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: picture });
  await axe(page);
  await attach.getByRole('button', { name: 'Attach', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Remove page.png' }).waitFor();
  await axe(page);
  assert.equal(await page.getByTestId('description').inputValue(), 'Twice since this morning.');

  // The typed text and the file are there again after another page.
  await page.goto(`${portal.url}/support`);
  await page.getByTestId('support-hours').waitFor();
  await page.goBack();
  await page.getByTestId('description').waitFor();
  assert.equal(await page.getByTestId('description').inputValue(), 'Twice since this morning.');
  await page.getByRole('button', { name: 'Send to support' }).click();
  await page.waitForURL('**/support/ticket-detail/*');
  await page.getByTestId('open-page').waitFor();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByTestId('download-file').press('Enter')]);
  assert.equal(saved.suggestedFilename(), 'page.png');
  await axe(page);
  await inspect(page, 'ticket-detail-phone');

  const desk = await newPage(t, portal.browser);
  await desk.goto(`${sandbox.url}/tickets`);
  const number = page.url().split('/').at(-1);
  await desk.getByLabel(`Answer to ticket ${number}`).fill('Which domain is it for?\nAnd since when?');
  await axe(desk, 'look');
  await desk.getByRole('button', { name: `Ask ticket ${number}` }).click();
  await page.getByTestId('waits-for-you').waitFor();
  const asked = page.getByText('Which domain is it for?');
  assert.match(await asked.innerText(), /for\?\n+And/, 'lines stay lines');

  await page.getByTestId('reply-ticket').press('Enter');
  const popup = page.getByRole('dialog', { name: 'Reply' });
  await typeAndKeep(page, 'message', 'The one of the customer.');
  await axe(page);
  // The session ends, another user comes and goes, and what its author typed is there on the next sign-in, on any device.
  await page.context().clearCookies();
  await signInAs(page, portal.url, 'reseller@northwind.test', password);
  await page.getByTestId('menu-new').waitFor();
  await page.goto(`${portal.url}/support/ticket-detail/${number}`);
  await page.getByTestId('reply-ticket').press('Enter');
  await popup.getByTestId('message').waitFor();
  assert.equal(await popup.getByTestId('message').inputValue(), '');
  await page.context().clearCookies();
  await signInAs(page, portal.url, 'engineer@northwind.test', password);
  await page.getByTestId('menu-new').waitFor();
  await page.goto(`${portal.url}/support/ticket-detail/${number}`);
  await page.getByTestId('reply-ticket').press('Enter');
  await popup.getByText('What you typed on').waitFor();
  assert.equal(await popup.getByTestId('message').inputValue(), 'The one of the customer.');
  await popup.getByRole('button', { name: 'Send' }).press('Enter');
  await page.getByText('The one of the customer.').waitFor();
  await page.getByTestId('waits-for-you').waitFor({ state: 'detached' });

  await page.getByTestId('open-page').click();
  await page.waitForURL(`**/customers/customer/${organisation_id}/services/${id}`);
  await page.goto(`${portal.url}/support/ticket-detail/${number}`);
  await page.getByTestId('close-ticket').click();
  await page.getByTestId('question-yes').click();
  await page.getByTestId('reopen-ticket').waitFor();
  await page.goto(`${portal.url}/support/tickets?show=all&search=activation`);
  await page.getByRole('link', { name: 'The activation fails again' }).waitFor();
});

test('tickets are narrowed to a customer that is found by typing, kept as a view and saved as a file', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/support/tickets?show=all');
  await page.getByTestId('customer-all').click();
  await page.keyboard.type('contoso');
  await page.getByRole('option', { name: 'Contoso' }).first().click();
  await page.waitForURL('**customer=10001**');
  // Rows of all stand there, faded, until those of the customer have come.
  await page
    .getByTestId('all-table')
    .getByRole('link', { name: 'Brightwater Dental Group' })
    .waitFor({ state: 'detached' });
  await page.locator('[data-testid=all-table] table:not([aria-busy])').waitFor();
  await axe(page);
  await inspect(page, 'tickets-of-customer');
  await page.getByTestId('export-all').click();
  const [saved] = await Promise.all([page.waitForEvent('download'), page.getByTestId('csv-all').click()]);
  const [head, ...rows] = (await readText(await saved.createReadStream())).trim().split('\r\n');
  assert.match(head!, /^\uFEFF?Subject,Product,Number,Status,Priority,Customer,/);
  assertEvery(rows, row => row.includes(',Contoso'));
  await page.getByTestId('all-table-views').click();
  await page.getByTestId('all-table-save-view').click();
  await page.getByTestId('all-table-view-name').fill('Of Contoso');
  await page.getByTestId('all-table-save-view-go').click();
  await page.getByText('The view “Of Contoso” was saved.').waitFor();
  await page.goto(`${portal.url}/support/tickets?show=all`);
  await page.getByTestId('all-table-views').click();
  await page.getByRole('menuitemradio', { name: 'Of Contoso' }).click();
  await page.waitForURL('**customer=10001**');
});

test('a maintenance that is announced stands on the service it concerns, and a customer sees only its own tickets', async t => {
  const { id, organisation_id, component } = await sandbox.db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('network_components as n', join => join.on(sql<boolean>`i.service_id = any(n.services)`))
    .select(['i.id', 'c.organisation_id', 'n.id as component'])
    .where('c.organisation_id', '=', 10001)
    .where('i.status', '=', 'Active')
    .orderBy('i.id')
    .executeTakeFirstOrThrow();
  const desk = await newPage(t, portal.browser);
  await desk.goto(`${sandbox.url}/network`);
  await desk.getByLabel('Component').selectOption(component);
  await desk.getByLabel('Kind').selectOption('Maintenance');
  await desk.getByLabel('Title').fill('New disks');
  await desk.getByLabel('Begins').fill('2027-01-06T02:00');
  await desk.getByLabel('Ends').fill('2027-01-06T04:00');
  await axe(desk, 'look');
  await desk.getByRole('button', { name: 'Announce' }).press('Enter');
  await desk.getByText('New disks: announced.').waitFor();

  const page = await newPage(t, portal.browser, phone);
  await signInAs(page, portal.url, 'engineer@northwind.test', password);
  await page.getByTestId('menu-new').waitFor();
  await page.goto(`${portal.url}/customers/customer/${organisation_id}/services/${id}`);
  await page.getByTestId('to-be-maintained').getByRole('link', { name: 'Network status' }).press('Enter');
  await page.getByTestId('components-table').waitFor();
  await page.getByText('New disks').waitFor();
  await page.getByTestId('subscribe-network').press('Enter');
  await page.getByTestId('unsubscribe-network').waitFor();
  await axe(page);

  // An order leads to a ticket that says what it is about.
  await page.goto(`${portal.url}/support`);
  await page.getByTestId('order-door').press('Enter');
  await page.getByTestId('support-order-state').getByText('Failed').click();
  await page.waitForURL('**/support/order?status=Failed');
  await axe(page);
  const order = page.getByTestId('support-orders').getByRole('link', { name: /^ORD-/ }).first();
  const orderNumber = (await order.textContent()) ?? '';
  await order.press('Enter');
  await page.getByTestId('context-facts').getByText(orderNumber).waitFor();

  // The administrator of the customer may write tickets, and sees none of the engineer's about it.
  await sql`update account_permissions set views = views || '{support}',
    permissions = permissions || '{submitAndRespondToAllTickets}'
    where account_id = (select id from accounts where username = 'admin@contoso.test')`.execute(sandbox.db);
  const { id: ticket } = await sandbox.db
    .selectFrom('tickets as t')
    .innerJoin('customers as c', 'c.id', 't.customer_id')
    .select('t.id')
    .where('c.organisation_id', '=', 10001)
    .orderBy('t.id')
    .executeTakeFirstOrThrow();
  const admin = await newPage(t, portal.browser, phone);
  await signInAs(admin, portal.url, 'admin@contoso.test', password);
  await admin.getByTestId('menu-new').waitFor();
  await admin.goto(`${portal.url}/support/tickets?show=all`);
  await admin.getByText('No tickets yet').waitFor();
  // With one organisation there is none to choose.
  await admin.getByTestId('status-all').waitFor();
  assert.equal(await admin.getByTestId('customer-all').count(), 0);
  await admin.goto(`${portal.url}/support/ticket-detail/${ticket}`);
  await admin.getByTestId('ticket-facts').waitFor({ state: 'detached' });
  assert.equal(await admin.getByText('A shared mailbox does not show up').count(), 0);
});
