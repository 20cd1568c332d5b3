import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { type DatabaseProxy, startDatabaseProxy } from '../fixtures/database-proxy.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { findPostgres, freshDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const binaries = findPostgres();
const read = '/ui/data/customers.list?pageSize=1';

/** Only a database in another process can hang. */
if (binaries !== undefined) {
  let postgres: Postgres;
  let database: { url: string; drop: () => Promise<void> };
  let databaseProxy: DatabaseProxy;
  let portal: StartedPortal;
  const sandbox = withSandbox();

  setUp(
    async () => {
      postgres = await startPostgres(binaries);
      database = await freshDatabase(postgres.url);
      databaseProxy = await startDatabaseProxy(database.url);
      portal = await startPortal({ cloudUrl: sandbox.url, env: { DATABASE_URL: databaseProxy.url } });
    },
    async () => {
      databaseProxy?.freeze(false);
      await portal?.close();
      await databaseProxy?.close();
      await database?.drop();
      await postgres?.stop();
    },
  );

  test('a database that says nothing is found out, then known, and found again by itself', async () => {
    const reseller = await portal.signIn('reseller@northwind.test');
    assert.equal((await reseller.get(read)).status, 200);
    databaseProxy.freeze(true);
    // A sign-in asks the database several times.
    const refused = await portal.signIn('rival@southridge.test').then(
      () => 'signed in',
      (error: Error) => error.message,
    );
    assert.match(refused, /STORE_DOWN/);
    // By its silence, before any query is late; what is known is refused at once.
    assert.equal(portal.store.figures().isUp, false);

    await eventually(() => !portal.store.isListening());
    for (let count = 1; count <= 10; count++) {
      const answer = await reseller.get(read);
      assert.deepEqual([answer.status, answer.body.Resources.code], [503, 'STORE_DOWN']);
    }
    assert.equal((await reseller.get('/ready')).status, 503);
    assert.equal(portal.store.figures().isUp, false);

    databaseProxy.freeze(false);
    await eventually(async () => (await reseller.get(read)).status === 200);
  });

  test('a database that is only to be read is not ready', async t => {
    const name = new URL(database.url).pathname.slice(1);
    const { get } = portal.client();
    const setReadOnly = (isReadOnly: string): Promise<void> =>
      asSuperuser(
        `alter database "${name}" set default_transaction_read_only = ${isReadOnly}`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      );
    t.after(() => setReadOnly('off'));
    await eventually(async () => (await get('/ready')).status === 200);
    await setReadOnly('on');
    await eventually(async () => (await get('/ready')).status === 503);
    await assert.rejects(portal.signIn('rival@southridge.test'), /STORE_DOWN/);
    await setReadOnly('off');
    await eventually(async () => (await get('/ready')).status === 200);
  });

  async function asSuperuser(...statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }

  test('a query that takes long is waited for while the database answers others', async () => {
    // The connections that were cut before are gone from the pool.
    await eventually(() => portal.store.isUp());
    const slow = portal.store.run(db =>
      db.selectNoFrom(({ fn }) => fn('pg_sleep', [sql.lit(2.5)]).as('slept')).execute(),
    );
    assert.equal((await slow).length, 1);
  });
}
