import type { PGliteOptions } from '@electric-sql/pglite';
import pg from 'pg';

/** An embedded PostgreSQL in a folder, which one process has to itself (`folder-lock.ts`). */
export type EmbeddedEngine = {
  readonly pool: pg.Pool;
  /** Runs several statements, on the one connection that there is. */
  exec(statements: string): Promise<void>;
  /** Calls back with the payload of each committed `pg_notify` on a channel. */
  listen(channel: string, listener: (payload: string) => void): Promise<void>;
  close(): Promise<void>;
};

type Options = {
  readonly extensions?: () => Promise<NonNullable<PGliteOptions['extensions']>>;
  readonly pool?: Pick<pg.PoolConfig, 'types' | 'idleTimeoutMillis'>;
};

/**
 * Opens the embedded PostgreSQL (PGlite) with its data in `folder`. Its code is loaded only here, since a portal on a
 * PostgreSQL server needs none of it.
 */
export async function openEngine(folder: string, { extensions, pool: more }: Options = {}): Promise<EmbeddedEngine> {
  const [{ PGlite }, { createPgConfig }, added] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/node-postgres'),
    extensions?.(),
  ]);
  const lite = await PGlite.create(folder, added && { extensions: added });
  // The embedded engine has one connection: a second one would wait for the first for ever.
  const pool = new pg.Pool({ ...createPgConfig(lite), max: 1, ...more } as pg.PoolConfig);
  pool.on('error', () => undefined);
  return {
    pool,
    async exec(statements) {
      await lite.exec(statements);
    },
    async listen(channel, listener) {
      await lite.listen(channel, listener);
    },
    close: () => lite.close(),
  };
}

/** True for an error after which the embedded database answers nothing more, such as a failed write on a full disk. */
export function isDeadEngine(error: unknown): boolean {
  const { severity } = error as { severity?: string };
  return error instanceof WebAssembly.RuntimeError || severity === 'PANIC' || severity === 'FATAL';
}
