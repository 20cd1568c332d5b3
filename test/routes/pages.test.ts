import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { Boot } from '../../shared/contract/boot.ts';
import type { NavigationLayout } from '../../shared/language/types.ts';
import { type Client, startPortal, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const html = { accept: 'text/html' };

const sandbox = withSandbox();
let docs: string;
setUp(
  async () => {
    docs = await mkdtemp(join(tmpdir(), 'portal-docs-'));
    await mkdir(join(docs, 'layout'));
    await writeFile(join(docs, 'layout/index.html'), '<h1>Layout language</h1>');
  },
  async () => {
    for (const path of [docs, `${docs}.secret`]) await rm(path, { recursive: true, force: true });
  },
);
const portal = withPortal(sandbox, () => ({ env: { DOCS_DIR: docs } }));
const reseller = withClient(portal, 'reseller@northwind.test');
const endUser = withClient(portal, 'user@contoso.test');

async function leadsTo(browser: Client, path: string): Promise<string> {
  const { status, headers } = await browser.get(path, html);
  return status === 302 ? (headers.get('location') ?? '') : String(status);
}

test('the reference of the layout language is served where a folder of it is named, under the same policy', async () => {
  const shown = await portal.client().get('/docs/layout/', html);
  assert.equal(shown.text, '<h1>Layout language</h1>');
  assert.match(shown.headers.get('content-security-policy') ?? '', /script-src 'self'/);
  assert.equal((await portal.client().get('/docs/layout/nothing/')).status, 404);
  await writeFile(`${docs}.secret`, 'not for everyone');
  for (const path of [`/docs/..%2f${basename(docs)}.secret`, `/docs/%2e%2e/${basename(docs)}.secret`])
    assert.doesNotMatch((await portal.client().get(path)).text, /not for everyone/);
});

test('a page carries boot, layout and first data, so that its first screen needs no further call', async () => {
  const page = await reseller.page('/customers?page=2');
  assert.ok('layout' in page.screen && page.screen.layout);
  assert.equal(page.screen.layout.id, 'customers');
  const { Result } = page.screen.data.customers as { Result: { Items: unknown[]; Total: number } };
  assert.equal(Result.Total, 40);
  assert.equal(page.boot.principal.name, 'Priya Raman');
  assert.ok(
    page.boot.routes.some(
      ([pattern, , hash]) => pattern === '/customers' && 'hash' in page.screen && hash === page.screen.hash,
    ),
  );
});

test('a page carries what its notices say, so that none pushes it down later', async () => {
  const page = await reseller.page('/customers');
  assert.deepEqual(Object.keys(page.notices), ['announcement', 'notice', 'exported', 'rating']);
  const { Result } = page.notices.announcement as { Result: { Title: string } };
  assert.equal(Result.Title, 'Device Protection is here');
  assert.deepEqual((await portal.client().page('/login')).notices, {});
});

test('nothing in a page can end its inline JSON', async () => {
  const page = await portal
    .client()
    .get('/login?username=%3C%2Fscript%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E%3C!--', html);
  assert.equal(page.text.match(/<\/script>/g)?.length, 1);
  assert.ok(!page.text.includes('<!--'));
});

test('someone who is not signed in is sent to sign in, and back', async () => {
  const browser = portal.client();
  assert.equal(await leadsTo(browser, '/'), '/login');
  assert.equal(
    await leadsTo(browser, '/customers?page=2&search=a%20b'),
    '/login?return=%2Fcustomers%3Fpage%3D2%26search%3Da%2520b',
  );
  assert.equal(await leadsTo(browser, '/end-user'), '/login');
});

test('the password stage is reached only after the first one, for the username asked there, and keeps the query', async () => {
  const browser = portal.client();
  const address = '/sign-in?username=user%40contoso.test&return=%2Fcustomers';
  const back = '/login?username=user%40contoso.test&return=%2Fcustomers';
  assert.equal(await leadsTo(browser, address), back);
  const answer = await browser.press('/login', 'login', 'command:auth.login', {
    body: { Username: 'user@contoso.test' },
  });
  const [cookie = ''] = answer.headers.getSetCookie().filter(one => one.startsWith('__Host-portal-stage='));
  const after = portal.client({ cookie: cookie.split(';')[0] as string });
  assert.equal(await leadsTo(after, address), '200');
  assert.equal(await leadsTo(after, '/sign-in?username=ann'), '/login?username=ann');
  assert.equal(await leadsTo(after, '/sign-in?return=%2Fcustomers'), '/login?return=%2Fcustomers');
  assert.equal(await leadsTo(browser, '/sign-in'), '/login');
});

test('a screen that awaits a stage is guarded by what it says, whatever its address', async t => {
  const schemasDir = await mkdtemp(join(tmpdir(), 'portal-schemas-'));
  t.after(() => rm(schemasDir, { recursive: true, force: true }));
  await cp(join(import.meta.dirname, '../../schemas'), schemasDir, { recursive: true });
  const file = join(schemasDir, 'password/new-password.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"/change-password"', '"/choose-password"'));
  const moved = await startPortal({ cloudUrl: sandbox.url, schemasDir });
  t.after(() => moved.close());
  assert.equal(await leadsTo(moved.client(), '/choose-password'), '/login');
});

