import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { accounts, signInAs } from '../fixtures/sign-in.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();
const phone = { viewport: { width: 390, height: 844 } };

test('an end user finds the article that helps, on a phone and by keyboard, and says so', async t => {
  const page = await newPage(t, portal.browser, phone);
  await signInAs(page, portal.url, accounts.endUser);
  await page.goto(`${portal.url}/knowledge-base`);
  await page.getByTestId('search-articles').fill('lost phone');
  const found = page.getByTestId('found-articles').getByRole('link', { name: 'I have lost my phone' });
  await found.waitFor();
  assert.deepEqual(await found.locator('mark').allTextContents(), ['lost', 'phone']);
  await axe(page);
  const opened = page.waitForResponse(reply => reply.url().includes('knowledge.opened'));
  await found.press('Enter');
  await page.waitForURL('**/knowledge-base/article/signing-in/lost-phone');
  await page.getByTestId('article').waitFor();
  // It counts as read once it has been open for a moment.
  await opened;
  await inspect(page, 'article-phone');
  await page.getByTestId('helpful').press('Enter');
  await page.getByText('You said that it helped.').waitFor();

  // The same beside any page: closed by mistake the panel comes back as it was, a second later it begins anew.
  await page.goto(`${portal.url}/end-user`);
  await page.getByTestId('help').press('Enter');
  const panel = page.getByTestId('popup-knowledge-panel');
  await panel.getByTestId('help-text').waitFor();
  await axe(page);
  await inspect(page, 'panel-phone');
  await panel.getByTestId('panel-search').fill('forgotten password');
  await panel.getByRole('button', { name: 'I have forgotten my password' }).press('Enter');
  await panel.getByTestId('article').waitFor();
  // The focus is on what opened it again.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await panel.getByTestId('article').waitFor();
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await page.getByTestId('help').press('Enter');
  await panel.getByTestId('panel-popular').waitFor();

  await page.goto(`${portal.url}/knowledge-base`);
  const recent = page.getByTestId('recent-articles').getByRole('link', { name: 'I have lost my phone' });
  await recent.waitFor();
});

test('the page of a product leads to what helps with it, in the knowledge base and elsewhere', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/marketplace/16/1');
  const links = page.getByTestId('related-links');
  const standard = links.getByRole('link', { name: 'RFC 7208: Sender Policy Framework (SPF)' });
  assert.equal(await standard.getAttribute('href'), 'https://www.rfc-editor.org/rfc/rfc7208');
  assert.match((await standard.getAttribute('rel')) ?? '', /noopener/);
  await inspect(page, 'related-links');
  await links.getByRole('link', { name: 'Fix a service that failed' }).press('Enter');
  await page.waitForURL('**/knowledge-base/article/selling/fix-a-failed-service');
  await page.getByTestId('article').waitFor();
});

test('a refusal offers the article about it beside the form, which stays as it is', async t => {
  const page = await openPageAs(t, portal, 'bookkeeper@northwind.test', '/billing/pricing?search=team');
  await page.getByTestId('prices').getByRole('button', { name: 'Actions for Team Sites' }).click();
  await page.getByTestId('change-price').click();
  const popup = page.getByTestId('popup-set-price');
  await popup.getByRole('textbox').fill('0');
  await popup.getByRole('button', { name: 'Save price' }).click();
  await popup.getByText('Set your own prices').waitFor();
  const opened = page.context().waitForEvent('page');
  await popup.getByTestId('toast-action').click();
  const article = await opened;
  await article.waitForURL('**/knowledge-base/article/billing/your-prices');
  await article.getByTestId('article').waitFor();
  assert.equal(await popup.getByRole('textbox').inputValue(), '0');
});
