import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type BrowserClient, createBrowserClient } from '../fixtures/browser-client.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withFakeProvider } from '../fixtures/fake-provider.ts';
import { type Answer, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

let release = (): void => undefined;

const provider = withFakeProvider();
const sandbox = withSandbox();
const portal = withPortal(sandbox, () => ({
  env: { OIDC_ISSUER: provider.url, OIDC_CLIENT_ID: 'client', OIDC_CLIENT_SECRET: 'secret' },
}));
afterEach(() => {
  release();
  provider.fault = undefined;
});

/** The provider answers nothing at this path until `release`. */
function hang(path: RegExp): { readonly asked: () => number } {
  let asked = 0;
  let isOver = false;
  const released = new Promise<void>(resolve => {
    release = () => {
      isOver = true;
      resolve();
    };
  });
  provider.fault = (request, response) => {
    if (isOver || !path.test(request.url ?? '')) return false;
    asked += 1;
    void released.then(() => response.destroy());
    return true;
  };
  return { asked: () => asked };
}

/** Goes to the identity provider, as the button of a failed sign-on does. */
const leave = (): Promise<Answer> => portal.client().press('sso-failed', 'again', 'command:auth.sign-on-again');

/** Comes back from the provider with a code. */
async function comeBack(browserClient: BrowserClient): Promise<void> {
  const { body } = await browserClient.press('sso-failed', 'again', 'command:auth.sign-on-again');
  const { searchParams } = new URL(body.effects[0].to);
  provider.nonce = searchParams.get('nonce') ?? '';
  const state = searchParams.get('state') ?? '';
  await browserClient.go(`${portal.url}/auth/callback?${new URLSearchParams({ code: 'code', state })}`);
}

test('however many wait for a provider that hangs, the others are told at once and sign in with passwords', async () => {
  const { asked } = hang(/well-known/);
  const codes: string[] = [];
  const presses = Array.from({ length: 60 }, async () => {
    const { body } = await leave();
    codes.push(body.Resources?.code ?? body.effects[0].do);
  });
  await eventually(() => codes.length === 20);
  assert.deepEqual([...new Set(codes)], ['PROVIDER_UNREACHABLE']);
  assert.equal(asked(), 1, 'all wait for the same call');
  assert.equal((await portal.client().get('/ui/boot')).status, 200);
  const reseller = await portal.signIn('reseller@northwind.test');
  assert.equal((await reseller.get('/ui/data/customers.list?pageSize=1')).status, 200);
  assert.equal(codes.length, 20, 'the others have waited meanwhile');
  release();
  await Promise.all(presses);
  const { body } = await leave();
  assert.equal(body.effects[0].do, 'leave');
});

test('a provider that has not answered three times in a row is not asked for a while, then found again', async () => {
  const browserClients = [1, 2, 3].map(() => createBrowserClient(portal.url));
  const { asked } = hang(/^\/token/);
  await Promise.all(browserClients.map(comeBack));
  assert.equal(asked(), 3);
  await comeBack(createBrowserClient(portal.url));
  assert.equal(asked(), 3, 'the provider was asked all the same');
  release();
  const before = provider.asked.length;
  await eventually(async () => {
    await comeBack(createBrowserClient(portal.url));
    return provider.asked.length > before;
  });
});
