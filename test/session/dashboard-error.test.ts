import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { type BrowserClient, createBrowserClient } from '../fixtures/browser-client.ts';
import { startPortal, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sso = 'sso@northwind.test';
const dashboard = 'https://single.fernhill.test/dashboard';
const errorPage = 'https://single.fernhill.test/error?from=portal';
const mark = '__Host-portal-single-experience';

const sandbox = withSandbox();
const portal = withPortal(sandbox, {
  env: { SINGLE_EXPERIENCE_URL: dashboard, SINGLE_EXPERIENCE_ERROR_URL: errorPage },
});

/** A browser that was at the dashboard before, or not. */
function browser(isMarked = true, at = portal): BrowserClient {
  const browserClient = createBrowserClient(at.url);
  if (isMarked) browserClient.jar.set(mark, '1');
  return browserClient;
}

/** Cancels at the provider; gives the way back. */
async function cancel(browserClient: BrowserClient): Promise<string> {
  const page = (await browserClient.go(await browserClient.login(sso, '/customers'))).to;
  // Browsers hold what a form leads to, to the end, to the policy of its page.
  const { headers } = await browserClient.go(page);
  assert.match(headers.get('content-security-policy') ?? '', /; form-action 'self' https: http:\/\/127/);
  return (await browserClient.go((await browserClient.go(page, { cancel: 'yes' })).to)).to;
}

test('a failed sign-on of who lands on the dashboard is shown on its error page, and nothing of the way is left', async () => {
  const browserClient = browser();
  const { status, to, headers } = await browserClient.go(await cancel(browserClient));
  assert.deepEqual([status, to], [302, errorPage]);
  assert.match(headers.get('cache-control') ?? '', /no-store/);
  // What failed is recorded all the same, and the mark stays: the next try may fail too.
  assert.deepEqual(
    [...browserClient.jar.keys()].filter(name => name.startsWith('__Host-')),
    [mark],
  );
  const { detail } = await portal.store.run(db =>
    db.selectFrom('audit').select('detail').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
  );
  assert.deepEqual(detail as unknown, { by: 'sso', why: 'SIGN_ON_DENIED' });
});

test('what the portal itself finds wrong leads there too', async () => {
  const browserClient = browser();
  const stranger = createBrowserClient(portal.url);
  const stolen = await stranger.signInAt(await stranger.login(sso), sso, seedPassword);
  stolen.searchParams.set('state', (await browserClient.login(sso)).searchParams.get('state') ?? '');
  assert.equal((await browserClient.go(stolen)).to, errorPage);
});

test('what the four popups are about is asked at the sign-in, wherever one lands', async () => {
  for (const [username, popup] of [
    ['sso-none@northwind.test', 'sso-no-organisation'],
    ['sso-other@northwind.test', 'sso-other-organisation'],
    ['sso-required@northwind.test', 'sso-required'],
  ] as const) {
    const browserClient = browser();
    const back = await browserClient.signInAt(await browserClient.login(username), username, seedPassword);
    assert.equal(new URL((await browserClient.go(back)).to).pathname, '/login');
    assert.equal((await browserClient.failure()).popup, popup);
  }
});

test('without the mark, or without the setting, a failure is shown at the sign-in', async t => {
  const plain = await startPortal({ cloudUrl: sandbox.url, env: { SINGLE_EXPERIENCE_URL: dashboard } });
  t.after(() => plain.close());
  for (const browserClient of [browser(false), browser(true, plain)]) {
    assert.equal(new URL((await browserClient.go(await cancel(browserClient))).to).pathname, '/login');
    assert.equal((await browserClient.failure()).popup, 'sso-failed');
  }
});

test('whoever leads a browser to the way back that it never began leads it no further than the sign-in', async () => {
  const { to } = await browser().go(`${portal.url}/auth/callback?code=x&state=y`);
  assert.equal(new URL(to).pathname, '/login');
});
