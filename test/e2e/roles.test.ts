import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { setUp } from '../fixtures/set-up.ts';
import { shownOfUser } from '../fixtures/shown-of-user.ts';
import { accounts, signInContext } from '../fixtures/sign-in.ts';

const roles = ['reseller', 'engineer', 'endUserAdmin', 'endUser'] as const;
type Role = (typeof roles)[number];
type Reply = { readonly status: number; readonly text: string };

/** Contoso, and its user Una Marsh. */
const organisation = '10001';

const portal = withBrowserPortal();
let una: string;
setUp(async () => {
  una = await findUna();
});

async function signedIn(t: TestContext, role: Role): Promise<Page> {
  const page = await newPage(t, portal.browser);
  await signInContext(page.context(), portal.url, accounts[role]);
  await page.goto(portal.url);
  return page;
}

/** Asks as a script on the page could. */
function ask(page: Page, path: string, body?: unknown): Promise<Reply> {
  return page.evaluate(
    async ([address, sent]) => {
      const reply = await fetch(address as string, {
        method: sent ? 'POST' : 'GET',
        headers: {
          'x-portal': '1',
          'idempotency-key': crypto.randomUUID(),
          ...(sent ? { 'content-type': 'application/json' } : {}),
        },
        ...(sent ? { body: sent } : {}),
      });
      return { status: reply.status, text: await reply.text() };
    },
    [path, body === undefined ? undefined : JSON.stringify(body)] as const,
  );
}

async function hashOf(page: Page, pattern: string): Promise<string> {
  const { routes } = JSON.parse((await ask(page, '/ui/boot')).text) as { routes: [string, string, string][] };
  return routes.find(([route]) => route === pattern)?.[2] ?? 'none';
}

async function findUna(): Promise<string> {
  const page = await portal.browser.newPage();
  await signInContext(page.context(), portal.url, accounts.reseller);
  await page.goto(portal.url);
  const { text } = await ask(page, `/ui/data/users.list?customerId=${organisation}&search=user@contoso.test`);
  await page.context().close();
  return JSON.parse(text).Result.Items[0].UserId;
}

const detailsAddress = (role: Role): string =>
  role === 'endUser'
    ? '/customers/user-details'
    : `/customers/user-details?${new URLSearchParams({ organisation, user: una })}`;

/** Help, a crumb, and a part that a node makes for itself, whose id goes on from the node's. */
const isPart = (id: string, ids: readonly string[]): boolean =>
  /^(?:help|crumb-\d+)$/.test(id) || ids.some(other => id.startsWith(`${other}-`));

/** What a screen shows: test ids below its main part, a card that only some have, labels of facts, heads of columns. */
async function shown(page: Page): Promise<{ ids: string[]; labels: string[] }> {
  const ids = await page
    .locator('main [data-testid]')
    .evaluateAll(found => [...new Set(found.map(one => one.getAttribute('data-testid') as string))].sort());
  return {
    ids: ids.filter(id => !isPart(id, ids)),
    labels: [
      ...(await page.locator('main h2').filter({ hasText: 'Notes' }).allInnerTexts()),
      ...(await page
        .locator('main :is(dt, thead th)')
        .evaluateAll(found =>
          found.map(one => one.textContent?.trim() ?? '').filter(text => text !== '' && text !== 'Actions'),
        )),
    ],
  };
}

/** Data may come after the heading on a slow machine: looks again until all is there, and says what is not. */
async function assertShown(
  page: Page,
  expected: { readonly ids: readonly string[]; readonly labels: readonly string[] },
) {
  let found = await shown(page);
  const isThere = async (): Promise<boolean> => {
    found = await shown(page);
    return isDeepStrictEqual(found, expected);
  };
  await eventually(isThere).catch(() => assert.deepEqual(found, expected));
}

/** Fields of the reply that a role must not find anywhere. */
const hidden: Record<Role, RegExp> = {
  reseller: /StatusGroup/,
  engineer: /MonthlyCost|MonthlySpend|SpendLastMonth/,
  endUserAdmin: /MonthlyCost|MonthlySpend|SpendLastMonth|Notes/,
  endUser: /MonthlyCost|MonthlySpend|SpendLastMonth|Notes|Groups/,
};

for (const role of roles) {
  test(`${role}: the user's details show, send and read exactly what the role may have`, async t => {
    const page = await signedIn(t, role);
    const html = await page.goto(portal.url + detailsAddress(role));
    await page.getByRole('heading', { level: 1, name: 'Una Marsh' }).waitFor();
    await page.getByTestId('user-facts').waitFor();
    await assertShown(page, shownOfUser[role]);

    const path = encodeURIComponent(detailsAddress(role));
    const parameters =
      role === 'endUser'
        ? ''
        : role === 'endUserAdmin'
          ? `?userId=${una}`
          : `?customerId=${organisation}&userId=${una}`;
    const replies = [
      (await html?.text()) ?? '',
      (await ask(page, `/ui/screen?path=${path}`)).text,
      (await ask(page, `/ui/data/users.get${parameters}`)).text,
      await page.content(),
    ];
    for (const reply of replies) {
      assert.match(reply, /Una Marsh|Marsh/);
      assert.doesNotMatch(reply, hidden[role]);
    }
  });
}

