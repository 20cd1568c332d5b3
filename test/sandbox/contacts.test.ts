import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reply, withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);

const contoso = '/api/customers/10001/mail-enabled-contacts';
const call = (method: string, path: string, body?: object) => sandbox.call(tokens.reseller!, method, path, body);
const get = async (path: string) => (await call('GET', path)).body.Result;
const refusal = ({ status, body }: Reply) => [status, ...(body.Refusals ?? [])];
const latest = async () => (await get('/api/customers/10001/activity')).Items[0];
const add = (EmailAddress: string, Name = 'Somebody', at = contoso) => call('POST', at, { Name, EmailAddress });
const addList = (Contacts: string) => call('POST', `${contoso}/list`, { Contacts });
const total = async () => (await get(`${contoso}?pageSize=1`)).Total;

test('a contact is added, found by name, address or company, changed, and told in the activity', async () => {
  const body = { Name: ' Ivo Lark ', EmailAddress: 'Ivo@BÜCHER.test', FirstName: 'Ivo', Company: 'Lark Books' };
  const { body: made } = await call('POST', contoso, body);
  const at = `${contoso}/${made.Result.contactId}`;
  const told = 'Name: Ivo Lark; Email address: Ivo@xn--bcher-kva.test; First name: Ivo; Company: Lark Books';
  assert.deepEqual([(await latest()).Action, (await latest()).After], ['Contact added', told]);
  for (const words of ['lark', 'bcher-kva', 'LARK books'])
    assert.deepEqual(
      (await get(`${contoso}?pageSize=5&search=${encodeURIComponent(words)}`)).Items.map(
        (row: { Name: string }) => row.Name,
      ),
      ['Ivo Lark'],
    );
  await call('PUT', at, { ...body, Name: 'Ivo Lark', EmailAddress: 'ivo@bücher.test', Hidden: true, Company: '' });
  const { Before, After } = await latest();
  assert.deepEqual(
    [Before, After],
    [
      'Email address: Ivo@xn--bcher-kva.test; Company: Lark Books',
      'Email address: ivo@xn--bcher-kva.test; Hidden from the address book: Yes',
    ],
  );
  assert.equal((await call('DELETE', at)).status, 200);
  assert.equal((await add('ivo@bücher.test')).status, 201, 'the address is free again');
});

test('the address of a contact is outside the organisation and nobody else’s in it', async () => {
  const taken = { Field: 'EmailAddress', Code: 'ContactTaken', Data: { By: 'Rita Moss (Brightwater)' } };
  assert.deepEqual(refusal(await add('RITA.moss@brightwater.test')), [400, taken]);
  const own = { Field: 'EmailAddress', Code: 'ContactOwnDomain', Data: { Domain: 'contoso.test' } };
  assert.deepEqual(refusal(await add('new@Contoso.test')), [400, own]);
  for (const wrong of ['new', 'a b@example.org', `${'a'.repeat(65)}@example.org`])
    assert.deepEqual(refusal(await add(wrong)), [400, { Field: 'EmailAddress', Code: 'ContactMalformed' }]);
  assert.equal((await add('x@example.org', '  ')).status, 400);
});

test('customers may have the same contact, and one that is a mailbox of another customer here', async () => {
  const other = '/api/customers/10002/mail-enabled-contacts';
  assert.equal((await add('rita.moss@brightwater.test', 'Rita', other)).status, 201);
  assert.equal((await add('user@contoso.test', 'Una of Contoso', other)).status, 201);
  const alias = await call('GET', '/api/customers/10001/mailboxes/user@contoso.test');
  assert.equal(alias.body.Result.Address, 'user@contoso.test', 'the mailbox is found still');
  const { Items } = await get('/api/customers/10001/users?search=Una%20Marsh');
  await call('DELETE', `/api/customers/10001/users/${Items[0].UserId}`);
  assert.equal((await call('POST', `/api/customers/10001/deleted-users/${Items[0].UserId}/restore`)).status, 200);
});

