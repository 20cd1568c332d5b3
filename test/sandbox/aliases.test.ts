import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test', 'user@contoso.test']);

const una = '/api/customers/10001/mailboxes/user@contoso.test';
const call = (method: string, path: string, body?: object, who = 'reseller') =>
  sandbox.call(tokens[who]!, method, path, body);
const list = async (of = una) => (await call('GET', `${of}/aliases`)).body.Result;
const names = async (of = una): Promise<string[]> =>
  (await list(of)).Items.map(({ Alias }: { Alias: string }) => Alias);
const add = (Alias: string, of = una) => call('POST', `${of}/aliases`, { Alias });
const check = async (Alias: string) =>
  (await call('GET', `${una}/alias-check?${new URLSearchParams({ Alias })}`)).body.Result;
type Reply = Awaited<ReturnType<typeof call>>;
const refusal = ({ status, body }: Reply) => [status, body.Refusals?.[0]?.Code];
const latest = async () => (await call('GET', '/api/customers/10001/activity')).body.Result.Items[0];

test('the aliases of a mailbox are numbered by address, and one of a domain that is not active yet says so', async () => {
  const { Items, Total, Most } = await list();
  assert.deepEqual(
    Items.map((row: Record<string, unknown>) => [row.Number, row.Alias, row.DelayedDomain]),
    [
      [1, 'bookings@contoso.test', false],
      [2, 'una.marsh@contoso.test', false],
      [3, 'una@contoso-events.test', true],
    ],
  );
  assert.deepEqual([Total, Most], [3, 20]);
});

test('an alias is added once, told in the activity, its mailbox is found by it, and it is deleted again', async () => {
  assert.equal((await add(' Post@CONTOSO.test ')).status, 200);
  assert.ok((await names()).includes('Post@contoso.test'));
  const { Action, Target, Before, After } = await latest();
  assert.deepEqual([Action, Target, Before, After], ['Alias added', 'user@contoso.test', '', 'Post@contoso.test']);
  assert.deepEqual(refusal(await add('post@contoso.test')), [400, 'AliasTaken']);
  const found = await call('GET', '/api/customers/10001/mailboxes/post@contoso.test');
  assert.equal(found.body.Result.Address, 'user@contoso.test');
  assert.equal((await call('DELETE', `${una}/aliases/POST@contoso.test`)).status, 200);
  assert.deepEqual([(await latest()).Action, (await latest()).Before], ['Alias deleted', 'Post@contoso.test']);
  assert.equal((await call('DELETE', `${una}/aliases/post@contoso.test`)).status, 404);
});

test('who is typing is told what stands against an address, and adding it is refused for the same reason', async () => {
  const long = 'a'.repeat(65);
  for (const [given, code] of [
    ['admin@contoso.test', 'AliasTaken'],
    ['ALL-STAFF@contoso.test', 'AliasTaken'],
    ['amelia.a.hart@sandpiper.test', 'AliasForeign'],
    ['someone@example.org', 'AliasForeign'],
    ['someone@bücher.test', 'AliasForeign'],
    [`${long}@contoso.test`, 'AliasMalformed'],
    [`a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.contoso.test`, 'AliasMalformed'],
    ['una+news@contoso.test', 'AliasMalformed'],
    ['"una marsh"@contoso.test', 'AliasMalformed'],
    ['una', 'AliasMalformed'],
    ['@contoso.test', 'AliasMalformed'],
    ['уна@contoso.test', 'AliasMalformed'],
  ] as const) {
    assert.equal((await check(given)).Code, code, given);
    assert.deepEqual(refusal(await add(given)), [400, code], given);
  }
  assert.equal((await check('admin@contoso.test')).By, 'Ada Whitfield');
  assert.match((await check('a@example.org')).Domains, /^contoso\.test/);
  assert.equal((await check(`${'a'.repeat(64)}@contoso.test`)).Code, 'Free');
  const delayed = await check('new@contoso-events.test');
  assert.deepEqual([delayed.Code, delayed.DelayedDomain], ['Free', true]);
});

