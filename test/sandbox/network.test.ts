import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let now = Date.UTC(2027, 0, 4, 12);
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 90 * 86_400, portalUrl: 'http://portal.test' });
let engineer: string;
let user: string;
setUp(async () => {
  engineer = await sandbox.signIn('engineer@northwind.test');
  user = await sandbox.signIn('user@contoso.test');
});

const ask = async (token: string, path: string) =>
  (await sandbox.call(token, 'GET', `/api/network/${path}`)).body.Result;
const subscribe = (token: string, wanted: string) =>
  sandbox.call(token, 'POST', `/api/network/SubscribeUser?wanted=${wanted}`);
const desk = (path: string, fields: Record<string, string> = {}, origin = sandbox.url) =>
  fetch(`${sandbox.url}/network/${path}`, { method: 'POST', headers: { origin }, body: new URLSearchParams(fields) });
const mails = async (recipient: string) =>
  await sandbox.db
    .selectFrom('outbox')
    .select(['subject', 'body', 'unsubscribe'])
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute();
const feed = async () => await (await fetch(`${sandbox.url}/status.atom`)).text();
const disturbed = async (product: string) =>
  (await ask(user, `disturbances?product=${encodeURIComponent(product)}`)).Items.map(
    ({ Title, State }: Record<string, string>) => [Title, State],
  );

test('a maintenance stands on its products from its announcement to its end, and is mailed and fed', async () => {
  const { Components } = await ask(user, 'GetNetworkStatus');
  const voice = Components.find(({ ComponentId }: { ComponentId: string }) => ComponentId === 'voice');
  const [product = ''] = voice.Products.split(', ');
  const other = Components.find(({ ComponentId }: { ComponentId: string }) => ComponentId === 'backup').Products;
  await subscribe(engineer, 'on');
  assert.deepEqual(await ask(engineer, 'IsUserSubscribed'), { IsSubscribed: true });
  const announced = { component: 'voice', kind: 'Maintenance', title: 'New <switches>', content: 'Calls break off.' };
  const times = { starts: '2027-01-05T02:00', ends: '2027-01-05T04:00' };
  assert.equal((await desk('announce', { ...announced, ...times })).status, 200);
  assert.deepEqual(await disturbed(product), [['New <switches>', 'ToCome']]);
  assert.deepEqual(await disturbed(other.split(', ')[0]), []);
  assert.equal((await ask(user, 'GetNetworkStatus')).State, 'Good');
  assert.match(await feed(), /<title>Hosted voice: New &#60;switches&#62;<\/title>/);
  now = Date.parse('2027-01-05T03:00Z');
  assert.deepEqual(await disturbed(product), [['New <switches>', 'Now']]);
  assert.equal((await ask(user, 'GetNetworkStatus')).State, 'Maintenance');
  now = Date.parse('2027-01-05T04:00Z');
  assert.deepEqual(await disturbed(product), []);
  assert.equal((await ask(user, 'NetworkStatus')).Items[0].State, 'Over');
  const [mail] = await mails('engineer@northwind.test');
  assert.equal(mail?.subject, 'Hosted voice: New <switches>');
  assert.match(mail?.body ?? '', /Calls break off\..*http:\/\/portal\.test\/support\/network-status.*one press/s);
  assert.match(mail?.unsubscribe ?? '', /^http:\/\/portal\.test\/unsubscribe\//);
});

test('an outage is the worst, lasts until it is ended, and one link stops its mails and brings them back', async () => {
  await subscribe(engineer, 'on');
  const before = (await mails('engineer@northwind.test')).length;
  await desk('announce', { component: 'mail', kind: 'Degraded', title: 'Slow' });
  await desk('announce', { component: 'mail', kind: 'Outage', title: 'Down' });
  assert.equal((await ask(user, 'GetNetworkStatus')).State, 'Outage');
  const sent = await mails('engineer@northwind.test');
  assert.equal(sent.length, before + 2);
  const Token = sent.at(-1)!.unsubscribe!.split('/').at(-1);
  const stop = async (Undo: boolean) =>
    (await sandbox.call(user, 'POST', '/api/public/notification-stops', { Token, Undo })).body.Result;
  assert.deepEqual(await stop(false), { Outcome: 'Stopped', Kind: 'network' });
  assert.deepEqual(await ask(engineer, 'IsUserSubscribed'), { IsSubscribed: false });
  const open = (await ask(user, 'NetworkStatus')).Items.filter(({ State }: { State: string }) => State === 'Now');
  for (const { EventId } of open) await desk(`${EventId}/end`);
  assert.equal((await ask(user, 'GetNetworkStatus')).State, 'Good');
  assert.equal((await mails('engineer@northwind.test')).length, before + 2);
  assert.deepEqual(await stop(true), { Outcome: 'Resumed', Kind: 'network' });
  await desk('announce', { component: 'mail', kind: 'Outage', title: 'Down again' });
  assert.equal((await mails('engineer@northwind.test')).at(-1)!.subject, 'Hosted mail: Down again');
  await subscribe(engineer, 'off');
  assert.deepEqual(await stop(true), { Outcome: 'Kept', Kind: 'network' });
});

test('nothing is announced without a title, of no component, to end before it begins, or from another site', async () => {
  const right = { component: 'mail', kind: 'Maintenance', title: 'x', starts: '2027-01-06T02:00' };
  for (const wrong of [{ title: ' ' }, { component: 'none' }, { kind: 'none' }, { ends: '2027-01-06T01:00' }])
    assert.equal((await desk('announce', { ...right, ...wrong })).status, 400);
  assert.equal((await desk('announce', right, 'http://evil.test')).status, 404);
});

test('the link leads to the page of the portal with the flag, and else to that of the cloud', async () => {
  assert.equal((await ask(user, 'GetNetworkStatusLink')).Url, 'http://portal.test/support/network-status');
  await sandbox.db.updateTable('feature_flags').set({ enabled: false }).where('name', '=', 'NewStatusPage').execute();
  const { Url, FeedUrl } = await ask(user, 'GetNetworkStatusLink');
  assert.match(await (await fetch(Url)).text(), /<h1>Network status<\/h1>/);
  assert.match((await fetch(FeedUrl)).headers.get('content-type') ?? '', /^application\/atom\+xml/);
});
