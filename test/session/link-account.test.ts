import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { type BrowserClient, createBrowserClient } from '../fixtures/browser-client.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { type Answer, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const work = 'link@northwind.test';
let passed = 0;

const sandbox = withSandbox();
const portal = withPortal(sandbox, { now: () => Date.now() + passed });

/** Signs in with a work account; gives where the portal leads then. */
async function comeWithWork(browserClient: BrowserClient, username = work, returnTo = ''): Promise<string> {
  const { body } = await browserClient.press('/handle-ext-auth', 'office', 'command:auth.office-sign-in', {
    with: { return: returnTo },
  });
  const back = await browserClient.signInAt(new URL(body.effects[0].to), username, seedPassword);
  const { to } = await browserClient.go(back);
  return to.replace(portal.url, '');
}

const link = (browserClient: BrowserClient, Username: string, Password = seedPassword, more = {}): Promise<Answer> =>
  browserClient.press('/link-account', 'link-account', 'command:auth.link-account', {
    body: { Username, Password, ...more },
  });

const unlink = () =>
  sandbox.db
    .deleteFrom('identities')
    .where('subject', 'in', db =>
      db
        .selectFrom('people')
        .select(({ cast }) => cast<string>('subject', 'text').as('s'))
        .where('username', '=', work),
    )
    .execute();
const linked = async (): Promise<boolean> => {
  const rows = await sandbox.db
    .selectFrom('identities as i')
    .innerJoin('accounts as a', 'a.id', 'i.account_id')
    .select('a.username')
    .where('i.issuer', '=', '/office')
    .execute();
  return rows.some(({ username }) => username !== 'sso-prohibited@northwind.test');
};
/** As if no app had been set up for who has to. */
const resetApp = async () => {
  await unlink();
  const none = { mfa_key: null, mfa_step: 0 };
  await sandbox.db.updateTable('accounts').set(none).where('username', '=', 'newmfa@northwind.test').execute();
};
const isSignedIn = async (browserClient: BrowserClient): Promise<boolean> =>
  (await browserClient.go(`${portal.url}/ui/data/customers.list`)).status === 200;

test('a work account that opens no account yet leads to linking, and its token stays on the server', async () => {
  const browserClient = createBrowserClient(portal.url);
  assert.equal(await comeWithWork(browserClient), '/link-account');
  assert.equal(await isSignedIn(browserClient), false);
  const kept = [...browserClient.jar].filter(([name]) => name.startsWith('__Host-'));
  assert.deepEqual(
    kept.map(([name]) => name),
    ['__Host-portal-stage'],
  );
  const page = await browserClient.go(`${portal.url}/link-account`);
  assert.doesNotMatch(page.text + JSON.stringify(kept), /eyJ[\w-]{10}/);
});

test('wrong details are said in one way, counted on the server, and need a not-a-robot answer after three', async () => {
  const browserClient = createBrowserClient(portal.url);
  await comeWithWork(browserClient);
  for (const username of ['engineer@northwind.test', 'engineer@northwind.test', 'engineer@northwind.test']) {
    const { status, body } = await link(browserClient, username, 'wrong');
    assert.equal(status, 422);
    assert.equal(body.Error, 'The supplied details are incorrect.');
  }
  const asked = await link(browserClient, 'engineer@northwind.test');
  assert.deepEqual(Object.keys(asked.body.Errors), ['NotRobot']);
  for (const username of ['nobody@northwind.test', 'disabled@northwind.test', 'sso@northwind.test']) {
    const { body } = await link(browserClient, username);
    assert.equal(body.Error, 'The supplied details are incorrect.', username);
  }
  assert.equal(await linked(), false);
  const answered = await link(browserClient, 'engineer@northwind.test', seedPassword, { NotRobot: true });
  assert.equal(answered.body.Resources?.code, 'SESSION_CHANGED');
  await unlink();
});

test('the right details link, open the session at the address that was asked for, and next time the work account will do', async () => {
  const browserClient = createBrowserClient(portal.url);
  await comeWithWork(browserClient, work, '/customers?page=2');
  const stage = browserClient.jar.get('__Host-portal-stage') ?? '';
  const { body } = await link(browserClient, work);
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/customers?page=2', replace: true }]);
  assert.equal(await isSignedIn(browserClient), true);
  const later = createBrowserClient(portal.url);
  assert.equal(await comeWithWork(later), '/customers');
  assert.equal(await isSignedIn(later), true);
  const records = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'account.link').execute(),
  );
  assert.deepEqual([records.at(-1)?.outcome, records.at(-1)?.account], ['done', work]);
  const replay = createBrowserClient(portal.url);
  replay.jar.set('__Host-portal-stage', stage);
  assert.equal((await link(replay, work)).body.Resources?.code, 'STEP_ENDED');
  await unlink();
});

test('the second factor of an account is asked for before it is linked', async () => {
  const browserClient = createBrowserClient(portal.url);
  await comeWithWork(browserClient);
  const { body } = await link(browserClient, 'mfa@northwind.test');
  assert.deepEqual(body.effects, [{ do: 'open-popup', popup: 'configure-mfa-verification-code' }]);
  assert.deepEqual([await linked(), await isSignedIn(browserClient)], [false, false]);
  const enter = (Code: string) =>
    browserClient.press('configure-mfa-verification-code', 'verify-code', 'command:auth.second-factor', {
      body: { Code },
    });
  assert.deepEqual(Object.keys((await enter('000000')).body.Errors), ['Code']);
  assert.equal(await linked(), false);
  const done = await enter(codeAt('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', Date.now()));
  assert.equal(done.body.Resources?.code, 'SESSION_CHANGED');
  assert.deepEqual([await linked(), await isSignedIn(browserClient)], [true, true]);
  await unlink();
});

