import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let later = 0;
const sandbox = withSandbox(() => ({ now: () => new Date(Date.now() + later) }));
const reseller = 'reseller@northwind.test';
const administrator = 'admin@contoso.test';
let token: string;
setUp(async () => {
  token = await sandbox.signIn(reseller);
});

const make = (DownloadId: string, UserName = reseller, by = token) =>
  sandbox.call(by, 'POST', '/api/Download/GenerateGuid', { DownloadId, UserName });

/** Fetches a link as the account that is named. */
async function fetchLink(guid: string, userName = reseller, account = userName, by = token) {
  const address = `${sandbox.url}/api/Download/DownloadFromGuid/${guid}/?userName=${encodeURIComponent(userName)}`;
  const reply = await fetch(address, { headers: { authorization: `Bearer ${by}`, 'actor-id': account } });
  return { status: reply.status, name: reply.headers.get('content-disposition'), text: await reply.text() };
}

test('a link gives its file once: of ten that ask at once one has it', async () => {
  const { Id, Filename, Guid } = (await make('customers-example')).body.Result;
  assert.deepEqual([Id, Filename], ['customers-example', 'customers-example.csv']);
  const answers = await Promise.all(Array.from({ length: 10 }, () => fetchLink(Guid)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(404)]);
  const [file] = answers.filter(({ status }) => status === 200);
  assert.match(file?.name ?? '', /customers-example\.csv/);
  assert.match(file?.text ?? '', /^﻿?Customer name,Domain,Contact name,Contact email,Phone\r\nByron Engines Ltd,/);
});

test('a link is revoked after a second', async () => {
  const { Guid } = (await make('users-example')).body.Result;
  later += 1000;
  assert.equal((await fetchLink(Guid)).status, 404);
});

test('a link is nobody else’s, and is made in nobody else’s name', async () => {
  const other = await sandbox.signIn(administrator);
  const { Guid } = (await make('users-example')).body.Result;
  assert.equal((await fetchLink(Guid, administrator, administrator, other)).status, 404);
  assert.equal((await fetchLink(Guid, administrator, reseller)).status, 404);
  assert.equal((await make('users-example', administrator)).status, 404);
  assert.equal((await make('passwords')).status, 404);
});

test('files are listed and given to whoever has a use for them', async () => {
  const { body } = await sandbox.call(token, 'GET', '/api/Download');
  assert.deepEqual(body.Result, {
    Items: [
      { Id: 'customers-example', Filename: 'customers-example.csv' },
      { Id: 'users-example', Filename: 'users-example.csv' },
    ],
    Total: 2,
  });
  const admin = await sandbox.signIn(administrator);
  const own = await sandbox.call(admin, 'GET', '/api/Download');
  assert.deepEqual(own.body.Result, { Items: [{ Id: 'users-example', Filename: 'users-example.csv' }], Total: 1 });
  assert.equal((await make('customers-example', administrator, admin)).status, 404);
});

test('what the example of an import shows is right in every row but for its made-up domain and groups', async () => {
  for (const [id, path, reasons] of [
    ['customers-example', '/api/customer-imports', [null, null]],
    ['users-example', '/api/customers/10001/user-imports', ['DomainUnknown', 'DomainUnknown']],
  ] as const) {
    const { text } = await fetchLink((await make(id)).body.Result.Guid);
    const opened = await sandbox.call(token, 'POST', `${path}?name=example.csv`, text, { 'content-type': 'text/csv' });
    assert.equal(opened.status, 201, JSON.stringify(opened.body));
    const rows = await sandbox.call(token, 'GET', `${path}/${opened.body.Result.ImportId}/rows`);
    assert.deepEqual(
      rows.body.Result.Items.map(({ Reason }: { Reason: string | null }) => Reason),
      reasons,
    );
  }
});

test('of the links of one account only the newest are kept', async () => {
  for (let made = 0; made < 30; made++) await make('users-example');
  const { count } = await sandbox.db
    .selectFrom('file_links')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), 20);
});
