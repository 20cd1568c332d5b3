import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** Bounds the rows of one owner in a table: the newest of each group, and so many bytes in all. */
type OwnerBound = {
  readonly table: RawBuilder<unknown>;
  readonly rows: number;
  readonly bytes: number;
  /** Bytes of a row. */
  readonly size: RawBuilder<unknown>;
  /** Rows of a group are counted together. */
  readonly group: RawBuilder<unknown>;
  /** The order in which rows are kept. */
  readonly newest: RawBuilder<unknown>;
  /** Rows that may go. */
  readonly ended: RawBuilder<unknown>;
};

const mebibyte = 1024 * 1024;

/**
 * Bounds of what an owner can store in the portal. Sessions are bounded in number by `SESSIONS_PER_ACCOUNT`, and hold what
 * the cloud says of an account; audit records by `session/bounded-audit.ts` and the retention.
 */
export const ownerBounds = {
  drafts: {
    table: sql.table('portal.drafts'),
    rows: 50,
    bytes: 4 * mebibyte,
    size: sql`octet_length(content)`,
    group: sql`kind`,
    newest: sql`saved_at desc, kind, subject`,
    ended: sql`true`,
  },
  exports: {
    table: sql.table('portal.exports'),
    rows: 5,
    bytes: 64 * mebibyte,
    size: sql`bytes`,
    group: sql`owner`,
    newest: sql`(state = 'running') desc, started_at desc, id`,
    ended: sql`state <> 'running'`,
  },
} as const satisfies Readonly<Record<string, OwnerBound>>;

/** Deletes the oldest rows of an owner that are beyond the bound. Call it after a row was added or has grown. */
export async function dropBeyond(
  db: Kysely<Tables>,
  { table, rows, bytes, size, group, newest, ended }: OwnerBound,
  owner: string,
): Promise<void> {
  await sql`
    delete from ${table} where ${ended} and owner = ${owner} and ctid in (
      select row from (
        select ctid as row,
          row_number() over (partition by ${group} order by ${newest}) as place,
          sum(${size}) over (order by ${newest}) as total
        from ${table} where owner = ${owner}
      ) held
      where place > ${rows}::int or total > ${bytes}::bigint
    )`.execute(db);
}
