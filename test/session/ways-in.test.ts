import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { createAttempts } from '../../server/session/attempts.ts';
import { type BrowserClient, createBrowserClient } from '../fixtures/browser-client.ts';
import { eventually } from '../fixtures/eventually.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { linkFor } from '../fixtures/outbox.ts';
import { withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const admin = 'admin@contoso.test';
const switcher = 'switcher@contoso.test';
const work = 'link@northwind.test';
const chosen = 'Harbour-lantern-84';
const key = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const minute = 60_000;
let passed = 0;
const now = (): number => Date.now() + passed;

const sandbox = withSandbox({ now: () => new Date(now()) });
const portal = withPortal(sandbox, { now });

const signIn = (browserClient: BrowserClient, username: string, Password = seedPassword) =>
  browserClient.press('/sign-in', 'sign-in', 'command:auth.sign-in', {
    with: { username },
    body: { Password, NotRobot: true },
  });
const isIn = async (browserClient: BrowserClient): Promise<boolean> =>
  JSON.parse((await browserClient.go(`${portal.url}/ui/boot`)).text).principal.type !== 'public';

/** Has a person of a provider open this account, or none. */
async function identify(provider: '/oidc' | '/office', person: string, account?: string): Promise<void> {
  const subject = sql`(select subject::text from people where provider = ${provider} and username = ${person})`;
  await sql`delete from identities where issuer = ${provider} and subject = ${subject}`.execute(sandbox.db);
  if (account !== undefined)
    await sql`insert into identities (issuer, subject, account_id)
      select ${provider}, ${subject}, id from accounts where username = ${account}`.execute(sandbox.db);
}
async function backFromWork(browserClient: BrowserClient): Promise<URL> {
  const { body } = await browserClient.press('/handle-ext-auth', 'office', 'command:auth.office-sign-in');
  return browserClient.signInAt(new URL(body.effects[0].to), work, seedPassword);
}

type Way = {
  readonly account: string;
  /** Whose second factor it goes by: asked for on the way, or known to whoever vouches for the person. */
  readonly second: 'asked' | 'elsewhere';
  /** Goes as far as the last stage; gives what takes it. */
  readonly begin: (browserClient: BrowserClient) => Promise<() => Promise<unknown>>;
};
const ways: Readonly<Record<string, Way>> = {
  password: { account: admin, second: 'asked', begin: async browserClient => () => signIn(browserClient, admin) },
  code: {
    account: 'mfa@northwind.test',
    second: 'elsewhere',
    begin: async browserClient => {
      await sandbox.db.updateTable('accounts').set({ mfa_step: 0 }).where('mfa_key', '=', key).execute();
      await signIn(browserClient, 'mfa@northwind.test');
      const Code = codeAt(key, now());
      return () =>
        browserClient.press('configure-mfa-verification-code', 'verify-code', 'command:auth.second-factor', {
          body: { Code },
        });
    },
  },
  'choice of a view': {
    account: switcher,
    second: 'asked',
    begin: async browserClient => {
      await signIn(browserClient, switcher);
      return () =>
        browserClient.press('switch-user', 'choose-admin', 'command:auth.switch-user', {
          body: { MasterControl: true },
        });
    },
  },
  jump: {
    account: admin,
    second: 'elsewhere',
    begin: async browserClient => {
      const token = await sandbox.signIn('reseller@northwind.test');
      const { body } = await sandbox.call(token, 'POST', '/api/jumps', { UserName: admin });
      const { CmToken: cmtoken, AdminId: adminid } = body.Result;
      return () => browserClient.press('/jump', 'jump', 'command:auth.jump', { with: { cmtoken, adminid } });
    },
  },
  'single sign-on': {
    account: admin,
    second: 'elsewhere',
    begin: async browserClient => {
      await identify('/oidc', 'sso@northwind.test', admin);
      const address = await browserClient.login('sso@northwind.test');
      const back = await browserClient.signInAt(address, 'sso@northwind.test', seedPassword);
      return () => browserClient.go(back);
    },
  },
  'work account': {
    account: admin,
    second: 'elsewhere',
    begin: async browserClient => {
      await identify('/office', work, admin);
      const back = await backFromWork(browserClient);
      return () => browserClient.go(back);
    },
  },
  'linking a work account': {
    account: admin,
    second: 'asked',
    begin: async browserClient => {
      await identify('/office', work);
      await browserClient.go(await backFromWork(browserClient));
      const body = { Username: admin, Password: seedPassword, NotRobot: true };
      return () => browserClient.press('/link-account', 'link-account', 'command:auth.link-account', { body });
    },
  },
  'reset password': {
    account: admin,
    second: 'asked',
    begin: async browserClient => {
      await browserClient.press('/reset-password', 'reset-password', 'command:auth.reset-password', {
        body: { UserName: admin },
      });
      const { owner, key: mailed } = await linkFor(sandbox.db, admin);
      const [userType = '', userName = ''] = owner.split('/').map(decodeURIComponent);
      return async () => {
        await browserClient.press(
          '/change-password/{usertype}/{username}/{key}',
          'new-password',
          'command:auth.change-password-by-link',
          { with: { userType, userName, key: mailed }, body: { NewPassword: chosen, NewPasswordAgain: chosen } },
        );
        // Choosing a password signs nobody in.
        assert.equal(await isIn(browserClient), false);
        await signIn(browserClient, admin, chosen);
      };
    },
  },
};

/** Goes a way in of an account; `spoil` comes before its last stage. */
async function goes({ account, begin }: Way, spoil: () => Promise<unknown>): Promise<boolean> {
  const kept = await sandbox.db
    .selectFrom('accounts')
    .select(['enabled', 'password_hash', 'mfa_key', 'mfa_required'])
    .where('username', '=', account)
    .executeTakeFirstOrThrow();
  const browserClient = createBrowserClient(portal.url);
  const finish = await begin(browserClient);
  assert.equal(await isIn(browserClient), false);
  await spoil();
  await finish();
  await sandbox.db.updateTable('accounts').set(kept).where('username', '=', account).execute();
  await portal.store.run(db => db.deleteFrom('attempts').execute());
  return isIn(browserClient);
}

const lock = async (account: string): Promise<void> => {
  const attempts = createAttempts(portal.store, now);
  for (let count = 0; count < 10; count++) await attempts.admit(account, '127.0.0.1', true);
  assert.equal(await attempts.admit(account, '127.0.0.1', true), 'locked');
};
const set = (account: string, values: { enabled?: boolean; mfa_key?: string; mfa_required?: boolean }) =>
  sandbox.db.updateTable('accounts').set(values).where('username', '=', account).execute();

test('every way in lets in whose account is well', async () => {
  for (const [name, way] of Object.entries(ways)) assert.equal(await goes(way, async () => undefined), true, name);
});

test('a locked account stays locked, whichever way in', async () => {
  for (const [name, way] of Object.entries(ways)) assert.equal(await goes(way, () => lock(way.account)), false, name);
});

/** Sign-ins of an account at the cloud. */
const grantsOf = (account: string) =>
  sandbox.db
    .selectFrom('grants as g')
    .innerJoin('accounts as a', 'a.id', 'g.account_id')
    .select(['g.id', 'g.revoked'])
    .where('a.username', '=', account)
    .execute();

test('the tokens that the cloud has made for a locked account are revoked there, whichever way they came', async () => {
  const withTokens: string[] = [];
  for (const [name, way] of Object.entries(ways)) {
    const before = new Set((await grantsOf(way.account)).map(({ id }) => id));
    const made = async () => (await grantsOf(way.account)).filter(({ id }) => !before.has(id));
    await goes(way, () => lock(way.account));
    if ((await made()).length > 0) withTokens.push(name);
    const isRevoked = async () => (await made()).every(({ revoked }) => revoked !== null);
    await eventually(isRevoked, `the tokens of ${name} are revoked`);
  }
  // The others are refused before the cloud is asked.
  assert.deepEqual(withTokens, ['choice of a view', 'jump', 'single sign-on', 'work account']);
});

test('a disabled account is let in by no way', async () => {
  for (const [name, way] of Object.entries(ways))
    assert.equal(await goes(way, () => set(way.account, { enabled: false })), false, name);
});

test('an account with an authenticator app is let in by no password alone; who jumps or signs on gave a second factor before', async () => {
  for (const [name, way] of Object.entries(ways)) {
    const begin: Way['begin'] = async browserClient => {
      await set(way.account, { mfa_key: key, mfa_required: true });
      return way.begin(browserClient);
    };
    assert.equal(await goes({ ...way, begin }, async () => undefined), way.second === 'elsewhere', name);
  }
});

/** Has what a session does pass the moment at which its tokens are exchanged. */
async function lateReads(browserClient: BrowserClient): Promise<number> {
  passed += 14 * minute;
  return (await browserClient.go(`${portal.url}/ui/data/customers.get`)).status;
}
async function change(browserClient: BrowserClient): Promise<boolean> {
  const client = portal.client();
  client.cookie = `__Host-portal=${browserClient.jar.get('__Host-portal')}`;
  const given = { node: 'switch-user', layout: 'navigation', body: { MasterControl: false } };
  return (await client.post('/auth/switch-user', given)).body.Resources?.code === 'SESSION_CHANGED';
}

test('an open session of an account that is disabled is neither refreshed nor switched; a lock keeps out who comes, not who is in', async () => {
  const opened = async (): Promise<BrowserClient> => {
    const browserClient = createBrowserClient(portal.url);
    await (await ways['choice of a view']?.begin(browserClient))?.();
    return browserClient;
  };
  const [refreshed, switched, locked] = [await opened(), await opened(), await opened()];
  await lock(switcher);
  assert.equal(await lateReads(locked), 200);
  assert.equal(await change(locked), true);
  await set(switcher, { enabled: false });
  assert.equal(await change(switched), false);
  assert.equal(await lateReads(refreshed), 401);
  await set(switcher, { enabled: true });
});
