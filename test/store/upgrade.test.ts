import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type Migration, MigrationLimitError, migrate } from '../../server/database/migrate.ts';
import { createLog } from '../../server/log.ts';
import { openStore, type Store } from '../../server/store/store.ts';
import { startPortal } from '../fixtures/portal.ts';
import { freshDatabase, patience } from '../fixtures/postgres.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';
import { copyStore } from '../fixtures/store-template.ts';

let folder: string;
let database: { url: string; drop: () => Promise<void> } | undefined;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-upgrade-'));
  await copyStore(folder);
  if (process.env.TEST_DATABASE_URL) database = await freshDatabase(process.env.TEST_DATABASE_URL);
});
after(async () => {
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** What the next build with one more migration leaves behind. */
const addLater = (schema: string) =>
  sql`insert into ${sql.id(schema, 'kysely_migration')} (name, timestamp) values ('900-colour', '2031-01-01')`;

test('a portal starts on tables that a newer build has migrated, and works beside that build', async t => {
  const sandbox = await startSandbox();
  t.after(() => sandbox.close());
  const options = {
    cloudUrl: sandbox.url,
    dataDir: folder,
    ...(database && { env: { DATABASE_URL: database.url } }),
  };
  const newer = await startPortal(options);
  await newer.store.run(db => sql`alter table portal.sessions add column colour text`.execute(db));
  await newer.store.run(db => addLater('portal').execute(db));
  await newer.close();
  const older = await startPortal(options);
  t.after(() => older.close());
  const browser = await older.signIn('reseller@northwind.test');
  assert.equal((await browser.get('/ui/data/customers.list?pageSize=1')).status, 200);
});

test('a sandbox starts on tables that a newer build has migrated', async () => {
  const newer = await startSandbox();
  let older: StartedSandbox | undefined;
  try {
    await addLater('sandbox').execute(newer.db);
    await newer.app.close();
    older = await startSandbox({ storage: newer.storage });
    const token = await older.signIn('reseller@northwind.test');
    assert.equal((await older.call(token, 'GET', '/api/customers')).status, 200);
  } finally {
    await (older ?? newer).app.close();
  }
});

/** A build, described by the migrations that it knows. */
type Build = Readonly<Record<string, Migration>>;

const run =
  (statement: RawBuilder<unknown>): Migration['up'] =>
  async db => {
    await statement.execute(db);
  };
const one: Build = { '001-one': { up: run(sql`create table build.one (a text, b text)`) } };
const two: Build = { ...one, '002-two': { up: run(sql`alter table build.one add c text`) } };
/** It drops what builds before `two` read. */
const three: Build = {
  ...two,
  '003-three': { oldest: '002-two', up: run(sql`alter table build.one drop a`) },
};

async function withStore(work: (start: (build: Build) => Promise<void>, store: Store) => Promise<void>): Promise<void> {
  const log = createLog('silent');
  const store = await openStore({ dataDir: folder, log, ...(database && { databaseUrl: database.url, patience }) });
  try {
    const start = (migrations: Build) =>
      store.run(db => migrate(db.withoutPlugins() as Kysely<unknown>, { schema: 'build', migrations }));
    await work(start, store);
  } finally {
    await store.run(db => sql`drop schema if exists build cascade`.execute(db));
    await store.close();
  }
}

test('an older build starts after each migration of a newer one that does not say otherwise', () =>
  withStore(async start => {
    await start(one);
    await start(two);
    await start(one);
    // A build that never knew the second, and brings one of its own.
    await start({ ...one, '001-one-more': { up: run(sql`alter table build.one add d text`) } });
    await start(two);
  }));

test('a migration can name the oldest build that its tables still serve, and no older one starts from then on', () =>
  withStore(async start => {
    await start(three);
    await start(two);
    await assert.rejects(
      start(one),
      (error: Error) =>
        error instanceof MigrationLimitError &&
        error.message ===
          'a newer version has changed it (003-three), and only versions with 002-two can use it now: start such a version, or restore a backup from before.',
    );
  }));

test('a migration that fails leaves neither a change nor a limit', () =>
  withStore(async start => {
    const broken: Build = {
      ...two,
      '003-broken': { oldest: '003-broken', up: run(sql`alter table build.one drop nothing`) },
    };
    await start(one);
    await assert.rejects(start(broken), /nothing/);
    await start(one);
    await start(three);
  }));

test('builds that start together on an empty database wait for each other, newer and older', () =>
  withStore(async start => {
    await Promise.all([start(one), start(three), start(two), start(three)].map(started => started.catch(allowed)));
    await start(three);
  }));

/** An older build may be too late. */
function allowed(error: unknown): void {
  if (!(error instanceof MigrationLimitError)) throw error;
}
