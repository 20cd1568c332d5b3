import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginSetUp, enterFirstCode } from '../fixtures/authenticator.ts';
import { type Answer, type Client, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);

type Press = Parameters<Client['press']>;
const byLink = '/change-password/{usertype}/{username}/{key}';
const newPassword = { NewPassword: 'Quiet-orchard-77', NewPasswordAgain: 'Quiet-orchard-77' };
const code = { body: { Code: '000000' } };
const ended = 'request.denied: STEP_ENDED';

/** What a stranger's browser presses, and what is kept of it. */
const tried: Readonly<Record<string, readonly [kept: string, ...press: Press]>> = {
  'a username that nobody has': [
    'session.sign-in: unknown username',
    ...(['/login', 'login', 'command:auth.login', { body: { Username: 'nobody@nowhere.test' } }] as const),
  ],
  'a code that is not waited for': [
    ended,
    'configure-mfa-verification-code',
    'verify-code',
    'command:auth.second-factor',
    code,
  ],
  'the first code of an app that is not waited for': [
    ended,
    'configure-mfa',
    'configure-code',
    'command:auth.second-factor',
    code,
  ],
  'a recovery code that is not waited for': [
    ended,
    'configure-mfa-verification-code',
    'verify-recovery-code',
    'command:auth.recovery-code',
    { body: { RecoveryCode: 'AAAA-BBBB-CCCC' } },
  ],
  'recovery codes of nobody that were kept': [ended, 'recovery-codes', 'codes-kept', 'command:auth.codes-kept'],
  'a choice of a portal for nobody': [ended, '/login', 'portal-choice', 'command:auth.portal-choice'],
  'an account to link with no work account': [
    ended,
    '/link-account',
    'link-account',
    'command:auth.link-account',
    { body: { Username: 'user@contoso.test', Password: 'a-password' } },
  ],
  'a new password that is not waited for': [
    ended,
    'new-password',
    'new-password',
    'command:auth.change-password',
    { body: { ...newPassword, ExistingPassword: 'a-password' } },
  ],
  'a link to a new password for a name that is too long': [
    'password.changed: ended',
    byLink,
    'new-password',
    'command:auth.change-password-by-link',
    { with: { userType: 'endUser', userName: 'x'.repeat(400), key: 'none-of-any-mail' }, body: newPassword },
  ],
  'an incomplete link': [
    'link.incomplete: link.spam-release',
    '/incomplete-link',
    'leave',
    'command:links.release-spam',
  ],
  'a link without its key': [
    'link.incomplete: link.archive-access',
    '/verify-email-archive-access/{ACCESSTYPE}/{TOKEN}',
    'verify',
    'command:links.verify-archive-access',
    { with: { accessType: 'search' } },
  ],
};

const records = () => portal.store.run(db => db.selectFrom('audit').selectAll().orderBy('id').execute());

for (const [what, [kept, ...press]] of Object.entries(tried)) {
  test(`${what} is refused in words, opens nothing and leaves one record`, async () => {
    const before = await records();
    const browser = portal.client();
    const answer: Answer = await browser.press(...press);
    const { Error: said, Messages, Resources } = answer.body;
    assert.ok(said ?? Messages ?? Resources.code === 'SESSION_CHANGED');
    assert.equal(browser.cookie, '');
    const told = (await records()).slice(before.length).map(({ action, outcome, account, detail }) => {
      const { code: why, ...more } = detail as unknown as Readonly<Record<string, unknown>>;
      return `${action}: ${why ?? more.why ?? more.link}, ${outcome}, ${account}`;
    });
    assert.deepEqual(told, [`${kept}, refused, null`]);
  });
}

test('a code for an app that is no longer offered leaves a record of its user', async () => {
  const browser = await portal.signIn('user@contoso.test');
  assert.equal((await beginSetUp(browser)).status, 200);
  await portal.store.run(db => db.deleteFrom('steps').execute());
  const { body } = await enterFirstCode(browser, '000000');
  assert.equal(body.Resources?.code, 'STEP_OVER');
  const { action, outcome, account } = (await records()).at(-1) ?? {};
  assert.deepEqual([action, outcome, account], ['mfa.set-up', 'refused', 'user@contoso.test']);
});