test('who is signed in is sent from the sign-in screens to the landing', async () => {
  assert.equal(await leadsTo(reseller, '/login'), '/dashboard');
  assert.equal(await leadsTo(endUser, '/sign-in?username=a'), '/end-user');
  assert.equal(await leadsTo(reseller, '/'), '/dashboard');
});

test('a tab that waits at the sign-in goes on to where it was once another tab has signed in', async () => {
  assert.equal(await leadsTo(reseller, '/login?return=%2Fcustomers%2Fadd'), '/customers/add');
  for (const elsewhere of ['//evil.test', '/login', '/unknown'])
    assert.equal(await leadsTo(reseller, `/login?${new URLSearchParams({ return: elsewhere })}`), '/dashboard');
});

test('another address of a screen leads to its own, for those who have the screen', async () => {
  const alias = '/customers/customer/10001/view/services';
  assert.equal(await leadsTo(reseller, alias), '/customers/customer/10001?tab=services');
  assert.equal(
    await leadsTo(reseller, `${alias}?tab=users&servicesPage=2`),
    '/customers/customer/10001?tab=services&servicesPage=2',
  );
  assert.equal(await leadsTo(endUser, alias), '/end-user');
  for (const anybody of [portal.client(), reseller, endUser])
    assert.equal(await leadsTo(anybody, '/forget-password'), '/reset-password');
  assert.equal(await leadsTo(portal.client(), alias), `/login?return=${encodeURIComponent(alias)}`);
  const part = encodeURIComponent('//evil.test');
  assert.equal(await leadsTo(reseller, `/customers/customer/${part}/view/x`), `/customers/customer/${part}?tab=x`);
});

test('a screen about one thing is not found when that thing is not there, not named, or not the caller’s own', async () => {
  const admin = await portal.signIn('admin@contoso.test');
  for (const [browser, path] of [
    [reseller, '/customers/customer/99999'],
    [reseller, `/customers/customer/${'9'.repeat(80)}`],
    [reseller, '/customers/user-details'],
    [reseller, '/customers/user-details?organisation=10001'],
    [admin, '/customers/customer/10002'],
    [endUser, '/customers/user-details?organisation=10002'],
  ] as const)
    assert.equal(await leadsTo(browser, path), '/not-found', path);
  assert.equal(await leadsTo(admin, '/customers/customer/10001'), '200');
  assert.equal(await leadsTo(endUser, '/customers/user-details'), '200');
});

test('an address that cannot be read is not found by a person, and refused to a program', async () => {
  assert.equal(await leadsTo(reseller, '/customers/customer/%E0%A4%A'), '/not-found');
  assert.equal((await reseller.get('/customers/customer/%E0%A4%A', { accept: 'application/json' })).status, 400);
});

