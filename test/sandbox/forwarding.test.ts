import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'user@contoso.test']);

const contoso = '/api/customers/10001';
let presses = 0;
function call(method: string, path: string, body?: object) {
  presses += 1;
  const headers = method === 'GET' ? {} : { 'idempotency-key': `forwarding-press-${presses}` };
  return sandbox.call(tokens.reseller!, method, `${path.startsWith('/api') ? '' : contoso}${path}`, body, headers);
}
const of = (mailbox: string) => `/mailboxes/${mailbox}/forwarding`;
const una = 'user@contoso.test';
const read = async (path = of(una)) => (await call('GET', path)).body.Result;
const add = (Address: string, mailbox = una, IsConfirmed = false) =>
  call('POST', of(mailbox), { Address, IsConfirmed });
const codeOf = async (reply: ReturnType<typeof call>) => (await reply).body.Refusals?.[0]?.Code;
const told = async () => (await call('GET', '/activity')).body.Result.Items[0];
async function people(): Promise<string[]> {
  const { Items } = (await call('GET', '/users?pageSize=100&sort=Email')).body.Result;
  const all = Items.flatMap(({ Mailbox }: { Mailbox: string | null }) => Mailbox ?? []);
  const free = [];
  for (const mailbox of all) if (mailbox !== una && (await read(of(mailbox))).Total === 0) free.push(mailbox);
  return free;
}

test('a mailbox forwards to several addresses, with a copy or without, which is told and taken back', async () => {
  const [first = '', second = ''] = await people();
  for (const address of [first, second.toUpperCase().replace('@CONTOSO.TEST', '@contoso.test')])
    assert.equal((await add(address)).status, 200, address);
  const { Items, KeepCopy, MayLeave } = await read();
  assert.deepEqual([Items.length, KeepCopy, MayLeave], [2, true, true]);
  assertEvery(Items, ({ Name, IsOutside }: { Name: string; IsOutside: boolean }) => Name !== '' && !IsOutside);
  assert.equal((await call('PUT', `${of(una)}/copy`, { KeepCopy: false })).status, 200);
  assert.equal((await read()).KeepCopy, false);
  const event = await told();
  assert.deepEqual(
    [event.Action, event.Target, event.Before, event.After],
    ['Forwarding changed', una, 'Keep a copy: Yes', 'Keep a copy: No'],
  );
  await call('PUT', `${of(una)}/copy`, { KeepCopy: true });
  for (const { Address } of notEmpty(Items as { readonly Address: string }[]))
    assert.equal((await call('DELETE', `${of(una)}/${Address}`)).status, 200);
  assert.equal((await call('DELETE', `${of(una)}/${first}`)).status, 404);
  assert.equal((await read()).Total, 0);
});

test('an address outside is confirmed, and the owner of the mailbox is told', async () => {
  const check = await read(`/mailboxes/${una}/forwarding-check?Address=ann@else.test`);
  assert.deepEqual([check.Code, check.IsOutside], ['Free', true]);
  assert.deepEqual((await add('ann@else.test')).body.Refusals, [
    { Code: 'ForwardUnconfirmed', Data: { Address: 'ann@else.test' } },
  ]);
  assert.equal((await read()).Total, 0);
  assert.equal((await add('ann@else.test', una, true)).status, 200);
  assert.deepEqual((await read()).Items, [{ Address: 'ann@else.test', Name: '', IsOutside: true }]);
  const notes = await sandbox.call(tokens.user!, 'GET', '/api/notifications');
  const [note] = notes.body.Result.Items ?? notes.body.Result;
  assert.match(JSON.stringify(note), /New mail of user@contoso\.test is forwarded to ann@else\.test, outside/);
});

test('security settings refuse what leaves, and the activity tells of them', async () => {
  const set = (ForwardsOutside: boolean) => call('PUT', '/mail-security', { ForwardsOutside });
  assert.equal((await set(false)).status, 200);
  const event = await told();
  assert.deepEqual(
    [event.Action, event.Before, event.After],
    ['Mail security changed', 'Forwarding outside: Allowed', 'Forwarding outside: Refused'],
  );
  assert.equal((await read()).MayLeave, false);
  assert.equal(await codeOf(add('bob@else.test', una, true)), 'ForwardForbidden');
  await set(true);
  assert.equal((await add('bob@else.test', una, true)).status, 200);
  assert.equal((await read('/api/customers/10037/mail-security')).ForwardsOutside, false);
});

test('what is no address, is there already, is its own or nobody’s is refused, while it is typed and when it is sent', async () => {
  for (const [address, code] of [
    ['no address', 'ForwardMalformed'],
    ['"quoted name"@contoso.test', 'ForwardMalformed'],
    ['ann@else.test', 'ForwardTwice'],
    ['USER@contoso.test', 'ForwardItself'],
    ['bookings@contoso.test', 'ForwardItself'],
    ['nobody.here@contoso.test', 'ForwardUnknown'],
  ] as const) {
    assert.equal(await codeOf(add(address, una, true)), code, address);
    const check = await read(`/mailboxes/${una}/forwarding-check?Address=${encodeURIComponent(address)}`);
    assert.equal(check.Code, code, address);
  }
  for (let number = (await read()).Total; number < 10; number++)
    assert.equal((await add(`out${number}@else.test`, una, true)).status, 200);
  assert.deepEqual((await add('one.more@else.test', una, true)).body.Refusals, [
    { Field: 'Address', Code: 'ForwardFull', Data: { Most: '10' } },
  ]);
});

test('mail does not go round in a circle, by way of others, of an alias or of a group', async () => {
  const [first = '', second = '', third = ''] = await people();
  assert.equal((await add(second, first)).status, 200);
  assert.equal((await add(third, second)).status, 200);
  const { body } = await add(first, third);
  assert.deepEqual(body.Refusals, [{ Field: 'Address', Code: 'ForwardCircle', Data: { By: second } }]);
  await call('POST', `/mailboxes/${first}/aliases`, { Alias: 'round@contoso.test' });
  assert.equal(await codeOf(add('round@contoso.test', third)), 'ForwardCircle');
  assert.equal(await codeOf(add('all-staff@contoso.test', third)), 'ForwardCircle');
  const begun = await Promise.all([add(first, third), add(third, first)]);
  assert.ok(begun.some(({ status }) => status === 400));
});

test('a deleted user comes back with where the mail goes', async () => {
  const [mailbox = ''] = await people();
  assert.equal((await add('kept@else.test', mailbox, true)).status, 200);
  const { Items } = (await call('GET', `/users?search=${mailbox.split('@')[0]}`)).body.Result;
  const { UserId } = Items.find(({ Mailbox }: { Mailbox: string }) => Mailbox === mailbox);
  assert.equal((await call('DELETE', `/users/${UserId}`)).status, 200);
  assert.equal((await call('POST', `/deleted-users/${UserId}/restore`)).status, 200);
  assert.deepEqual((await read(of(mailbox))).Items.length, 1);
});
