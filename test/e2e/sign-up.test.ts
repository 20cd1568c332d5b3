import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, newPage } from '../fixtures/browser.ts';
import { inspect } from '../fixtures/inspect.ts';
import { confirmTokens, linksTo } from '../fixtures/mail-links.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { signInAs } from '../fixtures/sign-in.ts';

const sandbox = withSandbox();
const portal = withPortalBefore(sandbox);
const phone = { viewport: { width: 390, height: 844 } };
const email = 'bea@brook.test';
const password = 'Harbour-lantern-84';

test('a company asks for an account on a phone, is accepted by the cloud, and begins with its first steps', async t => {
  const page = await newPage(t, portal.browser, phone);
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('signup').click();
  const form = page.getByTestId('sign-up-form');
  await form.getByRole('button', { name: 'Send request' }).click();
  await form.getByText('Country is required').waitFor();
  await form.getByText('Accept the terms to go on.').waitFor();
  await form.getByLabel('Company').fill('Brook & Sons');
  await form.getByLabel('Your name').fill('Bea Brook');
  await form.getByLabel('Email').fill(email);
  await form.getByLabel('Phone').fill('01134960123');
  await form.getByLabel('Country').selectOption('GB');
  await form.getByLabel('I accept the terms and conditions').check();
  await form.getByLabel('I’m not a robot').check();
  await form.getByRole('button', { name: 'Send request' }).click();
  await page.getByTestId('sign-up-sent').waitFor();
  await axe(page);

  const [token] = await confirmTokens(sandbox, email);
  await page.goto(`${portal.url}/signup?confirm=${token}`);
  await page.getByTestId('sign-up-confirmed').waitFor();
  await axe(page);

  const cloud = await newPage(t, portal.browser, phone);
  await cloud.goto(`${sandbox.url}/sign-ups`);
  await cloud.getByText(email).waitFor();
  await axe(cloud, 'look');
  await cloud.getByRole('button', { name: 'Accept Brook & Sons' }).click();
  await cloud.getByText(`Brook & Sons is accepted. ${email} has a mail.`).waitFor();
  await cloud.getByRole('button', { name: 'Invite Brook & Sons again' }).waitFor();

  const [invitation = ''] = await linksTo(sandbox, email, 'accept-invitation');
  await page.goto(portal.url + invitation);
  await page.getByTestId('new-password').fill(password);
  await page.getByTestId('new-password-again').fill(password);
  await page.getByRole('button', { name: 'Choose password', exact: true }).click();
  await page.waitForURL('**/login?*');
  await signInAs(page, portal.url, email, password);
  await page.getByTestId('agreed').check();
  await page.getByTestId('sign-agreement-form').getByRole('button', { name: 'Sign' }).click();

  // The rights that come with the signature may draw the page anew before it is left.
  await page.getByTestId('menu-new').waitFor();
  await page.goto(portal.url);
  await page.getByTestId('first-steps-guide-progress').getByText('0 of 8 steps done').waitFor();
  assert.match(page.url(), /\/first-steps$/);
  await inspect(page, 'first-steps-of-new');
  await page.getByTestId('first-steps-guide-step-1-link').click();
  for (const [label, value] of [
    ['VAT number', 'GB 123456789'],
    ['Address line 1', '1 Mill Lane'],
    ['Town or city', 'Leeds'],
    ['Post code', 'LS1 4AB'],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByTestId('company-form').getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your company details are saved.').waitFor();
  await page.goto(portal.url);
  await page.getByTestId('first-steps-guide-progress').getByText('1 of 8 steps done').waitFor();
  await page.getByTestId('first-steps-guide-step-1').getByText('(Done)').waitFor();
  await page.getByTestId('put-steps-away').click();
  await page.getByTestId('show-steps-first').waitFor();
  await page.goto(portal.url);
  await page.waitForURL('**/dashboard');
  await page.getByTestId('menu-account').click();
  await page.getByRole('menuitem', { name: 'First steps' }).click();
  await page.getByTestId('first-steps-guide-progress').waitFor();
  assert.equal(await page.getByTestId('put-steps-away').count(), 0);
});
