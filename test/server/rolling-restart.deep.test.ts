import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Balancer, startBalancer } from '../fixtures/balancer.ts';
import { type BuiltPortal, startBuiltPortal } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { freePort } from '../fixtures/free-port.ts';
import { type Client, createClient, signInAs } from '../fixtures/portal.ts';
import { findPostgres, freshDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { nextEvent } from '../fixtures/wait.ts';

/** Milliseconds; nginx has ten seconds. The next one is stopped only when the balancer uses the one before again. */
const failTimeout = 2000;
const binaries = findPostgres();

/** Several processes on one database is what only PostgreSQL can do. */
if (binaries !== undefined) {
  let postgres: Postgres;
  let database: { url: string; drop: () => Promise<void> };
  const sandbox = withSandbox();
  let balancer: Balancer;
  let ports: readonly string[];
  const portals: BuiltPortal[] = [];

  const start = (port: string): Promise<BuiltPortal> =>
    startBuiltPortal({
      PORT: port,
      DATABASE_URL: database.url,
      CLOUD_API_URL: sandbox.url,
      STOP_DELAY_MS: '500',
      // Browsers know the balancer's address.
      PUBLIC_URL: 'http://127.0.0.1',
    });

  setUp(
    async () => {
      postgres = await startPostgres(binaries);
      database = await freshDatabase(postgres.url);
      ports = (await Promise.all([freePort(), freePort(), freePort()])).map(String);
      portals.push(...(await Promise.all(ports.map(start))));
      balancer = await startBalancer(
        portals.map(({ url }) => url),
        failTimeout,
      );
    },
    async () => {
      await balancer?.close();
      await Promise.all(portals.map(portal => portal.stop()));
      await database?.drop();
      await postgres?.stop();
    },
  );

  type Tally = { reads: number; writes: number; readonly failed: string[] };

  /** Suspends a customer and takes it back, in turn, with a read in between, until told to stop. */
  async function work(browser: Client, tally: Tally, isOver: () => boolean): Promise<void> {
    const list = await browser.get('/ui/data/customers.list?pageSize=1&status=Active');
    const customerId = list.body.Result.Items[0].OrganisationId;
    for (let word = 'suspend'; !isOver(); word = word === 'suspend' ? 'reactivate' : 'suspend') {
      const read = await browser.get('/ui/data/customers.list?pageSize=1');
      tally.reads += 1;
      if (read.status !== 200) tally.failed.push(`read ${read.status} ${read.text.slice(0, 200)}`);
      const written = await browser.press('/customers', word, `call:customers.${word}`, { with: { customerId } });
      tally.writes += 1;
      if (written.status !== 200) tally.failed.push(`write ${written.status} ${written.text.slice(0, 200)}`);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
  }

  test('three portals are restarted one after the other under load, and no request fails', async t => {
    const tally: Tally = { reads: 0, writes: 0, failed: [] };
    let isOver = false;
    const browsers = await Promise.all(
      ['reseller@northwind.test', 'rival@southridge.test'].map(async username => {
        const browser = createClient(balancer.url);
        const { text, body } = await signInAs(browser, username, 'Demo-portal-2026');
        assert.equal(body.Resources?.code, 'SESSION_CHANGED', text);
        return browser;
      }),
    );
    const working = Promise.all(browsers.map(browser => work(browser, tally, () => isOver)));
    for (const [index, port] of ports.entries()) {
      const { process } = portals[index] as BuiltPortal;
      process.kill('SIGTERM');
      assert.deepEqual(await nextEvent(process, 'exit'), [0, null]);
      portals[index] = await start(port);
      const before = balancer.answered[index] ?? 0;
      // A balancer without checks of its own is slow to use it again.
      await eventually(() => balancer.isIn(index) && (balancer.answered[index] ?? 0) > before);
    }
    isOver = true;
    await working;
    t.diagnostic(`${tally.reads} reads, ${tally.writes} writes, answered ${balancer.answered.join(', ')}`);
    assert.deepEqual(tally.failed, []);
    assert.equal(tally.reads > 0 && tally.writes > 0, true);
  });
}