test('a list adds all of its lines or none, names as mail programs write them, and leaves who is there', async () => {
  const before = await total();
  const wrong = await addList('Ada Byron <ada@example.org>\n\nnobody\n');
  assert.deepEqual(refusal(wrong), [400, { Field: 'Contacts', Code: 'ContactsMalformed', Data: { Line: '3' } }]);
  const own = await addList('ada@example.org\r\nUna; una.new@contoso.test');
  const Data = { Line: '2', Address: 'una.new@contoso.test' };
  assert.deepEqual(refusal(own), [400, { Field: 'Contacts', Code: 'ContactsOwnDomain', Data }]);
  assert.equal(await total(), before, 'nothing is half done');
  const lines = [
    'Ada Byron <ada@example.org>',
    '"Babbage, Charles" <cb@example.org>',
    'Mary Somerville; mary@example.org',
  ];
  const added = await addList(
    [...lines, 'plain@example.org', 'Rita <rita.moss@brightwater.test>', 'ADA@example.org'].join('\n'),
  );
  assert.deepEqual(added.body.Result, { Added: 4, Already: 2 });
  const names = (await get(`${contoso}?pageSize=100&search=example.org`)).Items.map(
    (row: { Name: string }) => row.Name,
  );
  assert.deepEqual(names.sort(), ['Ada Byron', 'Babbage, Charles', 'Mary Somerville', 'plain@example.org']);
  assert.deepEqual(refusal(await addList(' \n ')), [400, { Field: 'Contacts', Code: 'ContactsMissing' }]);
});

test('a contact is a member of groups, which are said of it, and leaves them when it is deleted', async () => {
  const [rita] = (await get(`${contoso}?pageSize=5&search=rita`)).Items;
  assert.deepEqual(
    rita.Groups.map((group: { Name: string }) => group.Name),
    ['Sales'],
  );
  const group = `/api/customers/10001/distribution-groups/${rita.Groups[0].GroupId}`;
  const contacts = async () => (await get(`${group}/members?kind=Contact`)).Items;
  assert.deepEqual(await contacts(), [
    { Name: rita.Name, EmailAddress: 'rita.moss@brightwater.test', Kind: 'Contact' },
  ]);
  await call('DELETE', `${group}/members/rita.moss@brightwater.test`);
  assert.deepEqual(await contacts(), []);
  const joined = await call('POST', `${group}/members`, { Addresses: 'Rita.Moss@brightwater.test' });
  assert.deepEqual(joined.body.Result, { Added: 1, Already: 0 });
  const forwarded = await call('POST', '/api/customers/10001/mailboxes/user@contoso.test/forwarding', {
    Address: 'rita.moss@brightwater.test',
    IsConfirmed: true,
  });
  assert.equal(forwarded.status, 200, JSON.stringify(forwarded.body));
  const { ForwardedBy } = await get(`${contoso}/${rita.ContactId}`);
  assert.deepEqual(ForwardedBy, [{ EmailAddress: 'user@contoso.test' }]);
  const { Members } = await get(group);
  await call('DELETE', `${contoso}/${rita.ContactId}`);
  assert.equal((await get(group)).Members, Members - 1);
});

test('an alias cannot be what is a contact’s, and a domain of contacts can be added and deleted', async () => {
  await add('desk@later.test', 'Desk');
  const { body } = await call('POST', '/api/customers/10001/domains', { Name: 'later.test' });
  const alias = await call('POST', '/api/customers/10001/mailboxes/user@contoso.test/aliases', {
    Alias: 'desk@later.test',
  });
  assert.deepEqual(refusal(alias), [400, { Field: 'Alias', Code: 'AliasTaken', Data: { By: 'Desk' } }]);
  assert.equal((await call('DELETE', `/api/customers/10001/domains/${body.Result.domainId}`)).status, 200);
});
