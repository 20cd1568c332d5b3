import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const post = (body: unknown, headers?: Record<string, string>) =>
  sandbox.call(token, 'POST', '/api/customers', body, headers);

test('what does not exist is 404 in the envelope, signed in or not', async () => {
  const missing = { Succeed: false, Error: 'NotFound', Messages: ['This was not found.'] };
  for (const path of ['/api/nothing', '/nothing', '/api/customers/10001/nothing']) {
    const { status, body } = await sandbox.call(token, 'GET', path);
    assert.deepEqual([status, body], [404, missing]);
  }
});

test('every call without a token is 401 before anything else is looked at', async () => {
  for (const [method, path] of [
    ['GET', '/api/customers?sort=nonsense'],
    ['POST', '/api/customers'],
    ['GET', '/api/customers/10001'],
  ] as const) {
    const { status, body } = await sandbox.call('', method, path);
    assert.deepEqual([status, body.Error], [401, 'Unauthorized']);
  }
});

test('a body that is no JSON, too large, of another kind or missing is refused', async () => {
  assert.equal((await post('{"Name":')).status, 400);
  assert.equal((await post('{"__proto__":{"x":1}}')).status, 400);
  assert.equal((await post({ Name: 'x'.repeat(300_000) })).status, 413);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/plain; application/json']) {
    assert.equal((await post('{}', { 'content-type': type })).status, 415);
  }
  assert.equal((await post(undefined)).status, 400);
  assert.equal((await post([])).status, 400);
});

test('a number in the place of a text is not taken for one', async () => {
  const { status, body } = await sandbox.call(token, 'POST', '/api/customers/10001/name', { NewName: 24 });
  assert.deepEqual([status, body.Errors], [400, { NewName: ['Must be the correct format'] }]);
});

test('an unexpected failure gives a reference number and nothing of its cause', async () => {
  await sql`alter table announcements rename to canary_table`.execute(sandbox.db);
  const { status, body } = await sandbox.call(token, 'GET', '/api/Notification/GetDropZoneNotifications');
  await sql`alter table canary_table rename to announcements`.execute(sandbox.db);
  assert.deepEqual([status, body.Error], [500, 'Unexpected']);
  assert.match(body.Messages[0], /Reference number: [0-9a-f-]{36}\.$/);
  assert.doesNotMatch(JSON.stringify(body), /announcements|relation|stack|\.ts/);
});

test('health is answered without a token', async () => {
  assert.deepEqual(await (await fetch(`${sandbox.url}/health`)).json(), { Succeed: true });
});

test('the OpenAPI document describes parameters, bodies and replies', async () => {
  // biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
  const document = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as any;
  const { get, post: create } = document.paths['/api/customers'];
  assert.ok(get.parameters.some((one: { name: string }) => one.name === 'sort'));
  assert.ok(get.responses['200'].content['application/json'].schema.properties.Result.properties.Items);
  assert.deepEqual(create.requestBody.content['application/json'].schema.required, [
    'Name',
    'Domain',
    'ContactName',
    'ContactEmail',
  ]);
  assert.ok(create.responses['201'] && create.responses['4XX']);
});

test('the outbox is not for the network', async () => {
  const reply = await sandbox.app.inject({ url: '/outbox', remoteAddress: '192.0.2.7' });
  assert.equal(reply.statusCode, 404);
  assert.equal((await sandbox.app.inject({ url: '/outbox', remoteAddress: '127.0.0.1' })).statusCode, 200);
});
