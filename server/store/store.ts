import { Kysely, PostgresDialect, type PostgresPool, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
import { migrate } from '../database/migrate.ts';
import { PortalError } from '../errors.ts';
import { createSparingLog } from '../log.ts';
import { openEmbedded } from './embedded.ts';
import { createLivenessMonitor } from './liveness.ts';
import { migrations } from './migrations.ts';
import { createLocalNotices, createPostgresNotices, type Notice, type Notices } from './notices.ts';
import type { Tables } from './tables.ts';

/** The portal's own tables. */
export type Store = {
  /** Runs one unit of work; all that it does goes through `db`. Throws STORE_DOWN when the database is out of reach. */
  run<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>;
  /** Runs a transaction and, with its commit, tells every process. `notice` is what `work` gives. */
  announce(work: (db: Transaction<Tables>) => Promise<Notice | undefined>): Promise<void>;
  readonly listen: Notices['listen'];
  readonly isListening: Notices['isListening'];
  /** As far as it is known without asking the database. */
  figures(): Figures;
  /** True where reads and writes work. */
  isUp(): Promise<boolean>;
  close(): Promise<void>;
};

/** `waiting`: work that waits for a connection. */
export type Figures = { readonly isUp: boolean; readonly connections: number; readonly waiting: number };

export type StoreOptions = {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  readonly log: Logger;
  /** How long PostgreSQL may take for a free connection and for a query. */
  readonly patience?: Patience;
};

/** In milliseconds. */
type Patience = { readonly connection: number; readonly query: number };

const defaultPatience: Patience = { connection: 2000, query: 5000 };

type Engine = {
  connect(): Promise<pg.PoolClient>;
  /** Watches over one unit of work. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Is told of every query that ended, with its error where it failed. */
  note(error: unknown): void;
  figures(): Figures;
  /** False where there is no room for a write. */
  hasRoom(): Promise<boolean>;
  readonly notices: Notices;
  close(): Promise<void>;
};

/** Codes of PostgreSQL and Node that mean "not there now", as against "there, and says no". */
const away = /^(?:ECONN|EPIPE|ETIMEDOUT|08|53|57P0|25006)/;
/** Those for a disk without room and for a database that is only to be read, as a standby. */
const unwritable = /^(?:53100|25006)/;
/** Milliseconds for which such a refusal tells of the next write. */
const refusalCounts = 10_000;

function isAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined && away.test(code)) return true;
  return /Connection terminated|Query read timeout|Client has encountered a connection error|PGlite is closed/i.test(
    message ?? '',
  );
}

/** Tries that a start makes to connect to a database that is there and slow; each takes the time of one connection. */
const firstTries = 5;

/** Requests are told at once that the database is slow to connect to; a start has time. */
async function patiently<Done>(act: () => Promise<Done>): Promise<Done> {
  for (let left = firstTries; ; left--) {
    try {
      return await act();
    } catch (error) {
      const cause = (error as Error).cause as Error | undefined;
      if (left === 1 || !/timeout/i.test(cause?.message ?? '')) throw error;
    }
  }
}

/** Whatever keeps a connection from being made, the database is not there for us now. */
function connectable({ connect }: Engine): PostgresPool {
  return {
    connect: () =>
      connect().catch(cause => {
        throw new PortalError('STORE_DOWN', { cause });
      }) as ReturnType<PostgresPool['connect']>,
    end: async () => undefined,
  };
}

function openPostgres(connectionString: string, log: Logger, { connection, query }: Patience): Engine {
  const liveness = createLivenessMonitor();
  const logBreak = createSparingLog(log, 'warn');
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: connection,
    query_timeout: query,
    statement_timeout: query,
    keepAlive: true,
  });
  // One that breaks while it is used tells nobody else, and fails its work by itself.
  pool.on('connect', client =>
    client.on('error', ({ message }) => logBreak(message, { reason: message }, 'a database connection broke')),
  );
  pool.on('error', () => undefined);
  return {
    connect: () => pool.connect(),
    guard: liveness.guard,
    note(error) {
      if (error === undefined || !isAway(error)) liveness.recordReply();
    },
    figures: () => ({ isUp: !liveness.isUnresponsive(), connections: pool.totalCount, waiting: pool.waitingCount }),
    // Its disk is another machine's.
    hasRoom: async () => true,
    notices: createPostgresNotices(connectionString, log, liveness.recordReply),
    close: () => pool.end(),
  };
}

/**
 * Opens the portal's tables: PostgreSQL (schema `portal`) where `databaseUrl` is given, else the embedded database in
 * `<dataDir>/portal`, which one process at a time may use. Throws LockError when it is in use, and what the database
 * says when it cannot be reached.
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { databaseUrl, dataDir, log, patience = defaultPatience } = options;
  const engine: Engine =
    databaseUrl === undefined
      ? { ...(await openEmbedded(dataDir, log)), notices: createLocalNotices() }
      : openPostgres(databaseUrl, log, patience);
  let refusedAt = Number.NEGATIVE_INFINITY;
  const plain = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: connectable(engine) }),
    log(event) {
      const error = event.level === 'error' ? event.error : undefined;
      if (unwritable.test((error as { code?: string } | undefined)?.code ?? '')) refusedAt = performance.now();
      engine.note(error);
    },
  });
  const db = plain.withSchema('portal');

  const run: Store['run'] = async work => {
    try {
      return await engine.guard(() => work(db));
    } catch (error) {
      if (isAway(error)) throw new PortalError('STORE_DOWN', { cause: error });
      throw error;
    }
  };

  const store: Store = {
    run,
    async announce(work) {
      const notice = await run(() =>
        plain.transaction().execute(async transaction => {
          const found = await work(transaction.withSchema('portal') as Transaction<Tables>);
          if (found) await engine.notices.send(transaction, found);
          return found;
        }),
      );
      if (notice) engine.notices.tell(notice);
    },
    figures: engine.figures,
    listen: engine.notices.listen,
    isListening: engine.notices.isListening,
    async isUp() {
      if (performance.now() - refusedAt < refusalCounts) return false;
      const asked = sql<{ only: string }>`select current_setting('transaction_read_only') as only`;
      try {
        const { rows } = await run(() => asked.execute(plain));
        return rows[0]?.only === 'off' && (await engine.hasRoom());
      } catch {
        return false;
      }
    },
    async close() {
      await engine.notices.close();
      await plain.destroy();
      await engine.close();
    },
  };

  try {
    await patiently(() => migrate(plain, { schema: 'portal', migrations }));
    engine.notices.start();
  } catch (error) {
    await store.close().catch(() => undefined);
    throw error;
  }
  return store;
}
