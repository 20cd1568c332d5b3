import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { bounds } from '../../server/sandbox/sign-up/ask.ts';
import { confirmTokens, linksTo } from '../fixtures/mail-links.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { skipDays } from '../fixtures/skip-days.ts';

const hour = 3_600_000;
const ofDay = () => new Date(now - 24 * hour);
let now = Date.UTC(2027, 0, 4, 9);
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 30 * 86_400 });
const company = { Company: 'Brook & Sons', Name: 'Bea Brook', Country: 'GB', Agreed: true };
const password = 'Harbour-lantern-84';

let networks = 0;
/** Another network each time. */
const elsewhere = () => `198.51.${Math.floor(++networks / 250)}.${networks % 250}`;
const ask = (Email: string, given: object = {}, from = elsewhere()) =>
  sandbox.call(
    '',
    'POST',
    '/api/public/sign-ups',
    { ...company, Phone: '01134960123', Email, ...given },
    {
      'x-forwarded-for': from,
    },
  );
const confirm = (Token: string) => sandbox.call('', 'POST', '/api/public/sign-ups/confirm', { Token });
/** How many of the steps are done, and how many there are. */
const doneOf = ({ IsShownFirst: _, ...steps }: Record<string, boolean>): [number, number] => {
  const all = Object.values(steps);
  return [all.filter(Boolean).length, all.length];
};
const tokensTo = (email: string) => confirmTokens(sandbox, email);
const subjectsTo = async (email: string) =>
  (await sandbox.db.selectFrom('outbox').select('subject').where('recipient', '=', email).orderBy('id').execute()).map(
    ({ subject }) => subject,
  );
const pageOf = async () => (await fetch(`${sandbox.url}/sign-ups`)).text();
const idOf = async (email: string) =>
  (
    await sandbox.db
      .selectFrom('sign_ups')
      .select('id')
      .where('email', '=', email)
      .where('confirmed', 'is not', null)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  ).id;
const decide = async (email: string, verb: string, form: Record<string, string> = {}, origin = sandbox.url) =>
  fetch(`${sandbox.url}/sign-ups/${await idOf(email)}/${verb}`, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams(form),
  });
const askAndConfirm = async (email: string, given: object = {}) => {
  assert.equal((await ask(email, given)).status, 200);
  assert.equal((await confirm((await tokensTo(email))[0]!)).body.Result.Outcome, 'Confirmed');
};
/** Chooses the password of an invitation and signs in. */
const enter = async (email: string) => {
  const [, type, name, key] = (await linksTo(sandbox, email, 'accept-invitation'))[0]!.split('/').slice(1);
  const body = { key, oldPassword: null, newPassword: password };
  assert.equal((await sandbox.call('', 'PUT', `/api/users/${type}/${name}/change-password`, body)).status, 200);
  return sandbox.signIn(email, password);
};

