import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { beginSetUp, enterFirstCode, shownCodes } from '../fixtures/authenticator.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { type Answer, type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const minute = 60_000;
const username = 'codes@northwind.test';
const own = '/ui/data/sessions.mine';
let now = Date.UTC(2027, 0, 1);
let key = '';
let codes: readonly string[] = [];

const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 1_000_000 });
const portal = withPortal(sandbox, { now: () => now });
let browser: Client;
setUp(async () => {
  browser = await portal.signIn(username);
});

const state = async () => (await browser.get('/ui/data/mfa.status')).body.Result;
const codeOf = (answer: Answer) => answer.body.Resources?.code;
/** A code that has not been used yet. */
const freshCode = (): string => {
  now += minute;
  return codeAt(key, now);
};
const reset = (body: Record<string, unknown>): Promise<Answer> =>
  browser.press('reset-mfa', 'reset-mfa', 'command:mfa.reset', { body });
const renew = (body: Record<string, unknown>): Promise<Answer> =>
  browser.press('new-recovery-codes', 'new-recovery-codes', 'command:mfa.recovery-codes', { body });

/** A browser between password and code. */
async function atCode(at = portal): Promise<Client> {
  const client = at.client();
  const reply = await signInAs(client, username, seedPassword, { NotRobot: true });
  assert.equal(reply.body.effects?.[0]?.popup, 'configure-mfa-verification-code');
  return client;
}
const recover = (client: Client, RecoveryCode: string): Promise<Answer> =>
  client.press('configure-mfa-verification-code', 'verify-recovery-code', 'command:auth.recovery-code', {
    body: { RecoveryCode },
  });

test('an app is set up for the password and its first code, which ends the other sessions and gives ten codes', async () => {
  const other = await portal.signIn(username);
  const session = browser.cookie;
  assert.deepEqual(await state(), { Available: true, Enabled: false, RecoveryCodes: 0, Required: false });
  assert.deepEqual(Object.keys((await beginSetUp(browser, 'wrong')).body.Errors), ['Password']);
  const begun = await beginSetUp(browser);
  assert.deepEqual(
    begun.body.effects.map((effect: { do: string; popup?: string }) => effect.popup ?? effect.do),
    ['close-popup', 'configure-mfa'],
  );
  key = begun.body.effects[1].with.key.value;
  assert.deepEqual(Object.keys((await enterFirstCode(browser, '000000')).body.Errors), ['Code']);
  const done = await enterFirstCode(browser, `${codeAt(key, now).slice(0, 3)} ${codeAt(key, now).slice(3)}`);
  browser.cookie = session;
  codes = shownCodes(done.body);
  assert.equal(codes.length, 10);
  assert.deepEqual(await state(), { Available: true, Enabled: true, RecoveryCodes: 10, Required: false });
  assert.equal((await other.get(own)).status, 401);
  assert.equal((await browser.get(own)).status, 200);
});

test('setting up is completed by the session that began it alone, once, within ten minutes', async () => {
  const [first, second] = [
    await portal.signIn('engineer@northwind.test'),
    await portal.signIn('engineer@northwind.test'),
  ];
  const sessions = [first.cookie, second.cookie];
  const begun = await beginSetUp(first);
  const offered = begun.body.effects[1].with.key.value;
  const stage = first.cookie.split('; ')[1];
  second.cookie = `${sessions[1]}; ${stage}`;
  assert.equal(codeOf(await enterFirstCode(second, codeAt(offered, now))), 'STEP_OVER');
  second.cookie = sessions[1] ?? '';
  assert.equal(codeOf(await enterFirstCode(second, codeAt(offered, now))), 'STEP_OVER');
  now += 11 * minute;
  assert.equal(codeOf(await enterFirstCode(first, codeAt(offered, now))), 'STEP_OVER');
});

test('nothing about the second factor changes without the right password and an unused code', async () => {
  const used = freshCode();
  assert.equal((await renew({ Password: seedPassword, Code: used })).status, 200);
  const before = await state();
  const wrong = [
    {},
    { Password: seedPassword },
    { Code: codeAt(key, now + minute) },
    { Password: '', Code: codeAt(key, now + minute) },
    { Password: seedPassword, Code: used },
    { Password: seedPassword, Code: '000000' },
    { Password: 'wrong', Code: codeAt(key, now) },
    { Password: `${seedPassword}\u202e`, Code: '🚀' },
  ];
  for (const body of wrong) {
    for (const answer of [await renew(body), await reset({ ...body, Way: 'app' })])
      assert.deepEqual([answer.status, Object.keys(answer.body.Errors).length > 0], [422, true], JSON.stringify(body));
    now += 20 * minute;
    browser = await again();
  }
  const without = await reset({ Password: seedPassword, Way: 'recovery', RecoveryCode: 'AAAA-AAAA-AAAA' });
  assert.deepEqual(Object.keys(without.body.Errors), ['RecoveryCode']);
  assert.equal((await beginSetUp(browser)).status, 409);
  assert.deepEqual(await state(), before);
});

