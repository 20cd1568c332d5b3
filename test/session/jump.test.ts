import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eventually } from '../fixtures/eventually.ts';
import { ownAccountOf, wholeAccount } from '../fixtures/own-account.ts';
import { type Answer, type Client, type StartedPortal, signInAs, startPortal, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const actor = 'reseller@northwind.test';
const target = 'admin@contoso.test';
const minute = 60_000;
let passed = 0;
const now = () => Date.now() + passed;

const sandbox = withSandbox({ now: () => new Date(now()) });
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, { now });

type Link = { readonly cmtoken: string; readonly adminid: string };

/** Asks the cloud for a jump, as another system does. */
async function ask(by: string, as: string): Promise<{ status: number; link: Link }> {
  const token = await sandbox.signIn(by);
  const { status, body } = await sandbox.call(token, 'POST', '/api/jumps', { UserName: as });
  return { status, link: { cmtoken: body.Result?.CmToken ?? '', adminid: body.Result?.AdminId ?? '' } };
}
const linkTo = async (as = target, by = actor): Promise<Link> => (await ask(by, as)).link;

async function jump(browser: Client, link: Link): Promise<Answer> {
  const layout = await browser.hashOf('/jump');
  const reply = await browser.post('/auth/jump', { node: 'jump', layout, with: link });
  const session = reply.headers.getSetCookie().find(cookie => cookie.startsWith('__Host-portal='));
  if (session) browser.cookie = session.split(';')[0] ?? '';
  return reply;
}

const auditOf = (account: string) =>
  portal.store.run(db =>
    db
      .selectFrom('audit')
      .select(['action', 'outcome', 'account', 'actor', 'device'])
      .where('account', '=', account)
      .execute(),
  );

test('a jump opens a session of the target that names who really acts; every record does, and on what', async () => {
  const browser = portal.client({ 'user-agent': 'iPhone Safari/604' });
  const reply = await jump(browser, await linkTo());
  assert.deepEqual(reply.body.effects, [{ do: 'navigate', to: '/customers/customer/10001', replace: true }]);
  const { principal } = (await browser.get('/ui/boot')).body;
  assert.deepEqual([principal.email, principal.type, principal.actor], [target, 'endUserAdmin', actor]);
  await browser.get('/ui/data/dashboard.summary');
  passed += minute + 1;
  assert.equal((await browser.get('/ui/boot')).body.principal.actor, actor);
  await browser.post('/auth/sign-out');
  const records = await auditOf(target);
  assert.deepEqual([...new Set(records.map(({ action }) => action))].sort(), [
    'request.denied',
    'session.jump',
    'session.sign-in',
    'session.sign-out',
  ]);
  const traces = records.map(record => `${record.actor} on ${record.device}`);
  assert.deepEqual([...new Set(traces)], [`${actor} on Safari on iPhone`]);
});

test('who jumped has nothing of how the account signs in, which has it all when it signs in by itself', async () => {
  const browser = portal.client();
  await jump(browser, await linkTo());
  assert.deepEqual(await ownAccountOf(browser), { may: [], told: [] });
  assert.deepEqual(await ownAccountOf(await portal.signIn(target)), wholeAccount);
});

test('opening the address of a jump uses nothing up: only a press does', async () => {
  const link = await linkTo();
  const page = await portal.client().get(`/jump?${new URLSearchParams(link)}`, { accept: 'text/html' });
  assert.equal(page.status, 200);
  assert.equal((await portal.client().get('/auth/jump')).status, 404);
  assert.equal((await jump(portal.client(), link)).body.Resources.code, 'SESSION_CHANGED');
});

test('a jump token works once, also at the same time', async () => {
  const link = await linkTo();
  const browsers = [portal.client(), portal.client(), portal.client()];
  const codes = (await Promise.all(browsers.map(browser => jump(browser, link)))).map(
    ({ body }) => body.Resources.code,
  );
  assert.deepEqual(codes.sort(), ['JUMP_INVALID', 'JUMP_INVALID', 'SESSION_CHANGED']);
});

