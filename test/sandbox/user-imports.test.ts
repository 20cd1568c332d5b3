import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let later = 0;
const sandbox = withSandbox(() => ({ now: () => new Date(Date.now() + later) }));
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const contoso = '/api/customers/10001';
const imports = `${contoso}/user-imports`;
// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;

const call = (method: string, path: string, by = token) => sandbox.call(by, method, path);
const get = async (path: string) => (await call('GET', path)).body.Result;
const upload = (file: string, by = token, at = imports) =>
  sandbox.call(by, 'POST', `${at}?name=people.csv`, file, { 'content-type': 'text/csv' });
const rowsOf = async (id: string): Promise<Row[]> => (await get(`${imports}/${id}/rows?pageSize=100`)).Items;
const statesOf = async (id: string) => (await rowsOf(id)).map(({ Status, Reason }) => [Status, Reason]);
const findUser = async (email: string): Promise<Row | undefined> =>
  (await get(`${contoso}/users?search=${email}`)).Items[0];

const head = 'First name,Last name,Email address,Role,Phone';
const file = (...rows: string[]) => [head, ...rows].join('\r\n');

async function open(...rows: string[]): Promise<string> {
  const { status, body } = await upload(file(...rows));
  assert.equal(status, 201, JSON.stringify(body));
  return body.Result.ImportId;
}

test('the template is a CSV file with the columns that an import reads, and itself has no users', async () => {
  const reply = await fetch(`${sandbox.url}${imports}/template`, {
    headers: { authorization: `Bearer ${token}`, 'actor-id': 'reseller@northwind.test' },
  });
  assert.match(reply.headers.get('content-type') ?? '', /^text\/csv/);
  const text = await reply.text();
  assert.equal(text.trim(), `${head},Groups`);
  const { status, body } = await upload(text);
  assert.deepEqual([status, body.Errors.File], [400, ['The file has no users below the heads of its columns.']]);
});

