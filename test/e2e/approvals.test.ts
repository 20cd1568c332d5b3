import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { addCustomer, openListeningPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

// Its own, since what it switches on holds up deletions of others.
const portal = withBrowserPortal(() => unhurried);
const phone = { viewport: { width: 390, height: 844 } };

test('a deletion waits for another person, who is told, opens it and approves it, and whoever asked sees it happen', async t => {
  const approver = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting/manage-access');
  await approver.getByTestId('approval-settings').click();
  await approver.getByRole('heading', { level: 1, name: 'Second person' }).waitFor();
  await axe(approver);
  await inspect(approver, 'second-person');
  await approver
    .getByRole('row', { name: /many customers/ })
    .getByRole('button')
    .click();
  await approver.getByRole('menuitem', { name: /above a number/ }).click();
  await approver.getByRole('dialog', { name: 'Above which number?' }).waitFor();
  await axe(approver);
  await approver.keyboard.press('Escape');
  const deletion = approver.getByRole('row', { name: /Deletion of a customer/ });
  await deletion.getByRole('button').click();
  await approver.getByRole('menuitem', { name: 'Demand a second person', exact: true }).click();
  await approver.getByTestId('question-yes').click();
  await deletion.getByText('On', { exact: true }).waitFor();

  const asker = await openListeningPageAs(t, portal, 'single@northwind.test', '/customers', phone);
  const name = uniqueName('Waiting');
  await addCustomer(asker, portal.url, name);
  await asker.getByTestId('customer-more').press('Enter');
  await asker.getByRole('menuitem', { name: 'Delete customer' }).press('Enter');
  const popup = asker.getByRole('dialog');
  await popup.getByText('Another person has to approve this first.').waitFor();
  await popup.getByTestId('confirmation').fill(name);
  await popup.getByTestId('confirmation').press('Enter');
  await asker.waitForURL('**/approvals/*');
  await asker.getByText('This waits for the approval of another person.').first().waitFor();
  await asker.getByRole('heading', { level: 1, name }).waitFor();
  await asker.getByTestId('withdraw').waitFor();
  await axe(asker);
  await inspect(asker, 'approval-asked-phone');

  await asker.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await asker.getByRole('button', { name: 'Deletion waits' }).waitFor();
  await axe(asker);
  await inspect(asker, 'customers-deletion-waits');
  await asker.getByRole('link', { name }).first().click();
  await asker.getByText(/Silas Dunn asked on .+ for this customer to be deleted/).waitFor();
  await axe(asker);
  await inspect(asker, 'customer-deletion-waits');
  await asker.getByTestId('open-deletion').click();
  await asker.getByTestId('withdraw').waitFor();

  await approver.getByTestId('bell').click();
  await approver.getByText(`Approval asked by Silas Dunn: ${name}`).first().waitFor();
  await approver.goto(`${portal.url}/approvals?list=toDecide`);
  await approver.getByRole('link', { name }).waitFor();
  await axe(approver);
  await approver.getByRole('link', { name }).click();
  await approver.getByText(`${name} is deleted with its users`).waitFor();
  await axe(approver);
  await inspect(approver, 'approval-to-decide');
  await approver.getByTestId('refuse').click();
  await approver.getByRole('dialog', { name: 'Refuse this?' }).waitFor();
  await axe(approver);
  await approver.keyboard.press('Escape');
  await approver.getByTestId('approve').click();
  await approver.getByTestId('question-yes').click();
  await approver.getByText('Approved and carried out.').first().waitFor();

  await asker.getByText('Priya Raman').first().waitFor();
  await asker.getByText('Approved', { exact: true }).first().waitFor();
  await asker.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await asker.getByText('No customers match').waitFor();
});
