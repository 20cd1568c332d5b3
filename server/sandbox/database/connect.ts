import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { MigrationLimitError, migrate } from '../../database/migrate.ts';
import type { Database, Tables } from '../tables.ts';
import { lockFolder } from './folder-lock.ts';
import { migrations } from './migrations.ts';

/** Where the sandbox keeps its rows: an embedded database in a folder, or a schema of a PostgreSQL (15 or newer). */
export type Storage = { readonly folder: string } | { readonly databaseUrl: string; readonly schema?: string };

export type OpenDatabase = {
  readonly db: Database;
  /** Calls back with the payload of each committed `pg_notify` on the channel `<schema>_hints`. */
  listen(listener: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
};

/** `bigint` and `numeric` become numbers: no id or amount here comes near 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC ? Number : pg.types.getTypeParser(oid, format),
};

/** Opens the storage and brings its schema up to date. Refuses a folder that another living process holds. */
export async function openDatabase(storage: Storage): Promise<OpenDatabase> {
  const opened = 'folder' in storage ? await openFolder(storage.folder) : await openServer(storage);
  try {
    await migrate(opened.db, { schema: schemaOf(storage), migrations });
  } catch (error) {
    await opened.close();
    if (error instanceof MigrationLimitError)
      throw new Error(`This version cannot use the database of the sandbox: ${error.message}`);
    throw error;
  }
  return opened;
}

function schemaOf(storage: Storage): string {
  const schema = ('schema' in storage && storage.schema) || 'sandbox';
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema)) throw new Error(`"${schema}" is no name for a schema.`);
  return schema;
}

/** One transaction, in which processes that start together wait for each other: `if not exists` alone may fail then. */
function prepare(schema: string): string {
  return `select pg_advisory_xact_lock(7165);
    create schema if not exists ${schema};
    create extension if not exists pg_trgm with schema public`;
}

async function openFolder(folder: string): Promise<OpenDatabase> {
  await mkdir(folder, { recursive: true });
  const unlock = await lockFolder(folder);
  try {
    const [{ PGlite }, { createPgConfig }, { pg_trgm }] = await Promise.all([
      import('@electric-sql/pglite'),
      import('@electric-sql/pglite/node-postgres'),
      import('@electric-sql/pglite/contrib/pg_trgm'),
    ]);
    const lite = await PGlite.create(join(folder, 'database'), { extensions: { pg_trgm } });
    await lite.exec(`${prepare('sandbox')}; set search_path to sandbox, public`);
    const pool = new pg.Pool({ ...createPgConfig(lite), max: 1, idleTimeoutMillis: 0, types } as pg.PoolConfig);
    return {
      db: new Kysely<Tables>({
        dialect: new PostgresDialect({ pool }),
        log(event) {
          if (event.level === 'error') endWithEngine(event.error);
        },
      }),
      async listen(listener) {
        await lite.listen('sandbox_hints', listener);
      },
      async close() {
        await pool.end();
        await lite.close();
        await unlock();
      },
    };
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * An engine that panics, as on a full disk, answers nothing more: its process ends with it, and who started that
 * starts it again.
 */
function endWithEngine(error: unknown): void {
  const { severity, message } = error as { severity?: string; message?: string };
  if (severity !== 'PANIC' && severity !== 'FATAL' && !(error instanceof WebAssembly.RuntimeError)) return;
  console.error(`The embedded database of the sandbox stopped: ${message}`);
  process.exit(1);
}

async function openServer(storage: { databaseUrl: string; schema?: string }): Promise<OpenDatabase> {
  const schema = schemaOf(storage);
  const config = { connectionString: storage.databaseUrl, options: `-c search_path=${schema},public`, types };
  const pool = new pg.Pool({ ...config, max: 10 });
  // Without listeners a connection that breaks would end the process, idle or in use; the next query takes a new one.
  pool.on('connect', client => client.on('error', () => {}));
  pool.on('error', () => {});
  await pool.query(prepare(schema));
  let closed = false;
  let listening: pg.Client | undefined;

  async function listen(listener: (payload: string) => void): Promise<void> {
    const client = new pg.Client(config);
    client.on('error', () => {});
    client.on('notification', message => listener(message.payload ?? ''));
    await client.connect();
    await client.query(`listen ${schema}_hints`);
    client.once('end', () => void listenAgain(listener));
    listening = client;
  }

  /** What was hinted meanwhile is lost; it was only a hint. */
  async function listenAgain(listener: (payload: string) => void): Promise<void> {
    while (!closed) {
      await sleep(500, undefined, { ref: false });
      const isBack = await listen(listener).then(
        () => true,
        () => false,
      );
      if (isBack) return;
    }
  }

  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    listen,
    async close() {
      closed = true;
      await listening?.end();
      await pool.end();
    },
  };
}