test('each row is checked, told with one reason, and creates nobody before it is carried out', async () => {
  const { Users } = await get(contoso);
  const long = 'x'.repeat(51);
  const id = await open(
    'Ada,Grey,ada.grey@contoso.test,End user,01134960123',
    ',Grey,b@contoso.test,,',
    'Ben,,c@contoso.test,,',
    `${long},Grey,d@contoso.test,,`,
    'Cara,Grey,,,',
    'Dan,Grey,not an address,,',
    'Eve,Grey,eve@elsewhere.test,,',
    'Fay,Grey,ADA.Grey@contoso.test,,',
    'Gil,Grey,user@contoso.test,,',
    'Hal,Grey,hal@contoso.test,,12',
    'Ida,Grey,ida@contoso.test,Emperor,',
    'Jo,Grey,jo@contoso.test',
    'Kim,Grey,kim@contoso.test,Customer administrator,',
  );
  assert.deepEqual(await statesOf(id), [
    ['Ready', null],
    ['Invalid', 'FirstNameMissing'],
    ['Invalid', 'LastNameMissing'],
    ['Invalid', 'NameTooLong'],
    ['Invalid', 'EmailMissing'],
    ['Invalid', 'EmailWrong'],
    ['Invalid', 'DomainUnknown'],
    ['Invalid', 'EmailTwice'],
    ['Invalid', 'EmailTaken'],
    ['Invalid', 'PhoneWrong'],
    ['Invalid', 'RoleUnknown'],
    ['Invalid', 'ColumnsWrong'],
    ['Ready', null],
  ]);
  const { Name, Rows, IsRun, Counts } = await get(`${imports}/${id}`);
  assert.deepEqual([Name, Rows, IsRun, Counts.Ready, Counts.Invalid], ['people.csv', 13, false, 2, 11]);
  const lines = (await rowsOf(id)).map(({ Line }) => Line);
  assert.deepEqual(lines, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
  assert.equal((await get(contoso)).Users, Users);
});

test('files of spreadsheets are read: semicolons, quotes, marks, code pages, columns in any order, empty rows', async () => {
  const utf8 = Buffer.from('\uFEFFEmail;Last name;First name\r\nzoë.one@contoso.test;"O""Hara; Jr";Zoë\r\n;;\r\n\r\n');
  const windows = Buffer.from('First name,Last name,E-mail address\nZo\u00eb,Two,zoe.two@contoso.test\n', 'latin1');
  const unicode = Buffer.from('\uFEFFFIRST NAME\tlast_name\temail\nZoë\tThree\tzoe.three@contoso.test\n', 'utf16le');
  const found: unknown[] = [];
  for (const bytes of [utf8, windows, unicode]) {
    const reply = await fetch(`${sandbox.url}${imports}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'actor-id': 'reseller@northwind.test', 'content-type': 'text/csv' },
      body: bytes,
    });
    const { Result } = (await reply.json()) as { Result: { ImportId: string } };
    const rows = await rowsOf(Result.ImportId);
    found.push(rows.map(({ DisplayName, Status, Type }) => [DisplayName, Status, Type]));
  }
  assert.deepEqual(found, [
    [['Zoë O"Hara; Jr', 'Invalid', 'endUser']],
    [['Zoë Two', 'Ready', 'endUser']],
    [['Zoë Three', 'Ready', 'endUser']],
  ]);
});

test('a name with characters that cannot be seen is refused, in a file and in a form', async () => {
  const id = await open('"Ada\nB",Grey,ada@contoso.test,,', 'A\u202eda,Grey,ada@contoso.test,,');
  assert.deepEqual(await statesOf(id), [
    ['Invalid', 'NameWrong'],
    ['Invalid', 'NameWrong'],
  ]);
  const person = { FirstName: 'A\u202eda', LastName: 'Grey', Email: 'ada@contoso.test', Type: 'endUser' };
  const { status, body } = await sandbox.call(token, 'POST', `${contoso}/users`, person);
  assert.deepEqual([status, Object.keys(body.Errors)], [400, ['FirstName']]);
});

test('a user joins the groups that a file names, in any case, and one that is not there is an error of its line', async () => {
  const heads = `${head},Groups`;
  const csv = [
    heads,
    'Una,Group,una.group@contoso.test,,,all STAFF',
    'Two,Group,two.group@contoso.test,,,"All staff; all staff | All staff"',
    'No,Group,no.group@contoso.test,,,All staff; Nobody knows',
    'Without,Group,without.group@contoso.test,,,',
  ].join('\r\n');
  const id = (await upload(csv)).body.Result.ImportId;
  const rows = await rowsOf(id);
  assert.deepEqual(
    rows.map(({ Status, Reason, Groups, UnknownGroups }) => [Status, Reason, Groups, UnknownGroups]),
    [
      ['Ready', null, 'all STAFF', null],
      ['Ready', null, 'All staff; all staff', null],
      ['Invalid', 'GroupUnknown', 'All staff; Nobody knows', 'Nobody knows'],
      ['Ready', null, '', null],
    ],
  );
  await call('POST', `${imports}/${id}/run`);
  const groups = async (email: string) => (await get(`${contoso}/users/${(await findUser(email))!.UserId}`)).Groups;
  assert.deepEqual(await groups('una.group@contoso.test'), ['All staff']);
  assert.deepEqual(await groups('two.group@contoso.test'), ['All staff']);
  assert.deepEqual(await groups('without.group@contoso.test'), []);
});

test('what is no table of users is refused as a whole, with a sentence', async () => {
  const many = Array.from({ length: 501 }, (_, index) => `A,B,a${index}@contoso.test,,`);
  const refused: [content: string, said: string | RegExp][] = [
    ['', 'The file is empty.'],
    ['Name;Mail\nAda;a@contoso.test', 'The file has no column First name, Last name, Email address.'],
    [`${head}\n"Ada,Grey`, /^Line 2, column 1: a value opens a quote that nothing closes\.$/],
    [`${head}\nAnn "Annie",Grey,ann@contoso.test,,`, /^Line 2, column 1: a quote stands inside a value\. /],
    ['PK\u0000\u0001', 'This is no CSV file.'],
    [file(...many), 'The file has 501 users. Import at most 500 at once.'],
  ];
  for (const [content, said] of refused) {
    const { status, body } = await upload(content);
    assert.equal(status, 400, JSON.stringify(body));
    if (typeof said === 'string') assert.deepEqual(body.Errors.File, [said]);
    else assert.match(body.Errors.File[0], said);
  }
  const large = await upload(`${head}\n${'x'.repeat(1024 * 1024)}`);
  assert.equal(large.status, 413);
  const json = await sandbox.call(token, 'POST', imports, {});
  assert.equal(json.status, 415);
});

test('an import creates what is ready, tells each row, and carries out again only what failed', async () => {
  const id = await open(
    'Lena,Hill,lena.hill@contoso.test,,',
    'Max,Hill,fail-once.max@contoso.test,,',
    'Nia,Hill,nia.hill@contoso.test,,',
    'Otto,Hill,otto@elsewhere.test,,',
  );
  await sandbox.call(token, 'POST', `${contoso}/users`, {
    FirstName: 'Other',
    LastName: 'Nia',
    Email: 'nia.hill@contoso.test',
    Type: 'endUser',
  });
  assert.equal((await call('POST', `${imports}/${id}/run`)).status, 200);
  assert.deepEqual(await statesOf(id), [
    ['Created', null],
    ['Failed', 'Unavailable'],
    ['Failed', 'EmailTaken'],
    ['Invalid', 'DomainUnknown'],
  ]);
  assert.equal((await get(`${imports}/${id}`)).IsRun, true);
  const lena = await findUser('lena.hill');
  assert.deepEqual([lena?.DisplayName, lena?.Status], ['Lena Hill', 'Active']);
  const [event] = (await get(`${contoso}/activity`)).Items;
  assert.deepEqual([event.Action, event.Actor], ['User created', 'Priya Raman']);

  const other = await findUser('nia.hill');
  await call('DELETE', `${contoso}/users/${other?.UserId}`);
  await call('POST', `${imports}/${id}/run`);
  assert.deepEqual(
    (await statesOf(id)).map(([status]) => status),
    ['Created', 'Created', 'Created', 'Invalid'],
  );
  assert.equal((await findUser('lena.hill'))?.UserId, lena?.UserId);
});

test('two that carry out one import at once create each user once', async () => {
  const rows = Array.from({ length: 8 }, (_, index) => `Twin,Number,twin${index}@contoso.test,,`);
  const id = await open(...rows);
  const replies = await Promise.all([1, 2, 3].map(() => call('POST', `${imports}/${id}/run`)));
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual((await get(`${imports}/${id}`)).Counts.Created, 8);
  assert.equal((await get(`${contoso}/users?search=twin`)).Total, 8);
});

test('undo deletes the users that the import created, and nobody who has signed in, holds services or was there before', async () => {
  const { Users } = await get(contoso);
  const id = await open(
    'Pia,Moor,pia@contoso.test,,',
    'Quin,Moor,quin@contoso.test,,',
    'Rae,Moor,rae@contoso.test,,',
    'Sam,Moor,sam@contoso.test,,',
    'Una,Marsh,user@contoso.test,,',
  );
  await call('POST', `${imports}/${id}/run`);
  const idOf = async (email: string) => Number((await findUser(email))?.UserId);
  const [quin, rae, sam] = [await idOf('quin@'), await idOf('rae@'), await idOf('sam@')];
  await sandbox.db.updateTable('users').set({ last_sign_in: new Date() }).where('id', '=', quin).execute();
  const service = await sandbox.db.selectFrom('user_services').selectAll().executeTakeFirstOrThrow();
  await sandbox.db
    .insertInto('user_services')
    .values({ ...service, user_id: rae })
    .execute();
  await call('DELETE', `${contoso}/users/${sam}`);
  assert.equal((await call('POST', `${imports}/${id}/undo`)).status, 200);
  assert.deepEqual(await statesOf(id), [
    ['Undone', null],
    ['Kept', 'SignedIn'],
    ['Kept', 'HasServices'],
    ['Undone', null],
    ['Invalid', 'EmailTaken'],
  ]);
  assert.equal(await findUser('pia@'), undefined);
  assert.ok(await findUser('user@contoso.test'));
  assert.equal((await get(contoso)).Users, Users + 2);

  await sandbox.db.deleteFrom('user_services').where('user_id', '=', rae).execute();
  await call('POST', `${imports}/${id}/undo`);
  assert.deepEqual((await statesOf(id))[2], ['Undone', null]);
  await call('POST', `${imports}/${id}/run`);
  assert.equal(await findUser('pia@'), undefined, 'what was undone is not created again');
});

test('an import is its customer’s alone, and only for those who may create users', async () => {
  const id = await open('Tess,Vale,tess@contoso.test,,');
  const rival = await sandbox.signIn('rival@southridge.test');
  const engineer = await sandbox.signIn('engineer@northwind.test');
  const admin = await sandbox.signIn('admin@contoso.test');
  for (const [method, at] of [
    ['GET', ''],
    ['GET', '/rows'],
    ['POST', '/run'],
    ['POST', '/undo'],
  ] as const) {
    assert.equal((await call(method, `${imports}/${id}${at}`, rival)).status, 404, at);
    assert.equal((await call(method, `${imports}/${id}${at}`, engineer)).status, 403, at);
    assert.equal((await call(method, `/api/customers/10002/user-imports/${id}${at}`)).status, 404, at);
    assert.equal((await call(method, `${imports}/nothing${at}`)).status, 404, at);
  }
  assert.equal((await upload(file('A,B,a@contoso.test,,'), rival)).status, 404);
  assert.equal((await upload(file('A,B,a@contoso.test,,'), engineer)).status, 403);
  assert.equal((await call('GET', `${imports}/${id}`, admin)).body.Result.Rows, 1);
});

test('whoever may not create administrators is told so before, row by row', async () => {
  const admin = await sandbox.signIn('admin@contoso.test');
  const rows = file('Una,Vale,una.vale@contoso.test,Administrator,');
  const before = await upload(rows, admin);
  assert.equal((await statesOf(before.body.Result.ImportId))[0]?.[0], 'Ready');
  await sandbox.db
    .updateTable('account_permissions')
    .set({ permissions: [] })
    .where('account_id', '=', db => db.selectFrom('accounts').select('id').where('username', '=', 'admin@contoso.test'))
    .execute();
  const after = await upload(rows, admin);
  assert.deepEqual(await statesOf(after.body.Result.ImportId), [['Invalid', 'RoleNotPermitted']]);
  await call('POST', `${imports}/${before.body.Result.ImportId}/run`, admin);
  assert.deepEqual(await statesOf(before.body.Result.ImportId), [['Failed', 'RoleNotPermitted']]);
});

test('what was only checked is gone after a day, and a result after a week', async () => {
  const checked = await open('Vic,Dale,vic@contoso.test,,');
  const run = await open('Wes,Dale,wes@contoso.test,,');
  await call('POST', `${imports}/${run}/run`);
  const hour = 3_600_000;
  const fresh = async () => {
    token = await sandbox.signIn('reseller@northwind.test');
  };
  later = 25 * hour;
  await fresh();
  assert.equal((await call('POST', `${imports}/${checked}/run`)).status, 404);
  assert.equal((await call('GET', `${imports}/${run}`)).status, 200);
  later = 8 * 24 * hour;
  await fresh();
  assert.equal((await call('GET', `${imports}/${run}/rows`)).status, 404);
  assert.ok(await findUser('wes@'));
});

test('columns that are not recognised are said by hand, with what is recognised filled in', async () => {
  const { body } = await upload('Vorname;Nachname;Email;Nr\nAda;Braun;ada.braun@contoso.test;1\nBen;Braun;;2');
  const id = body.Result.ImportId;
  const assign = (choice: object, by = token) => sandbox.call(by, 'POST', `${imports}/${id}/columns`, choice);
  const { IsAssigned, Rows } = await get(`${imports}/${id}`);
  assert.deepEqual([IsAssigned, Rows], [false, 0]);
  const { Columns, Chosen } = await get(`${imports}/${id}/columns`);
  assert.deepEqual(Columns[1], { Place: '1', Title: '2. Nachname', First: 'Braun', Second: 'Braun', Third: '' });
  assert.deepEqual(Chosen, { FirstName: '', LastName: '', EmailAddress: '2', Role: '', Phone: '', Groups: '' });

  const wrong = await assign({ FirstName: '0', LastName: '0', EmailAddress: '', Phone: '9' });
  assert.deepEqual(wrong.body.Errors, {
    LastName: ['This column is chosen for First name already.'],
    EmailAddress: ['Say which column has: Email address.'],
    Phone: ['The file has no such column.'],
  });
  const choice = { FirstName: '0', LastName: '1', EmailAddress: '2', Role: '' };
  assert.equal((await assign(choice, await sandbox.signIn('rival@southridge.test'))).status, 404);
  assert.equal((await assign({ ...choice, HasHeads: false })).status, 200);
  assert.equal((await rowsOf(id)).length, 3);
  assert.equal((await assign(choice)).status, 200);
  assert.deepEqual(await statesOf(id), [
    ['Ready', null],
    ['Invalid', 'EmailMissing'],
  ]);
  await call('POST', `${imports}/${id}/run`);
  assert.equal((await findUser('ada.braun@contoso.test'))?.DisplayName, 'Ada Braun');
  assert.equal((await assign(choice)).status, 409);
});
