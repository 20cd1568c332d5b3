import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { type BrowserClient, createBrowserClient } from '../fixtures/browser-client.ts';
import { signInAs, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sso = 'sso@northwind.test';
const cookie = '__Host-portal-sign-on';
const sandbox = withSandbox();
let passed = 0;
const portal = withPortal(sandbox, { now: () => Date.now() + passed });
const page = (address: string) => `${portal.url}${address}`;
const ended = '/login?return=%2Fcustomers%2Fadd&notice=session-ended';
const read = () => page('/ui/data/customers.list');

async function signOn(): Promise<BrowserClient> {
  const browser = createBrowserClient(portal.url);
  await browser.go(await browser.signInAt(await browser.login(sso), sso, seedPassword));
  return browser;
}

/** Lets half an hour pass, in which nobody does anything. */
async function timeOut(browser: BrowserClient): Promise<void> {
  passed = 31 * 60_000;
  assert.equal((await browser.go(read())).status, 401);
  passed = 0;
  assert.equal(browser.jar.get('__Host-portal'), undefined);
}

async function endedBrowser(): Promise<BrowserClient> {
  const browser = await signOn();
  await timeOut(browser);
  return browser;
}

test('a session of single sign-on that has timed out goes by the provider, which nobody types at, to the very page', async () => {
  const browser = await endedBrowser();
  const away = await browser.go(page(ended));
  assert.equal(away.status, 302);
  const { origin, pathname, searchParams } = new URL(away.to);
  assert.equal(origin + pathname, `${sandbox.url}/oidc/auth`);
  assert.equal(searchParams.get('login_hint'), sso);
  let at = away.to;
  for (let hops = 0; hops < 5 && !at.startsWith(page('/auth/callback')); hops++) at = (await browser.go(at)).to;
  assert.deepEqual((await browser.go(at)).to, page('/customers/add'));
  assert.equal((await browser.go(read())).status, 200);
});

test('a sign-in page that is opened on purpose, has failed, or is looked at ahead of a click is shown', async () => {
  const browser = await endedBrowser();
  for (const address of ['/login', '/login?username=a', '/login?return=%2Fcustomers&signOn=failed'])
    assert.equal((await browser.go(page(address))).status, 200, address);
  const headers = { cookie: `${cookie}=${browser.jar.get(cookie)}`, accept: 'text/html' };
  const ahead = await portal.app.inject({ url: ended, headers: { ...headers, 'sec-purpose': 'prefetch' } });
  assert.equal(ahead.statusCode, 200);
});

test('whoever signs out, signs in by a password, or is refused by the provider is not led there again', async () => {
  const signedOut = await signOn();
  const headers = { 'x-portal': '1', cookie: `__Host-portal=${signedOut.jar.get('__Host-portal')}` };
  const reply = await fetch(page('/auth/sign-out'), { method: 'POST', headers });
  assert.match(reply.headers.getSetCookie().join('\n'), new RegExp(`${cookie}=;`));
  signedOut.jar.delete('__Host-portal');
  assert.equal((await signedOut.go(page(ended))).status, 200);

  const byPassword = portal.client();
  byPassword.cookie = `${cookie}=${(await signOn()).jar.get(cookie)}`;
  const signedIn = await signInAs(byPassword, 'reseller@northwind.test', seedPassword);
  assert.match(signedIn.headers.getSetCookie().join('\n'), new RegExp(`${cookie}=;`));

  const refused = await endedBrowser();
  const { searchParams } = new URL((await refused.go(page(ended))).to);
  const back = page(`/auth/callback?error=access_denied&state=${searchParams.get('state')}`);
  assert.match((await refused.go(back)).to, /\/login\?signOn=failed&return=%2Fcustomers%2Fadd$/);
  assert.equal((await refused.go(page(ended))).status, 200);
});

test('a session that its user ends on another device stays ended, and so does one that had timed out before', async () => {
  const [timedOut, open, own] = [await endedBrowser(), await signOn(), await signOn()];
  const { status } = await own.press('/account-setting/profile', 'end-others', 'call:sessions.endOthers');
  assert.equal(status, 200);
  assert.equal((await open.go(read())).status, 401);
  for (const browser of [open, timedOut]) assert.equal((await browser.go(page(ended))).status, 200);
  await timeOut(own);
  assert.equal((await own.go(page(ended))).status, 302);
});

test('a cookie that nobody wrote so leads nowhere', async () => {
  for (const value of ['', 'sso', 'a'.repeat(43), 'a'.repeat(5000), 'https://evil.test']) {
    const headers = { cookie: `${cookie}=${value}`, accept: 'text/html' };
    assert.equal((await portal.app.inject({ url: ended, headers })).statusCode, 200, value);
  }
});
