import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { type BrowserClient, createBrowserClient } from '../fixtures/browser-client.ts';
import { challengeOf, type Signer, strangers, type Token, withFakeProvider } from '../fixtures/fake-provider.ts';
import { withPortal } from '../fixtures/portal.ts';
import { answer, withUpstream } from '../fixtures/upstream.ts';

let now = Date.now();

const provider = withFakeProvider();
const cloud = withUpstream();
const portal = withPortal(cloud, () => ({
  env: { OIDC_ISSUER: provider.url, OIDC_CLIENT_ID: 'client', OIDC_CLIENT_SECRET: 'secret' },
  now: () => now,
}));
beforeEach(() => {
  provider.falsify = token => ({ token });
  provider.fault = undefined;
  // The cloud believes every token: only the portal stands between a false one and a session.
  cloud.fault = answer('/auth/token', 400, 'application/json', '{"error_description":"is not part of the"}');
  cloud.asked.length = 0;
});

const reached = (): boolean => cloud.asked.includes('POST /auth/token');

/** Comes back from the provider with a code; gives what the user is told. */
async function comeBack(browserClient: BrowserClient, more: Readonly<Record<string, string>> = {}) {
  const address = await browserClient.login('sso@northwind.test');
  const { searchParams } = address;
  provider.nonce = searchParams.get('nonce') ?? '';
  const state = searchParams.get('state') ?? '';
  await browserClient.go(`${portal.url}/auth/callback?${new URLSearchParams({ code: 'code', state, ...more })}`);
  return { searchParams, shown: await browserClient.failure() };
}

const newBrowserClient = (): BrowserClient => createBrowserClient(portal.url);

test('a true token is taken to the cloud, and the code was bought with the verifier of this round trip', async () => {
  const { searchParams, shown } = await comeBack(newBrowserClient());
  assert.equal(shown.popup, 'sso-other-organisation');
  assert.ok(reached());
  const asked = provider.asked.at(-1);
  assert.equal(challengeOf(asked?.get('code_verifier') ?? ''), searchParams.get('code_challenge'));
  assert.equal(asked?.get('redirect_uri'), `${portal.url}/auth/callback`);
});

const seconds = () => Math.floor(Date.now() / 1000);
type Falsify = (token: Token) => { token: Token; signer?: Signer };
const claim =
  (name: string, value: (token: Token) => unknown): Falsify =>
  token => ({ token: { ...token, claims: { ...token.claims, [name]: value(token) } } });
const header =
  (change: Record<string, unknown>, signer?: Signer): Falsify =>
  token => ({ token: { ...token, header: { ...token.header, ...change } }, ...(signer && { signer }) });

const mutations: Readonly<Record<string, Falsify>> = {
  'another issuer': claim('iss', () => 'https://evil.test'),
  'an issuer with a slash': claim('iss', () => `${provider.url}/`),
  'no issuer': claim('iss', () => undefined),
  'another audience': claim('aud', () => 'somebody'),
  'several audiences without the authorised party': claim('aud', () => ['client', 'somebody']),
  'another authorised party': token => ({
    token: { ...token, claims: { ...token.claims, aud: ['client', 'somebody'], azp: 'somebody' } },
  }),
  'no audience': claim('aud', () => undefined),
  'an expiry in the past': claim('exp', () => seconds() - 60),
  'no expiry': claim('exp', () => undefined),
  'an expiry that is no number': claim('exp', () => 'never'),
  'not good yet': claim('nbf', () => seconds() + 600),
  'another nonce': claim('nonce', () => 'x'),
  'no nonce': claim('nonce', () => undefined),
  'no subject': claim('sub', () => undefined),
  'the algorithm none': header({ alg: 'none' }, strangers.none),
  'the algorithm None': header({ alg: 'None' }, strangers.none),
  'a symmetric algorithm with the client secret': header({ alg: 'HS256' }, strangers.hmac),
  'an algorithm that was not agreed': header({ alg: 'PS256' }),
  'an unknown key': header({ kid: 'k2' }, strangers.otherKey),
  'another key under the right name': header({}, strangers.otherKey),
  'a key of its own': header({ jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' }, kid: undefined }, strangers.otherKey),
  'no signature': token => ({ token: { ...token, signature: '' } }),
  'a signature of something else': token => ({ token: { ...token, signature: 'A'.repeat(342) } }),
};

for (const [what, falsify] of Object.entries(mutations)) {
  test(`a token with ${what} opens nothing and never reaches the cloud`, async () => {
    provider.falsify = falsify;
    const browser = newBrowserClient();
    const { shown } = await comeBack(browser);
    assert.equal(shown.popup, 'sso-failed');
    assert.equal(reached(), false);
    assert.equal(browser.jar.get('__Host-portal'), undefined);
  });
}

test('a token whose claims or signature differ in any way from what was signed is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('sub', 'iss', 'aud', 'nonce'),
      fc.string({ minLength: 1 }),
      fc.nat(300),
      async (name, value, at) => {
        cloud.asked.length = 0;
        provider.falsify = token => {
          const changed = { ...token, claims: { ...token.claims, [name]: value } };
          const signer: Signer = content => `${'A'.repeat(at)}B${strangers.otherKey(content).slice(at + 1)}`;
          return { token: changed, signer };
        };
        const { shown } = await comeBack(newBrowserClient());
        assert.equal(shown.popup, 'sso-failed');
        assert.equal(reached(), false);
      },
    ),
    { numRuns: 8 },
  );
});

