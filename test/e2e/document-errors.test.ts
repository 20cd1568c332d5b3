import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { withBrowser } from '../fixtures/browser.ts';
import { unhurried, withBuiltPortal } from '../fixtures/built-portal.ts';
import { inspect } from '../fixtures/inspect.ts';
import { readLongForm } from '../fixtures/long-forms.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBuiltPortal({ ...unhurried, SANDBOX_TICK_MS: '0', SHOW_DOCUMENT_ERRORS: '1' });
const browser = withBrowser();

const edit = async (file: string, change: (text: string) => string): Promise<void> => {
  const path = join(portal.schemas, file);
  const text = await readLongForm(portal.schemas, file);
  assert.notEqual(change(text), text, `${file} was not changed`);
  await writeFile(path, change(text));
};

const breakPopup = () =>
  edit('customers/rename-customer.json', text => text.replace('"type": "form"', '"type": "from"'));
const mendPopup = () =>
  edit('customers/rename-customer.json', text => text.replace('"type": "from"', '"type": "form"'));
const place = /customers\/rename-customer\.json:\d+:\d+/;

const openCustomer = (t: TestContext) =>
  openListeningPageAs(t, { browser, url: portal.url }, accounts.reseller, '/customers/customer/10001?tab=users');

test('in development an open page says which saved document is wrong, where and why, until it is right', async t => {
  const page = await openCustomer(t);
  await page.getByTestId('users-table').waitFor();
  const notice = page.getByTestId('document-errors');
  assert.equal(await notice.count(), 0);
  await breakPopup();
  // A file that is being written may be told to be no JSON first.
  const said = page.getByRole('status').filter({ has: notice, hasText: /"from".* Did you mean "form"\?/ });
  await said.waitFor();
  assert.match(await said.innerText(), place);
  await inspect(page, 'document-errors');
  // The last good version goes on.
  await page.getByTestId('rename-customer').dispatchEvent('click');
  await page.getByTestId('new-name').fill('Contoso and Sons');
  await mendPopup();
  await notice.waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('new-name').inputValue(), 'Contoso and Sons');
});

test('above an open popup the notice is dismissed by the keyboard, and comes back with the next wrong save', async t => {
  const page = await openCustomer(t);
  await page.getByTestId('rename-customer').dispatchEvent('click');
  await page.getByTestId('new-name').fill('Contoso and Sons');
  await breakPopup();
  const notice = page.getByTestId('document-errors');
  await notice.waitFor();
  const dismiss = page.getByTestId('document-errors-dismiss');
  for (let tabs = 0; tabs < 10 && !(await dismiss.and(page.locator(':focus')).count()); tabs++)
    await page.keyboard.press('Tab');
  await dismiss.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await notice.waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('new-name').inputValue(), 'Contoso and Sons');
  await edit('customers/rename-customer.json', text => text.replace('"busy"', '"bussy"'));
  await notice.waitFor();
  await edit('customers/rename-customer.json', text => text.replace('"bussy"', '"busy"'));
  await mendPopup();
  await notice.waitFor({ state: 'detached' });
});
