import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'admin@contoso.test']);
const exchange = '/api/customers/10001/exchange';
const call = (method: string, path: string, body?: object, who = 'reseller') =>
  sandbox.call(tokens[who]!, method, `${exchange}${path}`, body);
const read = async (path = '') => (await call('GET', path)).body.Result;
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.Refusals];

test('before anybody changes them, settings are what the cloud begins with', async () => {
  const { Signature, Disclaimer, EmailRoutes, ExchangeVersion } = await read();
  assert.equal(ExchangeVersion, 'Exchange Server SE');
  assert.deepEqual(Signature, { Id: '', Version: 0, ChangedBy: '', IsEnabled: true, IsOn: false, Text: '' });
  assert.deepEqual([Disclaimer.IsEnabled, Disclaimer.Where], [false, 'Outside']);
  assert.equal(EmailRoutes.Kind, 'Direct');
});

test('a setting is changed, told in the activity with before and after, and read by its own address', async () => {
  const { status } = await call('PUT', '/mobile-access', { Access: 'Ask', IsPinRequired: true, Version: 0 });
  assert.equal(status, 200);
  const { Access, IsPinRequired, PinLength, Version } = await read('/mobile-access');
  assert.deepEqual([Access, IsPinRequired, PinLength, Version], ['Ask', true, 6, 1]);
  const [event] = (await sandbox.call(tokens.reseller!, 'GET', '/api/customers/10001/activity')).body.Result.Items;
  assert.deepEqual(
    [event.Action, event.Target, event.Before, event.After],
    [
      'Mail settings changed',
      'Mobile access',
      'Mobile access: Devices: Allow; PIN: No',
      'Mobile access: Devices: Ask; PIN: 6 digits',
    ],
  );
});

test('who saves what somebody else has changed meanwhile is told so, and nothing is saved', async () => {
  await call('PUT', '/synchronisation', { IsOn: true, EveryMinutes: 15, Version: 0 }, 'admin');
  const late = await call('PUT', '/synchronisation', { IsOn: false, Version: 0 });
  assert.deepEqual(refusalOf(late), [409, [{ Code: 'MailSettingChanged', Data: { By: 'Ada Whitfield' } }]]);
  assert.equal((await read('/synchronisation')).IsOn, true);
});

test('what changes nothing leaves the version as it is', async () => {
  await call('PUT', '/shared-mailboxes', { Most: 30 });
  const { Version } = await read('/shared-mailboxes');
  await call('PUT', '/shared-mailboxes', { Most: 30, Version });
  assert.equal((await read('/shared-mailboxes')).Version, Version);
});

test('a disclaimer is made, deleted by its id, and put back as it was', async () => {
  await call('PUT', '/disclaimer', { Text: 'For you alone.', Where: 'All' });
  const { Id, IsEnabled } = await read('/disclaimer');
  assert.equal(IsEnabled, true);
  assert.equal((await call('DELETE', '/disclaimer', { Id: '1' })).status, 404);
  assert.equal((await call('DELETE', '/disclaimer', { Id })).status, 200);
  assert.equal((await read('/disclaimer')).IsEnabled, false);
  const [event] = (await sandbox.call(tokens.reseller!, 'GET', '/api/customers/10001/activity')).body.Result.Items;
  assert.deepEqual([event.Target, event.After], ['Disclaimer', 'Disclaimer: None']);
  assert.equal((await call('DELETE', '/disclaimer', { Id })).status, 404);
  await call('PUT', '/disclaimer', {});
  const { Text, Where, IsEnabled: isBack } = await read('/disclaimer');
  assert.deepEqual([Text, Where, isBack], ['For you alone.', 'All', true]);
});

for (const [path, method, body, field, code, data] of [
  ['/signature', 'PUT', { IsOn: true, Text: ' ' }, 'Text', 'MailTextMissing'],
  [
    '/signature',
    'PUT',
    { IsOn: true, Text: '[Name], [Shoe size]' },
    'Text',
    'SignatureFieldUnknown',
    { Field: 'Shoe size' },
  ],
  ['/disclaimer', 'PUT', { Text: '' }, 'Text', 'MailTextMissing'],
  ['/email-routes', 'POST', { Kind: 'Host', Host: 'not a host' }, 'Host', 'MailHostMalformed'],
  ['/email-routes', 'POST', { Kind: 'Host', Host: 'MX.fernhill.test' }, 'Host', 'MailRouteLoops'],
  ['/email-routes', 'POST', { Kind: 'Host', Host: 'contoso.test' }, 'Host', 'MailRouteLoops'],
] as const)
  test(`${method} ${path} refuses ${JSON.stringify(body)}`, async () => {
    const expected = [{ Field: field, Code: code, ...(data && { Data: data }) }];
    assert.deepEqual(refusalOf(await call(method, path, body)), [400, expected]);
  });

test('mail leaves through a server of the organisation', async () => {
  await call('POST', '/email-routes', { Kind: 'Host', Host: 'relay.contoso-it.test', Port: 587 });
  const { Kind, Host, Port } = await read('/email-routes');
  assert.deepEqual([Kind, Host, Port], ['Host', 'relay.contoso-it.test', 587]);
});

test('shared mailboxes stay on while there are any', async () => {
  await call('PUT', '/shared-mailboxes', { Most: 5 });
  const { customer_id } = await sandbox.db
    .selectFrom('mailboxes')
    .innerJoin('customers as c', 'c.id', 'mailboxes.customer_id')
    .where('c.organisation_id', '=', 10001)
    .select('customer_id')
    .limit(1)
    .executeTakeFirstOrThrow();
  await sandbox.db
    .insertInto('mailboxes')
    .values({ customer_id, kind: 'shared', user_id: null, quota_mb: 1, created: new Date() })
    .execute();
  const { Id } = await read('/shared-mailboxes');
  assert.deepEqual(refusalOf(await call('DELETE', '/shared-mailboxes', { Id })), [
    409,
    [{ Code: 'SharedMailboxesExist', Data: { Mailboxes: '1' } }],
  ]);
});

test('values of another kind are refused, and nobody’s customer is not there', async () => {
  assert.equal((await call('PUT', '/mobile-access', { Access: 'Perhaps' })).status, 400);
  assert.equal((await call('PUT', '/public-folders', { QuotaGb: 0 })).status, 400);
  assert.equal((await call('PUT', '/signature', { IsOn: true, Text: 'x'.repeat(4001) })).status, 400);
  const foreign = await sandbox.call(tokens.admin!, 'GET', '/api/customers/10002/exchange');
  assert.equal(foreign.status, 404);
});

test('app impersonation needs a mailbox of the organisation, and its owner and administrators are told', async () => {
  const refused = await call('PUT', '/app-impersonation', { Account: 'stranger@southridge.test' });
  assert.deepEqual(refusalOf(refused), [400, [{ Field: 'Account', Code: 'MailboxUnknown' }]]);
  assert.equal((await call('PUT', '/app-impersonation', { Account: 'user@contoso.test' })).status, 200);
  const told = await sandbox.db
    .selectFrom('notifications as n')
    .innerJoin('accounts as a', 'a.id', 'n.account_id')
    .where('n.content', 'like', 'Programs that sign in as user@contoso.test%')
    .select('a.username')
    .execute();
  const names = told.map(({ username }) => username);
  assert.ok(names.includes('user@contoso.test') && names.includes('admin@contoso.test'), String(names));
  assertEvery(names, name => name.endsWith('@contoso.test'));
});
