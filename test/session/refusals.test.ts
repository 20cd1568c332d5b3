import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { signInAs, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
/** Epoch milliseconds at which the portal's clock stands; undefined while it runs. */
let stopped: number | undefined;
const portal = withPortal(proxy, { env: { UNKNOWN_USERNAME: 'hide' }, now: () => stopped ?? Date.now() });

test('where unknown usernames are hidden, one is answered as a known one', async () => {
  const ask = async (Username: string) => {
    const { status, body } = await portal
      .client()
      .press('/login', 'login', 'command:auth.login', { body: { Username } });
    return [status, JSON.stringify(body).replaceAll(encodeURIComponent(Username), 'NAME')];
  };
  assert.deepEqual(await ask('nobody@nowhere.test'), await ask('reseller@northwind.test'));
});

test('usernames are asked about only so often from one address, known or not, and what is said then tells nothing', async t => {
  t.after(async () => {
    stopped = undefined;
    await portal.store.run(db => db.deleteFrom('attempts').execute());
  });
  // However slow the machine, no pause between two questions is over meanwhile.
  stopped = Date.now();
  const ask = async (Username: string) => {
    const { status, body } = await portal
      .client()
      .press('/login', 'login', 'command:auth.login', { body: { Username } });
    return `${status} ${body.Resources?.code}`;
  };
  await Promise.all(Array.from({ length: 60 }, (_, index) => ask(`nobody-${index}@nowhere.test`)));
  const told = [
    await ask('nobody@nowhere.test'),
    await ask('reseller@northwind.test'),
    await ask('sso@northwind.test'),
  ];
  assert.deepEqual(told, Array(3).fill('429 TOO_MANY'));
});

test('after three failures the server asks whether one is a robot, also with the right password', async t => {
  t.after(() => portal.store.run(db => db.deleteFrom('attempts').execute()));
  const guess = (password: string) => signInAs(portal.client(), 'rival@southridge.test', password);
  for (const word of ['one', 'two', 'three']) await guess(word);
  const { status, body } = await guess(seedPassword);
  assert.deepEqual([status, Object.keys(body.Errors ?? {})], [422, ['NotRobot']]);
});

test('a refusal leaves at a whole interval, however soon it was clear: a locked account is not told by its haste', async () => {
  const locked = 'user@contoso.test';
  const guess = (username: string) => signInAs(portal.client(), username, 'wrong', { NotRobot: true });
  for (let count = 0; count < 12; count++) await guess(locked);
  const before = proxy.exchanges.filter(({ url }) => url === '/auth/token').length;
  for (const username of [locked, 'nobody@nowhere.test', 'engineer@northwind.test']) {
    // Timers of one process come in their order, however slow it is: this one is due before the first interval ends.
    const clock = sleep(490, 'clock');
    assert.equal(await Promise.race([clock, guess(username).then(() => 'refused')]), 'clock', username);
    await clock;
  }
  const asked = proxy.exchanges.slice().filter(({ url }) => url === '/auth/token').length;
  assert.ok(asked - before <= 2, 'the locked one was not asked about');
});

/** Has the cloud answer calls of one path with this status, until the test is over. */
function failAt(t: TestContext, path: RegExp, status: number): void {
  t.after(() => proxy.intercept(undefined));
  proxy.intercept(({ url }, response) => {
    if (!path.test(url)) return false;
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"Succeed":false}');
    return true;
  });
}

test('a cloud that fails right after a right password opens nothing, says so, and counts no attempt', async t => {
  const name = 'prices@kestrelfreight.test';
  const guess = (browser = portal.client()) => signInAs(browser, name, seedPassword);
  for (const path of [/^\/api\/permissions/, /^\/api\/users\/login-user/]) {
    failAt(t, path, 500);
    for (let count = 0; count < 4; count++) {
      const browser = portal.client();
      const { status, body } = await guess(browser);
      assert.deepEqual([status, body.Resources?.code], [502, 'UPSTREAM_FAILED']);
      assert.match(body.Error ?? '', /^The cloud service could not do this right now\./);
      assert.equal((await browser.get('/ui/boot')).body.principal.type, 'public');
    }
  }
  proxy.intercept(undefined);
  assert.equal((await guess()).status, 200);
});

test('a new password that the cloud refuses with 400 is told at its field', async t => {
  const browser = portal.client();
  await signInAs(browser, 'reset@northwind.test', seedPassword);
  failAt(t, /\/change-password$/, 400);
  const NewPassword = 'Quite-another-word-2026';
  const { status, body } = await browser.press('new-password', 'new-password', 'command:auth.change-password', {
    body: { ExistingPassword: seedPassword, NewPassword, NewPasswordAgain: NewPassword },
  });
  assert.deepEqual([status, body.Errors], [422, { NewPassword: ['Password does not meet requirements'] }]);
});

test('a password goes on byte for byte, at any length up to the limit', async () => {
  let count = 0;
  const passwords = fc.array(
    fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(' ', '+', '&', '=', '%', '\t', '\u00a0', 'é', 'e\u0301'),
        minLength: 1,
        maxLength: 250,
      }),
      fc.string({ minLength: 64, maxLength: 250 }),
    ),
    { minLength: 8, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(passwords, async words => {
      const sent = await Promise.all(
        words.map(async word => {
          // One account each, as guesses at one are limited.
          const username = `byte-${count++}@nowhere.test`;
          const reply = await signInAs(portal.client(), username, word, { NotRobot: true });
          const form = proxy.exchanges
            .filter(({ url }) => url === '/auth/token')
            .map(({ body }) => new URLSearchParams(body))
            .find(one => one.get('username') === username);
          return form?.get('password') ?? reply.text;
        }),
      );
      assert.deepEqual(sent, words);
    }),
    { numRuns: 5 },
  );
});
