import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDigests } from '../../server/sandbox/notifications/digest.ts';
import { notify } from '../../server/sandbox/notifications/store.ts';
import type { Category } from '../../server/sandbox/notifications/tables.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ portalUrl: 'https://portal.example.test' });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test']);
const ways = '/api/account-settings/notifications';
const noon = new Date('2026-03-04T12:00:00Z');
const call = (who: string, method: string, to: string, body?: unknown) =>
  sandbox.call(tokens[who] ?? '', method, to, body);
const choices = async (who: string): Promise<Record<string, boolean>> => (await call(who, 'GET', ways)).body.Result;
const stop = (Token: string, Undo = false) =>
  sandbox.call('', 'POST', '/api/public/notification-stops', { Token, Undo });

async function tell(who: string, category: Category): Promise<void> {
  const { id } = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', `${who}@northwind.test`)
    .executeTakeFirstOrThrow();
  const note = { service_name: 'Backup', message: 'Backup', content: 'One failed', category };
  await sandbox.db.transaction().execute(trx => notify(trx, [id], note, noon));
}

async function newestMail(who: string) {
  return await sandbox.db
    .selectFrom('outbox')
    .selectAll()
    .where('recipient', '=', `${who}@northwind.test`)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
}

const tokenIn = (address: string | null): string =>
  /^https:\/\/portal\.example\.test\/unsubscribe\/([\w.-]+)$/.exec(address ?? '')?.[1] ?? '';

test('the link of a mail stops mails of its category alone, without a sign-in, as often as it is pressed', async () => {
  await call('reseller', 'PUT', ways, { DangerMail: true, WarningMail: true, DangerDigest: true });
  await tell('reseller', 'danger');
  const { body, unsubscribe } = await newestMail('reseller');
  assert.ok(body.includes(`with one press:\n${unsubscribe}\n\nChoose what you are told`), body);
  const token = tokenIn(unsubscribe);
  for (let count = 0; count < 2; count++)
    assert.deepEqual((await stop(token)).body.Result, { Outcome: 'Stopped', Kind: 'danger' });
  const after = await choices('reseller');
  assert.deepEqual(
    [after.DangerMail, after.WarningMail, after.DangerDigest, after.DangerBell],
    [false, true, true, true],
  );
  for (let count = 0; count < 2; count++)
    assert.deepEqual((await stop(token, true)).body.Result, { Outcome: 'Resumed', Kind: 'danger' });
  assert.equal((await choices('reseller')).DangerMail, true);
});

test('undoing it leaves alone what was chosen since', async () => {
  await call('reseller', 'PUT', ways, { InfoMail: true });
  await tell('reseller', 'info');
  const token = tokenIn((await newestMail('reseller')).unsubscribe);
  await stop(token);
  await call('reseller', 'PUT', ways, { InfoMail: false });
  assert.deepEqual((await stop(token, true)).body.Result, { Outcome: 'Kept', Kind: 'info' });
  assert.equal((await choices('reseller')).InfoMail, false);
});

test('the link of a digest stops it for all categories and for what waits, and undoing it brings back just these', async () => {
  await call('engineer', 'PUT', ways, { DangerDigest: true, InfoDigest: true });
  const runAt = (moment: string) => createDigests({ db: sandbox.db, now: () => new Date(moment) }).run();
  await tell('engineer', 'danger');
  await runAt('2026-03-05T00:00:01Z');
  const { id, unsubscribe, subject } = await newestMail('engineer');
  assert.equal(subject, '1 notification of 4 March 2026');
  const token = tokenIn(unsubscribe);
  await tell('engineer', 'danger');
  assert.deepEqual((await stop(token)).body.Result, { Outcome: 'Stopped', Kind: 'digest' });
  await runAt('2026-03-06T00:00:01Z');
  assert.equal((await newestMail('engineer')).id, id);
  assert.deepEqual((await stop(token, true)).body.Result, { Outcome: 'Resumed', Kind: 'digest' });
  const { DangerDigest, InfoDigest, WarningDigest } = await choices('engineer');
  assert.deepEqual([DangerDigest, InfoDigest, WarningDigest], [true, true, false]);
});

test('a token that is wrong, of another kind or of another account is refused in the same words', async () => {
  await call('reseller', 'PUT', ways, { DangerMail: true });
  await tell('reseller', 'danger');
  const token = tokenIn((await newestMail('reseller')).unsubscribe);
  const [id, , signature] = token.split('.');
  const others = ['nothing', `${id}.info.${signature}`, `${Number(id) + 1}.danger.${signature}`, `${token}A`];
  for (const wrong of [...others, `${id}.danger`, `${id}.constructor.${signature}`, 'é'.repeat(50)]) {
    const { body } = await stop(wrong);
    assert.deepEqual([body.Succeed, body.Messages], [false, ['This link is not valid any more.']], wrong);
  }
  assert.equal((await choices('reseller')).DangerMail, true);
});

test('a mail about the security of an account has no link that stops it', async () => {
  const stops = await sandbox.db.selectFrom('outbox').select('subject').where('unsubscribe', 'is not', null).execute();
  assert.deepEqual([...new Set(stops.map(({ subject }) => subject))].sort(), [
    '1 notification of 4 March 2026',
    'Backup',
  ]);
});
