import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test', 'user@contoso.test']);

const una = '/api/customers/10001/mailboxes/user@contoso.test/address-book';
const call = (method: string, path: string, body?: object, who = 'reseller') =>
  sandbox.call(tokens[who]!, method, path, body);
/** The 14 fields. */
async function read(path = una) {
  const { Version, ...book } = (await call('GET', path)).body.Result;
  assert.match(Version, /^[\w-]{16}$/);
  return book;
}
const activity = async () => (await call('GET', '/api/customers/10001/activity')).body.Result.Items;

test('an address book follows the user until it is edited', async () => {
  const book = await read();
  assert.equal(Object.keys(book).length, 14);
  assert.deepEqual([book.FirstName, book.LastName, book.Company, book.Fax], ['Una', 'Marsh', 'Contoso', '']);
  await sandbox.db.updateTable('users').set({ job_title: 'Buyer' }).where('email', '=', 'user@contoso.test').execute();
  assert.equal((await read()).Title, 'Buyer');
});

test('an edited address book is told before and after, stays as it is, and is put back by the values of before', async () => {
  const before = await read();
  const edited = { ...before, City: ' Leeds ', Fax: '01134 960 199', Company: '' };
  assert.equal((await call('PUT', una, edited)).status, 200);
  assert.deepEqual(await read(), { ...edited, City: 'Leeds' });
  const [{ Action, Target, Before, After }] = await activity();
  assert.deepEqual(
    [Action, Target, Before, After],
    ['Address book changed', 'user@contoso.test', 'Company: Contoso', 'City: Leeds; Fax: 01134 960 199'],
  );
  const { length } = await activity();
  assert.equal((await call('PUT', una, edited)).status, 200);
  assert.equal((await activity()).length, length, 'nothing changed, nothing is told');
  assert.equal((await call('PUT', una, before)).status, 200);
  assert.deepEqual(await read(), before);
});

test('a mailbox needs a display name, and fields are as long as a directory allows and hold no hidden characters', async () => {
  const fields = async (body: object) => {
    const { status, body: said } = await call('PUT', una, body);
    return [status, Object.keys(said.Errors ?? {})];
  };
  const name = { DisplayName: 'Una' };
  assert.deepEqual((await fields({ DisplayName: ' ' }))[0], 400);
  assert.deepEqual((await fields({}))[0], 400);
  for (const [field, value] of [
    ['Initial', 'UVWXYZA'],
    ['StreetAddress', 'x'.repeat(1025)],
    ['City', 'Leeds\nYork'],
    ['Fax', 'no number'],
  ] as const)
    assert.deepEqual(await fields({ ...name, [field]: value }), [400, [field]], field);
  assert.deepEqual(await fields({ ...name, LastName: 'Ærø-Łódź 東京' }), [200, []]);
});

test('nobody of another reseller, and no end user, reads or edits an address book', async () => {
  for (const [who, status] of [
    ['rival', 404],
    ['user', 403],
  ] as const) {
    assert.equal((await call('GET', una, undefined, who)).status, status);
    assert.equal((await call('PUT', una, { DisplayName: 'Una' }, who)).status, status);
  }
  assert.equal((await call('GET', una.replace('user@', 'nobody@'))).status, 404);
});

test('a deleted user comes back with the address book', async () => {
  const { Items } = (await call('GET', '/api/customers/10001/users?pageSize=100')).body.Result;
  const { UserId, Mailbox } = Items.find(
    ({ Mailbox, Type }: Record<string, string | null>) => Mailbox && Type === 'endUser',
  );
  const path = `/api/customers/10001/mailboxes/${Mailbox}/address-book`;
  assert.equal((await call('PUT', path, { DisplayName: 'Kept', City: 'Leeds' })).status, 200);
  assert.equal((await call('DELETE', `/api/customers/10001/users/${UserId}`)).status, 200);
  assert.equal((await call('POST', `/api/customers/10001/deleted-users/${UserId}/restore`)).status, 200);
  const { DisplayName, City } = await read(path);
  assert.deepEqual([DisplayName, City], ['Kept', 'Leeds']);
});
