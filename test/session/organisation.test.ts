import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, type StartedPortal, signInAs, startPortal } from '../fixtures/portal.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

const reseller = 'reseller@northwind.test';
const password = 'Demo-portal-2026';
const html = { accept: 'text/html' };
let sandbox: StartedSandbox;
let portal: StartedPortal;

before(async () => {
  sandbox = await startSandbox();
  portal = await startPortal({ cloudUrl: sandbox.url });
});
after(async () => {
  await portal?.close();
  await sandbox?.close();
});

const shared = ({ headers }: Answer): string | undefined =>
  headers.getSetCookie().find(one => one.startsWith('portal-organisation='));

/** Cookies that a reply ends. */
const forgotten = ({ headers }: Answer): string[] =>
  headers
    .getSetCookie()
    .flatMap(one => /^([^=]+)=;.*Max-Age=0/.exec(one)?.[1] ?? [])
    .sort();

test('who signs in leaves the id of the organisation for a year, on this host alone, and takes it along', async () => {
  const browser = portal.client();
  const cookie = shared(await signInAs(browser, reseller, password)) ?? '';
  for (const part of ['portal-organisation=1001;', 'Max-Age=31536000', 'Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
    assert.ok(cookie.includes(part), cookie);
  assert.doesNotMatch(cookie, /Domain/i);
  assert.deepEqual(forgotten(await browser.post('/auth/sign-out')), [
    ...['__Host-portal', '__Host-portal-single-experience', '__Host-portal-step'],
    'portal-organisation',
  ]);
});

test('a browser that another portal has signed in for another organisation signs in here anew, where it was', async () => {
  const browser = await portal.signIn(reseller);
  const own = browser.cookie.replace(/; portal-organisation=[^;]*/, '');
  browser.cookie = `${own}; portal-organisation=1001`;
  assert.equal((await browser.get('/customers', html)).status, 200);
  browser.cookie = `${own}; portal-organisation=4711`;
  // Only a page that is opened is judged: nothing is lost in the middle of work.
  assert.equal((await browser.get('/ui/data/customers.list')).status, 200);
  const reply = await browser.get('/customers?search=a', html);
  assert.deepEqual([reply.status, reply.headers.get('location')], [302, '/login?return=%2Fcustomers%3Fsearch%3Da']);
  // The cookie is the other portal's.
  assert.deepEqual(forgotten(reply), ['__Host-portal', '__Host-portal-single-experience', '__Host-portal-step']);
  browser.cookie = own;
  assert.equal((await browser.get('/ui/data/customers.list')).status, 401);
});

test('someone who is not signed in is not concerned, whatever the cookie says', async () => {
  const browser = portal.client();
  for (const said of ['4711', '', '%00', 'é'.repeat(500)]) {
    browser.cookie = `portal-organisation=${encodeURIComponent(said)}`;
    assert.equal((await browser.get('/login', html)).status, 200, said);
  }
});

test('portals of one operator share the cookie by the last parts of their hosts', async t => {
  const env = { PUBLIC_URL: 'https://portal.cloud.example.test', COOKIE_DOMAIN_PARTS: '3' };
  const sibling = await startPortal({ cloudUrl: sandbox.url, env });
  t.after(sibling.close);
  const browser = sibling.client({ origin: env.PUBLIC_URL });
  const reply = await signInAs(browser, reseller, password);
  assert.match(shared(reply) ?? '', /Domain=cloud\.example\.test/);
});
