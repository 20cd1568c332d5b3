import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { codeAt } from '../fixtures/one-time-code.ts';
import { signInAs, startPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { linesWithSecrets } from '../fixtures/secrets.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);

test('a portal of a test does not close in peace while the store or the log holds a secret', async () => {
  for (const spoil of ['record', 'line', 'nothing']) {
    const portal = await startPortal({ cloudUrl: proxy.url });
    const browser = await portal.signIn('engineer@northwind.test');
    const secret = browser.cookie.split('=')[1] ?? '';
    const told = {
      action: 'x',
      outcome: 'done',
      account: secret,
      actor: null,
      address: null,
      device: null,
      detail: '{}',
    };
    if (spoil === 'record') await portal.store.run(db => db.insertInto('audit').values(told).execute());
    if (spoil === 'line') {
      await browser.get(`/ui/data/${secret}`);
      await portal.store.run(db => db.deleteFrom('audit').execute());
    }
    if (spoil === 'nothing') await portal.close();
    else await assert.rejects(portal.close(), /a secret in the store or the log/, spoil);
  }
});

test('passwords, codes, keys, tokens and cookies count, sent or given, whole or cut off; what only looks like one does not', async t => {
  const portal = await startPortal({ cloudUrl: proxy.url });
  t.after(() => portal.close());
  const browser = portal.client();
  const { body } = await signInAs(browser, 'newmfa@northwind.test', seedPassword);
  const key: string = body.effects[0].with.key.value;
  const code = codeAt(key, Date.now());
  const stage = browser.cookie;
  const done = await browser.press('configure-mfa', 'configure-code', 'command:auth.second-factor', {
    body: { Code: code },
  });
  const { access_token: access } = JSON.parse(
    proxy.exchanges.findLast(({ url }) => url === '/auth/token')?.reply ?? '',
  );
  const secrets: string[] = [
    seedPassword,
    key,
    code,
    stage,
    access,
    ...done.body.effects[1].with.codes.value.map(({ Code }: { Code: string }) => Code),
  ];
  for (const secret of secrets)
    assert.deepEqual(linesWithSecrets([`"${secret}" was given`]), [`"${secret}" was given`]);
  const cut = `{"what":"Bearer ${access.slice(0, 40)}`;
  assert.deepEqual(linesWithSecrets([cut]), [cut]);
  assert.deepEqual(linesWithSecrets([`{"time":1${code}000,"code":"SIGN_IN_FAILED"}`, 'the password']), []);
});
