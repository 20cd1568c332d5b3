import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { codeAt } from '../fixtures/one-time-code.ts';
import { type Answer, type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { answerJson, type Exchange, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { registeredRoutes } from '../fixtures/routes.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const password = 'Demo-portal-2026';
const key = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const minute = 60_000;
let now = Date.UTC(2027, 0, 1);

const sandbox = withSandbox({ now: () => new Date(now) });
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, { now: () => now });

/** A browser with two cookies: the fixture keeps one. */
async function enterPassword(browser: Client, username: string, given: Record<string, unknown> = {}): Promise<Answer> {
  const reply = await signInAs(browser, username, password, {}, given);
  const stage = reply.headers.getSetCookie().find(cookie => cookie.startsWith('__Host-portal-stage='));
  browser.cookie = stage?.split(';')[0] ?? '';
  return reply;
}

const enter = (browser: Client, Code: string, popup = 'configure-mfa-verification-code', node = 'verify-code') =>
  browser.press(popup, node, 'command:auth.second-factor', { body: { Code } });

test('a right password of an account with an app opens no session but asks for the code', async () => {
  const browser = portal.client();
  const reply = await enterPassword(browser, 'mfa@northwind.test');
  assert.deepEqual(reply.body.effects, [{ do: 'open-popup', popup: 'configure-mfa-verification-code' }]);
  const cookies = reply.headers.getSetCookie();
  assert.equal(cookies.length, 1);
  assert.match(cookies[0] ?? '', /^__Host-portal-stage=.*HttpOnly.*Secure.*SameSite=Strict/);
  assert.equal((await browser.get('/ui/boot')).body.principal.type, 'public');
});

/** Commands that one may press between password and code, and back to the beginning. */
const ownStages = ['second-factor', 'recovery-code', 'codes-kept', 'cancel-step', 'sign-out'];

test('between password and code no route, read, call, command or screen answers but as it answers a stranger', async () => {
  const signedIn = await portal.signIn('reseller@northwind.test');
  const { routes } = (await signedIn.get('/ui/boot')).body as { routes: [string][] };
  const screens = routes.map(([pattern]) => pattern.replaceAll(/\{\w+\}/g, '10001'));
  assert.ok(screens.includes('/customers/customer/10001'));
  const registered = (await registeredRoutes(portal.app, 'examples')).filter(
    ({ path }) => !ownStages.includes(path.split('/').at(-1) ?? ''),
  );
  const asked = [
    ...registered,
    ...screens.flatMap(path => [path, `/ui/screen?path=${path}`].map(one => ({ method: 'GET', path: one }))),
  ].filter(({ method, path }) => method !== 'HEAD' && !['/metrics', '/openapi.json'].includes(path));
  assert.ok(asked.length > 150, `only ${asked.length}`);

  const browser = portal.client();
  await enterPassword(browser, 'mfa@northwind.test');
  const stage = browser.cookie;
  const told = ({ status, headers, text }: Answer) =>
    `${status} ${headers.get('location')} ${text.replaceAll(/"reference":"[^"]*"|nonce="[^"]*"/g, '')}`;
  for (const { method, path } of asked) {
    const ask = (client: Client) =>
      method === 'GET' ? client.get(path, { accept: 'text/html' }) : client.post(path, { node: 'a', layout: 'b' });
    browser.cookie = stage;
    const [own, none] = [await ask(browser), await ask(portal.client())];
    assert.equal(told(own), told(none), `${method} ${path}`);
    assert.ok(!own.headers.getSetCookie().some(cookie => cookie.startsWith('__Host-portal=')), path);
  }
  browser.cookie = stage;
  assert.equal((await enter(browser, codeAt(key, now))).body.Resources?.code, 'SESSION_CHANGED');
  now += minute;
});

test('the right code opens the session at the address that was asked for, and the stage is over', async () => {
  const browser = portal.client();
  await enterPassword(browser, 'mfa@northwind.test', { return: '/customers?page=2' });
  const stage = browser.cookie;
  const reply = await enter(browser, codeAt(key, now));
  assert.deepEqual(reply.body.effects, [{ do: 'navigate', to: '/customers?page=2', replace: true }]);
  assert.equal(reply.body.Resources?.code, 'SESSION_CHANGED');
  const session = reply.headers.getSetCookie().find(cookie => cookie.startsWith('__Host-portal='));
  browser.cookie = session?.split(';')[0] ?? '';
  assert.equal((await browser.get('/ui/data/customers.list')).status, 200);
  browser.cookie = stage;
  now += minute;
  assert.equal((await enter(browser, codeAt(key, now))).body.Resources?.code, 'STEP_ENDED');
});

test('after the code the session has an identifier of its own: neither the stage’s nor one that was there before opens it', async () => {
  const browser = portal.client();
  await enterPassword(browser, 'mfa@northwind.test');
  const stage = browser.cookie.split('=')[1] ?? '';
  const planted = 'A'.repeat(stage.length);
  browser.cookie = `${browser.cookie}; __Host-portal=${planted}`;
  const reply = await enter(browser, codeAt(key, now));
  assert.equal(reply.body.Resources?.code, 'SESSION_CHANGED');
  const cookies = reply.headers.getSetCookie();
  const session = cookies.find(cookie => cookie.startsWith('__Host-portal='))?.split(/[=;]/)[1] ?? '';
  assert.ok(session.length >= 43 && session !== stage && session !== planted);
  assert.ok(cookies.some(cookie => cookie.startsWith('__Host-portal-stage=;')));
  const statusOf = async (identifier: string): Promise<number> => {
    const other = portal.client();
    other.cookie = `__Host-portal=${identifier}; __Host-portal-stage=${stage}`;
    return (await other.get('/ui/data/customers.list')).status;
  };
  assert.deepEqual([await statusOf(stage), await statusOf(planted), await statusOf(session)], [401, 401, 200]);
  now += minute;
});

test('a wrong code is said at its field, and after ten the stage ends; the password was not counted', async () => {
  now += 20 * minute;
  const browser = portal.client();
  await enterPassword(browser, 'mfa@northwind.test');
  for (let count = 0; count < 10; count++) {
    const { status, body } = await enter(browser, '000000');
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.Errors ?? {}), ['Code'], String(count));
  }
  assert.equal((await enter(browser, codeAt(key, now))).body.Resources?.code, 'TOO_MANY_CODES');
  assert.equal((await enter(browser, codeAt(key, now))).body.Resources?.code, 'STEP_ENDED');
  const again = await enterPassword(portal.client(), 'mfa@northwind.test');
  assert.equal(again.status, 200);
});