test('a known screen of others leads users of customers to their landing, others to access-denied', async () => {
  const administrator = await portal.signIn('admin@contoso.test');
  for (const path of ['/customers', '/customers/add/', '/access-denied']) {
    assert.equal(await leadsTo(endUser, path), '/end-user', path);
    assert.equal(await leadsTo(administrator, path), '/customers/customer/10001', path);
  }
  assert.equal(await leadsTo(reseller, '/end-user'), '/access-denied?from=%2Fend-user');
  const noAccess = await portal.signIn('noaccess@northwind.test');
  assert.equal(await leadsTo(noAccess, '/customers'), '/access-denied?from=%2Fcustomers');
});

test('an unknown path leads everybody to not-found', async () => {
  assert.equal(await leadsTo(endUser, '/nothing/here'), '/not-found');
  assert.equal(await leadsTo(reseller, '/nothing/here'), '/not-found');
  assert.equal(await leadsTo(portal.client(), '/nothing/here'), '/not-found');
});

test('not-found and access-denied tell programs what they tell people', async () => {
  assert.equal(await leadsTo(reseller, '/not-found'), '404');
  assert.equal(await leadsTo(reseller, '/access-denied'), '403');
});

test('a guard decides by the route that the page would show, however the address is spelt', async () => {
  for (const path of [
    '/customers/',
    '/%63ustomers',
    '//customers',
    '/./customers',
    '/x/../customers',
    '/customers%2fadd',
    '/customers;a=b',
    '/CUSTOMERS',
  ]) {
    const { status, headers, text } = await endUser.get(path, html);
    assert.ok(status === 302 || status === 404, `${path} gives ${status}`);
    assert.ok(['/end-user', '/not-found'].includes(headers.get('location') ?? '') || status === 404, path);
    assert.ok(!text.includes('customers.list'));
  }
});

test('screen and page answer alike', async () => {
  for (const path of ['/customers', '/nothing', '/login', '/end-user', '/dashboard']) {
    const screen = (await reseller.get(`/ui/screen?path=${encodeURIComponent(path)}`)).body;
    const page = await leadsTo(reseller, path);
    assert.equal(screen.redirect ?? '200', page, path);
  }
});

test('a screen leaves out the layout that the browser has', async () => {
  const first = (await reseller.get('/ui/screen?path=/customers')).body;
  const second = (await reseller.get(`/ui/screen?path=/customers&have=${first.hash}`)).body;
  assert.ok(first.layout && !second.layout);
  assert.equal(second.hash, first.hash);
});

test('a screen address that is not local is not found', async () => {
  for (const path of ['//evil.test/customers', 'http://evil.test/', 'customers', '/\\evil.test']) {
    const { status, body } = await reseller.get(`/ui/screen?path=${encodeURIComponent(path)}`);
    assert.ok(status === 404 || body.redirect === '/not-found', path);
  }
});

test('a path that is no page and no route is answered in JSON', async () => {
  for (const path of ['/ui/nothing', '/auth/nothing', '/assets/none.js', '/favicon.ico']) {
    const reply = await reseller.get(path, { accept: 'image/png' });
    assert.deepEqual([reply.status, reply.body.Resources.code], [404, 'NOT_FOUND'], path);
  }
});

test('boot is private, revalidated, and the same only for the same caller', async () => {
  const first = await reseller.get('/ui/boot');
  assert.equal(first.headers.get('cache-control'), 'private, no-cache');
  const etag = first.headers.get('etag') ?? '';
  assert.equal((await reseller.get('/ui/boot', { 'if-none-match': etag })).status, 304);
  assert.equal((await endUser.get('/ui/boot', { 'if-none-match': etag })).status, 200);
});

/** All that a boot names: screens, popups, and what the navigation holds. */
async function namedIn(browser: Client) {
  const { routes, popups, navigation, landing } = (await browser.get('/ui/boot')).body as Boot;
  const { main = [], account, footer = [], ...rest } = navigation as NavigationLayout;
  const idsOf = (entries: readonly { id?: string }[]) => entries.map(({ id = '' }) => id);
  return {
    landing,
    screens: routes.map(([, id]) => id).sort(),
    popups: Object.keys(popups).sort(),
    menu: [...idsOf(main), ...idsOf(account?.items ?? [])],
    footer: idsOf(footer).filter(id => !id.startsWith('footer-')),
    rest: Object.keys(rest).sort(),
  };
}
const forAnyone = [
  ...['accept-invitation', 'incomplete-link', 'jump', 'new-password-by-link', 'no-access-resources', 'not-found'],
  ...['permission-error', 'policy', 'signup', 'spam-release', 'unsubscribe', 'verify-email-archive-access'],
];
const policies = ['data-protection-statement', 'privacy-policy'];
const always = ['copyright', 'id', 'kind', 'label', 'landing', 'language', 'productName'];

