import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notify } from '../../server/sandbox/notifications/store.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'admin@contoso.test']);
const path = '/api/reseller-settings';
const call = (who: string, method: string, to: string, body?: unknown) =>
  sandbox.call(tokens[who] ?? '', method, to, body);
const read = async () => (await call('reseller', 'GET', path)).body.Result;
const save = async (changes: object) =>
  await call('reseller', 'PUT', path, { Version: (await read()).Version, ...changes });
const lastMailTo = (recipient: string) =>
  sandbox.db
    .selectFrom('outbox')
    .selectAll()
    .where('recipient', '=', recipient)
    .orderBy('id', 'desc')
    .executeTakeFirst();
const addUser = (Email: string) =>
  call('reseller', 'POST', '/api/customers/10001/users', {
    FirstName: 'New',
    LastName: 'User',
    Email,
    Type: 'endUser',
  });

test('who manages a product for all customers is proposed when it is ordered, and is the contact without a choice', async () => {
  const proposed = async (serviceId: number) => {
    const at = new URLSearchParams({ customerId: '10001', serviceId: String(serviceId), subId: '1', action: 'Add' });
    return (await call('reseller', 'GET', `/api/orders/subject?${at}`)).body.Result?.Fields?.AdminEmail;
  };
  const before = await proposed(12);
  assert.equal((await save({ EndpointAdmin: 'Guard@northwind.test' })).status, 200);
  assert.deepEqual([await proposed(12), await proposed(9)], ['guard@northwind.test', before]);
  assert.equal((await save({ EndpointAdmin: 'nobody' })).status, 400);
  assert.equal((await call('reseller', 'POST', `${path}/undo`, {})).status, 200);
  assert.equal(await proposed(12), before);
  assert.equal((await read()).CanUndo, false);
});

test('a blocked mail stays in the outbox, the activity says so, and the reseller’s own people get theirs', async () => {
  assert.equal((await save({ BlockWelcome: true, BlockNotification: true })).status, 200);
  assert.equal((await addUser('quiet@contoso.test')).status, 201);
  assert.equal((await lastMailTo('quiet@contoso.test'))?.state, 'blocked');
  const told = await sandbox.db
    .selectFrom('activity')
    .select(['target', 'detail'])
    .where('action', '=', 'Email blocked')
    .execute();
  assert.deepEqual(told, [{ target: 'quiet@contoso.test', detail: 'Welcome to Northwind' }]);
  const people = ['reseller@northwind.test', 'admin@contoso.test'];
  const rows = await sandbox.db.selectFrom('accounts').select('id').where('username', 'in', people).execute();
  const ways = { category: 'danger' as const, bell: true, mail: true, digest: false };
  await sandbox.db
    .insertInto('notification_ways')
    .values(rows.map(({ id }) => ({ account_id: id, ...ways })))
    .execute();
  const note = { service_name: 'Backup', message: 'It failed', content: 'It failed.', category: 'danger' as const };
  const ids = rows.map(({ id }) => id);
  await sandbox.db.transaction().execute(trx => notify(trx, ids, note, new Date()));
  const states = await Promise.all(people.map(async person => (await lastMailTo(person))?.state));
  assert.deepEqual(states, ['waiting', 'blocked']);
  assert.equal((await save({ BlockWelcome: false })).status, 200);
  assert.equal((await addUser('loud@contoso.test')).status, 201);
  assert.equal((await lastMailTo('loud@contoso.test'))?.state, 'waiting');
});

test('nobody of a customer sees them, and of two who save over the same state the second is told', async () => {
  assert.equal((await call('admin', 'GET', path)).status, 403);
  const { Version } = await read();
  assert.equal((await save({ BackupAdmin: 'one@northwind.test' })).status, 200);
  const late = await call('reseller', 'PUT', path, { Version, BackupAdmin: 'two@northwind.test' });
  assert.equal(late.status, 409);
  assert.equal(late.body.Refusals?.[0]?.Code, 'SettingsChanged');
  assert.equal((await read()).BackupAdmin, 'one@northwind.test');
});

test('the time zone and language of the reseller hold for who has chosen none, and are taken back with the rest', async () => {
  const clock = async () => (await call('admin', 'GET', '/api/account-settings/region')).body.Result.MailTimeZone;
  const before = await read();
  assert.deepEqual([before.TimeZone, before.Language, before.LanguageName], ['Europe/London', '', 'English']);
  assert.equal((await save({ TimeZone: 'Atlantis/Centre' })).status, 400);
  assert.equal((await save({ TimeZone: 'Asia/Kathmandu', Language: 'de' })).status, 200);
  const { TimeZone, Language, LanguageName } = await read();
  assert.deepEqual([TimeZone, Language, LanguageName], ['Asia/Kathmandu', 'de', 'Deutsch']);
  assert.equal(await clock(), 'Asia/Kathmandu');
  await call('admin', 'PUT', '/api/account-settings/region', { TimeZone: 'Europe/Rome' });
  assert.equal(await clock(), 'Europe/Rome');
  await call('reseller', 'POST', `${path}/undo`, {});
  const after = await read();
  assert.deepEqual([after.TimeZone, after.Language], ['Europe/London', '']);
});
