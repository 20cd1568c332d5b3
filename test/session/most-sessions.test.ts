import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, startPortal } from '../fixtures/portal.ts';
import { startSandbox } from '../fixtures/sandbox.ts';

test('an account has so many sessions: with a further one the one that was used longest ago ends, of others none', async t => {
  const sandbox = await startSandbox();
  t.after(sandbox.close);
  let now = Date.now();
  const portal = await startPortal({ cloudUrl: sandbox.url, env: { SESSIONS_PER_ACCOUNT: '3' }, now: () => now });
  t.after(portal.close);
  const statusOf = async (browser: Client) => (await browser.get('/ui/data/customers.list')).status;
  const engineer = await portal.signIn('engineer@northwind.test');
  const browsers: Client[] = [];
  const cookies: string[] = [];
  for (let count = 0; count < 3; count++) {
    now += 60_000;
    browsers.push(await portal.signIn('reseller@northwind.test'));
    cookies.push(browsers.at(-1)?.cookie ?? '');
  }
  now += 60_000;
  // The first is used once more, so that the second is the one to go.
  assert.equal(await statusOf(browsers[0] as Client), 200);
  now += 60_000;
  browsers.push(await portal.signIn('reseller@northwind.test'));
  const statuses: number[] = [];
  for (const browser of browsers) statuses.push(await statusOf(browser));
  assert.deepEqual(statuses, [200, 401, 200, 200]);
  assert.equal(await statusOf(engineer), 200);
  const rows = await portal.store.run(db => db.selectFrom('sessions').select('account').execute());
  assert.equal(rows.filter(({ account }) => account === 'reseller@northwind.test').length, 3);
});
