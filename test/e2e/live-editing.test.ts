import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newPage, withBrowser } from '../fixtures/browser.ts';
import { unhurried, withBuiltPortal } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { readLongForm } from '../fixtures/long-forms.ts';
import { accounts, signInContext } from '../fixtures/sign-in.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';
import { nextEvent } from '../fixtures/wait.ts';

type Json = Record<string, unknown>;

const portal = withBuiltPortal({ ...unhurried, SANDBOX_TICK_MS: '0' });
const browser = withBrowser();

/** Saves a document as an editor does, and puts it back when the test ends. Gives the text as it was. */
async function save(t: TestContext, file: string, change: (text: string) => string): Promise<string> {
  const path = join(portal.schemas, file);
  const original = await readLongForm(portal.schemas, file);
  const text = change(original);
  assert.notEqual(text, original, `${file} was not changed`);
  t.after(() => writeFile(path, original));
  await writeFile(path, text);
  return original;
}

const saveJson = (t: TestContext, file: string, change: (document: Json) => void): Promise<string> =>
  save(t, file, text => {
    const document = JSON.parse(text) as Json;
    change(document);
    return JSON.stringify(document, null, 2);
  });

/** Opens a page as the reseller and waits until it hears the server. */
async function open(t: TestContext, address: string): Promise<Page> {
  const page = await openListeningPageAs(t, { browser, url: portal.url }, accounts.reseller, address);
  await page.locator('h1').waitFor();
  return page;
}

/** Waits until the server logs something, and gives it. */
async function logged(pattern: RegExp): Promise<string> {
  const find = (): string | undefined => {
    const lines = portal
      .log()
      .split('\n')
      .filter(line => line.startsWith('{') && line.endsWith('}'));
    return lines.map(line => (JSON.parse(line) as { msg: string }).msg).find(message => pattern.test(message));
  };
  await eventually(() => find() !== undefined, `the log has ${pattern}`);
  return find() as string;
}

test('a saved text shows in an open page, which keeps its popup, what was typed, the focus and the scroll', async t => {
  const page = await open(t, '/customers/customer/10001?tab=users');
  await page.getByTestId('users-table').locator('tbody tr').nth(10).waitFor();
  // It moves what stands below it down, once.
  await page.getByTestId('announcement').waitFor();
  await page.evaluate(() => window.scrollTo(0, 200));
  await page.getByTestId('rename-customer').dispatchEvent('click');
  const name = page.getByTestId('new-name');
  await name.fill('Contoso and');
  await save(t, 'text/en/customers.json', text =>
    text.replace('"renameSubmit": "Rename"', '"renameSubmit": "Use this name"'),
  );
  await page.getByRole('button', { name: 'Use this name' }).waitFor();
  await name.pressSequentially(' Sons');
  assert.equal(await name.inputValue(), 'Contoso and Sons');
  assert.equal(await page.evaluate(() => window.scrollY), 200);
});

test('a saved screen shows in an open page, which keeps its address, its rows and what was typed', async t => {
  const page = await open(t, '/customers?status=Active&sort=-Users');
  const rows = page.getByTestId('customers-table').locator('tbody th');
  await rows.first().waitFor();
  const shown = await rows.allInnerTexts();
  await page.getByTestId('search-customers').focus();
  await saveJson(t, 'customers/customers.json', document => {
    const [, , table] = document.children as { columns: { id: string }[] }[];
    assert.ok(table);
    table.columns = table.columns.filter(({ id }) => id !== 'users');
  });
  await page.getByRole('columnheader', { name: 'Users' }).waitFor({ state: 'detached' });
  assert.deepEqual(await rows.allInnerTexts(), shown);
  assert.equal(new URL(page.url()).search, '?status=Active&sort=-Users');
  await page.getByTestId('search-customers').and(page.locator(':focus')).waitFor();
});

test('a broken save changes nothing, and log and shell say where and what was meant', async t => {
  const page = await open(t, '/customers');
  const wrong = /^customers\/customers\.json:\d+:\d+: error: .*"serch".* Did you mean "search"\?/;
  await save(t, 'customers/customers.json', json => json.replace('"type": "search"', '"type": "serch"'));
  const said = await logged(wrong);
  await page.reload();
  await page.getByTestId('customers-table').locator('tbody tr').first().waitFor();
  assert.equal(await page.getByTestId('export-customers').count(), 1);

  const script = join(import.meta.dirname, '../../scripts/schemas.ts');
  const shell = spawn(process.execPath, ['--import', 'tsx', script, 'check', portal.schemas]);
  const [printed, [code]] = await Promise.all([text(shell.stdout), nextEvent(shell, 'close')]);
  assert.equal(code, 1);
  assert.ok(printed.includes(said), printed);
});

test('half a file is not taken over, and the whole one that follows is', async t => {
  const page = await open(t, '/customers');
  const original = await save(t, 'text/en/customers.json', text => text.slice(0, text.length / 2));
  await logged(/text\/en\/customers\.json:\d+:\d+/);
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Customers');
  const path = join(portal.schemas, 'text/en/customers.json');
  await writeFile(path, original.replace('"title": "Customers"', '"title": "Our customers"'));
  await page.getByRole('heading', { level: 1, name: 'Our customers' }).waitFor();
});