test('the boot of someone who is not signed in names what signing in, links of mails and policies need, and no more', async () => {
  assert.deepEqual(await namedIn(portal.client()), {
    landing: '/login',
    screens: [
      ...forAnyone,
      ...['handle-ext-auth', 'link-account', 'login', 'new-password', 'reset-password', 'sign-in'],
    ].sort(),
    popups: [
      ...policies,
      ...['configure-mfa', 'configure-mfa-more-information', 'configure-mfa-verification-code'],
      ...['recovery-codes', 'switch-user'],
      ...['sso-failed', 'sso-no-organisation', 'sso-other-organisation', 'sso-prohibited', 'sso-required'],
    ].sort(),
    menu: [],
    footer: [],
    rest: always,
  });
});

test('the boot of someone who may do nothing names their own account, linked portals, help, the bell, the palette and policies besides, and no more', async () => {
  assert.deepEqual(await namedIn(await portal.signIn('noaccess@northwind.test')), {
    landing: '/no-access-resources',
    screens: [
      ...forAnyone,
      'access-denied',
      'access-request',
      'account-setting',
      'display-settings',
      'knowledge-article',
      'knowledge-base',
      'knowledge-category',
      'network-status',
      'notification-ways',
      'notifications',
      'opt-out',
      'other-organisation',
      'own-requests',
      'profile',
      'redirect',
      'reset-password',
    ].sort(),
    popups: [
      ...policies,
      ...['change-password', 'choose-time-zone', 'configure-mfa', 'configure-mfa-more-information', 'exports'],
      ...['knowledge-panel', 'new-recovery-codes', 'rate-it', 'recovery-codes', 'reset-mfa', 'set-up-mfa'],
    ].sort(),
    menu: ['my-profile', 'own-requests', 'exported-files', 'change-password', 'sign-out'],
    footer: [],
    rest: [...always, 'actions', 'bell', 'crumbsRoot', 'data', 'help', 'notice', 'platform', 'state'].sort(),
  });
});

test('a layout is private, immutable, and there only for its owners', async () => {
  const hash = await reseller.hashOf('/customers');
  const own = await reseller.get(`/ui/layouts/${hash}`);
  assert.equal(own.body.id, 'customers');
  assert.equal(own.headers.get('cache-control'), 'private, max-age=31536000, immutable');
  assert.equal((await endUser.get(`/ui/layouts/${hash}`)).status, 404);
  assert.equal((await portal.client().get(`/ui/layouts/${hash}`)).status, 404);
});

test('a page of an account that the browser is no longer signed in with gets no answer', async () => {
  const { principal } = (await reseller.get('/ui/boot')).body;
  const asked = { accept: 'application/json' };
  for (const path of ['/ui/data/customers.list', '/ui/screen?path=/customers', '/ui/boot']) {
    const own = await reseller.get(path, { ...asked, 'x-portal-user': encodeURI(principal.userId) });
    assert.equal(own.status, 200, path);
    const { status, body } = await endUser.get(path, { ...asked, 'x-portal-user': encodeURI(principal.userId) });
    assert.deepEqual([status, body.Resources.code, body.Result], [412, 'CALLER_CHANGED', undefined], path);
  }
  const press = { node: 'x', layout: 'y' };
  const write = await endUser.post('/ui/call/users.update', press, { 'x-portal-user': 'somebody' });
  assert.equal(write.status, 412);
  assert.equal((await portal.client().get('/ui/boot', { 'x-portal-user': 'somebody' })).status, 200);
});

test('pages and data are never kept', async () => {
  for (const path of ['/customers', '/ui/data/customers.list', '/ui/screen?path=/customers']) {
    assert.equal((await reseller.get(path, html)).headers.get('cache-control'), 'no-store', path);
  }
});