test('a token that is late, mutated, of another administrator or missing changes nothing and is recorded', async () => {
  const late = await linkTo();
  passed += minute + 1;
  const good = await linkTo();
  const other = await linkTo('user@contoso.test');
  const wrong: Link[] = [
    late,
    { ...good, cmtoken: `${good.cmtoken.slice(0, -1)}${good.cmtoken.endsWith('A') ? 'B' : 'A'}` },
    { ...good, adminid: '1 or 1=1' },
    { ...good, adminid: String(Number(good.adminid) + 1) },
    { cmtoken: '', adminid: good.adminid },
    { cmtoken: good.cmtoken, adminid: '' },
    { cmtoken: 'x'.repeat(2000), adminid: good.adminid },
    { cmtoken: '\u202E🙂', adminid: '\u202E🙂' },
    { cmtoken: `${other.cmtoken}${good.cmtoken}`, adminid: good.adminid },
  ];
  for (const link of wrong) {
    const browser = portal.client();
    const { status, body } = await jump(browser, link);
    assert.deepEqual([status, body.Resources.code, browser.cookie], [422, 'JUMP_INVALID', ''], JSON.stringify(link));
  }
  const refused = await portal.store.run(db =>
    db.selectFrom('audit').select('id').where('action', '=', 'session.jump').where('outcome', '=', 'refused').execute(),
  );
  assert.ok(refused.length >= wrong.length);
  passed += 15 * minute;
});

test('a link into an account that was disabled since opens nothing, nor one of an administrator who was', async () => {
  const enable = (username: string, enabled: boolean) =>
    sandbox.db.updateTable('accounts').set({ enabled }).where('username', '=', username).execute();
  for (const disabled of [target, actor]) {
    const link = await linkTo();
    await enable(disabled, false);
    const browser = portal.client();
    assert.deepEqual([(await jump(browser, link)).body.Resources.code, browser.cookie], ['JUMP_INVALID', ''], disabled);
    await enable(disabled, true);
  }
});

test('guesses are counted: after ten at one address even a good token is not looked at', async () => {
  const good = await linkTo(target, 'rival@southridge.test').catch(() => undefined);
  assert.equal(good?.cmtoken, '');
  const link = await linkTo();
  for (let count = 0; count < 10; count++) await jump(portal.client(), { ...link, cmtoken: `wrong${count}` });
  assert.equal((await jump(portal.client(), link)).body.Resources.code, 'JUMP_INVALID');
  passed += 16 * minute;
});

test("whoever jumps, whatever the target: only a reseller's people who manage users, only into their customers", async () => {
  const people = [
    actor,
    'engineer@northwind.test',
    'noaccess@northwind.test',
    'rival@southridge.test',
    target,
    'user@contoso.test',
    'switcher@contoso.test',
  ];
  const targets = [...people, 'mfa@northwind.test', 'disabled@northwind.test', 'nobody@nowhere.test', ''];
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...people), fc.constantFrom(...targets), async (by, as) => {
      const { status } = await ask(by, as);
      const isWithin = by === actor && as.endsWith('@contoso.test');
      assert.equal(status === 201, isWithin, `${by} as ${as}`);
    }),
    { numRuns: 40 },
  );
});

test('nobody jumps in a jump, neither at the portal nor at the cloud', async () => {
  const browser = portal.client();
  const link = await linkTo('user@contoso.test');
  const first = await linkTo();
  const layout = await browser.hashOf('/jump');
  await jump(browser, first);
  const again = await browser.post('/auth/jump', { node: 'jump', layout, with: link });
  assert.equal(again.status, 403);
  assert.equal((await browser.get('/ui/boot')).body.principal.email, target);
});

test('a jump from a session of one’s own ends it, and its open pages are worth nothing', async () => {
  const browser = await portal.signIn(actor);
  const old = browser.cookie;
  const before = (await browser.get('/ui/boot')).body.principal.identity;
  assert.equal((await jump(browser, await linkTo())).body.Resources.code, 'SESSION_CHANGED');
  assert.notEqual(browser.cookie, old);
  assert.equal((await browser.get('/ui/boot', { 'x-portal-user': encodeURI(before) })).status, 412);
  const stranger = portal.client();
  stranger.cookie = old;
  assert.equal((await stranger.get('/ui/data/customers.list')).status, 401);
});