const configure = (browserClient: BrowserClient, key: string) =>
  browserClient.press('configure-mfa', 'configure-code', 'command:auth.second-factor', {
    body: { Code: codeAt(key, Date.now()) },
  });

test('an app that has to be set up is set up before the account is linked; its recovery codes are shown before it opens', async () => {
  const browserClient = createBrowserClient(portal.url);
  await comeWithWork(browserClient, work, '/customers?page=2');
  const { body } = await link(browserClient, 'newmfa@northwind.test');
  assert.equal(body.effects[0].popup, 'configure-mfa');
  assert.deepEqual([await linked(), await isSignedIn(browserClient)], [false, false]);
  const done = await configure(browserClient, body.effects[0].with.key.value);
  assert.equal(done.body.effects[1].popup, 'recovery-codes');
  assert.equal(done.body.effects[1].with.codes.value.length, 10);
  assert.deepEqual([await linked(), await isSignedIn(browserClient)], [true, false]);
  const kept = await browserClient.press('recovery-codes', 'codes-kept', 'command:auth.codes-kept');
  assert.deepEqual(kept.body.effects, [{ do: 'navigate', to: '/customers?page=2', replace: true }]);
  assert.equal(await isSignedIn(browserClient), true);
  await resetApp();
});

test('a work account of somebody else is refused before an app is asked for, which stays as it was', async t => {
  t.after(resetApp);
  const browserClient = createBrowserClient(portal.url);
  await comeWithWork(browserClient);
  const engineer = sql<number>`(select id from accounts where username = 'engineer@northwind.test')`;
  const { subject } = await sandbox.db
    .selectFrom('people')
    .select(({ cast }) => cast<string>('subject', 'text').as('subject'))
    .where('username', '=', work)
    .executeTakeFirstOrThrow();
  await sandbox.db.insertInto('identities').values({ issuer: '/office', subject, account_id: engineer }).execute();
  const { body } = await link(browserClient, 'newmfa@northwind.test');
  assert.deepEqual(body.Messages, ['This work account is linked to another account.']);
});

test('what the cloud says about a link that it refuses is told', async () => {
  const browserClient = createBrowserClient(portal.url);
  await comeWithWork(browserClient);
  const { status, body } = await link(browserClient, 'sso-prohibited@northwind.test');
  assert.equal(status, 422);
  assert.deepEqual(body.Messages, ['This account may not sign in with Microsoft.']);
  assert.equal(await linked(), false);
});

test('a work account of somebody who may not use it leads to the regular login', async () => {
  const browserClient = createBrowserClient(portal.url);
  assert.equal(await comeWithWork(browserClient, 'sso-prohibited@northwind.test'), '/login?signOn=failed');
  const shown = await browserClient.failure();
  assert.deepEqual([shown.popup, shown.with.organisation?.value], ['sso-prohibited', '1001']);
  const { body } = await browserClient.press('sso-prohibited', 'regular', 'command:auth.leave-sign-on');
  assert.equal(body.effects[0].to, '/login');
  await portal.signIn('sso-prohibited@northwind.test');
});

test('without a work account that waits there is nothing to link, whatever is known of the account', async () => {
  for (const password of [seedPassword, 'wrong'])
    assert.equal((await link(createBrowserClient(portal.url), work, password)).body.Resources?.code, 'STEP_ENDED');
});

const isWaiting = async (browserClient: BrowserClient): Promise<unknown> =>
  (await browserClient.page('/link-account')).data.workAccount?.Result;

test('whether a work account waits is told by the page itself, until it is linked, given up or too old', async () => {
  const browserClient = createBrowserClient(portal.url);
  assert.deepEqual(await isWaiting(browserClient), { Waiting: false });
  await comeWithWork(browserClient);
  assert.deepEqual(await isWaiting(browserClient), { Waiting: true });
  assert.deepEqual(await isWaiting(createBrowserClient(portal.url)), { Waiting: false });
  await link(browserClient, 'mfa@northwind.test');
  const cancelled = await browserClient.press(
    'configure-mfa-verification-code',
    'verify-code',
    'command:auth.cancel-step',
  );
  assert.deepEqual(cancelled.body.effects, [
    { do: 'close-popup' },
    { do: 'refresh-operations', operations: ['signOn.workAccount'] },
  ]);
  assert.deepEqual(await isWaiting(browserClient), { Waiting: false });
  await comeWithWork(browserClient);
  passed += 11 * 60_000;
  assert.deepEqual(await isWaiting(browserClient), { Waiting: false });
});

test('who gives up linking is at the sign-in, and nothing waits any more', async () => {
  const browserClient = createBrowserClient(portal.url);
  await comeWithWork(browserClient);
  const { body } = await browserClient.press('/link-account', 'link-account', 'command:auth.leave-sign-on');
  assert.equal(body.effects[0].to, '/login');
  assert.equal((await link(browserClient, work)).body.Resources?.code, 'STEP_ENDED');
});
