import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../fixtures/eventually.ts';
import { type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { findPostgres, freshDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

const binaries = findPostgres();
const read = '/ui/data/customers.list?pageSize=1';

/** Only processes of another program can be stopped. */
if (binaries !== undefined) {
  let postgres: Postgres;
  let database: { url: string; drop: () => Promise<void> };
  let sandbox: StartedSandbox;
  let portal: StartedPortal;
  let stopped: readonly number[] = [];

  before(async () => {
    postgres = await startPostgres(binaries);
    database = await freshDatabase(postgres.url);
    sandbox = await startSandbox();
    portal = await startPortal({ cloudUrl: sandbox.url, env: { DATABASE_URL: database.url } });
  });
  after(async () => {
    resume();
    await portal?.close();
    await sandbox?.close();
    await database?.drop();
    await postgres?.stop();
  });

  /** Stops what takes connections and every process that serves one, as a machine without memory or disk does. */
  async function suspend(): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    await client.end();
    assert.equal(rows.length > 0, true, 'the portal has no connection');
    stopped = [postgres.pid, ...rows.map(({ pid }) => pid)];
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
  }

  function resume(): void {
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    stopped = [];
  }

  test('a PostgreSQL whose processes stand still is answered for by its silence, and used again by itself', async () => {
    const reseller = await portal.signIn('reseller@northwind.test');
    assert.equal((await reseller.get(read)).status, 200);
    await suspend();
    // Longer than a query may take, so that connections are given up and made anew meanwhile.
    for (const end = Date.now() + 6000; Date.now() < end; ) {
      // A sign-in asks the database several times.
      await assert.rejects(portal.signIn('rival@southridge.test'), /STORE_DOWN/);
      assert.equal((await reseller.get('/ready')).status, 503);
      assert.equal(portal.store.figures().isUp, false);
      await sleep(200);
    }
    await eventually(async () => (await reseller.get(read)).status === 503);
    resume();
    await eventually(async () => (await reseller.get(read)).status === 200);
    await portal.signIn('rival@southridge.test');
  });
}
