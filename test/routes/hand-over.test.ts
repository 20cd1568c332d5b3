import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const cloud = {
  get url() {
    return proxy.url;
  },
  cardProviderUrl: () => sandbox.cardProviderUrl(),
};
// The sandbox names itself as the sites, and not the proxy before it.
const portal = withPortal(cloud, () => ({ env: { SITE_ORIGINS: sandbox.url } }));
const reseller = withClient(portal, 'reseller@northwind.test');
const rival = withClient(portal, 'rival@southridge.test');

const service = '/customers/customer/{orgId}/services/{instanceId}';
const open = (client: Client, path: string) => client.get(path, { accept: 'text/html' });
const fieldOf = (text: string) => /name="token" value="([^"]+)"/.exec(text)?.[1];

/** Asks for the portal of servers, and gives the address of the page that hands over. */
async function askServers(client: Client): Promise<string> {
  const { body, text } = await client.press(service, 'open-servers', 'command:site.servers');
  const [effect] = body.effects ?? [];
  assert.equal(effect?.do, 'leave', text);
  const { origin, pathname } = new URL((effect as { readonly to: string }).to);
  assert.equal(origin, portal.url);
  assert.match(pathname, /^\/hand-over\/[\w-]{43}$/);
  assert.doesNotMatch(text, /eyJ|[Tt]oken/);
  return pathname;
}

test('a token goes to its site as a form, once, in the session that asked, and stands in no reply, log or record', async () => {
  const path = await askServers(reseller);
  for (const other of [rival, await portal.signIn('reseller@northwind.test'), portal.client()])
    assert.equal((await open(other, path)).headers.get('location')?.replace(/\?.*/, ''), '/');
  await fetch(portal.url + path, { method: 'HEAD', headers: { cookie: reseller.cookie } });
  await reseller.get(path, { accept: 'text/html', 'sec-purpose': 'prefetch' });

  const page = await open(reseller, path);
  assert.equal(page.status, 200);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, new RegExp(`form-action ${sandbox.url};`));
  assert.doesNotMatch(policy, /'self'|unsafe/);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.match(page.text, new RegExp(`action="${sandbox.url}/server-portal"`));
  const token = fieldOf(page.text) ?? '';
  const opened = await fetch(`${sandbox.url}/server-portal`, { method: 'POST', body: new URLSearchParams({ token }) });
  assert.match(await opened.text(), /You are Priya Raman/);
  assert.equal((await open(reseller, path)).headers.get('location'), '/', 'used');

  const secret = token.split('.').at(-1) ?? '';
  assert.ok(secret.length > 20 && !portal.log().includes(secret));
  const rows = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'site.opened').execute(),
  );
  assert.equal(rows.length, 1);
  assert.ok(!JSON.stringify(rows).includes(secret));
});

test('what the cloud names is led to only where the operator names its origin', async () => {
  for (const Address of ['https://evil.test/a', `${sandbox.url}@evil.test/`, 'javascript:alert(1)', 'nothing']) {
    proxy.intercept(
      ({ url }, response) =>
        url.endsWith('/cloud-server/token') &&
        answerJson(response, 200, { Succeed: true, Result: { Address, Token: 'a.b.c' } }),
    );
    const { status, body } = await reseller.press(service, 'open-servers', 'command:site.servers');
    assert.ok(status === 502 && body.effects === undefined, Address);
  }
  proxy.intercept(undefined);
});

test('the forum is answered once, by a redirect; another question leads nowhere', async () => {
  const asked = await fetch(`${sandbox.url}/community/session/sso`, { redirect: 'manual' });
  const { searchParams } = new URL(asked.headers.get('location') ?? '');
  const given = { sso: searchParams.get('sso') ?? '', sig: searchParams.get('sig') ?? '' };
  const answer = (sig: string) =>
    reseller.press('/community/sign-on', 'answer', 'command:site.community-sign-on', { with: { ...given, sig } });
  assert.deepEqual((await answer('0'.repeat(64))).body.Result, { outcome: 'refused' });
  const { body } = await answer(given.sig);
  const [effect] = body.effects ?? [];
  const { pathname } = new URL((effect as { readonly to: string }).to);
  const led = await open(reseller, pathname);
  assert.equal(led.status, 302);
  const entered = await fetch(led.headers.get('location') ?? '', { redirect: 'manual' });
  assert.equal(entered.headers.get('location'), '/community');
  assert.deepEqual((await answer(given.sig)).body.Result, { outcome: 'refused' });
});