const customersShown = {
  reseller: {
    ids: [
      'add-customer',
      'customers-table',
      'export-customers',
      'import-customers',
      'search-customers',
      'status-filter',
    ],
    labels: ['Customer', 'Status', 'Services', 'Users', 'Open orders', 'Per month, recurring', 'Last change'],
  },
  engineer: {
    ids: ['ask', 'customers-table', 'export-customers', 'search-customers', 'status-filter'],
    labels: ['Customer', 'Status', 'Services', 'Users', 'Open orders', 'Last change'],
  },
};
for (const role of ['reseller', 'engineer'] as const) {
  test(`${role}: the list of customers has exactly the role's columns and actions, and the bytes no more`, async t => {
    const page = await signedIn(t, role);
    const html = await page.goto(`${portal.url}/customers?status=Active`);
    await page.getByTestId('customers-table').waitFor();
    await assertShown(page, customersShown[role]);
    const menu = page.getByTestId('customers-table').locator('tbody tr').first().getByRole('button');
    await menu.click();
    await page.getByRole('menuitem').first().waitFor();
    const entries = await page
      .getByRole('menuitem')
      .evaluateAll(found => found.map(one => one.getAttribute('data-testid') ?? ''));
    assert.equal(entries[0], 'row-open');
    assert.equal(entries.includes('row-rename'), role === 'reseller');
    assert.equal(
      entries.some(entry => entry === 'row-suspend' || entry === 'row-reactivate'),
      role === 'reseller',
    );
    await page.keyboard.press('Escape');
    const replies = [
      (await html?.text()) ?? '',
      (await ask(page, '/ui/screen?path=/customers')).text,
      (await ask(page, '/ui/data/customers.list?page=1')).text,
    ];
    for (const reply of replies) {
      assert.match(reply, /Ashdown Legal LLP/);
      assert.equal(/MonthlySpend/.test(reply), role === 'reseller');
      assert.doesNotMatch(reply, /"requires"/);
    }
  });
}

/** The answer without its reference number, which is another each time. */
const plain = ({ status, text }: Reply): string => `${status} ${text.replace(/[A-Z2-9]{4}-[A-Z2-9]{4}/, '')}`;

const allowed: Record<Role, Readonly<Record<string, boolean>>> = {
  reseller: {
    'customers.list': true,
    'dashboard.summary': true,
    'users.get': true,
    'endUser.mailbox': false,
    'endUser.activity': false,
  },
  engineer: {
    'customers.list': true,
    'dashboard.summary': false,
    'users.get': true,
    'endUser.mailbox': false,
    'endUser.activity': false,
  },
  endUserAdmin: {
    'customers.list': false,
    'dashboard.summary': false,
    'users.get': true,
    'endUser.mailbox': false,
    'endUser.activity': false,
  },
  endUser: {
    'customers.list': false,
    'dashboard.summary': false,
    'users.get': true,
    'endUser.mailbox': true,
    'endUser.activity': true,
  },
};
for (const role of roles) {
  test(`${role}: what it may not call is refused as if it did not exist`, async t => {
    const page = await signedIn(t, role);
    const unknown = plain(await ask(page, '/ui/data/no.such'));
    assert.match(unknown, /^403 /);
    for (const [operation, may] of Object.entries(allowed[role])) {
      const answer = await ask(page, `/ui/data/${operation}`);
      assert.equal(plain(answer) === unknown, !may, `${operation}: ${answer.status}`);
    }
    const layout = await hashOf(page, '/customers/user-details');
    const request = { node: 'user-details', layout, with: {}, body: {} };
    const unknownWrite = plain(await ask(page, '/ui/call/no.such', request));
    assert.match(unknownWrite, /^403 /);
    const forbidden =
      role === 'reseller' ? ['endUser.mailbox'] : ['customers.create', 'customers.rename', 'endUser.services'];
    for (const operation of forbidden)
      assert.equal(plain(await ask(page, `/ui/call/${operation}`, request)), unknownWrite, operation);
    assert.equal(plain(await ask(page, '/ui/command/no.such', request)), unknownWrite);
  });
}

test('a layout of another role is not there', async t => {
  const reseller = await signedIn(t, 'reseller');
  const engineer = await signedIn(t, 'engineer');
  for (const pattern of ['/customers', '/customers/customer/{orgId}', '/customers/user-details']) {
    const hash = await hashOf(reseller, pattern);
    assert.equal((await ask(reseller, `/ui/layouts/${hash}`)).status, 200);
    assert.equal((await ask(engineer, `/ui/layouts/${hash}`)).status, 404, pattern);
  }
});