test('a jump into who may switch user leaves the choice; the switched session still names who acts', async () => {
  const browser = portal.client();
  const reply = await jump(browser, await linkTo('switcher@contoso.test'));
  assert.equal(reply.body.effects.at(-1).popup, 'switch-user');
  const chosen = await browser.press('switch-user', 'choose-admin', 'command:auth.switch-user', {
    body: { MasterControl: false },
  });
  const session = chosen.headers.getSetCookie().find(cookie => cookie.startsWith('__Host-portal='));
  browser.cookie = session?.split(';')[0] ?? '';
  const { principal } = (await browser.get('/ui/boot')).body;
  assert.deepEqual([principal.type, principal.actor], ['endUser', actor]);
});

test('a reply of the cloud that does not say who really acts lets nobody in', async t => {
  const link = await linkTo();
  t.after(() => proxy.intercept(undefined));
  proxy.intercept(({ url }, response) =>
    url === '/auth/token'
      ? answerJson(response, 200, {
          ...{ access_token: 'a.b.c', refresh_token: 'r', expires_in: 900, userName: target },
          token_type: 'bearer',
        })
      : false,
  );
  assert.equal((await jump(portal.client(), link)).body.Resources.code, 'JUMP_INVALID');
});

test('signing out ends the partner sessions first, then the sign-in; a failure of the first is logged and no matter', async t => {
  const asked = () =>
    proxy.exchanges.map(({ url }) => url).filter(url => url === '/api/comms/logout' || url === '/auth/logout');
  const signOut = async () => {
    const browser = await portal.signIn(actor);
    proxy.exchanges.length = 0;
    const reply = await browser.post('/auth/sign-out');
    await eventually(() => asked().length >= 2, 'the cloud has heard of both ends');
    return reply;
  };
  assert.deepEqual((await signOut()).body.effects, [{ do: 'navigate', to: '/login', replace: true }]);
  assert.deepEqual(asked(), ['/api/comms/logout', '/auth/logout']);
  const open = await sandbox.db
    .selectFrom('partner_sessions')
    .select('system')
    .where('ended', 'is not', null)
    .execute();
  assert.deepEqual([...new Set(open.map(({ system }) => system))].sort(), ['comms', 'hardware']);
  t.after(() => proxy.intercept(undefined));
  proxy.intercept(({ url }, response) => url === '/api/comms/logout' && answerJson(response, 500, {}));
  assert.equal((await signOut()).status, 200);
  assert.deepEqual(asked(), ['/api/comms/logout', '/auth/logout']);
  assert.match(portal.log(), /the partner systems did not take the sign-out/);
});

