import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeAt } from '../fixtures/one-time-code.ts';
import { linkFor } from '../fixtures/outbox.ts';
import { type Answer, type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const seeded = 'Demo-portal-2026';
const chosen = 'Harbour-lantern-84';
const minute = 60_000;
let now = Date.UTC(2027, 0, 1);

const sandbox = withSandbox({ now: () => new Date(now) });
const portal = withPortal(sandbox, { now: () => now });

const ask = (UserName: unknown, browser = portal.client()) =>
  browser.press('/reset-password', 'reset-password', 'command:auth.reset-password', { body: { UserName } });

const linkScreen = '/change-password/{usertype}/{username}/{key}';
type Given = Record<string, unknown>;
const twice = (NewPassword: string): Given => ({ NewPassword, NewPasswordAgain: NewPassword });

/** Presses the button of a link's page. */
function follow(link: { owner: string; key: string }, body: Given, browser = portal.client()): Promise<Answer> {
  const [userType = '', userName = ''] = link.owner.split('/').map(decodeURIComponent);
  const given = { userType, userName, key: link.key };
  return browser.press(linkScreen, 'new-password', 'command:auth.change-password-by-link', { with: given, body });
}

async function mailedLink(username: string) {
  await ask(username);
  return linkFor(sandbox.db, username);
}

/** The browser has the cookie of the stage, if there is one. */
async function toPasswordStage(username: string, password = seeded, given: Given = {}): Promise<[Client, Answer]> {
  const browser = portal.client();
  const reply = await signInAs(browser, username, password, {}, given);
  return [browser, reply];
}
const choose = (browser: Client, body: Given) =>
  browser.press('new-password', 'new-password', 'command:auth.change-password', { body });
const update = (browser: Client, body: Given) =>
  browser.press('change-password', 'change-password', 'command:password.update', { body });

const codeOf = ({ body }: Answer): string | undefined => body.Resources?.code;
const isIn = async (browser: Client): Promise<boolean> =>
  (await browser.get('/ui/boot')).body.principal.type !== 'public';
const records = (action: string) =>
  portal.store.run(db => db.selectFrom('audit').selectAll().where('action', '=', action).orderBy('id').execute());

test('a link is asked for with one reply, whoever asks, at the same pace', async () => {
  const told: string[] = [];
  for (const name of ['engineer@northwind.test', 'nobody@nowhere.test', 'disabled@northwind.test', '🚀']) {
    const started = performance.now();
    const { status, text } = await ask(name);
    assert.ok(performance.now() - started >= 490, name);
    told.push(`${status} ${text}`);
  }
  assert.deepEqual(told, Array(4).fill('200 {"Succeed":true}'));
});

test('nothing, blanks and too much are refused in the words of the product, before anything is asked', async () => {
  const said = 'Please enter your login name or email address!';
  for (const [given, message] of [
    ['', said],
    ['   ', said],
    [undefined, said],
    ['x'.repeat(101), 'Must be a maximum of 100 characters'],
    [7, 'Must be the correct format'],
  ] as const) {
    const { status, body } = await ask(given);
    assert.deepEqual([status, body.Errors], [422, { UserName: [message] }], String(given));
  }
});

test('asking again and again is stopped alike for those who are there and those who are not', async () => {
  for (const name of ['later@nowhere.test', 'mfa@northwind.test']) {
    const replies = await Promise.all(Array.from({ length: 14 }, () => ask(name)));
    const stopped = replies.filter(({ status }) => status === 429);
    assert.equal(stopped.length, 4, name);
    assertEvery(stopped, reply => codeOf(reply) === 'TOO_MANY');
  }
  now += 20 * minute;
});

test('opening a link changes nothing; its button does, signs nobody in, ends every session, and works once', async () => {
  const [one, two] = [await portal.signIn('user@contoso.test'), await portal.signIn('USER@contoso.test')];
  const stranger = await portal.signIn('admin@contoso.test');
  const link = await mailedLink('user@contoso.test');
  const path = new URL(link.url).pathname;
  for (let times = 0; times < 2; times++) assert.equal((await portal.client().get(path)).status, 200);
  const browser = portal.client();
  const done = await follow(link, twice(chosen), browser);
  assert.deepEqual(done.body, {
    Succeed: true,
    effects: [{ do: 'navigate', to: '/login?username=user%40contoso.test&notice=password-changed', replace: true }],
  });
  assert.equal(browser.cookie, '');
  assert.deepEqual([await isIn(one), await isIn(two), await isIn(stranger)], [false, false, true]);
  assert.equal(codeOf(await follow(link, twice('Harbour-lantern-85'))), 'PASSWORD_LINK_ENDED');
  assert.ok(await isIn(await portal.signIn('user@contoso.test', chosen)));
});

test('who follows a link while signed in is led to sign in again', async () => {
  const browser = await portal.signIn('user@contoso.test', chosen);
  const done = await follow(await mailedLink('user@contoso.test'), twice(seeded), browser);
  assert.equal(codeOf(done), 'SESSION_CHANGED');
  assert.equal(await isIn(browser), false);
});

test('a link that is old, changed or of somebody else says so kindly and changes nothing', async () => {
  const link = await mailedLink('admin@contoso.test');
  for (const bad of [
    { ...link, key: link.key.replace(/.$/, '_') },
    { ...link, key: 'x'.repeat(400) },
    { ...link, key: '\u202e🚀' },
    { ...link, owner: 'endUser/user%40contoso.test' },
    { ...link, owner: 'endUserAdmin/..' },
    { ...link, owner: 'endUserAdmin/a%2500b' },
  ]) {
    const reply = await follow(bad, twice(chosen));
    assert.deepEqual([reply.status, codeOf(reply)], [422, 'PASSWORD_LINK_ENDED'], JSON.stringify(bad));
    assert.match(reply.body.Error ?? '', /used before, or is too old/);
  }
  assert.equal(
    (
      await portal
        .client()
        .press(linkScreen, 'new-password', 'command:auth.change-password-by-link', { body: twice(chosen) })
    ).status,
    422,
  );
  now += 61 * minute;
  assert.equal(codeOf(await follow(link, twice(chosen))), 'PASSWORD_LINK_ENDED');
  await portal.signIn('admin@contoso.test');
});

test('82: of a new password without a good key nothing is said, as it is not rated', async () => {
  const link = await mailedLink('admin@contoso.test');
  for (const weak of ['Password1234', 'aaaaaaaaaaaa', 'Sh0rt']) {
    const reply = await follow({ ...link, key: link.key.replace(/.$/, '_') }, twice(weak));
    assert.deepEqual([codeOf(reply), reply.body.Errors], ['PASSWORD_LINK_ENDED', undefined], weak);
  }
});

test('a new password that the rules do not allow, or that was mistyped, is said at its field and changes nothing', async () => {
  const link = await mailedLink('admin@contoso.test');
  for (const [NewPassword, NewPasswordAgain, field] of [
    ['', '', 'NewPassword'],
    ['Sh0rt', 'Sh0rt', 'NewPassword'],
    ['Password1234', 'Password1234', 'NewPassword'],
    [chosen, 'harbour-lantern-84', 'NewPasswordAgain'],
    [chosen, '', 'NewPasswordAgain'],
    ['x'.repeat(300), 'x'.repeat(300), 'NewPassword'],
  ] as const) {
    const { status, body } = await follow(link, { NewPassword, NewPasswordAgain });
    assert.equal(status, 422);
    assert.ok(Object.keys(body.Errors ?? {}).includes(field), `${NewPassword}: ${JSON.stringify(body)}`);
  }
  assert.equal((await follow(link, twice(chosen))).status, 200);
});

test('without the stage that asks for it there is no page to choose a password', async () => {
  const { status, headers } = await portal.client().get('/change-password', { accept: 'text/html' });
  assert.deepEqual([status, headers.get('location')], [302, '/login']);
  assert.equal((await portal.client().get('/ui/screen?path=/change-password')).body.redirect, '/login');
  assert.equal(codeOf(await choose(portal.client(), { ExistingPassword: seeded, ...twice(chosen) })), 'STEP_ENDED');
  // The stage of another flow is not this one's.
  const [browser] = await toPasswordStage('mfa@northwind.test');
  assert.match(browser.cookie, /^__Host-portal-stage=/);
  assert.equal((await browser.get('/ui/screen?path=/change-password')).body.redirect, '/login');
});

test('who must choose a new password is let in nowhere before, and back at the sign-in after', async () => {
  const name = 'reset@northwind.test';
  const [browser, reply] = await toPasswordStage(name, seeded, { return: '/customers?page=2' });
  assert.deepEqual(reply.body.effects, [
    { do: 'navigate', to: `/change-password?username=${encodeURIComponent(name)}` },
  ]);
  assert.equal(await isIn(browser), false);
  assert.equal((await browser.get('/change-password', { accept: 'text/html' })).status, 200);
  const wrong = await choose(browser, { ExistingPassword: 'wrong', ...twice(chosen) });
  assert.deepEqual(wrong.body.Errors, { ExistingPassword: ['Current password was incorrect.'] });
  const same = await choose(browser, { ExistingPassword: seeded, ...twice(seeded) });
  assert.deepEqual(Object.keys(same.body.Errors ?? {}), ['NewPassword']);
  const none = await choose(browser, twice(chosen));
  assert.deepEqual(none.body.Errors, { ExistingPassword: ['Current password is required'] });
  const done = await choose(browser, { ExistingPassword: seeded, ...twice(chosen) });
  const to = `/sign-in?${new URLSearchParams({ username: name, return: '/customers?page=2', notice: 'password-changed' })}`;
  assert.deepEqual(done.body.effects, [{ do: 'navigate', to, replace: true }]);
  assert.equal((await browser.get(to, { accept: 'text/html' })).status, 200);
  assert.equal(await isIn(browser), false);
  assert.ok(await isIn(await portal.signIn(name, chosen)));
});

test('an account with an app that must choose a password gives its code first, and again after', async () => {
  const name = 'mfa@northwind.test';
  const key = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
  const flagged = { must_choose_password: true };
  await sandbox.db.updateTable('accounts').set(flagged).where('username', '=', name).execute();
  const enter = (browser: Client) =>
    browser.press('configure-mfa-verification-code', 'verify-code', 'command:auth.second-factor', {
      body: { Code: codeAt(key, now) },
    });
  const [browser, first] = await toPasswordStage(name);
  assert.equal(first.body.effects[0].do, 'open-popup');
  assert.equal((await enter(browser)).body.effects?.[0]?.do, 'navigate');
  assert.equal((await choose(browser, { ExistingPassword: seeded, ...twice(chosen) })).status, 200);
  now += minute;
  const [again, second] = await toPasswordStage(name, chosen);
  assert.equal(second.body.effects[0].do, 'open-popup');
  assert.equal(codeOf(await enter(again)), 'SESSION_CHANGED');
});

test('who must set up an app and choose a password chooses first, and has recovery codes from the sign-in after', async () => {
  const name = 'newmfa@northwind.test';
  await sandbox.db.updateTable('accounts').set({ must_choose_password: true }).where('username', '=', name).execute();
  const [browser, first] = await toPasswordStage(name);
  assert.equal(first.body.effects[0].do, 'navigate');
  assert.equal((await choose(browser, { ExistingPassword: seeded, ...twice(chosen) })).status, 200);
  const [again, second] = await toPasswordStage(name, chosen);
  const { key } = second.body.effects[0].with;
  const { body } = await again.press('configure-mfa', 'configure-code', 'command:auth.second-factor', {
    body: { Code: codeAt(key.value, now) },
  });
  assert.equal(body.effects[1].popup, 'recovery-codes');
  assert.equal(body.effects[1].with.codes.value.length, 10);
});

test('who changes the password signed in goes on under a new identifier; every other session ends', async () => {
  const name = 'rival@southridge.test';
  const [own, other] = [await portal.signIn(name), await portal.signIn(name)];
  const old = own.cookie;
  const done = await update(own, { ExistingPassword: seeded, ...twice(chosen) });
  assert.deepEqual([done.status, done.body.Succeed], [200, true]);
  assert.notEqual(own.cookie, old);
  assert.deepEqual([await isIn(own), await isIn(other)], [true, false]);
  assert.equal((await own.get('/ui/data/customers.list')).status, 200);
  const stale = portal.client();
  stale.cookie = old;
  assert.equal((await stale.get('/ui/data/customers.list')).status, 401);
  // Its tokens went along: they are exchanged as before.
  now += 20 * minute;
  assert.equal((await own.get('/ui/data/customers.list')).status, 200);
});

test('a wrong current password is counted, stops after ten, and ends no session', async () => {
  const browser = await portal.signIn('admin@contoso.test', chosen);
  const guess = () => update(browser, { ExistingPassword: 'wrong', ...twice('Harbour-lantern-86') });
  const replies = await Promise.all(Array.from({ length: 14 }, guess));
  const said = replies.map(({ body }) => body.Errors?.ExistingPassword?.[0] ?? body.Resources?.code);
  assert.equal(said.filter(text => text === 'Current password was incorrect.').length, 10);
  assert.equal(said.filter(text => text === 'TOO_MANY_PASSWORDS').length, 4);
  const right = await update(browser, { ExistingPassword: chosen, ...twice('Harbour-lantern-86') });
  assert.equal(codeOf(right), 'TOO_MANY_PASSWORDS');
  assert.ok(await isIn(browser));
});

test('a password is checked while it is typed, often enough and no oftener', async () => {
  const browser = await portal.signIn('engineer@northwind.test');
  const check = (Password: string) =>
    browser.press('change-password', 'n1', 'command:password.check', { body: { Password } });
  const { Result } = (await check(chosen)).body as { Result: { score: number; isStrong: boolean; named: object[] } };
  assert.deepEqual([Result.score, Result.isStrong, Result.named.length], [4, true, 3]);
  const weak = (await check('aaaa')).body as { Result: { isStrong: boolean; named: { isMet: boolean }[] } };
  assert.equal(weak.Result.isStrong, false);
  assertEvery(weak.Result.named, ({ isMet }) => !isMet);
  assert.equal((await check('')).status, 200);
  assert.equal((await check('x'.repeat(257))).status, 422);
  const many = await Promise.all(Array.from({ length: 130 }, () => check('aaaa')));
  assert.ok(many.some(reply => codeOf(reply) === 'TOO_MANY'));
});

test('what was asked for, changed and refused is kept with the reason', async () => {
  const asked = await records('password.link-asked');
  assert.deepEqual([...new Set(asked.map(({ outcome }) => outcome))].sort(), ['done', 'refused']);
  const changes = (await records('password.changed')).map(
    ({ outcome, detail }) => `${outcome} ${JSON.stringify(detail)}`,
  );
  for (const way of ['link', 'after sign-in', 'signed in'])
    assert.ok(
      changes.some(change => change.startsWith('done') && change.includes(way)),
      way,
    );
  for (const why of ['wrong', 'ended', 'too many'])
    assert.ok(
      changes.some(change => change.startsWith('refused') && change.includes(why)),
      why,
    );
  const kept = await portal.store.run(db => db.selectFrom('audit').selectAll().execute());
  assert.deepEqual([...new Set(kept.map(({ device }) => device))], ['Unknown device']);
});
