import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Client, signInAs, startPortal, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const reseller = 'reseller@northwind.test';
const password = 'Demo-portal-2026';
const html = { accept: 'text/html' };

const sandbox = withSandbox();
const portal = withPortal(sandbox);

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
    ...['__Host-portal', '__Host-portal-sign-on', '__Host-portal-single-experience', '__Host-portal-stage'],
    'portal-organisation',
  ]);
});

/** A browser that is signed in here, while another portal has signed it in for another organisation. */
async function signedInElsewhere(): Promise<{ browser: Client; own: string }> {
  const browser = await portal.signIn(reseller);
  const own = browser.cookie;
  browser.cookie = `${own}; portal-organisation=4711`;
  return { browser, own };
}

test('a browser that another portal has signed in for another organisation is asked, and nothing ends until a press', async () => {
  const { browser, own } = await signedInElsewhere();
  // Only a page that is opened is checked: nothing is lost in the middle of work.
  assert.equal((await browser.get('/ui/data/customers.list')).status, 200);
  for (const [path, question] of [
    ['/customers?search=a', '/other-organisation?return=%2Fcustomers%3Fsearch%3Da'],
    ['/', '/other-organisation'],
  ] as const) {
    const reply = await browser.get(path, html);
    assert.deepEqual([reply.status, reply.headers.get('location')], [302, question]);
    assert.deepEqual(reply.headers.getSetCookie(), []);
    const asked = await browser.get(question, html);
    assert.equal(asked.status, 200);
    assert.match(asked.text, /You are signed in for another organisation/);
    assert.deepEqual(asked.headers.getSetCookie(), []);
  }
  browser.cookie = own;
  assert.equal((await browser.get('/ui/data/customers.list')).status, 200);
  browser.cookie = `${own}; portal-organisation=1001`;
  assert.equal((await browser.get('/customers', html)).status, 200);
});

test('whoever signs in anew is signed out here, and comes back to where they were going', async () => {
  const { browser, own } = await signedInElsewhere();
  const reply = await browser.press('/other-organisation', 'sign-in-anew', 'command:auth.sign-in-anew', {
    with: { return: '/customers?search=a' },
  });
  assert.deepEqual(reply.body.effects, [
    { do: 'navigate', to: '/login?return=%2Fcustomers%3Fsearch%3Da', replace: true },
  ]);
  // The cookie of the organisation is the other portal's.
  assert.deepEqual(forgotten(reply), [
    ...['__Host-portal', '__Host-portal-sign-on', '__Host-portal-single-experience', '__Host-portal-stage'],
  ]);
  browser.cookie = own;
  assert.equal((await browser.get('/ui/data/customers.list')).status, 401);
});

test('whoever stays goes on where they were going, and the cookie says the own organisation again', async () => {
  const { browser, own } = await signedInElsewhere();
  const go = (wanted: string) =>
    browser.press('/other-organisation', 'stay', 'command:auth.stay-signed-in', { with: { return: wanted } });
  const reply = await go('/customers');
  assert.deepEqual(reply.body.effects, [{ do: 'navigate', to: '/customers', replace: true }]);
  assert.match(shared(reply) ?? '', /^portal-organisation=1001;/);
  browser.cookie = own;
  for (const elsewhere of ['//evil.test', 'https://evil.test/', '/\\evil.test', '/nowhere', '/other-organisation/x'])
    assert.deepEqual((await go(elsewhere)).body.effects, [{ do: 'navigate', to: '/dashboard', replace: true }]);
  assert.equal((await browser.get('/customers', html)).status, 200);
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