test('what is waiting is forgotten after ten minutes, and by Cancel', async () => {
  now += 20 * minute;
  const browser = portal.client();
  await enterPassword(browser, 'mfa@northwind.test');
  now += 11 * minute;
  assert.equal((await enter(browser, codeAt(key, now))).body.Resources?.code, 'STEP_ENDED');
  await enterPassword(browser, 'mfa@northwind.test');
  const popup = 'configure-mfa-verification-code';
  const cancelled = await browser.press(popup, 'verify-code', 'command:auth.cancel-step');
  assert.deepEqual(cancelled.body.effects, [{ do: 'close-popup' }]);
  assert.equal((await enter(browser, codeAt(key, now))).body.Resources?.code, 'STEP_ENDED');
});

const recordedFor = (account: string) =>
  portal.store.run(db =>
    db.selectFrom('audit').select('action').where('account', '=', account).orderBy('id').execute(),
  );
const kept = (browser: Client) => browser.press('recovery-codes', 'codes-kept', 'command:auth.codes-kept');
let recovery: readonly string[] = [];

test('who must set up an app first gets its key, and with its first code recovery codes; then signs in', async () => {
  const browser = portal.client();
  const reply = await enterPassword(browser, 'newmfa@northwind.test');
  const [effect] = reply.body.effects;
  assert.equal(effect.popup, 'configure-mfa');
  const { key: own, address } = effect.with;
  assert.match(own.value, /^[A-Z2-7]{32}$/);
  assert.equal(
    address.value,
    `otpauth://totp/Fernhill%20Cloud%3Anewmfa%40northwind.test?secret=${own.value}&issuer=Fernhill%20Cloud`,
  );
  const { body } = await enter(browser, codeAt(own.value, now), 'configure-mfa', 'configure-code');
  const [close, { do: open, popup, with: shown }] = body.effects;
  assert.deepEqual([close, open, popup], [{ do: 'close-popup' }, 'open-popup', 'recovery-codes']);
  recovery = shown.codes.value.map(({ Code }: { Code: string }) => Code);
  assert.equal(recovery.length, 10);
  for (const code of recovery) assert.match(code, /^(?:[2-9A-Z]{4}-){2}[2-9A-Z]{4}$/);
  assert.equal(shown.all.value, recovery.join('\n'));
  // Nobody is signed in before the codes are kept.
  assert.equal((await browser.get('/ui/boot')).body.principal.type, 'public');
  assert.equal((await browser.get('/ui/data/customers.list')).status, 401);
  const stage = browser.cookie;
  const answers = await Promise.all([kept(browser), kept(browser)]);
  assert.deepEqual(answers.map(({ body: { Resources } }) => Resources?.code).sort(), ['SESSION_CHANGED', 'STEP_ENDED']);
  const session = answers.flatMap(({ headers }) => headers.getSetCookie()).find(one => /^__Host-portal=[^;]/.test(one));
  browser.cookie = session?.split(';')[0] ?? '';
  assert.equal((await browser.get('/ui/data/customers.list')).status, 200);
  assert.deepEqual(
    (await recordedFor('newmfa@northwind.test')).map(({ action }) => action),
    ['session.second-factor', 'session.sign-in'],
  );
  browser.cookie = stage;
  assert.equal((await kept(browser)).body.Resources?.code, 'STEP_ENDED');
});