/** The same person in a new session: the clock went on. */
async function again(): Promise<Client> {
  const client = await atCode();
  const { headers } = await client.press(
    'configure-mfa-verification-code',
    'verify-code',
    'command:auth.second-factor',
    { body: { Code: freshCode() } },
  );
  const session = headers.getSetCookie().find(cookie => cookie.startsWith('__Host-portal='));
  client.cookie = session?.split(';')[0] ?? '';
  return client;
}

test('new recovery codes end the other sessions and take the place of the old ones', async () => {
  const other = await again();
  const reply = await renew({ Password: seedPassword, Code: freshCode() });
  assert.equal((await other.get(own)).status, 401);
  assert.deepEqual(Object.keys((await recover(await atCode(), codes[0] ?? '')).body.Errors), ['RecoveryCode']);
  codes = shownCodes(reply.body);
});

test('a recovery code signs in once, of many at the same moment one', async () => {
  const clients = await Promise.all([1, 2, 3, 4, 5].map(() => atCode()));
  const answers = await Promise.all(clients.map(client => recover(client, codes[0] ?? '')));
  assert.deepEqual(answers.map(codeOf).sort(), [
    ...Array.from({ length: 4 }, () => 'FIELDS_INVALID'),
    'SESSION_CHANGED',
  ]);
  assert.equal((await state()).RecoveryCodes, 9);
});

test('what is no recovery code is said at its field and counted with the codes', async () => {
  now += 20 * minute;
  browser = await again();
  const client = await atCode();
  for (const bad of ['', 'AAAA', '\u202e\u202e\u202e\u202e-AAAA-AAAA', '🚀🚀🚀🚀-🚀🚀🚀🚀-🚀🚀🚀🚀', 'A'.repeat(100)])
    assert.deepEqual(Object.keys((await recover(client, bad)).body.Errors), ['RecoveryCode'], bad);
  for (let count = 0; count < 10; count++) await recover(client, 'AAAA-AAAA-AAAA');
  assert.equal(codeOf(await recover(client, codes[1] ?? '')), 'TOO_MANY_CODES');
  assert.equal((await reset({ Password: seedPassword, Way: 'app', Code: freshCode() })).status, 422);
});

test('a hundred guesses of a password in an open session pass the limit of signing in no more than elsewhere', async () => {
  now += 20 * minute;
  const guesser = await portal.signIn('rival@southridge.test');
  const answers = await Promise.all(
    Array.from({ length: 30 }, () =>
      guesser.press('set-up-mfa', 'confirm-password', 'command:mfa.set-up', { body: { Password: 'wrong' } }),
    ),
  );
  assert.equal(answers.filter(answer => codeOf(answer) === 'TOO_MANY_PROOFS').length, 20);
  assert.equal((await signInAs(portal.client(), 'rival@southridge.test', seedPassword)).status, 422);
});

test('a reset by recovery code ends the other sessions, and the password signs in alone', async () => {
  now += 20 * minute;
  browser = await again();
  const other = await again();
  const done = await reset({ Password: seedPassword, Way: 'recovery', RecoveryCode: codes[2]?.toLowerCase() });
  assert.equal(done.status, 200, done.text);
  assert.equal((await other.get(own)).status, 401);
  assert.equal((await state()).Enabled, false);
  await portal.signIn(username);
});

test('each of it is in the security log of its user', async () => {
  const { body } = await browser.get('/ui/data/security.log?pageSize=100');
  const told = new Set(body.Result.Items.map(({ Event, Outcome }: Record<string, string>) => `${Event} ${Outcome}`));
  for (const event of [
    'mfa.set-up done',
    'mfa.set-up refused',
    'mfa.recovery-codes done',
    'mfa.recovery-codes refused',
    'mfa.reset done',
    'mfa.reset refused',
    'session.second-factor done',
    'session.recovery-code done',
    'session.recovery-code refused',
  ])
    assert.ok(told.has(event), event);
});