test('who must sign the agreement reaches nothing else, by screen, operation or command, until it is signed', async () => {
  const browser = await portal.signIn('mustsign@northwind.test');
  const place = '/account-setting/terms-conditions/0/true/true';
  const terms = '/account-setting/terms-conditions';
  for (const path of [
    '/',
    '/dashboard',
    '/customers',
    '/support/callback',
    '/not-found',
    '/no-access-resources',
    terms,
  ])
    assert.equal((await browser.get(`/ui/screen?path=${path}`)).body.redirect, place, path);
  const reseller = await portal.signIn(actor);
  const customers = await reseller.hashOf('/customers/add');
  assert.equal((await reseller.get(`/ui/screen?path=${terms}`)).body.redirect, '/account-setting/service-agreements');
  const refusals = [
    await browser.get('/ui/data/customers.list'),
    await browser.get('/ui/data/notifications.list?status=new'),
    await browser.post('/ui/call/customers.create', { node: 'add-customer', layout: customers, body: {} }),
    await browser.post('/auth/switch-user', { node: 'switch-user', layout: 'navigation', body: {} }),
    await browser.post('/auth/jump', { node: 'jump', layout: 'x', with: {} }),
  ];
  for (const { status, body } of refusals) {
    assert.deepEqual([status, body.Resources.code], [403, 'AGREEMENT_UNSIGNED']);
    assert.deepEqual(body.effects, [{ do: 'navigate', to: place }]);
  }
  const { screen } = await browser.page(place);
  assert.match(JSON.stringify(screen), /Reseller agreement/);
  const { Version } = (await browser.get('/ui/data/agreements.get?agreementId=0')).body.Result;
  const sign = (signature: Record<string, unknown>) =>
    browser.press('terms-conditions', 'sign-agreement', 'command:agreement.sign', {
      with: { agreementId: '0' },
      body: { ...signature, Version },
    });
  assert.deepEqual(Object.keys((await sign({ Signatory: ' ', Agreed: false })).body.Errors ?? {}), [
    'Signatory',
    'Agreed',
  ]);
  const signed = await sign({ Signatory: 'Maeve Sterling', Agreed: true });
  assert.deepEqual(signed.body.effects, [{ do: 'navigate', to: '/dashboard', replace: true }]);
  assert.equal((await browser.get('/ui/data/customers.list')).status, 200);
  const row = await sandbox.db
    .selectFrom('agreement_signatures')
    .selectAll()
    .orderBy('signed', 'desc')
    .executeTakeFirst();
  assert.equal(row?.signatory, 'Maeve Sterling');
  const records = (await auditOf('mustsign@northwind.test')).filter(({ action }) => action === 'agreement.signed');
  assert.deepEqual(
    records.map(({ outcome, device }) => [outcome, device]),
    [['done', 'Unknown device']],
  );
  // What was signed can be read again, at the same address.
  const again = await browser.get(`/ui/screen?path=${place}`);
  assert.equal(again.body.data.agreement.Result.Signed, true);
});

test('who must sign, and whose obligation the cloud does not take back clearly, has to', async t => {
  t.after(() => proxy.intercept(undefined));
  for (const MustSignNow of [true, undefined, 'false', 0]) {
    proxy.intercept(({ url }, response) => {
      if (url === '/api/agreements/reseller-validity')
        return answerJson(response, 200, { Succeed: true, Result: { MustSignNow } });
      if (url !== '/api/users/login-user') return false;
      const Result = { userName: actor, userType: 'reseller', mustSignIn: true, organisationId: '1001' };
      return answerJson(response, 200, { Succeed: true, Result });
    });
    const browser = await portal.signIn(actor);
    assert.equal((await browser.get('/ui/boot')).body.principal.type, 'mustSign', String(MustSignNow));
  }
});

test('the single-experience dashboard is where those land whose token says so, if it is configured', async t => {
  const away = 'https://single.fernhill.test/dashboard';
  const single = await startPortal({ cloudUrl: proxy.url, env: { SINGLE_EXPERIENCE_URL: away } });
  t.after(() => single.close());
  const landing = async (at: StartedPortal, username: string): Promise<Answer> =>
    signInAs(at.client(), username, 'Demo-portal-2026');
  const reply = await landing(single, 'single@northwind.test');
  assert.deepEqual(reply.body.effects, [{ do: 'leave', to: away }]);
  const cookie = reply.headers.getSetCookie().find(one => one.startsWith('__Host-portal-single-experience='));
  assert.match(cookie ?? '', /Max-Age=31536000.*HttpOnly.*Secure/);
  const browser = single.client();
  browser.cookie =
    reply.headers
      .getSetCookie()
      .find(one => one.startsWith('__Host-portal='))
      ?.split(';')[0] ?? '';
  assert.equal((await browser.get('/', { accept: 'text/html' })).headers.get('location'), away);
  for (const [at, username] of [
    [single, actor],
    [portal, 'single@northwind.test'],
  ] as const)
    assert.equal((await landing(at, username)).body.effects[0].to, '/dashboard', username);
  // The claim alone is not enough for a customer's people.
  await sandbox.db.updateTable('accounts').set({ single_experience: true }).where('username', '=', target).execute();
  assert.equal((await landing(single, target)).body.effects[0].to, '/customers/customer/10001');
});
