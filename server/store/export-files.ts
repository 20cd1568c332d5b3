import { randomUUID } from 'node:crypto';
import { type Kysely, type Selectable, sql } from 'kysely';
import { dropBeyond, ownerBounds } from './owner-bounds.ts';
import type { Store } from './store.ts';
import type { ExportTable, Tables } from './tables.ts';

/** How many files are made for one account at once. */
export const mostMade = 2;
/** Milliseconds that a file is kept. */
export const exportLife = 24 * 3_600_000;
/** Milliseconds without a sign of its process after which a file is not made any more: the process has ended. */
const silence = 60_000;

/** What keeps a file from being made. */
export type ExportFailure = 'stopped' | 'rows' | 'bytes' | 'refused' | 'cloud';

/** A file that is made in the background, or was. */
export type ExportFile = Selectable<ExportTable>;

export type NewExport = Pick<
  ExportFile,
  'owner' | 'session' | 'title' | 'format' | 'path' | 'table_id' | 'columns' | 'total' | 'sight'
>;

/** Files that are made in the background, on every process. Throws STORE_DOWN. */
export type ExportFiles = {
  /** Gives the id of a new file; undefined where as many are being made for its owner already. Beyond its bound the oldest go. */
  begin(file: NewExport): Promise<string | undefined>;
  /** Keeps the next part; false where nobody wants the file any more. */
  addPart(id: string, part: number, bytes: Buffer): Promise<boolean>;
  /** Says how far it has come; false where nobody wants the file any more. */
  note(id: string, rows: number): Promise<boolean>;
  finish(id: string, result: { readonly rows: number; readonly bytes: number }): Promise<void>;
  fail(id: string, reason: ExportFailure): Promise<void>;
  /** Those of an owner, the newest first. */
  list(owner: string): Promise<readonly ExportFile[]>;
  /** The oldest that is ready or has failed and whose owner does not know. */
  findUntold(owner: string): Promise<ExportFile | undefined>;
  /** Notes that the owner knows how it ended, and tells the pages of that session. */
  noteTold(owner: string, id: string, session: string): Promise<void>;
  /** A file that is ready. */
  find(owner: string, id: string): Promise<ExportFile | undefined>;
  /** The bytes of a file, part by part. */
  read(id: string): AsyncGenerator<Buffer>;
  /** Takes a file away, also one that is being made; false where the owner has no such file. */
  drop(owner: string, id: string): Promise<boolean>;
  /** Forgets what has timed out. */
  sweep(): Promise<void>;
};

/** Creates the store of export files, which are tables made in the background for a user. */
export function createExportFiles(store: Store, now: () => number): ExportFiles {
  /** What a process that ended left undone is failed. */
  const failSilent = (db: Kysely<Tables>) =>
    db
      .updateTable('exports')
      .set({ state: 'failed', reason: 'stopped' })
      .where('state', '=', 'running')
      .where('seen_at', '<', new Date(now() - silence))
      .execute();

  return {
    begin: file =>
      store.run(db =>
        db.transaction().execute(async trx => {
          await sql`select pg_advisory_xact_lock(hashtext(${`exports of ${file.owner}`}))`.execute(trx);
          await failSilent(trx);
          const running = await trx
            .selectFrom('exports')
            .select('id')
            .where('owner', '=', file.owner)
            .where('state', '=', 'running')
            .execute();
          if (running.length >= mostMade) return undefined;
          const id = randomUUID();
          const started_at = new Date(now());
          const expires_at = new Date(now() + exportLife);
          await trx
            .insertInto('exports')
            .values({ ...file, id, started_at, seen_at: started_at, expires_at, state: 'running', reason: null })
            .execute();
          await dropBeyond(trx, ownerBounds.exports, file.owner);
          return id;
        }),
      ),
    addPart: (id, part, bytes) =>
      store.run(async db => {
        const { rows } = await sql`
          insert into portal.export_parts (export_id, part, bytes)
          select id, ${part}::int, ${bytes}::bytea from portal.exports where id = ${id} and state = 'running'
          returning part`.execute(db);
        return rows.length > 0;
      }),
    note: (id, rows) =>
      store.run(async db => {
        const { numUpdatedRows } = await db
          .updateTable('exports')
          .set({ rows, seen_at: new Date(now()) })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),
    finish: (id, result) =>
      store.run(async db => {
        const row = await db
          .updateTable('exports')
          .set({ ...result, state: 'ready' })
          .where('id', '=', id)
          .where('state', '=', 'running')
          .returning('owner')
          .executeTakeFirst();
        if (row) await dropBeyond(db, ownerBounds.exports, row.owner);
      }),
    fail: (id, reason) =>
      store.run(db =>
        db.transaction().execute(async trx => {
          await trx
            .updateTable('exports')
            .set({ state: 'failed', reason })
            .where('id', '=', id)
            .where('state', '=', 'running')
            .execute();
          await trx.deleteFrom('export_parts').where('export_id', '=', id).execute();
        }),
      ),
    list: owner =>
      store.run(async db => {
        await failSilent(db);
        return await db
          .selectFrom('exports')
          .selectAll()
          .where('owner', '=', owner)
          .where('expires_at', '>', new Date(now()))
          .orderBy('started_at', 'desc')
          .orderBy('id')
          .execute();
      }),
    findUntold: owner =>
      store.run(db =>
        db
          .selectFrom('exports')
          .selectAll()
          .where('owner', '=', owner)
          .where('state', '<>', 'running')
          .where('is_told', '=', false)
          .where('expires_at', '>', new Date(now()))
          .orderBy('started_at')
          .orderBy('id')
          .executeTakeFirst(),
      ),
    noteTold: (owner, id, session) =>
      store.announce(async db => {
        const { numUpdatedRows } = await db
          .updateTable('exports')
          .set({ is_told: true })
          .where('owner', '=', owner)
          .where('id', '=', id)
          .where('state', '<>', 'running')
          .where('is_told', '=', false)
          .executeTakeFirst();
        return numUpdatedRows > 0n ? { kind: 'exports', session } : undefined;
      }),
    find: (owner, id) =>
      store.run(db =>
        db
          .selectFrom('exports')
          .selectAll()
          .where('owner', '=', owner)
          .where('id', '=', id)
          .where('state', '=', 'ready')
          .where('expires_at', '>', new Date(now()))
          .executeTakeFirst(),
      ),
    async *read(id) {
      for (let part = 0; ; part++) {
        const found = await store.run(db =>
          db
            .selectFrom('export_parts')
            .select('bytes')
            .where('export_id', '=', id)
            .where('part', '=', part)
            .executeTakeFirst(),
        );
        if (!found) return;
        yield found.bytes;
      }
    },
    drop: (owner, id) =>
      store.run(async db => {
        const { numDeletedRows } = await db
          .deleteFrom('exports')
          .where('owner', '=', owner)
          .where('id', '=', id)
          .executeTakeFirst();
        return numDeletedRows > 0n;
      }),
    sweep: () =>
      store.run(async db => {
        await failSilent(db);
        await db.deleteFrom('exports').where('expires_at', '<=', new Date(now())).execute();
      }),
  };
}