test('a list cannot be sorted by a field that the role may not have', async t => {
  const engineer = await signedIn(t, 'engineer');
  const reseller = await signedIn(t, 'reseller');
  assert.equal((await ask(reseller, '/ui/data/customers.list?sort=-MonthlySpend')).status, 200);
  const unknown = await ask(engineer, '/ui/data/customers.list?sort=Nonsense');
  for (const sort of ['MonthlySpend', '-MonthlySpend'])
    assert.equal(plain(await ask(engineer, `/ui/data/customers.list?sort=${sort}`)), plain(unknown));
  assert.equal(unknown.status, 400);
});

test('a field that is not in the role’s form is refused in the product’s words and changes nothing', async t => {
  const page = await signedIn(t, 'endUser');
  const send = async (body: unknown): Promise<Reply> =>
    ask(page, '/ui/call/users.update', {
      node: 'user-details',
      layout: await hashOf(page, '/customers/user-details'),
      with: {},
      body,
    });
  const { Version } = JSON.parse((await ask(page, '/ui/data/users.get')).text).Result;
  assert.equal(typeof Version, 'string');
  for (const name of ['FirstName', 'Notes', 'Type', '__proto__x']) {
    const { status, text } = await send({ Version, Phone: '01632 960 123', [name]: 'Mallory' });
    assert.equal(status, 422, name);
    assert.deepEqual(JSON.parse(text).Errors, { [name]: ['This page has changed. Reload it and try again.'] });
  }
  assert.doesNotMatch((await ask(page, '/ui/data/users.get')).text, /Mallory/);
});

test('an end user who names somebody else’s record is refused', async t => {
  const page = await signedIn(t, 'endUser');
  const own = await ask(page, '/ui/data/users.get');
  assert.equal(own.status, 200);
  const other = await ask(page, `/ui/data/users.get?customerId=${organisation}&userId=${Number(una) - 1}`);
  assert.notEqual(other.status, 200);
  assert.doesNotMatch(other.text, /Ada|Whitfield/);
});

/** Field of the form that adds a customer, what is typed, and what both sides say of it. */
const verdicts: readonly (readonly [field: string, testId: string, value: string, said: string | undefined])[] = [
  ['Name', 'customer-name', '', 'The customer name cannot be empty.'],
  ['Name', 'customer-name', '   ', 'The customer name cannot be empty.'],
  ['Name', 'customer-name', 'Brød & Søn’s (UK)', undefined],
  ['Name', 'customer-name', 'Acme <b>', 'The customer name has invalid characters.'],
  ['Name', 'customer-name', 'x'.repeat(101), 'Must be a maximum of 100 characters'],
  ['Domain', 'customer-domain', 'contoso.test', undefined],
  ['Domain', 'customer-domain', 'contoso', 'Enter a domain such as contoso.test.'],
  ['Domain', 'customer-domain', 'contoso.test/x', 'Enter a domain such as contoso.test.'],
  ['ContactEmail', 'contact-email', "o'neil_a.b-c@mail.contoso.test", undefined],
  ['ContactEmail', 'contact-email', 'a@b', 'Must be a valid email address'],
  ['ContactEmail', 'contact-email', 'a b@contoso.test', 'Must be a valid email address'],
  ['Phone', 'contact-phone', '01632 960 123', undefined],
  [
    'Phone',
    'contact-phone',
    '+44 1632 960123',
    'Must be a valid phone number, such as 01632 960 123 or +44 1632 960 123',
  ],
  ['Phone', 'contact-phone', 'call me', 'Must be a valid phone number, such as 01632 960 123 or +44 1632 960 123'],
];

test('browser and server say the same of the same value', async t => {
  const page = await signedIn(t, 'reseller');
  await page.goto(`${portal.url}/customers/add`);
  const layout = await hashOf(page, '/customers/add');
  for (const [field, testId, value, said] of verdicts) {
    // A second field that is always wrong keeps the server from adding a customer.
    const wrong = field === 'Phone' ? { Domain: '-' } : { Phone: '-' };
    const name = field === 'Name' ? {} : { Name: 'Nobody' };
    const { status, text } = await ask(page, '/ui/call/customers.create', {
      node: 'add-customer',
      layout,
      with: {},
      body: { ...name, ...wrong, [field]: value },
    });
    assert.equal(status, 422);
    const server = JSON.parse(text).Errors[field]?.[0];

    const input = page.getByTestId(testId);
    await input.fill('x');
    await input.fill(value);
    await input.blur();
    const error = page.locator(`#${await input.getAttribute('id')}-error`);
    const browser = (await error.count()) ? (await error.innerText()).trim() : undefined;
    assert.deepEqual([browser, server], [said, said], `${field}: ${JSON.stringify(value)}`);
    await input.fill('');
  }
});
