import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDomainName } from '../../server/sandbox/domains/names.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test']);

type Row = { readonly DomainId: string; readonly Name: string; readonly State: string; readonly IsMain: boolean };
const contoso = '/api/customers/10001';
const call = (who: string, method: string, path: string, body?: object) =>
  sandbox.call(tokens[who]!, method, path, body);
const list = async (customer = contoso): Promise<readonly Row[]> =>
  (await call('reseller', 'GET', `${customer}/domains`)).body.Result.Items;
const add = (Name: string, customer = contoso) => call('reseller', 'POST', `${customer}/domains`, { Name });
const refusalOf = ({ status, body }: { readonly status: number; readonly body: { Refusals?: object[] } }) => [
  status,
  ...(body.Refusals ?? []),
];

test('a domain is read in any alphabet, as people write it and as DNS has it', () => {
  for (const [typed, name, ascii] of [
    ['Contoso.TEST', 'contoso.test', 'contoso.test'],
    [' büro.example. ', 'büro.example', 'xn--bro-hoa.example'],
    ['xn--bro-hoa.example', 'büro.example', 'xn--bro-hoa.example'],
    ['почта.рф', 'почта.рф', 'xn--80a1acny.xn--p1ai'],
    ['例え.テスト', '例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    [`${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test`],
  ] as const)
    assert.deepEqual(readDomainName(typed), { name, ascii }, typed);
});

test('what is no domain is refused', () => {
  for (const typed of [
    ...['', 'localhost', 'a b.test', 'a@b.test', 'http://a.test', 'a.test/b', 'a.test:80', '-a.test', 'a-.test'],
    ...['a..test', '.test', '192.0.2.1', '[::1]', 'a_b.test', 'a%2eb.test', `${'a'.repeat(64)}.test`],
    `${'a.'.repeat(126)}test`,
  ])
    assert.equal(readDomainName(typed), undefined, typed);
});

test('the main domain of a customer stands first in its list, and is not deleted', async () => {
  const main = notEmpty((await list()).filter(({ IsMain }) => IsMain));
  assert.deepEqual(
    main.map(({ Name, State }) => [Name, State]),
    [['contoso.test', 'Active']],
  );
  const refused = await call('reseller', 'DELETE', `${contoso}/domains/${main[0]?.DomainId}`);
  assert.deepEqual(refusalOf(refused), [409, { Code: 'DomainMain' }]);
});

test('a domain is added once, to one organisation, and told how DNS writes it', async () => {
  assert.equal((await add('Büro.test')).status, 201);
  const row = (await list()).find(({ Name }) => Name === 'büro.test');
  assert.deepEqual(
    { ...row, DomainId: '', Created: '' },
    { DomainId: '', Name: 'büro.test', Ascii: 'xn--bro-hoa.test', State: 'Delayed', IsMain: false, Created: '' },
  );
  assert.deepEqual(refusalOf(await add('xn--bro-hoa.test')), [400, { Field: 'Name', Code: 'DomainHeld' }]);
  const other = '/api/customers/10002';
  assert.deepEqual(refusalOf(await add('BÜRO.test', other)), [400, { Field: 'Name', Code: 'DomainOfOther' }]);
  assert.deepEqual(refusalOf(await add('no domain')), [400, { Field: 'Name', Code: 'DomainMalformed' }]);
});

test('of two organisations that add a domain at once, one gets it', async () => {
  const replies = await Promise.all([add('race.test'), add('race.test', '/api/customers/10002')]);
  assert.deepEqual(replies.map(({ status }) => status === 201).sort(), [false, true]);
  const late = replies.find(({ status }) => status !== 201);
  assert.deepEqual(refusalOf(late!), [400, { Field: 'Name', Code: 'DomainOfOther' }]);
  const both = [...(await list()), ...(await list('/api/customers/10002'))];
  assert.equal(both.filter(({ Name }) => Name === 'race.test').length, 1);
});

test('a domain whose addresses are in use is not deleted, and it is said which', async () => {
  const events = (await list()).find(({ Name }) => Name === 'contoso-events.test');
  assert.equal(events?.State, 'Delayed');
  const refused = await call('reseller', 'DELETE', `${contoso}/domains/${events.DomainId}`);
  const Data = { Addresses: '1', First: 'una@contoso-events.test' };
  assert.deepEqual(refusalOf(refused), [409, { Code: 'DomainInUse', Data }]);
});

test('who may add domains is told, and a full organisation takes none', async () => {
  const mayAdd = async (who: string, customer = contoso) =>
    (await call(who, 'GET', `${customer}/domain-access-info`)).body.Result?.CanAdd;
  assert.deepEqual(
    [await mayAdd('reseller'), await mayAdd('engineer'), await mayAdd('rival')],
    [true, false, undefined],
  );
  const customer = '/api/customers/10003';
  const { CustomerId } = (await call('reseller', 'GET', customer)).body.Result;
  const names = Array.from({ length: 199 }, (_, index) => `full-${index}.test`);
  await sandbox.db
    .insertInto('organisation_domains')
    .values(names.map(name => ({ customer_id: CustomerId, name, ascii: name, created: new Date() })))
    .execute();
  assert.equal(await mayAdd('reseller', customer), false);
  assert.deepEqual(refusalOf(await add('full.test', customer)), [409, { Code: 'DomainsFull', Data: { Most: '200' } }]);
});

test('a customer whose domain is another organisation’s is told so', async () => {
  const body = {
    Name: 'Second Contoso',
    Domain: 'contoso.test',
    ContactName: 'B',
    ContactEmail: 'b@x.test',
    Phone: '',
  };
  const made = await call('reseller', 'POST', '/api/customers', body);
  const { organisationId } = made.body.Result;
  const takenOf = async (customer: string) =>
    (await call('reseller', 'GET', `/api/customers/${customer}/domain-access-info`)).body.Result.TakenMain;
  assert.deepEqual([await takenOf(organisationId), await takenOf('10001')], ['contoso.test', '']);
});

test('whoever sees certain customers alone is refused the domain of another one too', async () => {
  await add('unseen.test', '/api/customers/10002');
  await limitAccount(sandbox.db, 'reseller@northwind.test', [10001]);
  assert.deepEqual(refusalOf(await add('unseen.test')), [400, { Field: 'Name', Code: 'DomainOfOther' }]);
});