test('a request is confirmed once, waits on the page, and becomes a reseller with an administrator who starts anew', async () => {
  await ask('Bea@Brook.test');
  assert.doesNotMatch(await pageOf(), /bea@brook\.test/, 'nobody confirmed it');
  const [token] = await tokensTo('bea@brook.test');
  assert.deepEqual((await confirm(token!)).body.Result, { Outcome: 'Confirmed', At: new Date(now).toISOString() });
  const first = now;
  now += 1000;
  assert.deepEqual((await confirm(token!)).body.Result, { Outcome: 'Already', At: new Date(first).toISOString() });
  assert.match(await pageOf(), /Brook &#38; Sons.*bea@brook\.test.*United Kingdom, buys in GBP/);
  const accepted = await decide('bea@brook.test', 'accept');
  assert.match(await accepted.text(), /Brook &#38; Sons is accepted/);
  assert.equal((await decide('bea@brook.test', 'accept')).status, 409, 'once');

  const admin = await enter('bea@brook.test');
  const { Result: user } = (await sandbox.call(admin, 'GET', '/api/users/login-user')).body;
  assert.deepEqual([user.userType, user.organisationName, user.mustSignIn], ['reseller', 'Brook & Sons', true]);
  const { usersPermissions, featureFlags } = (await sandbox.call(admin, 'GET', '/api/permissions')).body.Result;
  assert.ok(usersPermissions.views.includes('manageUsers'));
  assert.ok(
    featureFlags.some((flag: object) => JSON.stringify(flag) === '{"featureName":"FirstSteps","enabled":true}'),
  );
  assert.equal((await sandbox.call(admin, 'GET', '/api/customers')).body.Result.Total, 0);
  assert.ok(
    (await sandbox.call(admin, 'GET', '/api/marketplace/services')).body.Result.Items.length > 5,
    'what it can sell',
  );
  const { Link } = (await sandbox.call(admin, 'GET', '/api/whitelabel/GetWhiteLabelForSetup')).body.Result;
  assert.equal(new URL(Link).pathname, '/with/brook-sons');
  const steps = (await sandbox.call(admin, 'GET', '/api/first-steps')).body.Result;
  assert.deepEqual(doneOf(steps), [0, 8]);
  assert.deepEqual([steps.IsShownFirst, steps.Company], [true, false]);
});

test('whoever has an account, or waits already, is told by mail alone', async () => {
  await askAndConfirm('wanda@waits.test');
  const replies = [];
  for (const email of ['reseller@northwind.test', 'wanda@waits.test', 'new@nobody.test'])
    replies.push((await ask(email)).body);
  assert.deepEqual(replies, [replies[0], replies[0], replies[0]]);
  assert.equal((await subjectsTo('reseller@northwind.test')).at(-1), 'You have an account already');
  assert.equal((await subjectsTo('wanda@waits.test')).at(-1), 'Your request waits already');
  const mails = await sandbox.db
    .selectFrom('outbox')
    .select('body')
    .where('recipient', 'like', '%waits.test')
    .execute();
  assert.doesNotMatch(JSON.stringify(mails), /Brook/, 'a mail holds nothing of what a stranger typed');
});

test('a link ends after a day, and with the confirmation of another one; the calendar deletes what was not confirmed', async () => {
  await ask('late@brook.test');
  await ask('late@brook.test');
  const [second, first] = await tokensTo('late@brook.test');
  assert.equal((await confirm(first!)).body.Result.Outcome, 'Confirmed');
  assert.equal((await confirm(second!)).body.Result.Outcome, 'Ended');
  await ask('later@brook.test');
  now += 24 * hour;
  const [old] = await tokensTo('later@brook.test');
  assert.equal((await confirm(old!)).body.Result.Outcome, 'Ended');
  assert.equal((await confirm('nonsense')).body.Result.Outcome, 'Ended');
  now += 48 * hour;
  await skipDays(sandbox.db, new Date(now - 24 * hour).toISOString().slice(0, 10));
  await sandbox.tickOnce();
  const left = await sandbox.db
    .selectFrom('sign_ups')
    .select('state')
    .where('state', 'in', ['Known', 'Unconfirmed'])
    .execute();
  assert.deepEqual(left, []);
});

test('a request is declined with a reason, which is mailed; the same address may ask again', async () => {
  await askAndConfirm('dan@declined.test');
  assert.equal((await decide('dan@declined.test', 'decline')).status, 400);
  const declined = await decide('dan@declined.test', 'decline', { reason: 'We know no <such> company.' });
  assert.match(await declined.text(), /is declined/);
  const { body } = await sandbox.db
    .selectFrom('outbox')
    .select('body')
    .where('recipient', '=', 'dan@declined.test')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  assert.match(body, /We know no <such> company\./);
  await askAndConfirm('dan@declined.test', { Country: 'IE' });
  assert.match(await pageOf(), /Ireland, buys in EUR/);
});

test('the page takes forms of its own alone, and sends an invitation again that ended', async () => {
  await askAndConfirm('ivy@invited.test');
  assert.equal((await decide('ivy@invited.test', 'accept', {}, 'https://evil.test')).status, 404);
  assert.equal((await decide('ivy@invited.test', 'accept', {}, 'null')).status, 404);
  assert.equal((await decide('ivy@invited.test', 'accept')).status, 200);
  now += 8 * 24 * hour;
  assert.equal((await decide('ivy@invited.test', 'invite')).status, 200);
  await enter('ivy@invited.test');
  assert.equal((await decide('ivy@invited.test', 'invite')).status, 404, 'it was accepted');
});

test('a form must be whole', async () => {
  const wrong = [{ Company: ' ' }, { Name: '' }, { Email: 'x' }, { Phone: '' }, { Country: 'XX' }, { Agreed: false }];
  for (const given of [...wrong, { Email: `${'a'.repeat(95)}@brook.test` }])
    assert.equal((await ask('whole@brook.test', given)).status, 400, JSON.stringify(given));
});

test('the steps tick themselves off by the data, and are put away and found again', async () => {
  await askAndConfirm('stef@steps.test', { Company: 'Steps Ltd' });
  await decide('stef@steps.test', 'accept');
  const admin = await enter('stef@steps.test');
  const stateOf = async () => (await sandbox.call(admin, 'GET', '/api/first-steps')).body.Result;
  const call = (method: string, path: string, body: object) =>
    sandbox.call(admin, method, path, body, {
      'idempotency-key': crypto.randomUUID(),
    });
  const address = { Address1: '1 Mill', TownCity: 'Leeds', PostCode: 'LS1 4AB', TaxNumber: 'GB123456789' };
  const saved = await call('PUT', '/api/companyinfo', { ...address, Version: 1 });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const customer = {
    Name: 'First',
    Domain: 'first.test',
    ContactName: 'Fay',
    ContactEmail: 'fay@first.test',
    Phone: '',
  };
  const made = await call('POST', '/api/customers', customer);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(
    (await call('POST', '/api/staff-invitations/engineer', { Name: 'Col', Email: 'col@steps.test' })).status,
    201,
  );
  const steps = await stateOf();
  const { Company, Customer, Colleague, Product } = steps;
  assert.deepEqual([doneOf(steps), Company, Customer, Colleague, Product], [[3, 8], true, true, true, false]);
  await call('PUT', '/api/first-steps', { IsShownFirst: false });
  assert.equal((await stateOf()).IsShownFirst, false);
  const other = await sandbox.signIn('reseller@northwind.test');
  assert.equal((await sandbox.call(other, 'GET', '/api/first-steps')).body.Result.IsShownFirst, false);
});

test('an address gets three mails a day and is told nothing; a network asks ten times; the whole day and the waiting are bounded', async () => {
  now += 72 * hour;
  const network = (host: number) => `2001:db8:1:2::${host}`;
  for (let count = 0; count < bounds.ofAddress + 2; count++) assert.equal((await ask('much@mail.test')).status, 200);
  assert.equal((await subjectsTo('much@mail.test')).length, bounds.ofAddress);
  for (let count = 0; count < bounds.ofNetwork; count++)
    assert.equal((await ask(`n${count}@network.test`, {}, network(count))).status, 200);
  const often = await ask('one-more@network.test', {}, network(999));
  assert.deepEqual([often.status, often.body.Refusals[0].Code], [409, 'SignUpsOften']);
  assert.equal((await ask('other@network.test')).status, 200, 'nobody else is held up');

  const insert = (count: number, state: string) =>
    sql`
    insert into sign_ups (company, name, email, phone, country, network, state, created)
    select 'Many', 'Many', state || n || '@day.test', '', 'GB', state || n, state, ${new Date(now)}
    from generate_series(1, ${count}) n, (select ${state}::text as state) s`.execute(sandbox.db);
  const { length: before } = await sandbox.db
    .selectFrom('sign_ups')
    .select('id')
    .where('created', '>', ofDay())
    .execute();
  await insert(bounds.ofAll - before - 2, 'Known');
  const asked = await Promise.all(['a', 'b', 'c', 'd'].map(name => ask(`${name}@day.test`)));
  assert.deepEqual(asked.map(({ status }) => status).sort(), [200, 200, 409, 409], 'who ask at once are counted');
  assert.equal(asked.find(({ status }) => status === 409)?.body.Refusals[0].Code, 'SignUpsFull');

  const [token = ''] = await tokensTo('other@network.test');
  const waiting = await sandbox.db.selectFrom('sign_ups').select('id').where('state', '=', 'Waiting').execute();
  await insert(bounds.waiting - waiting.length, 'Waiting');
  assert.equal((await confirm(token)).status, 409);
  now += 2 * hour;
  await sandbox.db.deleteFrom('sign_ups').where('email', '=', 'Waiting1@day.test').execute();
  assert.equal((await confirm(token)).status, 200, 'the link stayed good');
  now += 25 * hour;
  assert.equal((await ask('tomorrow@day.test')).body.Refusals[0].Code, 'SignUpsFull', 'as long as so many wait');
});
