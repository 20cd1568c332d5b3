import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayAt } from '../../server/sandbox/days.ts';
import { sendDigests } from '../../server/sandbox/notifications/digest.ts';
import { notify } from '../../server/sandbox/notifications/store.ts';
import { sendSecurityNotice } from '../../server/sandbox/outbox/security.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test']);
const path = '/api/account-settings/notifications';
const noon = new Date('2026-03-04T12:00:00Z');
const call = (who: string, method: string, to: string, body?: unknown) =>
  sandbox.call(tokens[who] ?? '', method, to, body);
const idOf = async (username: string) =>
  (await sandbox.db.selectFrom('accounts').select('id').where('username', '=', username).executeTakeFirstOrThrow()).id;
const mailsOf = (recipient: string) =>
  sandbox.db.selectFrom('outbox').selectAll().where('recipient', '=', recipient).orderBy('id').execute();
const told = (content: string, organisation_id?: number) => ({
  ...{ service_name: 'Backup', message: `About: ${content}`, content, category: 'danger' as const },
  ...(organisation_id !== undefined && { organisation_id }),
});
const tell = async (username: string, content: string, organisation?: number) => {
  const account = await idOf(username);
  await sandbox.db.transaction().execute(trx => notify(trx, [account], told(content, organisation), noon));
};
const newest = async (who: string): Promise<string | undefined> =>
  (await call(who, 'GET', '/api/notifications/filtered?status=all&pageSize=100')).body.Result.Items.find(
    ({ Category }: { Category: string }) => Category === 'danger',
  )?.Content;
const runDay = () => sandbox.db.transaction().execute(trx => sendDigests(trx, dayAt(noon)));

test('everything comes in the bell alone until one chooses; what is turned off does not come, and the rest does', async () => {
  const before = (await call('reseller', 'GET', path)).body.Result;
  assert.deepEqual([before.DangerBell, before.DangerMail, before.DangerDigest], [true, false, false]);
  const count = async () =>
    (await sandbox.db.selectFrom('notifications').where('content', '=', 'one').select('id').execute()).length;
  await tell('reseller@northwind.test', 'one');
  assert.equal(await count(), 1);
  assert.equal((await call('reseller', 'PUT', path, { DangerBell: false, DangerMail: true })).status, 200);
  assert.equal((await call('reseller', 'GET', path)).body.Result.InfoBell, true);
  await tell('reseller@northwind.test', 'one');
  assert.equal(await count(), 1);
  const [mail] = await mailsOf('reseller@northwind.test');
  assert.equal(mail?.subject, 'About: one');
  assert.match(mail?.body ?? '', /^Hello Priya Raman,\n\none\n\n.*\nhttps?:\S+\/account-setting\/notifications$/s);
  assert.notEqual(await newest('reseller'), undefined);
});

test('the digest is one mail of the day, once, and tells nothing of a customer that is not seen', async () => {
  const engineer = 'engineer@northwind.test';
  await call('engineer', 'PUT', path, { DangerDigest: true, DangerMail: true, DangerBell: false });
  await tell(engineer, 'Contoso failed', 10001);
  await tell(engineer, 'Fabrikam failed', 10002);
  await limitAccount(sandbox.db, engineer, [10001]);
  await tell(engineer, 'Fabrikam failed again', 10002);
  await tell(engineer, 'Contoso is back', 10001);
  await runDay();
  await runDay();
  const mails = await mailsOf(engineer);
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['About: Contoso failed', 'About: Fabrikam failed', 'About: Contoso is back', '2 notifications of 4 March 2026'],
  );
  assert.match(mails.at(-1)?.body ?? '', /\n\n12:00 {2}Contoso failed\n12:00 {2}Contoso is back\n\nYou get this/);
});

test('changes of how one signs in always come', async () => {
  const off = Object.fromEntries(['Bell', 'Mail', 'Digest'].map(way => [`Warning${way}`, false]));
  await call('reseller', 'PUT', path, off);
  const accountId = await idOf('reseller@northwind.test');
  const notice = {
    accountId,
    name: 'Priya',
    email: 'reseller@northwind.test',
    subject: 'Changed',
    what: 'It changed.',
  };
  await sandbox.db.transaction().execute(trx => sendSecurityNotice(trx, notice, noon));
  assert.equal((await mailsOf('reseller@northwind.test')).at(-1)?.subject, 'Changed');
  const rows = await sandbox.db.selectFrom('notifications').select('id').where('message', '=', 'Changed').execute();
  assert.equal(rows.length, 1);
});
