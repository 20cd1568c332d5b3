import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('user@contoso.test');
});

const path = '/api/dynamicForm/callback-request';
const call = (method: string, at: string, body?: unknown, headers?: Record<string, string>) =>
  sandbox.call(token, method, at, body, headers);
const answers = { Name: 'Una Marsh', Phone: '01214960123', Topic: 'A new phone', BestTime: '14:30' };
const stored = () => sandbox.db.selectFrom('form_submissions').selectAll().orderBy('id').execute();

test('a form says what its fields are, in the wire form of the spec', async () => {
  const { Fields } = (await call('GET', path)).body.Result;
  assert.deepEqual(Fields[0], {
    PropertyName: 'Name',
    Label: 'Your name',
    Type: 1,
    Mandatory: true,
    Regex: null,
    InvalidMessage: null,
    ToolTip: null,
    Message: null,
  });
  const migration = (await call('GET', '/api/dynamicForm/exchange-migration')).body.Result.Fields;
  assert.equal(migration.find((field: { PropertyName: string }) => field.PropertyName === 'AdminPassword').Type, 2);
});

test('good answers are kept and thanked for', async () => {
  const { status, body } = await call('POST', path, answers);
  assert.deepEqual([status, body.Messages], [200, ['Thank you. We will call 01214960123 at about 14:30.']]);
  assert.deepEqual((await stored()).at(-1)?.answers, answers);
});

test('an empty mandatory field, a wrong format and an unknown name are told by field', async () => {
  const { status, body } = await call('POST', path, { Name: ' ', Phone: '123', BestTime: '25:00', Extra: 'x' });
  assert.equal(status, 400);
  assert.deepEqual(body.Errors, {
    Name: ['This is a mandatory field'],
    Phone: ['Must be a phone number, such as 01632960123'],
    Topic: ['This is a mandatory field'],
    BestTime: ['Must be a time, such as 14:30'],
    Extra: ['Extra is not a known field'],
  });
});

test('names of the language itself are no fields', async () => {
  const { status, body } = await call('POST', path, '{"constructor":"x","Name":"Una"}');
  assert.equal(status, 400);
  assert.ok(body.Errors === undefined || body.Errors.constructor !== undefined);
  assert.equal((await call('POST', path, '{"__proto__":"x"}')).status, 400);
});

test('an over-long answer and one that is no text are refused', async () => {
  assert.equal((await call('POST', path, { ...answers, Name: 'x'.repeat(1001) })).status, 400);
  assert.deepEqual((await call('POST', path, { ...answers, Name: 5 })).body.Errors, {
    Name: ['Must be the correct format'],
  });
});

test('an answer with characters that cannot be seen is refused', async () => {
  for (const Name of ['Ann\u202e', 'A\u200bnn', 'Ann\0'])
    assert.deepEqual(Object.keys((await call('POST', path, { ...answers, Name })).body.Errors ?? {}), ['Name'], Name);
});

test('a password is not kept', async () => {
  const secret = { ServerName: 'mail.contoso.test', AdminUser: 'root', AdminPassword: 'canary-7d1' };
  assert.equal((await call('POST', '/api/dynamicForm/exchange-migration', secret)).status, 200);
  assert.ok(!JSON.stringify(await stored()).includes('canary-7d1'));
});

test('a repeated request with the same key is kept once', async () => {
  const before = (await stored()).length;
  for (const _ of [1, 2]) await call('POST', path, answers, { 'idempotency-key': 'callback' });
  assert.equal((await stored()).length, before + 1);
});

test('a form that does not exist is not found', async () => {
  for (const name of ['nothing', '__proto__', 'constructor']) {
    assert.equal((await call('GET', `/api/dynamicForm/${name}`)).status, 404);
    assert.equal((await call('POST', `/api/dynamicForm/${name}`, {})).status, 404);
  }
});
