import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'user@contoso.test', 'admin@contoso.test']);

let presses = 0;
function call(who: string, method: string, path: string, body?: object) {
  presses += 1;
  const headers = method === 'GET' ? {} : { 'idempotency-key': `own-alias-press-${presses}` };
  return sandbox.call(tokens[who]!, method, path, body, headers);
}
const own = '/api/end-user/mailbox';
const aliases = async (): Promise<string[]> =>
  (await call('user', 'GET', own)).body.Result.Aliases.map(({ Alias }: { Alias: string }) => Alias);

test('an end user with the right adds and deletes aliases of the own mailbox, by the rules of an administrator', async () => {
  const check = await call('user', 'GET', `${own}/alias-check?Alias=admin@contoso.test`);
  assert.deepEqual([check.body.Result.Code, check.body.Result.By], ['AliasTaken', 'Ada Whitfield']);
  const taken = await call('user', 'POST', `${own}/aliases`, { Alias: 'admin@contoso.test' });
  assert.deepEqual([taken.status, taken.body.Refusals[0].Code], [400, 'AliasTaken']);
  assert.equal((await call('user', 'POST', `${own}/aliases`, { Alias: 'una.own@contoso.test' })).status, 200);
  assert.ok((await aliases()).includes('una.own@contoso.test'));
  const [event] = (await call('reseller', 'GET', '/api/customers/10001/activity')).body.Result.Items;
  assert.deepEqual([event.Action, event.Actor, event.After], ['Alias added', 'Una Marsh', 'una.own@contoso.test']);
  assert.equal((await call('user', 'DELETE', `${own}/aliases/una.own@contoso.test`)).status, 200);
  assert.equal((await call('user', 'DELETE', `${own}/aliases/admin@contoso.test`)).status, 404);
  assert.deepEqual((await call('user', 'DELETE', `${own}/aliases/user@contoso.test`)).body.Refusals, [
    { Code: 'AliasPrimary' },
  ]);
});

test('without the right the aliases are seen and stay', async () => {
  const rights = { views: [], permissions: ['hostedExchange'] };
  assert.equal((await call('reseller', 'PUT', '/api/permissions/user@contoso.test', rights)).status, 200);
  assert.ok((await aliases()).length > 0);
  for (const [method, path, body] of [
    ['GET', '/alias-check?Alias=x'],
    ['POST', '/aliases', { Alias: 'una.own@contoso.test' }],
    ['DELETE', '/aliases/bookings@contoso.test'],
  ] as const)
    assert.equal((await call('user', method, `${own}${path}`, body)).status, 403, method);
  assert.equal((await call('admin', 'POST', `${own}/aliases`, { Alias: 'a.own@contoso.test' })).status, 403);
});

test('an alias of a domain of other letters is shown in them, and kept as DNS has it', async () => {
  assert.equal((await call('reseller', 'POST', '/api/customers/10001/domains', { Name: 'bücher.test' })).status, 201);
  const at = '/api/customers/10001/mailboxes/user@contoso.test/aliases';
  assert.equal((await call('reseller', 'POST', at, { Alias: 'una@BÜCHER.test' })).status, 200);
  const { Items } = (await call('reseller', 'GET', at)).body.Result;
  const shown = Items.filter(({ Alias }: { Alias: string }) => Alias.includes('xn--'));
  assert.deepEqual(
    shown.map(({ Alias, Shown }: Record<string, string>) => [Alias, Shown]),
    [['una@xn--bcher-kva.test', 'una@bücher.test']],
  );
});

test('who saves an address book second is told, and the first one stays', async () => {
  const book = '/api/customers/10001/mailboxes/user@contoso.test/address-book';
  const before = (await call('reseller', 'GET', book)).body.Result;
  assert.equal((await call('admin', 'PUT', book, { ...before, City: 'Leeds' })).status, 200);
  const late = await call('reseller', 'PUT', book, { ...before, City: 'York' });
  assert.deepEqual(
    [late.status, late.body.Refusals],
    [409, [{ Code: 'AddressBookChanged', Data: { Mailbox: 'user@contoso.test' } }]],
  );
  assert.equal((await call('reseller', 'GET', book)).body.Result.City, 'Leeds');
});