test('who waits too long over the codes begins again, and is told so where the popup was', async () => {
  await sandbox.db
    .updateTable('accounts')
    .set({ mfa_key: null, mfa_step: 0 })
    .where('username', '=', 'newmfa@northwind.test')
    .execute();
  const browser = portal.client();
  const [effect] = (await enterPassword(browser, 'newmfa@northwind.test')).body.effects;
  await enter(browser, codeAt(effect.with.key.value, now), 'configure-mfa', 'configure-code');
  now += 11 * minute;
  const { status, body } = await kept(browser);
  assert.deepEqual([status, body.Resources?.code], [422, 'STEP_ENDED']);
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/login?notice=step-ended', replace: true }]);
});

/** As a cloud that has never heard of recovery codes. */
async function withoutCodes({ method, url, headers, body }: Exchange, response: ServerResponse): Promise<boolean> {
  if (!/^\/(?:auth\/token|api\/mfa)/.test(url)) return false;
  const { authorization = '', 'actor-id': actor = '', 'content-type': type = '' } = headers;
  const reply = await fetch(sandbox.url + url, {
    method,
    headers: { authorization, 'actor-id': String(actor), 'content-type': type },
    ...(body !== '' && { body }),
  });
  const text = (await reply.text()).replace(/,?"recoveryCodes":(?:\d+|\[[^\]]*\])/, '').replace('{,', '{');
  return answerJson(response, reply.status, JSON.parse(text));
}

test('a cloud that has no recovery codes lets in by the first code, and shows none anywhere', async t => {
  t.after(() => proxy.intercept(undefined));
  proxy.intercept(withoutCodes);
  const name = 'newmfa@northwind.test';
  await sandbox.db.updateTable('accounts').set({ mfa_key: null, mfa_step: 0 }).where('username', '=', name).execute();
  const browser = portal.client();
  const [effect] = (await enterPassword(browser, name)).body.effects;
  const own = effect.with.key.value;
  const opened = await enter(browser, codeAt(own, now), 'configure-mfa', 'configure-code');
  assert.equal(opened.body.Resources?.code, 'SESSION_CHANGED');
  const session = opened.headers.getSetCookie().find(one => /^__Host-portal=[^;]/.test(one));
  browser.cookie = session?.split(';')[0] ?? '';
  const { Result } = (await browser.get('/ui/data/mfa.status')).body;
  assert.deepEqual(Result, { Available: true, Enabled: true, Required: true });
  now += minute;
  const body = { Password: password, Code: codeAt(own, now) };
  const renewed = await browser.press('new-recovery-codes', 'new-recovery-codes', 'command:mfa.recovery-codes', {
    body,
  });
  assert.deepEqual(
    renewed.body.effects.map(({ do: name }: { do: string }) => name),
    ['refresh-operations', 'close-popup'],
  );
});
