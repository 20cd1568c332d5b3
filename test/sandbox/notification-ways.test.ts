import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDigests } from '../../server/sandbox/notifications/digest.ts';
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
const tell = async (username: string, content: string, organisation?: number, at = noon) => {
  const account = await idOf(username);
  await sandbox.db.transaction().execute(trx => notify(trx, [account], told(content, organisation), at));
};
const newest = async (who: string): Promise<string | undefined> =>
  (await call(who, 'GET', '/api/notifications/filtered?status=all&pageSize=100')).body.Result.Items.find(
    ({ Category }: { Category: string }) => Category === 'danger',
  )?.Content;
const runAt = (moment: string) => createDigests({ db: sandbox.db, now: () => new Date(moment) }).run();

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
  await runAt('2026-03-04T23:59:59Z');
  await runAt('2026-03-05T00:00:01Z');
  await runAt('2026-03-05T00:00:02Z');
  const mails = await mailsOf(engineer);
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['About: Contoso failed', 'About: Fabrikam failed', 'About: Contoso is back', '2 notifications of 4 March 2026'],
  );
  assert.match(mails.at(-1)?.body ?? '', /\n\n12:00 {2}Contoso failed\n12:00 {2}Contoso is back\n\nYou get this/);
});

test('the digest comes when the day of the person ends, with the times of their clocks, also when these change', async () => {
  const reseller = 'reseller@northwind.test';
  await call('reseller', 'PUT', path, { DangerDigest: true, DangerMail: false, DangerBell: false });
  await call('reseller', 'PUT', '/api/account-settings/region', { TimeZone: 'America/New_York' });
  const before = (await mailsOf(reseller)).length;
  for (const at of ['2026-03-08T06:30:00Z', '2026-03-08T07:30:00Z', '2026-03-09T03:59:00Z', '2026-03-09T04:01:00Z'])
    await tell(reseller, at, undefined, new Date(at));
  await runAt('2026-03-09T03:59:59Z');
  assert.equal((await mailsOf(reseller)).length, before);
  // The day of the change has 23 hours and ends an hour before.
  await runAt('2026-03-09T04:02:00Z');
  await runAt('2026-03-10T04:02:00Z');
  const [one, two] = (await mailsOf(reseller)).slice(before);
  assert.equal(one?.subject, '3 notifications of 8 March 2026');
  assert.match(one?.body ?? '', /\n01:30 {2}2026-03-08T06.*\n03:30 {2}2026-03-08T07.*\n23:59 {2}2026-03-09T03/);
  assert.equal(two?.subject, '1 notification of 9 March 2026');
  assert.match(two?.body ?? '', /\n00:01 {2}2026-03-09T04/);
});

test('who has chosen no time zone is told by that of their browser, then by that of their reseller', async () => {
  const region = '/api/account-settings/region';
  const zone = async () => (await call('engineer', 'GET', region)).body.Result;
  assert.deepEqual(await zone(), { Language: '', TimeZone: '', MailTimeZone: 'Europe/London' });
  assert.equal((await call('engineer', 'PUT', `${region}/browser`, { TimeZone: 'Asia/Tokyo' })).status, 200);
  assert.deepEqual(await zone(), { Language: '', TimeZone: '', MailTimeZone: 'Asia/Tokyo' });
  assert.equal((await call('engineer', 'PUT', region, { TimeZone: 'Asia/Kolkata', Language: 'en' })).status, 200);
  assert.deepEqual(await zone(), { Language: 'en', TimeZone: 'Asia/Kolkata', MailTimeZone: 'Asia/Kolkata' });
  const { body } = await call('engineer', 'GET', '/api/users/login-user');
  assert.deepEqual([body.Result.locale, body.Result.timeZone], ['en', 'Asia/Kolkata']);
  for (const wrong of [{ TimeZone: 'Mars/Olympus' }, { Language: 'English' }, { TimeZone: '' }, { Zone: 'Asia/Tokyo' }])
    assert.equal((await call('engineer', 'PUT', region, wrong)).status, 400, JSON.stringify(wrong));
  assert.equal((await call('engineer', 'PUT', region, { TimeZone: 'browser' })).status, 200);
  assert.deepEqual(await zone(), { Language: 'en', TimeZone: '', MailTimeZone: 'Asia/Tokyo' });
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
