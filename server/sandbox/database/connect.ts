import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isDeadEngine, openEngine } from '../../database/embedded-engine.ts';
import { type FolderLock, FolderLockError, lockFolder } from '../../database/folder-lock.ts';
import { type Listening, listenOn } from '../../database/listen.ts';
import { type Migration, MigrationLimitError, migrate } from '../../database/migrate.ts';
import { limitPool } from './limited.ts';

/** Place of the sandbox's rows: an embedded database in a folder, or a schema of a PostgreSQL (15 or newer). */
export type Storage = { readonly folder: string } | { readonly databaseUrl: string; readonly schema?: string };

export type OpenDatabase<Tables> = {
  readonly db: Kysely<Tables>;
  /** Calls back with the payload of each committed `pg_notify` on the channel `<schema>_hints`. */
  listen(listener: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
};

/** `bigint` and `numeric` become numbers: no id or amount here comes near 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.INT8 || oid === pg.types.builtins.NUMERIC ? Number : pg.types.getTypeParser(oid, format),
};

/**
 * Opens the sandbox's database, embedded or PostgreSQL, and migrates its schema. Refuses a folder that another living
 * process uses.
 */
export async function openDatabase<Tables>(
  storage: Storage,
  migrations: Readonly<Record<string, Migration>>,
): Promise<OpenDatabase<Tables>> {
  const opened = 'folder' in storage ? await openFolder<Tables>(storage.folder) : await openServer<Tables>(storage);
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
    create extension if not exists pg_trgm with schema public;
    create extension if not exists unaccent with schema public`;
}

/** Throws, in one line for the operator, when a living process holds the folder. */
async function lock(folder: string): Promise<FolderLock> {
  try {
    return await lockFolder(folder, 'sandbox');
  } catch (error) {
    if (!(error instanceof FolderLockError) || error.owner === undefined) throw error;
    const { owner } = error;
    throw new Error(
      `The data folder ${resolve(folder)} is in use by process ${owner}. Stop it first or set another DATA_DIR.`,
    );
  }
}

async function openFolder<Tables>(folder: string): Promise<OpenDatabase<Tables>> {
  await mkdir(folder, { recursive: true });
  const held = await lock(folder);
  try {
    const engine = await openEngine(join(folder, 'database'), {
      extensions: async () => {
        const [{ pg_trgm }, { unaccent }] = await Promise.all([
          import('@electric-sql/pglite/contrib/pg_trgm'),
          import('@electric-sql/pglite/contrib/unaccent'),
        ]);
        return { pg_trgm, unaccent };
      },
      pool: { idleTimeoutMillis: 0, types },
    });
    await engine.exec(`${prepare('sandbox')}; set search_path to sandbox, public`);
    return {
      db: new Kysely<Tables>({
        dialect: new PostgresDialect({ pool: limitPool(engine.pool, 'sandbox') }),
        log(event) {
          if (event.level === 'error') endWithEngine(event.error);
        },
      }),
      listen: listener => engine.listen('sandbox_hints', listener),
      async close() {
        await engine.pool.end();
        await engine.close();
        await held.release();
      },
    };
  } catch (error) {
    await held.release();
    throw error;
  }
}

/**
 * The process ends with its engine, and who started that starts it again. The portal opens its own anew instead, since
 * it must go on answering meanwhile.
 */
function endWithEngine(error: unknown): void {
  if (!isDeadEngine(error)) return;
  console.error(`The embedded database of the sandbox stopped: ${(error as Error).message}`);
  process.exit(1);
}

async function openServer<Tables>(storage: { databaseUrl: string; schema?: string }): Promise<OpenDatabase<Tables>> {
  const schema = schemaOf(storage);
  // Compiling a query (jit) takes longer than running one of these: 100 ms against 5 for a list of a limited account.
  const options = `-c search_path=${schema},public -c jit=off`;
  const config = { connectionString: storage.databaseUrl, options, types };
  const pool = new pg.Pool({ ...config, max: 10 });
  // Without listeners a connection that breaks would end the process, idle or in use; the next query takes a new one.
  pool.on('connect', client => client.on('error', () => {}));
  pool.on('error', () => {});
  await pool.query(prepare(schema));
  let listening: Listening | undefined;
  return {
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: limitPool(pool, schema) }) }),
    async listen(listener) {
      // What is hinted while the connection is down is lost; it was only a hint.
      listening = listenOn({ config, channel: `${schema}_hints`, onNotification: listener });
      await listening.start();
    },
    async close() {
      await listening?.close();
      await pool.end();
    },
  };
}
