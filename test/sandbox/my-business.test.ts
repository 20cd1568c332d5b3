import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { addressOn } from '../../server/sandbox/my-business/company.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'admin@contoso.test', 'user@contoso.test']);
const base = '/api/companyinfo';
const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who] ?? '', method, `${base}${path}`, body);
const read = async (who: string, path: string) => (await call(who, 'GET', path)).body.Result;
const save = async (who: string, path: string, body: object) =>
  await call(who, 'PUT', path, { ...body, Version: (await read(who, path)).Version });
const chosenAreas = async (who: string) =>
  (await read(who, '/areasType')).flatMap((area: { Name: string; IsChosen: boolean }) =>
    area.IsChosen ? [area.Name] : [],
  );

test('a company says what it is asked, and progress counts what is missing', async () => {
  const { Done, Of, Missing } = await read('reseller', '/progress');
  assert.deepEqual([Done, Of], [4, 12]);
  assert.deepEqual(
    Missing.map(({ Field }: { Field: string }) => Field),
    ['CompanyNumber', 'Website', 'Email', 'Phone', 'Size', 'About', 'Areas', 'Products'],
  );
  const saved = await save('reseller', '', { CompanyNumber: '01234567', Website: 'https://northwind.test' });
  assert.equal(saved.status, 200);
  assert.equal((await save('reseller', '/information', { Size: 'Small' })).status, 200);
  const [product] = await read('reseller', '/definedProducts');
  for (const choice of [`/definedProducts/${product.Id}`, '/areasType/telephony'])
    assert.equal((await call('reseller', 'PUT', choice, { IsChosen: true })).status, 200, choice);
  assert.equal((await read('reseller', '/progress')).Done, 9);
  assert.equal((await read('reseller', '/definedProducts'))[0].IsChosen, true);
  assert.deepEqual(await chosenAreas('reseller'), ['Telephony']);
  const [last] = (await sandbox.call(tokens.reseller ?? '', 'GET', '/api/activity')).body.Result.Items;
  assert.deepEqual([last.Action, last.Before], ['Company info changed', 'Areas: ']);
});

test('what somebody else has saved meanwhile is not overwritten, and what is malformed or not offered is refused', async () => {
  const { Version } = await read('reseller', '');
  assert.equal((await save('reseller', '', { TradingName: 'Northwind IT' })).status, 200);
  const stale = await call('reseller', 'PUT', '', { TradingName: 'Other', Version });
  assert.deepEqual(stale.body.Refusals, [{ Code: 'CompanyChanged', Data: { By: 'Priya Raman' } }]);
  for (const body of [
    { CompanyNumber: '12' },
    { TaxNumber: '123456789' },
    { Website: 'javascript:alert(1)' },
    { Email: 'nobody' },
    { Name: 'Mine' },
  ])
    assert.equal((await save('reseller', '', body)).status, 400, JSON.stringify(body));
  assert.equal((await save('reseller', '/information', { Size: 'Huge' })).status, 400);
  for (const choice of ['/definedProducts/nothing', '/areasType/piracy'])
    assert.equal((await call('reseller', 'PUT', choice, { IsChosen: true })).status, 404, choice);
});

test('a document keeps the address that its receiver had on its day', async () => {
  const [{ Id = '', Issued = '' } = {}] = (await sandbox.call(tokens.reseller ?? '', 'GET', '/api/billing/invoices'))
    .body.Result.Items;
  const toOf = async () =>
    (await sandbox.call(tokens.reseller ?? '', 'GET', `/api/billing/invoices/${Id}`)).body.Result.To;
  const before = await toOf();
  assert.equal(before.Address, '18 Harbour Row, Bristol BS1 4ZZ');
  assert.equal((await save('reseller', '', { Address1: '5 New Street', PostCode: 'BS2 0AA' })).status, 200);
  assert.deepEqual(await toOf(), before);
  const next = new Date(Date.parse(Issued) + 40 * 86_400_000).toISOString().slice(0, 10);
  assert.equal((await addressOn(sandbox.db, 1001, next)).Address, '5 New Street, Bristol BS2 0AA');
  assert.equal((await save('reseller', '', { Address1: '6 New Street' })).status, 200);
  const rows = await sandbox.db.selectFrom('companies').select('id').where('reseller_id', '=', 1001).execute();
  assert.equal(rows.length, 2, 'what no document was issued under is changed in place');
});

test('an administrator with the view says what their own company does, and neither its address nor what it sells', async () => {
  assert.equal((await call('user', 'GET', '')).status, 403);
  assert.equal((await call('admin', 'GET', '')).status, 403);
  await sql`update account_permissions set views = views || '{myBusiness}' from accounts a
    where a.id = account_id and a.username = 'admin@contoso.test'`.execute(sandbox.db);
  assert.deepEqual((await read('admin', '/progress')).Of, 6);
  assert.equal((await save('admin', '', { TaxNumber: 'GB 123 4567 89' })).status, 200);
  assert.equal((await save('admin', '', { Address1: '1 High Street' })).status, 403);
  assert.equal((await call('admin', 'GET', '/definedProducts')).status, 403);
  assert.equal((await call('admin', 'PUT', '/areasType/training', { IsChosen: true })).status, 200);
  assert.deepEqual(await chosenAreas('admin'), ['Training']);
  assert.deepEqual(await chosenAreas('reseller'), ['Telephony']);
  assert.equal((await read('admin', '')).Name, 'Contoso');
  assert.equal((await read('reseller', '')).TaxNumber, 'GB 900001001');
});
