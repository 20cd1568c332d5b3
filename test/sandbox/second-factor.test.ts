import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const key = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const minute = 60_000;
let now = Date.UTC(2027, 0, 1);
const sandbox = withSandbox({ now: () => new Date(now) });

async function signIn(username: string, fields: Record<string, string> = {}): Promise<string> {
  const reply = await fetch(`${sandbox.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username, password: seedPassword, ...fields }),
  });
  const { access_token, error_description = '' } = (await reply.json()) as Record<string, string>;
  return access_token ? 'let in' : error_description;
}

test('the codes of RFC 6238, appendix B, are those that the tests make', () => {
  const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const expected = { 59: '94287082', 1111111109: '07081804', 1111111111: '14050471', 20000000000: '65353130' };
  for (const [seconds, code] of Object.entries(expected)) assert.equal(codeAt(secret, Number(seconds) * 1000, 8), code);
});

test('an account with an authenticator app is let in by its password and a code, once per code', async () => {
  assert.equal(await signIn('mfa@northwind.test'), 'mfa_token_needed');
  assert.equal(await signIn('mfa@northwind.test', { mfaToken: '000000' }), 'mfa_token_needed');
  const mfaToken = codeAt(key, now);
  const answers = await Promise.all([1, 2, 3].map(() => signIn('mfa@northwind.test', { mfaToken })));
  assert.deepEqual(answers.sort(), ['let in', 'mfa_token_needed', 'mfa_token_needed']);
});

test('a code is good for one step before and after its own, and an older one never after a newer', async () => {
  now += 10 * minute;
  const codes = [-2, -1, 1, 2].map(step => codeAt(key, now + step * 30_000));
  assert.equal(await signIn('mfa@northwind.test', { mfaToken: codes[0] as string }), 'mfa_token_needed');
  assert.equal(await signIn('mfa@northwind.test', { mfaToken: codes[3] as string }), 'mfa_token_needed');
  assert.equal(await signIn('mfa@northwind.test', { mfaToken: codes[2] as string }), 'let in');
  assert.equal(await signIn('mfa@northwind.test', { mfaToken: codes[1] as string }), 'mfa_token_needed');
});

test('a wrong password is not told whether a code is needed', async () => {
  assert.equal(await signIn('mfa@northwind.test', { password: 'wrong' }), 'The username or password is wrong.');
});

test('who must set up an app is offered one key until a code of it has come', async () => {
  const [what, offered = '', image] = (await signIn('newmfa@northwind.test')).split('|');
  assert.equal(what, 'mfa_config_needed');
  assert.match(offered, /^[A-Z2-7]{32}$/);
  assert.ok(URL.canParse(image ?? ''));
  assert.ok((await signIn('newmfa@northwind.test')).includes(offered));
  const other = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
  const own = await signIn('newmfa@northwind.test', { mfaKey: other, mfaToken: codeAt(other, now) });
  assert.match(own, /^mfa_config_needed/);
  assert.equal(await signIn('newmfa@northwind.test', { mfaKey: offered, mfaToken: codeAt(offered, now) }), 'let in');
  assert.equal(await signIn('newmfa@northwind.test'), 'mfa_token_needed');
});
