import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let later = 0;
const sandbox = withSandbox(() => ({ now: () => new Date(Date.now() + later) }));
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const imports = '/api/customer-imports';
// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;

const call = (method: string, path: string, by = token, body?: object) => sandbox.call(by, method, path, body);
const get = async (path: string) => (await call('GET', path)).body.Result;
const upload = (file: string, by = token) =>
  sandbox.call(by, 'POST', `${imports}?name=firms.csv`, file, { 'content-type': 'text/csv' });
const rowsOf = async (id: string): Promise<Row[]> => (await get(`${imports}/${id}/rows?pageSize=100`)).Items;
const statesOf = async (id: string) => (await rowsOf(id)).map(({ Status, Reason }) => [Status, Reason]);
const findCustomer = async (name: string): Promise<Row | undefined> =>
  (await get(`/api/customers?search=${encodeURIComponent(name)}`)).Items[0];

const head = 'Customer name,Domain,Contact name,Contact email,Phone';
const file = (...rows: string[]) => [head, ...rows].join('\r\n');

async function open(...rows: string[]): Promise<string> {
  const { status, body } = await upload(file(...rows));
  assert.equal(status, 201, JSON.stringify(body));
  return body.Result.ImportId;
}

test('the template is a CSV file with the columns that an import reads, and itself has no customers', async () => {
  const reply = await fetch(`${sandbox.url}${imports}/template`, {
    headers: { authorization: `Bearer ${token}`, 'actor-id': 'reseller@northwind.test' },
  });
  assert.match(reply.headers.get('content-disposition') ?? '', /customers\.csv/);
  const text = await reply.text();
  assert.equal(text.trim(), head);
  const { status, body } = await upload(text);
  assert.deepEqual([status, body.Errors.File], [400, ['The file has no customers below the heads of its columns.']]);
});

test('each row is checked, told with one reason, and creates no customer before it is carried out', async () => {
  const { Counts: before } = await get('/api/customers');
  const id = await open(
    'Ash & Co,ash.test,Ada Ash,ada@ash.test,01134960123',
    ',birch.test,Ben Birch,ben@birch.test,',
    'Party 🎉 Ltd,party.test,Ben Birch,ben@birch.test,',
    `${'x'.repeat(101)},long.test,Ben Birch,ben@birch.test,`,
    'ASH & CO,ash2.test,Ada Ash,ada@ash.test,',
    'contoso,contoso2.test,Ada Ash,ada@ash.test,',
    'Cedar,,Cy Cedar,cy@cedar.test,',
    'Cedar,no domain,Cy Cedar,cy@cedar.test,',
    'Cedar,cedar.test,,cy@cedar.test,',
    'Cedar,cedar.test,Cy Cedar,,',
    'Cedar,cedar.test,Cy Cedar,cy at cedar,',
    'Cedar,cedar.test,Cy Cedar,cy@cedar.test,12',
    'Cedar,cedar.test,Cy Cedar,cy@cedar.test',
    'Cedar,CEDAR.test,Cy Cedar,cy@cedar.test,',
  );
  assert.deepEqual(await statesOf(id), [
    ['Ready', null],
    ['Invalid', 'NameMissing'],
    ['Invalid', 'NameWrong'],
    ['Invalid', 'NameWrong'],
    ['Invalid', 'NameTwice'],
    ['Invalid', 'NameTaken'],
    ['Invalid', 'DomainMissing'],
    ['Invalid', 'DomainWrong'],
    ['Invalid', 'ContactMissing'],
    ['Invalid', 'EmailMissing'],
    ['Invalid', 'EmailWrong'],
    ['Invalid', 'PhoneWrong'],
    ['Invalid', 'ColumnsWrong'],
    ['Ready', null],
  ]);
  const { Name, Rows, IsRun, Counts } = await get(`${imports}/${id}`);
  assert.deepEqual([Name, Rows, IsRun, Counts.Ready, Counts.Invalid], ['firms.csv', 14, false, 2, 12]);
  assert.equal((await rowsOf(id)).at(-1)?.Domain, 'cedar.test');
  assert.deepEqual((await get('/api/customers')).Counts, before);
});

test('an import creates what is ready, tells each row, and carries out again only what failed', async () => {
  const id = await open(
    'Fir Farms,fir.test,Fay Fir,fay@fir.test,',
    'Elm Estates,fail-once.elm.test,Ed Elm,ed@elm.test,',
    'Gum Gardens,gum.test,Gus Gum,gus@gum.test,',
    'Bad,,,,',
  );
  await call('POST', '/api/customers', token, {
    Name: 'GUM gardens',
    Domain: 'other.test',
    ContactName: 'Other Gum',
    ContactEmail: 'other@gum.test',
  });
  assert.equal((await call('POST', `${imports}/${id}/run`)).status, 200);
  assert.deepEqual(await statesOf(id), [
    ['Created', null],
    ['Failed', 'Unavailable'],
    ['Failed', 'NameTaken'],
    ['Invalid', 'DomainMissing'],
  ]);
  const fir = await findCustomer('Fir Farms');
  assert.deepEqual([fir?.Domain, fir?.Status, fir?.Services], ['fir.test', 'Active', 0]);
  assert.equal((await rowsOf(id))[0]?.OrganisationId, fir?.OrganisationId);
  const [event] = (await get(`/api/customers/${fir?.OrganisationId}/activity`)).Items;
  assert.deepEqual([event.Action, event.Actor], ['Customer created', 'Priya Raman']);

  const other = await findCustomer('GUM gardens');
  await call('POST', `/api/customers/${other?.OrganisationId}/name`, token, { NewName: 'Another Garden' });
  await call('POST', `${imports}/${id}/run`);
  assert.deepEqual(
    (await statesOf(id)).map(([status]) => status),
    ['Created', 'Created', 'Created', 'Invalid'],
  );
  assert.equal((await findCustomer('Fir Farms'))?.OrganisationId, fir?.OrganisationId);
});

