import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keyOf } from '../../server/session/identifier.ts';
import type { Page } from '../../shared/contract/boot.ts';
import { ownAccountOf, wholeAccount } from '../fixtures/own-account.ts';
import { type Answer, type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const switcher = 'switcher@contoso.test';
const password = 'Demo-portal-2026';
const minute = 60_000;
let passed = 0;

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, { now: () => Date.now() + passed });

const sessionOf = ({ headers }: Answer): string =>
  headers
    .getSetCookie()
    .find(cookie => cookie.startsWith('__Host-portal='))
    ?.split(';')[0] ?? '';

/** A browser that is asked which portal to open. */
async function atTheChoice(): Promise<{ browser: Client; reply: Answer }> {
  const browser = portal.client();
  const reply = await signInAs(browser, switcher, password);
  return { browser, reply };
}

async function choose(browser: Client, MasterControl: boolean): Promise<Answer> {
  const reply = await browser.press('switch-user', 'choose-admin', 'command:auth.switch-user', {
    body: { MasterControl },
  });
  browser.cookie = sessionOf(reply) || browser.cookie;
  return reply;
}

async function signInTo(masterControl: boolean): Promise<Client> {
  const { browser } = await atTheChoice();
  await choose(browser, masterControl);
  return portalOf(browser.cookie);
}

function portalOf(cookie: string, at = portal): Client {
  const browser = at.client();
  browser.cookie = cookie;
  return browser;
}

/** Presses the entry of the My Account menu. */
async function change(browser: Client, node: 'switch-user' | 'switch-back', MasterControl: boolean): Promise<Answer> {
  const reply = await browser.post('/auth/switch-user', { node, layout: 'navigation', body: { MasterControl } });
  return reply;
}
const toMailbox = (browser: Client) => change(browser, 'switch-user', false);
const toPanel = (browser: Client) => change(browser, 'switch-back', true);
const bootOf = async (browser: Client): Promise<Page['boot']> => (await browser.get('/ui/boot')).body;
const recorded = (action: string) =>
  portal.store.run(db =>
    db
      .selectFrom('audit')
      .select(['account', 'actor', 'device', 'outcome', 'detail'])
      .where('action', '=', action)
      .orderBy('id', 'desc')
      .executeTakeFirst(),
  );

test('who may switch user is asked first which portal to open; until then there is no session', async () => {
  const { browser, reply } = await atTheChoice();
  assert.deepEqual(reply.body.effects, [
    { do: 'close-popup' },
    { do: 'open-popup', popup: 'switch-user', with: { isAdmin: { value: true } } },
  ]);
  assert.match(reply.headers.getSetCookie().join(), /^__Host-portal-stage=/);
  assert.equal((await bootOf(browser)).principal.type, 'public');
  const done = await choose(browser, true);
  assert.deepEqual(done.body.effects, [{ do: 'navigate', to: '/customers/customer/10001', replace: true }]);
  const boot = await bootOf(portalOf(sessionOf(done)));
  assert.deepEqual([boot.principal.type, boot.principal.actor], ['endUserAdmin', undefined]);
});

test('a choice is made once, even when it is made twice at the same time', async () => {
  const { browser } = await atTheChoice();
  const hash = await browser.hashOf('switch-user');
  const press = () =>
    browser.post('/auth/switch-user', { node: 'choose-admin', layout: hash, body: { MasterControl: true } });
  const codes = (await Promise.all([press(), press()])).map(({ body }) => body.Resources?.code);
  assert.deepEqual(codes.sort(), ['SESSION_CHANGED', 'STEP_ENDED']);
});