test('an address in letters of any alphabet is compared as mail servers do', async () => {
  const { id } = await sandbox.db
    .selectFrom('customers')
    .select('id')
    .where('organisation_id', '=', 10_004)
    .executeTakeFirstOrThrow();
  const domain = { customer_id: id, name: 'bücher.test', ascii: 'xn--bcher-kva.test', created: new Date() };
  await sandbox.db.insertInto('organisation_domains').values(domain).execute();
  const { Items } = (await call('GET', '/api/customers/10004/users?pageSize=100')).body.Result;
  const address = Items.find(({ Mailbox }: { Mailbox: string | null }) => Mailbox)?.Mailbox;
  const of = `/api/customers/10004/mailboxes/${address}`;
  assert.equal((await add('lesen@BÜCHER.test', of)).status, 200);
  assert.deepEqual(await names(of), ['lesen@xn--bcher-kva.test']);
  assert.deepEqual(refusal(await add('Lesen@xn--bcher-kva.test', of)), [400, 'AliasTaken']);
});

test('an alias becomes the primary address, which is kept, and the one before stays as an alias', async () => {
  const admin = '/api/customers/10001/mailboxes/admin@contoso.test';
  assert.equal((await add('ada@contoso.test', admin)).status, 200);
  assert.deepEqual(refusal(await call('DELETE', `${admin}/aliases/admin@contoso.test`)), [409, 'AliasPrimary']);
  assert.equal((await call('POST', `${admin}/aliases/ada@contoso.test/make-primary`)).status, 200);
  const { Action, Target, Before, After } = await latest();
  assert.deepEqual(
    [Action, Target, Before, After],
    ['Primary address changed', 'ada@contoso.test', 'admin@contoso.test', 'ada@contoso.test'],
  );
  assert.deepEqual(await names(admin), ['admin@contoso.test'], 'the address of before still leads to the mailbox');
  assert.deepEqual(refusal(await call('POST', `${admin}/aliases/ada@contoso.test/make-primary`)), [
    409,
    'AliasPrimary',
  ]);
  assert.equal((await call('POST', `${admin}/aliases/admin@contoso.test/make-primary`)).status, 200);
  const early = await call('POST', `${una}/aliases/una@contoso-events.test/make-primary`);
  assert.deepEqual(refusal(early), [409, 'AliasDelayed']);
});

test('a mailbox has twenty aliases at most', async () => {
  const { Total } = await list();
  for (let number = Total; number < 20; number++) assert.equal((await add(`n${number}@contoso.test`)).status, 200);
  assert.deepEqual(refusal(await add('n20@contoso.test')), [400, 'AliasesFull']);
  assert.equal((await check('n20@contoso.test')).Code, 'AliasesFull');
});

test('nobody of another reseller, and no end user, reaches a mailbox', async () => {
  for (const [who, status] of [
    ['rival', 404],
    ['user', 403],
  ] as const)
    for (const [method, path, body] of [
      ['GET', una],
      ['GET', `${una}/aliases`],
      ['GET', `${una}/alias-check?Alias=a@contoso.test`],
      ['POST', `${una}/aliases`, { Alias: 'a@contoso.test' }],
      ['DELETE', `${una}/aliases/bookings@contoso.test`],
      ['POST', `${una}/aliases/bookings@contoso.test/make-primary`],
    ] as const)
      assert.equal((await call(method, path, body, who)).status, status, `${who} ${method} ${path}`);
});

test('a deleted user comes back with the aliases that are free still, and not while the primary address is taken', async () => {
  const { Items } = (await call('GET', '/api/customers/10001/users?pageSize=100')).body.Result;
  const [leaver, other] = Items.filter(
    ({ Mailbox, Type }: Record<string, string | null>) => Mailbox && Type === 'endUser',
  );
  const of = (address: string) => `/api/customers/10001/mailboxes/${address}`;
  assert.equal((await add('kept@contoso.test', of(leaver.Mailbox))).status, 200);
  assert.equal((await add('lost@contoso.test', of(leaver.Mailbox))).status, 200);
  const user = `/api/customers/10001/users/${leaver.UserId}`;
  const deleted = `/api/customers/10001/deleted-users/${leaver.UserId}`;
  assert.equal((await call('DELETE', user)).status, 200);
  assert.equal((await add('lost@contoso.test', of(other.Mailbox))).status, 200);
  assert.equal((await add(leaver.Mailbox, of(other.Mailbox))).status, 200);
  assert.deepEqual(refusal(await call('POST', `${deleted}/restore`)), [409, 'EmailTakenSince']);
  assert.equal((await call('DELETE', `${of(other.Mailbox)}/aliases/${leaver.Mailbox}`)).status, 200);
  assert.equal((await call('POST', `${deleted}/restore`)).status, 200);
  assert.equal((await call('GET', user)).body.Result.Mailbox.Address, leaver.Mailbox);
  assert.deepEqual(await names(of(leaver.Mailbox)), ['kept@contoso.test']);
});
