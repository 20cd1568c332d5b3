import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { type Reply, withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const minute = 60_000;
const username = 'codes@northwind.test';
let now = Date.UTC(2027, 0, 1);
let key = '';
let codes: string[] = [];

const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 1_000_000 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn(username);
});

const call = (method: string, path: string, body: Record<string, unknown>): Promise<Reply> =>
  sandbox.call(token, method, `/api/mfa/${path}`, body);
/** A code that has not been used yet. */
const freshCode = (): string => {
  now += minute;
  return codeAt(key, now);
};

async function signIn(fields: Record<string, string>): Promise<string> {
  const reply = await fetch(`${sandbox.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username, password: seedPassword, ...fields }),
  });
  const { access_token, error_description = '' } = (await reply.json()) as Record<string, string>;
  return access_token ? 'let in' : error_description;
}

test('setting up takes the password, and only a code of the offered key completes it', async () => {
  assert.deepEqual((await call('POST', 'is-enabled', {})).body.Result, {
    available: true,
    enabled: false,
    required: false,
    recoveryCodes: 0,
  });
  assert.equal((await call('POST', 'setup', {})).status, 400);
  assert.deepEqual((await call('POST', 'setup', { Password: 'wrong' })).body.Errors, {
    Password: ['The password is wrong.'],
  });
  const { manualEntryKey, qrCodeSetupImageUrl } = (await call('POST', 'setup', { Password: seedPassword })).body.Result;
  assert.ok(URL.canParse(qrCodeSetupImageUrl));
  key = manualEntryKey;
  const own = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  for (const body of [
    { Password: 'wrong', Key: key, Code: codeAt(key, now) },
    { Password: seedPassword, Key: own, Code: codeAt(own, now) },
    { Password: seedPassword, Key: key, Code: codeAt(own, now) },
    { Key: key, Code: codeAt(key, now) },
  ])
    assert.equal((await call('PUT', 'configure', body)).status, 400, JSON.stringify(body));
  assert.equal((await call('POST', 'is-enabled', {})).body.Result.enabled, false);

  const other = await sandbox.signIn(username);
  const done = await call('PUT', 'configure', { Password: seedPassword, Key: key, Code: codeAt(key, now) });
  codes = done.body.Result.recoveryCodes;
  assert.equal(new Set(codes).size, 10);
  for (const code of codes) assert.match(code, /^(?:[2-9A-HJKMNP-TV-Z]{4}-){2}[2-9A-HJKMNP-TV-Z]{4}$/);
  assert.equal((await sandbox.call(other, 'GET', '/api/permissions')).status, 401, 'other sign-ins are over');
  assert.equal((await call('POST', 'setup', { Password: seedPassword })).status, 409);
});

test('the owner is told by mail and in the portal, and no code stands in the database', async () => {
  const mail = await sandbox.db.selectFrom('outbox').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  assert.deepEqual([mail.recipient, mail.subject], [username, 'Authenticator app set up']);
  const { body } = await sandbox.call(token, 'GET', '/api/notifications');
  assert.equal(body.Result[0].Message, 'Authenticator app set up');
  const rows = await sandbox.db.selectFrom('recovery_codes').selectAll().execute();
  const stored = JSON.stringify(notEmpty(rows));
  for (const code of notEmpty(codes)) assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll('-', '')));
});

test('a recovery code signs in once, of several at the same time one, however it is written', async () => {
  const [first = '', second = ''] = codes;
  const attempts = await Promise.all([1, 2, 3, 4].map(() => signIn({ mfaRecoveryCode: first })));
  assert.deepEqual(attempts.sort(), ['let in', 'mfa_token_needed', 'mfa_token_needed', 'mfa_token_needed']);
  assert.equal(await signIn({ mfaRecoveryCode: first }), 'mfa_token_needed');
  assert.equal(await signIn({ mfaRecoveryCode: ` ${second.toLowerCase().replaceAll('-', ' ')} ` }), 'let in');
  assert.equal((await call('POST', 'is-enabled', {})).body.Result.recoveryCodes, 8);
  const mail = await sandbox.db.selectFrom('outbox').select('body').orderBy('id', 'desc').executeTakeFirstOrThrow();
  assert.match(mail.body, /A recovery code was used to sign in to your account\. Codes left: 8\./);
});

test('what is no recovery code of the account lets nobody in', async () => {
  for (const mfaRecoveryCode of ['AAAA-AAAA-AAAA', '🚀', 'A'.repeat(40), '-', codes[2]?.slice(1) ?? ''])
    assert.equal(await signIn({ mfaRecoveryCode }), 'mfa_token_needed', mfaRecoveryCode);
  assert.equal(await signIn({ mfaRecoveryCode: '\u202e' }), 'The request is malformed.');
});

test('nothing about the second factor changes without the password and a code, and a code works once', async () => {
  const code = freshCode();
  assert.equal((await call('POST', 'verify-token', { Code: code })).status, 200);
  for (const [method, path] of [
    ['PUT', 'disable'],
    ['POST', 'recovery-codes'],
  ] as const)
    for (const body of [
      {},
      { Password: seedPassword },
      { Code: code },
      { Password: seedPassword, Code: code },
      { Password: 'wrong', Code: freshCode() },
      { Password: seedPassword, Code: '000000' },
    ])
      assert.equal((await call(method, path, body)).status, 400, `${path} ${JSON.stringify(body)}`);
  assert.equal((await call('PUT', 'disable', { Password: seedPassword, RecoveryCode: codes[0] })).status, 400);
  assert.equal((await call('POST', 'is-enabled', {})).body.Result.recoveryCodes, 8);
});

test('new recovery codes take the place of the old ones', async () => {
  const old = codes[5] ?? '';
  now += 20 * minute;
  const reply = await call('POST', 'recovery-codes', { Password: seedPassword, Code: freshCode() });
  codes = reply.body.Result.recoveryCodes;
  assert.equal(codes.length, 10);
  assert.equal(await signIn({ mfaRecoveryCode: old }), 'mfa_token_needed');
});

test('wrong proofs are counted for themselves, even in parallel, and a right password does not clear them', async () => {
  now += 20 * minute;
  const wrong = await Promise.all(Array.from({ length: 30 }, () => call('POST', 'verify-token', { Code: '000000' })));
  const invalid = wrong.filter(({ body }) => body.Error === 'Invalid');
  assert.equal(invalid.length, 10);
  const locked = await call('POST', 'verify-user', { Password: seedPassword });
  assert.deepEqual([locked.status, locked.body.Error], [400, 'TooManyAttempts']);
  assert.equal(await signIn({ mfaToken: freshCode() }), 'let in', 'signing in goes on');
  now += 16 * minute;
  for (let count = 0; count < 9; count++) await call('POST', 'verify-token', { Code: '000000' });
  assert.equal((await call('POST', 'verify-user', { Password: seedPassword })).status, 200);
  assert.equal((await call('POST', 'verify-token', { Code: '000000' })).body.Error, 'Invalid');
  assert.equal((await call('POST', 'verify-token', { Code: freshCode() })).body.Error, 'TooManyAttempts');
});

test('a recovery code resets the app, and then the password alone signs in', async () => {
  now += 20 * minute;
  const reply = await call('PUT', 'disable', { Password: seedPassword, RecoveryCode: codes[0] });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  assert.equal(await signIn({}), 'let in');
  assert.equal((await sandbox.db.selectFrom('recovery_codes').selectAll().execute()).length, 0);
});

test('who signs in through a provider has no second factor here', async () => {
  await sandbox.db.updateTable('accounts').set({ login_flow: 'SSO' }).where('username', '=', username).execute();
  assert.equal((await call('POST', 'is-enabled', {})).body.Result.available, false);
  assert.equal((await call('POST', 'setup', { Password: seedPassword })).status, 409);
});