test('who chose the mailbox is an end user: type, views, permissions, screens but the one that leads back, landing', async () => {
  const { browser } = await atTheChoice();
  const reply = await choose(browser, false);
  assert.deepEqual(reply.body.effects, [{ do: 'navigate', to: '/end-user', replace: true }]);
  const own = portalOf(sessionOf(reply));
  const boot = await bootOf(own);
  assert.equal(boot.principal.type, 'endUser');
  const user = await bootOf(await portal.signIn('user@contoso.test'));
  const patternsOf = ({ routes }: Page['boot']) => routes.map(([pattern]) => pattern);
  // Who switched asks for no rights and changes no settings: they would be the account's.
  const ofAccount = [
    '/access-denied/{mark}',
    ...['own-requests', 'display-settings', 'notifications'].map(name => `/account-setting/${name}`),
  ];
  for (const pattern of ofAccount) assert.ok(patternsOf(user).includes(pattern), pattern);
  assert.deepEqual(
    patternsOf(boot).toSorted(),
    [...patternsOf(user).filter(pattern => !ofAccount.includes(pattern)), '/switch-mailbox-confirmation'].toSorted(),
  );
  assert.equal((await own.get('/ui/data/endUser.mailbox')).body.Result.Address, switcher);
  for (const operation of ['customers.get', 'users.list', 'customers.services'])
    assert.equal((await own.get(`/ui/data/${operation}`)).status, 403, operation);
  const foreign = await own.get('/ui/data/users.get?customerId=10001&userId=20003');
  assert.notEqual(foreign.status, 200);
});

test('who switched has nothing of how the account signs in, which has it all in its own view', async () => {
  assert.deepEqual(await ownAccountOf(await signInTo(false)), { may: [], told: [] });
  assert.deepEqual(await ownAccountOf(await signInTo(true)), wholeAccount);
});

test('a switch gives a new identifier; the old one and its open pages are worth nothing from then on', async () => {
  const browser = await signInTo(true);
  const old = browser.cookie;
  const before = await bootOf(browser);
  const reply = await toMailbox(browser);
  assert.equal(reply.body.Resources.code, 'SESSION_CHANGED');
  assert.notEqual(sessionOf(reply), old);
  assert.equal((await portalOf(old).get('/ui/data/customers.get')).status, 401);
  // Another tab of the browser has the new cookie, and what it shows is of before.
  const tab = portalOf(sessionOf(reply));
  const said = { 'x-portal-user': encodeURI(before.principal.identity) };
  assert.equal((await tab.get('/ui/data/endUser.mailbox', said)).status, 412);
  const written = await tab.post(
    '/ui/call/users.update',
    { node: 'user-details', layout: 'x', with: {}, body: {} },
    said,
  );
  assert.equal(written.status, 412);
  const { principal } = await bootOf(tab);
  assert.equal(
    (await tab.get('/ui/data/endUser.mailbox', { 'x-portal-user': encodeURI(principal.identity) })).status,
    200,
  );
  assert.deepEqual(await recorded('session.switch'), {
    account: switcher,
    actor: null,
    device: 'Unknown device',
    outcome: 'done',
    detail: { from: 'endUserAdmin', to: 'endUser' },
  });
});

test('of two switches at the same time one is made', async () => {
  const browser = await signInTo(true);
  const statuses = (await Promise.all([toMailbox(portalOf(browser.cookie)), toMailbox(portalOf(browser.cookie))])).map(
    ({ status }) => status,
  );
  assert.deepEqual(statuses.sort(), [200, 401]);
});

test('there is no switch in a switch, and no way back for who has not switched', async () => {
  const panel = await signInTo(true);
  const mailbox = await signInTo(false);
  assert.equal((await toMailbox(mailbox)).status, 403);
  assert.equal((await change(mailbox, 'switch-back', false)).status, 403);
  assert.equal((await toPanel(panel)).status, 403);
  assert.equal((await change(panel, 'switch-user', true)).status, 403);
  for (const username of [
    'reseller@northwind.test',
    'admin@contoso.test',
    'user@contoso.test',
    'engineer@northwind.test',
  ])
    assert.equal((await toMailbox(await portal.signIn(username))).status, 403, username);
});