test('two that carry out one import at once create each customer once', async () => {
  const rows = Array.from({ length: 6 }, (_, index) => `Twin ${index},twin${index}.test,Tim Twin,tim@twin.test,`);
  const id = await open(...rows);
  const replies = await Promise.all([1, 2, 3].map(() => call('POST', `${imports}/${id}/run`)));
  assertEvery(replies, ({ status }) => status === 200);
  assert.equal((await get(`${imports}/${id}`)).Counts.Created, 6);
  assert.equal((await get('/api/customers?search=twin+')).Total, 6);
});

test('undo deletes the customers that the import created, and none that has users or services or was there before', async () => {
  const id = await open(
    'Hazel One,hazel1.test,Hal Hazel,hal@hazel.test,',
    'Hazel Two,hazel2.test,Hal Hazel,hal@hazel.test,',
    'Hazel Three,hazel3.test,Hal Hazel,hal@hazel.test,',
    'Hazel Four,hazel4.test,Hal Hazel,hal@hazel.test,',
    'Contoso,hazel5.test,Hal Hazel,hal@hazel.test,',
  );
  await call('POST', `${imports}/${id}/run`);
  const idOf = async (name: string) => (await findCustomer(name))?.OrganisationId as string;
  const [two, three, four] = [await idOf('Hazel Two'), await idOf('Hazel Three'), await idOf('Hazel Four')];
  const user = { FirstName: 'Una', LastName: 'Hazel', Email: 'una@hazel2.test', Type: 'endUser' };
  const { userId } = (await call('POST', `/api/customers/${two}/users`, token, user)).body.Result;
  await call('POST', '/api/orders', token, {
    ...{ CustomerId: three, ServiceId: 2, SubId: 1, TermId: 'monthly', BillingId: 'monthly' },
    ...{ Action: 'Add', Quantity: 1, Fields: { Domain: 'hazel3.test' } },
  });
  await call('POST', `/api/customers/${four}/delete`, token, { Confirmation: 'Hazel Four' });
  assert.equal((await call('POST', `${imports}/${id}/undo`)).status, 200);
  assert.deepEqual(await statesOf(id), [
    ['Undone', null],
    ['Kept', 'HasUsers'],
    ['Kept', 'HasServices'],
    ['Undone', null],
    ['Invalid', 'NameTaken'],
  ]);
  assert.equal(await findCustomer('Hazel One'), undefined);
  assert.ok(await findCustomer('Contoso'));

  await call('DELETE', `/api/customers/${two}/users/${userId}`);
  await call('POST', `${imports}/${id}/undo`);
  assert.deepEqual((await statesOf(id))[1], ['Undone', null]);
  await call('POST', `${imports}/${id}/run`);
  assert.equal(await findCustomer('Hazel One'), undefined, 'what was undone is not created again');
});

test('an import is its reseller’s alone, and only for those who may edit customers', async () => {
  const id = await open('Ivy,ivy.test,Ian Ivy,ian@ivy.test,');
  const rival = await sandbox.signIn('rival@southridge.test');
  const engineer = await sandbox.signIn('engineer@northwind.test');
  for (const [method, at] of [
    ['GET', ''],
    ['GET', '/rows'],
    ['POST', '/run'],
    ['POST', '/undo'],
  ] as const) {
    assert.equal((await call(method, `${imports}/${id}${at}`, rival)).status, 404, at);
    assert.equal((await call(method, `${imports}/${id}${at}`, engineer)).status, 403, at);
    assert.equal((await call(method, `${imports}/nothing${at}`)).status, 404, at);
  }
  assert.equal((await upload(file('Ivy,ivy.test,Ian Ivy,ian@ivy.test,'), engineer)).status, 403);
  const own = await upload(file('Contoso,ivy.test,Ian Ivy,ian@ivy.test,'), rival);
  const rows = await call('GET', `${imports}/${own.body.Result.ImportId}/rows`, rival);
  assert.equal(rows.body.Result.Items[0].Status, 'Ready', 'another reseller’s names are no business of this one');
  await sandbox.db
    .updateTable('account_permissions')
    .set({ permissions: ['addOrEditCustomers'] })
    .where('account_id', '=', db => db.selectFrom('accounts').select('id').where('username', '=', 'admin@contoso.test'))
    .execute();
  const admin = await sandbox.signIn('admin@contoso.test');
  assert.equal((await upload(file('Ivy,ivy.test,Ian Ivy,ian@ivy.test,'), admin)).status, 404);
});

test('what was only checked is gone after a day, and a result after a week', async () => {
  const checked = await open('Vine One,vine.test,Vic Vine,vic@vine.test,');
  const run = await open('Vine Two,vine.test,Vic Vine,vic@vine.test,');
  await call('POST', `${imports}/${run}/run`);
  const hour = 3_600_000;
  later = 25 * hour;
  token = await sandbox.signIn('reseller@northwind.test');
  assert.equal((await call('POST', `${imports}/${checked}/run`)).status, 404);
  assert.equal((await call('GET', `${imports}/${run}`)).status, 200);
  later = 8 * 24 * hour;
  token = await sandbox.signIn('reseller@northwind.test');
  assert.equal((await call('GET', `${imports}/${run}/rows`)).status, 404);
  assert.ok(await findCustomer('Vine Two'));
});
