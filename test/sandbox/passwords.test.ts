import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createCloud } from '../../server/cloud/gate.ts';
import { createPasswords } from '../../server/cloud/passwords.ts';
import { ratePassword } from '../../server/commands/password/password-verdict.ts';
import { validatePassword } from '../../server/sandbox/auth/password-rules.ts';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { scorePassword } from '../../shared/rules/password-score.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { linkFor } from '../fixtures/outbox.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const minute = 60_000;
const portalUrl = 'https://portal.example.test';
let now = Date.UTC(2027, 0, 1);
const sandbox = withSandbox({ now: () => new Date(now), portalUrl });

type Reply = { status: number; body: { Succeed: boolean; Result?: unknown; Messages?: string[] } };
async function send(method: string, path: string, body: unknown): Promise<Reply> {
  const reply = await fetch(sandbox.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: reply.status, body: (await reply.json()) as Reply['body'] };
}
const ask = (UserName: string) => send('POST', '/api/users/reset-password', { UserName });
const change = (owner: string, body: { key?: string | null; oldPassword?: string | null; newPassword: string }) =>
  send('PUT', `/api/users/${owner}/change-password`, { key: null, oldPassword: null, ...body });

async function token(username: string, password: string, more: Record<string, string> = {}): Promise<string> {
  const reply = await fetch(`${sandbox.url}/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', username, password, ...more }),
  });
  const { access_token, error_description = '' } = (await reply.json()) as Record<string, string>;
  return access_token ?? error_description;
}
const isToken = (text: string): boolean => text.startsWith('ey');
const mailCount = async (): Promise<number> => (await sandbox.db.selectFrom('outbox').selectAll().execute()).length;
const wrong = 'The username or password is wrong.';

test('the rules are told to anybody, of all six types, and those of the checklist have names', async () => {
  const { body } = await (await fetch(`${sandbox.url}/api/passwordsecurity/validationrules`))
    .json()
    .then(body => ({ body }));
  const rules = (body as { Result: { Type: string; Name?: string }[] }).Result;
  assert.deepEqual(rules.map(({ Type }) => Type).sort(), [
    'MinimumLength',
    'MinimumScore',
    'MultiplePattern',
    'minLength',
    'pattern',
    'required',
  ]);
  assert.equal(rules.filter(({ Name }) => Name).length, 3);
});

test('whatever the password, the portal and the cloud rate it alike', async () => {
  const url = new URL(sandbox.url);
  const cloud = createCloud({ cloud: url, auth: url });
  const rules = await createPasswords(cloud, Date.now).rules();
  const password = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.stringMatching(/^[A-Za-z0-9 !-]{0,30}$/),
    fc.constantFrom(
      '',
      ' ',
      'password',
      'Password1',
      'Harvest-moon-9',
      'aB3'.repeat(80),
      '\u0000Aa1',
      '\u202eAbcdefgh12 qq',
    ),
  );
  await fc.assert(
    fc.asyncProperty(password, async given => {
      const { faults } = ratePassword(rules, given, await scorePassword(given));
      assert.deepEqual(faults, await validatePassword(sandbox.db, given));
    }),
    { numRuns: 150 },
  );
  await cloud.close();
});

test('a link is mailed to the address of the account, leads to the configured portal and stands nowhere in the database', async () => {
  for (const name of ['user@contoso.test', ' USER@Contoso.TEST ']) {
    const before = await mailCount();
    const { statusCode } = await sandbox.app.inject({
      method: 'POST',
      url: '/api/users/reset-password',
      headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' },
      payload: { UserName: name },
    });
    assert.equal(statusCode, 200);
    assert.equal(await mailCount(), before + 1);
  }
  const { owner, key, url } = await linkFor(sandbox.db, 'user@contoso.test');
  assert.equal(url, `${portalUrl}/change-password/endUser/user%40contoso.test/${key}`);
  assert.equal(owner, 'endUser/user%40contoso.test');
  assert.match(key, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const links = await sandbox.db.selectFrom('password_links').selectAll().execute();
  assert.ok(links.length > 0 && !JSON.stringify(links).includes(key));
});

test('who is not there, is disabled or signs in elsewhere is answered alike and gets no mail', async () => {
  const before = await mailCount();
  const known = await ask('reseller@northwind.test');
  assert.equal(await mailCount(), before + 1);
  for (const name of ['nobody@nowhere.test', 'disabled@northwind.test', 'sso@northwind.test', "' or 1=1 --", '🚀'])
    assert.deepEqual(await ask(name), known, name);
  assert.equal(await mailCount(), before + 1);
});

test('three links in a quarter of an hour are all that an account gets', async () => {
  const before = await mailCount();
  await Promise.all(Array.from({ length: 6 }, () => ask('engineer@northwind.test')));
  assert.equal(await mailCount(), before + 3);
  now += 16 * minute;
  await ask('engineer@northwind.test');
  assert.equal(await mailCount(), before + 4);
});

test('of many uses of one link at once a single one changes the password, and ends every sign-in', async () => {
  const old = await token('user@contoso.test', seedPassword);
  await ask('user@contoso.test');
  const { owner, key } = await linkFor(sandbox.db, 'user@contoso.test');
  const replies = await Promise.all(
    Array.from({ length: 6 }, (_, at) => change(owner, { key, newPassword: `Harbour-lantern-${at}4` })),
  );
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 410, 410, 410, 410, 410]);
  const at = replies.findIndex(({ status }) => status === 200);
  assert.ok(isToken(await token('user@contoso.test', `Harbour-lantern-${at}4`)));
  assert.equal(await token('user@contoso.test', seedPassword), wrong);
  const me = await fetch(`${sandbox.url}/api/users/login-user`, {
    headers: { authorization: `Bearer ${old}`, 'actor-id': 'user@contoso.test' },
  });
  assert.equal(me.status, 401);
});

test('a link that is too old, changed, somebody else’s or none changes nothing, and all are refused alike', async () => {
  await ask('admin@contoso.test');
  const { owner, key } = await linkFor(sandbox.db, 'admin@contoso.test');
  const newPassword = 'Harbour-lantern-84';
  const refused = await change(owner, { key: '0', newPassword });
  assert.equal(refused.status, 410);
  for (const [of, given] of [
    ['endUser/user%40contoso.test', key],
    ['reseller/reseller%40northwind.test', key],
    ['admin/admin%40contoso.test', key],
    ['endUserAdmin/nobody%40contoso.test', key],
    [owner, key.toUpperCase()],
    [owner, key.slice(1)],
    [owner, ''],
    [owner, '🚀\u202e'],
  ] as const)
    assert.deepEqual(await change(of, { key: given, newPassword }), refused, `${of} ${given}`);
  now += 61 * minute;
  assert.deepEqual(await change(owner, { key, newPassword }), refused);
  assert.ok(isToken(await token('admin@contoso.test', seedPassword)));
});

test('a weak password does not use the link up', async () => {
  await ask('admin@contoso.test');
  const { owner, key } = await linkFor(sandbox.db, 'admin@contoso.test');
  for (const newPassword of ['', 'short-A1', 'alllowercase1', 'Password123', 'Passw0rd\u00001234A'])
    assert.equal((await change(owner, { key, newPassword })).status, 400, newPassword);
  assert.equal((await change(owner, { key, newPassword: seedPassword.replace('Demo', 'Demonstration') })).status, 200);
});

test('passwords are taken byte for byte', async () => {
  await ask('noaccess@northwind.test');
  const { owner, key } = await linkFor(sandbox.db, 'noaccess@northwind.test');
  const newPassword = ` Ünï-côdé 🚀 ${'x'.repeat(64)}1 `;
  assert.equal((await change(owner, { key, newPassword })).status, 200);
  for (const other of [
    newPassword.trim(),
    newPassword.normalize('NFD'),
    newPassword.toLowerCase(),
    newPassword.slice(0, 72),
  ])
    assert.equal(await token('noaccess@northwind.test', other), wrong);
  assert.ok(isToken(await token('noaccess@northwind.test', newPassword)));
});

test('who must choose a new password is told so after a right one alone, and does it with that one', async () => {
  const name = 'reset@northwind.test';
  assert.equal(await token(name, 'wrong'), wrong);
  assert.equal(await token(name, seedPassword), `resetrequired|admin|${name}`);
  const owner = 'admin/reset%40northwind.test';
  const newPassword = 'Harbour-lantern-84';
  assert.deepEqual((await change(owner, { oldPassword: 'wrong', newPassword })).body.Messages, [
    'Current password was incorrect.',
  ]);
  assert.equal((await change(owner, { oldPassword: seedPassword, newPassword: seedPassword })).status, 400);
  const both = await Promise.all(
    [1, 2].map(at => change(owner, { oldPassword: seedPassword, newPassword: newPassword + at })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401]);
  const at = both.findIndex(({ status }) => status === 200) + 1;
  assert.ok(isToken(await token(name, newPassword + at)));
  // With nothing to be chosen, a password alone changes nothing for who is not signed in.
  assert.equal((await change(owner, { oldPassword: newPassword + at, newPassword })).status, 401);
});

test('a new password does not do without the second factor', async () => {
  await ask('mfa@northwind.test');
  const { owner, key } = await linkFor(sandbox.db, 'mfa@northwind.test');
  assert.equal((await change(owner, { key, newPassword: 'Harbour-lantern-84' })).status, 200);
  assert.equal(await token('mfa@northwind.test', 'Harbour-lantern-84'), 'mfa_token_needed');
  const mfaToken = codeAt('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', now);
  assert.ok(isToken(await token('mfa@northwind.test', 'Harbour-lantern-84', { mfaToken })));
});

test('who is signed in changes the password with the old one; the other sign-ins end, this one goes on', async () => {
  const name = 'rival@southridge.test';
  const [own, other] = [await sandbox.signIn(name), await sandbox.signIn(name)];
  const path = '/api/users/reseller/rival%40southridge.test/update-password';
  const newPassword = 'Harbour-lantern-84';
  const update = (of: string, oldPassword: string, at = path) =>
    sandbox.call(of, 'PUT', at, { oldPassword, newPassword });
  assert.equal((await update(own, 'wrong')).status, 401);
  assert.equal(
    (await update(own, seedPassword, path.replace('rival%40southridge', 'reseller%40northwind'))).status,
    403,
  );
  assert.equal((await update(own, seedPassword)).status, 200);
  assert.equal((await sandbox.call(own, 'GET', '/api/users/login-user')).status, 200);
  assert.equal((await sandbox.call(other, 'GET', '/api/users/login-user')).status, 401);
});