const reply =
  (path: string, status: number, type: string, body: string) =>
  (request: { url?: string | undefined }, response: ServerResponse): boolean => {
    if (!request.url?.startsWith(path)) return false;
    response.writeHead(status, { 'content-type': type, location: 'https://evil.test/' }).end(body);
    return true;
  };

for (const [what, fault] of Object.entries({
  'does not answer': (request: { url?: string | undefined }, response: ServerResponse) => {
    if (request.url !== '/token') return false;
    response.destroy();
    return true;
  },
  fails: reply('/token', 500, 'text/html', '<h1>Down</h1>'),
  'leads elsewhere': reply('/token', 302, 'text/plain', ''),
  'sends no JSON': reply('/token', 200, 'application/json', '{"id_token": '),
  'sends a page': reply('/token', 200, 'text/html', '<b>hello</b>'),
  'sends nothing of use': reply('/token', 200, 'application/json', '{}'),
  'sends far too much': reply('/token', 200, 'application/json', `{"x":"${'y'.repeat(600_000)}"}`),
  'refuses the code': reply('/token', 400, 'application/json', '{"error":"invalid_grant"}'),
})) {
  test(`when the provider ${what} the user is told so and nobody is signed in`, async () => {
    provider.fault = fault;
    const { shown } = await comeBack(newBrowserClient());
    assert.equal(shown.popup, 'sso-failed');
    assert.match(shown.with.reason?.value ?? '', /your organisation's sign-in/);
    assert.equal(reached(), false);
  });
}

test('an answer in the name of another provider is refused (RFC 9207)', async () => {
  const { shown } = await comeBack(newBrowserClient(), { iss: 'https://evil.test' });
  assert.equal(shown.popup, 'sso-failed');
  assert.equal(reached(), false);
});

test('a provider that is away is told at the username, and asked again with the next', async () => {
  // What it said of itself is an hour old.
  now += 61 * 60_000;
  const browser = newBrowserClient();
  const ask = () =>
    browser.press('/login', 'login', 'command:auth.login', { body: { Username: 'sso@northwind.test' } });
  for (const fault of [
    reply('/.well-known', 503, 'text/plain', ''),
    reply('/.well-known', 200, 'application/json', '{"issuer":"https://evil.test"}'),
  ]) {
    provider.fault = fault;
    const { status, body } = await ask();
    assert.equal(status, 502);
    assert.match(body.Error, /your organisation's sign-in/);
  }
  provider.fault = undefined;
  assert.equal((await ask()).body.effects[0].do, 'leave');
  assert.ok([...browser.jar.keys()].some(name => name.startsWith('__Host-portal-trip-')));
});

test('what a provider says is never shown as it is, nor written to the log as a line of its own', async () => {
  const browser = newBrowserClient();
  const address = await browser.login('sso@northwind.test');
  const state = address.searchParams.get('state') ?? '';
  const words = 'Call +44 20 7946 0000\n<script>alert(1)</script>\u202e';
  const query = new URLSearchParams({ error: 'access_denied', error_description: words, state });
  await browser.go(`${portal.url}/auth/callback?${query}`);
  const reason = {
    value: 'Signing in was cancelled or refused at your provider. You can try again, or sign in with another username.',
  };
  assert.deepEqual(await browser.failure(), { do: 'open-popup', popup: 'sso-failed', with: { reason } });
  assert.doesNotMatch(portal.log(), /alert\(1\)/);
});
