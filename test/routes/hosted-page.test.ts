import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendForm, typedCard } from '../fixtures/hosted-form.ts';
import { type Answer, type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { registeredRoutes } from '../fixtures/routes.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const cloud = {
  get url() {
    return proxy.url;
  },
  cardProviderUrl: () => sandbox.cardProviderUrl(),
};
const portal = withPortal(cloud);
const reseller = withClient(portal, 'reseller@northwind.test');
const rival = withClient(portal, 'rival@southridge.test');
const engineer = withClient(portal, 'engineer@northwind.test');

const options = '/billing/payment-options';
const addCard = (client: Client): Promise<Answer> =>
  client.press(options, 'add-card', 'call:payments.authoriseCard', { body: { Currency: 'GBP' } });

/** Asks for a hosted page, and gives its address. */
async function ask(client: Client): Promise<string> {
  const { body, text } = await addCard(client);
  assert.equal(body.effects?.[0]?.do, 'leave', text);
  const { origin, pathname } = new URL(body.effects[0].to);
  assert.equal(origin, portal.url);
  assert.match(pathname, /^\/hosted-page\/[\w-]{43}$/);
  return pathname;
}
const open = (client: Client, path: string) => client.get(path, { accept: 'text/html' });
const framedBy = ({ text }: Answer) =>
  JSON.parse(/<script type="application\/json" id="hosted-page">(.*)<\/script>/.exec(text)?.[1] ?? 'null');
const policyOf = ({ headers }: Answer): string => headers.get('content-security-policy') ?? '';
const finish = (client: Client, body: Record<string, unknown>) =>
  client.press('/hosted-page/{ticket}', 'provider', 'command:hosted-page.finish', { body });
const cards = async (client: Client) =>
  (await client.get('/ui/data/payments.cards')).body.Result.Items as { Name: string }[];

test('an authorisation opens a page, once, that alone names the provider; nothing of it is in a reply', async () => {
  const asked = await addCard(reseller);
  assert.deepEqual(Object.keys(asked.body).sort(), ['Succeed', 'effects']);
  assert.doesNotMatch(asked.text, /Signature|Token|Zuora/i);
  const path = await ask(reseller);
  await reseller.post(path).catch(() => undefined);
  const head = await fetch(portal.url + path, { method: 'HEAD', headers: { cookie: reseller.cookie } });
  assert.doesNotMatch(head.headers.get('content-security-policy') ?? '', /frame-src/);
  const prefetched = await reseller.get(path, { accept: 'text/html', 'sec-purpose': 'prefetch' });
  assert.doesNotMatch(policyOf(prefetched), /frame-src/, 'nobody has opened it yet');
  const opened = await open(reseller, path);
  const { origin } = new URL(sandbox.cardProviderUrl());
  assert.ok(policyOf(opened).endsWith(`; frame-src ${origin}`), policyOf(opened));
  assert.doesNotMatch(policyOf(opened), /script-src [^;]*http/);
  assert.equal(new URL(framedBy(opened).src).origin, origin);
  const again = await open(reseller, path);
  assert.equal(again.status, 200);
  assert.equal(framedBy(again), null);
  assert.doesNotMatch(policyOf(again), /frame-src/);
});

test('the page of a ticket opens in the session that asked for it alone', async () => {
  const path = await ask(reseller);
  for (const client of [rival, await portal.signIn('reseller@northwind.test')]) {
    const opened = await open(client, path);
    assert.equal(framedBy(opened), null);
    assert.doesNotMatch(policyOf(opened), /frame-src/);
  }
  assert.equal((await open(engineer, path)).status, 302);
  assert.equal((await open(portal.client(), path)).status, 302);
  assert.notEqual(framedBy(await open(reseller, path)), null, 'nobody has used it up');
});

test('what the form answers is believed once, in that session, and only if the cloud says so', async () => {
  const before = await cards(reseller);
  const { src, key } = framedBy(await open(reseller, await ask(reseller)));
  const [message] = await sendForm(src, typedCard());
  const body = { ...message?.fields, $page: key };
  for (const wrong of [{ ...body, $page: 'none' }, message?.fields ?? {}])
    assert.equal((await finish(reseller, wrong)).body.Resources.code, 'HOSTED_PAGE_OVER');
  assert.equal((await finish(rival, body)).body.Resources.code, 'HOSTED_PAGE_OVER');
  // Of a form that says too much nothing is believed, and the page is not used up by it.
  const tooMany = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`field${index}`, '']));
  for (const wrong of [
    { ...body, long: 'x'.repeat(4001) },
    { ...tooMany, $page: body.$page },
  ])
    assert.equal((await finish(reseller, wrong)).status, 400);
  assert.equal((await finish(reseller, body)).body.Succeed, true);
  assert.equal((await finish(reseller, body)).body.Resources.code, 'HOSTED_PAGE_OVER');
  assert.equal((await cards(reseller)).length, before.length + 1);

  const forged = framedBy(await open(reseller, await ask(reseller)));
  const [answer] = await sendForm(forged.src, typedCard('4000 0000 0000 0192'));
  const refused = await finish(reseller, { ...answer?.fields, $page: forged.key });
  assert.match(refused.text, /not genuine/);
  assert.equal((await cards(reseller)).length, before.length + 1);
  const rows = await portal.store.run(db =>
    db.selectFrom('audit').select('outcome').where('action', '=', 'payments.store-method').orderBy('id').execute(),
  );
  assert.deepEqual(rows.map(({ outcome }) => outcome).slice(-2), ['done', 'refused']);
});

test('a missing or incomplete authorisation, or one of another origin, opens nothing and is logged', async () => {
  const good = { Signature: 's', Token: 't', Key: 'k', TenantId: 'i', PageId: 'p', ZuoraAccountId: 'a' };
  const results = [null, {}, { ...good, Url: '' }, { ...good, Signature: null, Url: sandbox.cardProviderUrl() }];
  for (const Result of [...results, { ...good, Url: 'https://elsewhere.test/page' }]) {
    proxy.intercept(
      ({ url }, response) => url.endsWith('/hosted-page/card') && answerJson(response, 200, { Succeed: true, Result }),
    );
    const { status, body } = await addCard(reseller);
    assert.deepEqual([status, body.Resources.code, body.effects], [502, 'HOSTED_PAGE_MISSING', undefined]);
  }
  proxy.intercept(undefined);
  assert.equal(portal.log().match(/a hosted page cannot be opened/g)?.length, results.length + 1);
  assert.match(portal.log(), /elsewhere\.test/);
});

// Last: its many refusals leave no room for others in the audit.
test('no other route names the provider, or may frame anything', async () => {
  const { host } = new URL(sandbox.cardProviderUrl());
  const boot = (await reseller.get('/ui/boot')).body;
  const screens = (boot.routes as [string][]).map(([pattern]) => pattern.replace(/\{\w+\}/g, '1'));
  const routes = await registeredRoutes(portal.app, 'examples');
  const paths = routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  for (const path of notEmpty([...screens, ...paths.filter(path => !/[*]|upload|download|socket/.test(path))])) {
    const reply = await reseller.get(path, { accept: 'text/html' });
    assert.doesNotMatch(policyOf(reply), /frame-src/, path);
    assert.ok(!policyOf(reply).includes(host) && !reply.text.includes(host), path);
  }
});