test('a field that becomes required appears in an open form and is asked for, and nothing typed is lost', async t => {
  const page = await open(t, '/customers/add');
  await page.getByTestId('customer-name').fill('Acme');
  await page.getByTestId('customer-domain').fill('acme.test');
  await page.getByTestId('contact-name').fill('Somebody');
  await page.getByTestId('contact-email').fill('somebody@acme.test');
  await save(t, 'text/en/customers.json', text => text.replace('"county":', '"vat": "VAT number", "county":'));
  await saveJson(t, 'customers/customer-form.json', document => {
    const field = { type: 'field', propertyName: 'Vat', kind: 'text', label: 'customers.vat', mandatory: true };
    (document.fields as Json[]).push({ ...field, testId: 'vat' });
  });
  await page.getByTestId('vat').waitFor();
  assert.equal(await page.getByTestId('customer-name').inputValue(), 'Acme');
  await page.getByRole('button', { name: 'Add customer' }).click();
  await page.getByText('VAT number is required').waitFor();
  await page.getByTestId('vat').and(page.locator(':focus')).waitFor();
});

test('what a role is no longer given leaves its open page, and the call with it', async t => {
  const page = await open(t, '/customers/customer/10001');
  const press = (): Promise<number> =>
    page.evaluate(async () => {
      const boot = (await (await fetch('/ui/boot')).json()) as { popups: Record<string, string> };
      const reply = await fetch('/ui/call/customers.rename', {
        method: 'POST',
        headers: { 'x-portal': '1', 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
        body: JSON.stringify({
          node: 'rename',
          layout: boot.popups['rename-customer'] ?? 'gone',
          with: { customerId: '10001' },
          body: { NewName: '' },
        }),
      });
      return reply.status;
    });
  assert.equal(await press(), 422);
  const requires = { userTypes: ['endUserAdmin'] };
  await saveJson(t, 'customers/rename-customer.json', document => Object.assign(document, { requires }));
  await page.getByTestId('rename-customer').waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('customer-more').count(), 1);
  assert.equal(await press(), 403);
});

test('when an open screen is removed, its page goes to not-found', async t => {
  const page = await open(t, '/support/callback');
  await page.getByTestId('callback-form').waitFor();
  const isThere = (entry: unknown): boolean => !JSON.stringify(entry).includes('/support/callback');
  await saveJson(t, 'dashboard/dashboard.json', document => {
    const text = JSON.stringify(document);
    Object.assign(document, JSON.parse(text.replace('"/support/callback"', '"/customers"')));
  });
  await saveJson(t, 'navigation.json', document => {
    document.landing = (document.landing as unknown[]).filter(isThere);
  });
  for (const menu of ['shell/new-menu.json', 'shell/support-menu.json'])
    await saveJson(t, menu, document => {
      document.entries = (document.entries as unknown[]).filter(isThere);
    });
  const path = join(portal.schemas, 'support/callback.json');
  const original = await readFile(path, 'utf8');
  t.after(() => writeFile(path, original));
  await rm(path);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/not-found');
});

test('a press in a layout that has changed meanwhile keeps what was typed and says so; the next press is done', async t => {
  const page = await newPage(t, browser);
  // A page that hears nothing, as behind a proxy that cuts sockets.
  await page.routeWebSocket(/\/ui\/socket/, () => undefined);
  await signInContext(page.context(), portal.url, accounts.reseller);
  await page.goto(`${portal.url}/customers/add`);
  await page.getByTestId('customer-name').fill('Lime Tree Press');
  await page.getByTestId('customer-domain').fill('limetree.test');
  await page.getByTestId('contact-email').fill('somebody@limetree.test');
  await page.getByTestId('contact-name').fill('Somebody');
  await page.getByTestId('contact-phone').fill('01632 960 123');
  const other = await open(t, '/customers/add');
  await saveJson(t, 'customers/customer-form.json', document => {
    document.fields = (document.fields as Json[]).filter(({ propertyName }) => propertyName !== 'Phone');
  });
  await other.getByTestId('contact-phone').waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('contact-phone').inputValue(), '01632 960 123');

  const answered = page.waitForResponse(/customers\.create$/);
  await page.getByRole('button', { name: 'Add customer' }).click();
  assert.equal((await answered).status(), 409);
  await page
    .getByRole('alert')
    .getByText(/^This page has changed/)
    .waitFor();
  await page.getByTestId('contact-phone').waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('customer-name').inputValue(), 'Lime Tree Press');

  await page.getByRole('button', { name: 'Add customer' }).click();
  await page.getByRole('heading', { level: 1, name: 'Lime Tree Press' }).waitFor();
});

test('a list begins with the rows that its document says, and asks for no others', async t => {
  await saveJson(t, 'customers/customers.json', document => {
    const [, , table] = document.children as { paging: Json; sort: Json }[];
    assert.ok(table);
    table.paging.sizes = [10, 25];
    table.sort.initial = '-Users';
  });
  const door = await open(t, '/customers');
  const sorted = door.locator('th[aria-sort="descending"]').getByTestId('customers-table-sort-Users');
  await sorted.waitFor();
  const page = await door.context().newPage();
  // What the server says on the socket has lists read once more, whatever they begin with.
  await page.routeWebSocket(/\/ui\/socket/, () => undefined);
  const asked: string[] = [];
  page.on('request', request => {
    if (request.url().includes('/ui/data/customers.list')) asked.push(new URL(request.url()).search);
  });
  const rows = page.getByTestId('customers-table').locator('tbody tr');
  await page.goto(`${portal.url}/customers`);
  await rows.first().waitFor();
  assert.equal(await rows.count(), 10);
  await page.getByText(/^1–10 of /).waitFor();
  await page.waitForLoadState('networkidle');
  assert.deepEqual(asked, []);

  await page.getByTestId('customers-table-next').click();
  await page.getByText(/^11–20 of /).waitFor();
  assert.equal(await rows.count(), 10);
  assert.deepEqual(asked, ['?page=2&pageSize=10&sort=-Users']);
});
