import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

/** What the sandbox takes for now. */
let now = new Date();
const sandbox = withSandbox({ now: () => now });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const day = 86_400_000;
const write = (moment: number) => `${new Date(moment).toISOString().slice(0, 19)}Z`;
const startOfDay = (moment: number) => moment - (moment % day);
const post = (step: string, body: object, who = token) =>
  sandbox.call(who, 'POST', `/api/customers/10001/disaster-recovery/${step}`, body);
const request = (more: object = {}) => ({
  Address: 'user@contoso.test',
  StartDate: write(now.getTime() - 3 * day),
  EndDate: write(now.getTime() - day),
  Deliver: 'mail.contoso.test',
  ...more,
});

test('the info says what can be recovered, from when, until when and to where', async () => {
  const { Result } = (await post('info', { Address: 'user@contoso.test' })).body;
  assert.deepEqual(Result, {
    DomainName: 'contoso.test',
    IsUserMessage: true,
    IsDomMessage: true,
    MinDate: new Date(startOfDay(now.getTime() - 14 * day)).toISOString(),
    MaxDate: now.toISOString(),
    Deliver: 'mail.contoso.test',
  });
  const users = (await sandbox.call(token, 'GET', '/api/customers/10030/users')).body.Result.Items;
  const { body } = await sandbox.call(token, 'POST', '/api/customers/10030/disaster-recovery/info', {
    Address: users[0].Mailbox,
  });
  assert.deepEqual([body.Result.IsUserMessage, body.Result.IsDomMessage], [false, false]);
});

test('a confirmation counts the mails between these moments, and writes its moments between two characters in 13 digits', async () => {
  const { Result } = (await post('confirm', request())).body;
  const [from, to] = [new Date(request().StartDate).getTime(), new Date(request().EndDate).getTime()];
  assert.equal(Result.EpFrom, `/${from}/`);
  assert.equal(Result.EpTo, `/${to}/`);
  assert.match(Result.EpFrom, /^.\d{13}.$/);
  const [, year, month, date, time] = /^(\d+)-(\d+)-(\d+)T(.{5})/.exec(request().StartDate) ?? [];
  assert.equal(Result.FromDate, `${date}-${month}-${year} ${time}`);
  const { n } = await sandbox.db
    .selectFrom('recoverable_mails as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('u.email', '=', 'user@contoso.test')
    .where('m.received', '>=', new Date(from))
    .where('m.received', '<=', new Date(to))
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  assert.ok(n > 5);
  assert.deepEqual(
    [Result.EmailCount, Result.Restore, Result.ResDomain, Result.Deliver, Result.Duration],
    [n, 'user@contoso.test', 'contoso.test', 'mail.contoso.test', '1 minute'],
  );
});

test('dates outside of what is kept, the wrong way round or no dates, and no mail server, are refused by field', async () => {
  const wrong = async (more: object) => {
    const { status, body } = await post('confirm', request(more));
    assert.equal(status, 400);
    return Object.keys(body.Errors);
  };
  assert.deepEqual(await wrong({ StartDate: write(now.getTime() - 15 * day) }), ['StartDate']);
  assert.deepEqual(await wrong({ EndDate: write(now.getTime() + day) }), ['EndDate']);
  assert.deepEqual(await wrong({ StartDate: write(now.getTime() - 60_000) }), ['EndDate']);
  assert.deepEqual(await wrong({ StartDate: '2026-02-31T00:00:00Z' }), ['StartDate']);
  assert.deepEqual(await wrong({ Deliver: 'mail contoso' }), ['Deliver']);
  const users = (await sandbox.call(token, 'GET', '/api/customers/10030/users')).body.Result.Items;
  const none = request({ Address: users[0].Mailbox });
  const { status, body } = await sandbox.call(token, 'POST', '/api/customers/10030/disaster-recovery/confirm', none);
  assert.deepEqual([status, body.Messages], [409, ['There is no mail to recover between these dates.']]);
});

test('a start answers with Result and Error: a wrong password starts nothing, the right one starts it once at a time', async () => {
  const started = async () =>
    (await sandbox.db.selectFrom('mail_recoveries').selectAll().execute()).map(({ mails, deliver }) => [
      mails,
      deliver,
    ]);
  const wrong = await post('start', request({ Password: 'not it' }));
  assert.deepEqual(
    [wrong.status, wrong.body],
    [
      400,
      {
        Succeed: false,
        Result: false,
        Error: 'The password is wrong.',
        Errors: { Password: ['The password is wrong.'] },
      },
    ],
  );
  assert.deepEqual(await started(), []);
  const { EmailCount } = (await post('confirm', request())).body.Result;
  const both = await Promise.all([1, 2].map(() => post('start', request({ Password: seedPassword }))));
  assert.deepEqual(both.map(({ body }) => body.Result).sort(), [false, true]);
  assert.equal(
    both.find(({ status }) => status === 409)?.body.Error,
    'Mail of this mailbox is being recovered already.',
  );
  assert.deepEqual(await started(), [[EmailCount, 'mail.contoso.test']]);
  const [row] = (await sandbox.call(token, 'GET', '/api/customers/10001/activity')).body.Result.Items;
  assert.deepEqual([row.Action, row.Target], ['Mail recovery started', 'user@contoso.test']);
  now = new Date(now.getTime() + 120_000);
  assert.equal((await post('start', request({ Password: seedPassword }))).body.Result, true, 'once it is over');
});

test('guesses of the password that come together do not pass the limit, and end with the window', async () => {
  const guesser = await sandbox.signIn('switcher@contoso.test');
  const guess = (Password: string) =>
    sandbox.call(guesser, 'POST', '/api/customers/10001/disaster-recovery/start', {
      ...request({ Address: 'switcher@contoso.test', Deliver: 'mail.contoso.test' }),
      Password,
    });
  await sandbox.db
    .insertInto('recoverable_mails')
    .columns(['user_id', 'received', 'sender', 'subject'])
    .expression(({ selectFrom, val }) =>
      selectFrom('users')
        .where('email', '=', 'switcher@contoso.test')
        .select(['id', val(new Date(now.getTime() - 2 * day)).as('at'), val('a@b.test').as('a'), val('Hello').as('b')]),
    )
    .execute();
  const replies = await Promise.all(Array.from({ length: 15 }, (_, index) => guess(`guess ${index}`)));
  const errors = replies.map(({ body }) => body.Error as string);
  assert.equal(errors.filter(error => error === 'The password is wrong.').length, 10);
  assert.match((await guess(seedPassword)).body.Error, /too many wrong attempts/);
  now = new Date(now.getTime() + 15 * 60_000 + 1);
  const token = await sandbox.signIn('switcher@contoso.test');
  const later = await sandbox.call(token, 'POST', '/api/customers/10001/disaster-recovery/start', {
    ...request({ Address: 'switcher@contoso.test', Deliver: 'mail.contoso.test' }),
    Password: seedPassword,
  });
  assert.equal(later.body.Result, true, JSON.stringify(later.body));
});
