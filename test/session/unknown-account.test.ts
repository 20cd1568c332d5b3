import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { createBrowserClient } from '../fixtures/browser-client.ts';
import { signInAs, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const known = 'Engineer@Northwind.test';
/** What somebody types a field too early. */
const slip = 'Harbour-lantern-2026';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, () => ({ env: { OFFICE_OIDC_ISSUER: `${sandbox.url}/office` } }));

const signIn = (name: string) => signInAs(portal.client(), name, `${seedPassword}?`, { NotRobot: true });

async function link(name: string): Promise<unknown> {
  const browserClient = createBrowserClient(portal.url);
  const { body } = await browserClient.press('/handle-ext-auth', 'office', 'command:auth.office-sign-in');
  await browserClient.go(
    await browserClient.signInAt(new URL(body.effects[0].to), 'link@northwind.test', seedPassword),
  );
  const given = { Username: name, Password: `${seedPassword}?`, NotRobot: true };
  return browserClient.press('/link-account', 'link-account', 'command:auth.link-account', { body: given });
}

const askForLink = (UserName: string) =>
  portal.client().press('/reset-password', 'reset-password', 'command:auth.reset-password', { body: { UserName } });

const changeByLink = (userName: string) =>
  portal
    .client()
    .press('/change-password/{usertype}/{username}/{key}', 'new-password', 'command:auth.change-password-by-link', {
      with: { userType: 'endUser', userName, key: 'none-of-any-mail' },
      body: { NewPassword: 'Quiet-orchard-77', NewPasswordAgain: 'Quiet-orchard-77' },
    });

async function locked(name: string): Promise<void> {
  for (let count = 0; count < 11; count++) await signIn(name);
}

const lastRecord = async () => {
  const record = await portal.store.run(db =>
    db.selectFrom('audit').select(['account', 'detail']).orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
  );
  return { ...record, detail: record.detail as unknown as Readonly<Record<string, unknown>> };
};

for (const [way, tried] of Object.entries({
  'a wrong password': signIn,
  'a locked account': locked,
  'an account to link': link,
  'a link to a new password': askForLink,
  'a new password by link': changeByLink,
})) {
  test(`${way}: an account is recorded that the cloud knows; what else was typed is not, as it may be a password`, async () => {
    await tried(` ${known}`);
    const { account, detail } = await lastRecord();
    assert.deepEqual([account, detail.known], [known, undefined]);
    await tried(slip);
    const record = await lastRecord();
    assert.deepEqual([record.account, record.detail.known], [null, false]);
    assert.doesNotMatch(JSON.stringify(record) + portal.log(), /Harbour/i);
  });
}

test('where the cloud does not say whether it knows an account, none is recorded', async () => {
  proxy.intercept(({ url }, response) => url.startsWith('/auth/login-flow') && answerJson(response, 503, {}));
  await signIn('rival@southridge.test');
  proxy.intercept(undefined);
  assert.equal((await lastRecord()).account, null);
});