test('the confirmation page switches there and back, and is for nobody else', async () => {
  const page = '/switch-mailbox-confirmation';
  const press = async (browser: Client, node: string, MasterControl: boolean): Promise<Client> => {
    const reply = await browser.press(page, node, 'command:auth.switch-user', { body: { MasterControl } });
    return portalOf(sessionOf(reply) || browser.cookie);
  };
  const typeOf = async (browser: Client) => (await bootOf(browser)).principal.type;
  const textOf = async (browser: Client) => (await browser.get(`/ui/screen?path=${page}`)).text;
  const panel = await signInTo(true);
  assert.match(await textOf(panel), /You are in the admin control panel. Switch to the mailbox control panel/);
  assert.equal(await typeOf(await press(panel, 'to-panel', true)), 'endUserAdmin');
  const mailbox = await press(panel, 'to-mailbox', false);
  assert.equal(await typeOf(mailbox), 'endUser');
  assert.match(await textOf(mailbox), /You are in the mailbox control panel. Switch back to the admin control panel/);
  assert.equal(await typeOf(await press(mailbox, 'to-mailbox', false)), 'endUser');
  assert.equal(await typeOf(await press(mailbox, 'to-panel', true)), 'endUserAdmin');
  for (const [username, to] of [
    ['reseller@northwind.test', `/access-denied?from=${encodeURIComponent(page)}`],
    ['admin@contoso.test', '/customers/customer/10001'],
    ['user@contoso.test', '/end-user'],
  ]) {
    const { headers } = await (await portal.signIn(username as string)).get(page, { accept: 'text/html' });
    assert.equal(headers.get('location'), to, username);
  }
});

test('who switches back has what the cloud gives the account now, and the type from before', async () => {
  const browser = await signInTo(false);
  const reply = await toPanel(browser);
  const { principal } = await bootOf(portalOf(sessionOf(reply)));
  assert.equal(principal.type, 'endUserAdmin');
});

test('rights that are read again are still those of an end user, whatever the cloud adds', async () => {
  const browser = await signInTo(false);
  proxy.intercept(({ url }, response) =>
    url === '/api/permissions'
      ? answerJson(response, 200, {
          Succeed: true,
          Result: {
            usersPermissions: {
              views: ['home', 'customers', 'switchUser'],
              permissions: ['hostedExchange', 'addOrEditCustomers', 'createCustomerAdmin'],
            },
            featureFlags: [],
          },
        })
      : false,
  );
  passed += minute + 1;
  const boot = await bootOf(browser);
  proxy.intercept(undefined);
  assert.equal(boot.principal.type, 'endUser');
  const patterns = boot.routes.map(([pattern]) => pattern);
  assert.ok(patterns.includes('/end-user') && !patterns.includes('/customers'));
});

test('a right that the cloud has taken away meanwhile is not switched by; the refusal is kept', async t => {
  const browser = await signInTo(true);
  t.after(() => proxy.intercept(undefined));
  proxy.intercept(({ url }, response) =>
    url === '/api/permissions'
      ? answerJson(response, 200, {
          Succeed: true,
          Result: { usersPermissions: { views: ['customers'], permissions: ['hostedExchange'] }, featureFlags: [] },
        })
      : false,
  );
  assert.equal((await toMailbox(browser)).body.Resources.code, 'SWITCH_REFUSED');
  assert.equal((await recorded('session.switch'))?.outcome, 'refused');
});

test('a switch keeps the beginning and the end of the session, and is kept with it', async () => {
  const browser = await signInTo(true);
  const rowOf = (cookie: string) =>
    portal.store.run(db =>
      db
        .selectFrom('sessions')
        .select(['acting', 'created_at', 'expires_at'])
        .where('key', '=', keyOf(cookie.split('=')[1] ?? ''))
        .executeTakeFirst(),
    );
  const before = await rowOf(browser.cookie);
  passed += minute / 2;
  const after = await rowOf(sessionOf(await toMailbox(browser)));
  assert.deepEqual(after, { ...before, acting: '{"previousType":"endUserAdmin"}' });
});
