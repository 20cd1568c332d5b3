import { access, constants, mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Logger } from 'pino';
import { ConfigError } from '../config.ts';
import type { Store } from './store.ts';
import type { Tables } from './tables.ts';

export type RetentionParts = {
  readonly store: Store;
  readonly log: Logger;
  readonly now: () => number;
  /** Days that a record is kept, and how many are kept at most. */
  readonly days: number;
  readonly rows: number;
  /** Where records are written before they go; absent: they just go. */
  readonly folder: string | undefined;
};

/** Keeps the audit within its age and size. */
export type Retention = {
  /** Throws ConfigError where the folder cannot be written. */
  check(): Promise<void>;
  /** Exports and deletes what is beyond, in batches. Throws STORE_DOWN, and what the folder says. */
  sweep(): Promise<void>;
  /** Leaves what is left of a sweep to the next start. */
  stop(): void;
};

/** Rows that are deleted at once, and the pause between two times, in which others have the database. */
const batch = 2000;
const pause = 50;
/** Of the lock that lets one process sweep at a time; any number that nothing else uses. */
const lock = 7_216_053;

const compress = promisify(gzip);

type Row = Selectable<Tables['audit']>;

/** The name tells the records, so that a batch that is exported again after a failure takes its own place. */
async function exportRows(folder: string, rows: readonly Row[]): Promise<void> {
  const [first, last] = [rows[0], rows.at(-1)].map(row => String(row?.id).padStart(12, '0'));
  const file = join(folder, `audit-${first}-${last}.jsonl.gz`);
  const part = `${file}.part`;
  const handle = await open(part, 'w', 0o600);
  try {
    await handle.writeFile(await compress(rows.map(row => `${JSON.stringify(row)}\n`).join('')));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}

/**
 * Creates the clean-up of the audit: it exports to `folder` and deletes what is older than `days` or beyond `rows`
 * records.
 */
export function createRetention({ store, log, now, days, rows: most, folder }: RetentionParts): Retention {
  /** The newest record that is to go: too old, or with as many newer ones as are kept. Their ids rise with time. */
  async function findLast(db: Kysely<Tables>): Promise<bigint> {
    const { rows } = await sql<{ old: string | null; newest: string | null }>`
      select
        (select id from portal.audit where at < ${new Date(now() - days * 86_400_000)} order by at desc limit 1) as old,
        (select id from portal.audit order by id desc limit 1) as newest`.execute(db);
    const { old, newest } = rows[0] ?? { old: null, newest: null };
    const [byAge, bySize] = [BigInt(old ?? 0), BigInt(newest ?? 0) - BigInt(most)];
    return byAge > bySize ? byAge : bySize;
  }

  /** Gives how many went; none where another process is at it. */
  const sweepBatch = (last: bigint): Promise<number> =>
    store.run(db =>
      db.transaction().execute(async transaction => {
        const { rows: taken } = await sql<{ is_ours: boolean }>`
          select pg_try_advisory_xact_lock(${lock}) as is_ours`.execute(transaction);
        if (!taken[0]?.is_ours) return 0;
        const rows = await transaction
          .selectFrom('audit')
          .selectAll()
          .where('id', '<=', String(last))
          .orderBy('id')
          .limit(batch)
          .execute();
        const end = rows.at(-1)?.id;
        if (end === undefined) return 0;
        if (folder !== undefined) await exportRows(folder, rows);
        await transaction.deleteFrom('audit').where('id', '<=', end).execute();
        return rows.length;
      }),
    );

  let isStopped = false;

  return {
    stop() {
      isStopped = true;
    },
    async check() {
      if (folder === undefined) return;
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await access(folder, constants.W_OK);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        throw new ConfigError(`AUDIT_EXPORT_DIR ${folder} cannot be written (${code}).`);
      }
    },
    async sweep() {
      const last = await store.run(findLast);
      if (last <= 0n) return;
      let gone = 0;
      for (let count = batch; count === batch && !isStopped; ) {
        count = await sweepBatch(last);
        gone += count;
        if (count === batch) await sleep(pause, undefined, { ref: false });
      }
      if (gone === 0) return;
      if (folder === undefined)
        log.warn({ records: gone }, 'old audit records were deleted; set AUDIT_EXPORT_DIR to have them written before');
      else log.info({ records: gone, folder }, 'old audit records were exported and deleted');
    },
  };
}
