import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import type { Path } from '../resource/owners.ts';
import { untyped } from '../resource/rows.ts';
import type { Database, Write } from '../tables.ts';
import { type Import, type ImportRow, RowRefused } from './declaration.ts';
import { readImportFile } from './file.ts';
import type { RowState } from './tables.ts';

const day = 86_400_000;
/** Milliseconds that a checked file waits to be carried out, and that its result can be read and undone. */
const previewed = day;
const carriedOut = 7 * day;

/** Who acts on which import, and the clock: each row has a moment of its own. */
export type Acting = { readonly db: Database; readonly caller: Caller; readonly path: Path; now(): Date };

type StoredImport = { readonly id: string; readonly name: string; readonly created: Date; readonly expires: Date };

/**
 * Reads and checks an import's CSV file, and stores its rows for a day. Creates nothing yet.
 * @throws {CloudError} 404 for an owner that the caller does not see, 400 for a file that is no such table
 */
export async function storeImport<C extends object>(
  declared: Import<C>,
  { db, caller, path, now }: Acting,
  name: string,
  file: Buffer,
): Promise<string> {
  const { tables, owner } = declared;
  const owned = await owner.of(db, caller, path);
  const rows = readImportFile(declared, file);
  const reasons = await declared.check({ db, caller, owned }, rows);
  const created = now();
  const expires = new Date(created.getTime() + previewed);
  return await db.transaction().execute(async trx => {
    const { id: import_id } = (await untyped(trx)
      .insertInto(tables.imports)
      .values({ ...owned, name, created, expires })
      .returning('id')
      .executeTakeFirstOrThrow()) as StoredImport;
    const values = rows.map(({ isWhole: _, ...row }, index) => {
      const reason = reasons[index];
      return { ...row, import_id, status: reason === undefined ? 'Ready' : 'Invalid', reason };
    });
    await untyped(trx).insertInto(tables.rows).values(values).execute();
    return import_id;
  });
}

/**
 * Finds an import that has not expired.
 * @throws {CloudError} 404 when there is none, or its owner is none of the caller's
 */
export async function findImport<C extends object>(
  { owner, tables }: Import<C>,
  { db, caller, path, now }: Acting,
): Promise<StoredImport> {
  const owned = await owner.of(db, caller, path);
  const importId = String(path.importId);
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(importId)) throw notFound();
  const imports = untyped(db).selectFrom(tables.imports).selectAll().where('id', '=', importId);
  const found = imports.where(({ and }) => and(owned)).where('expires', '>', now());
  return (await found.executeTakeFirstOrThrow(notFound)) as StoredImport;
}

/** What becomes of a row. */
type Outcome = { readonly status: RowState; readonly made?: number | string };

/**
 * Carries out the rows of an import that are in one of these states, in order, each in a transaction of its own. Two
 * that do so at once share the rows: who comes second finds a row done.
 */
async function eachRow<C extends object>(
  declared: Import<C>,
  { db, caller, path, now }: Acting,
  importId: string,
  states: readonly RowState[],
  act: (trx: Write, row: ImportRow<C> & { readonly made: number | string | null }) => Promise<Outcome>,
): Promise<void> {
  const { tables, owner } = declared;
  const isRefused: RowState = states.includes('Created') ? 'Kept' : 'Failed';
  const found = untyped(db).selectFrom(tables.rows).where('import_id', '=', importId).where('status', 'in', states);
  for (const { id } of await found.select('id').orderBy('line').execute()) {
    const ofRow = (trx: Database) => untyped(trx).updateTable(tables.rows).where('id', '=', id);
    try {
      await db.transaction().execute(async trx => {
        // The owner first: every write of what a customer has holds the customer.
        await owner.of(trx, caller, path);
        const rows = untyped(trx).selectFrom(tables.rows).selectAll().where('id', '=', id);
        const row = await rows.where('status', 'in', states).forUpdate().executeTakeFirst();
        if (row === undefined) return;
        const stored = { ...row, made: row[tables.made] } as ImportRow<C> & { readonly made: number | string | null };
        const { status, made } = await act(trx, stored);
        await ofRow(trx)
          .set({ status, reason: null, ...(made !== undefined && { [tables.made]: made }) })
          .execute();
      });
    } catch (error) {
      const reason = error instanceof RowRefused ? error.reason : declared.reasonOf(error);
      if (reason === undefined) throw error;
      await ofRow(db).where('status', 'in', states).set({ status: isRefused, reason }).execute();
    }
  }
  const expires = new Date(now().getTime() + carriedOut);
  await untyped(db).updateTable(tables.imports).set({ expires }).where('id', '=', importId).execute();
}

/** Creates what the rows of an import describe: those that are ready, and those that failed before. */
export async function runImport<C extends object>(declared: Import<C>, acting: Acting): Promise<void> {
  const { caller, path, now } = acting;
  const { id } = await findImport(declared, acting);
  await eachRow(declared, acting, id, ['Ready', 'Failed'], async (trx, row) => ({
    status: 'Created',
    made: await declared.create({ trx, caller, now: now(), path }, row),
  }));
}

/** Deletes what an import has created, except what has been used since. */
export async function undoImport<C extends object>(declared: Import<C>, acting: Acting): Promise<void> {
  const { caller, path, now } = acting;
  const { id } = await findImport(declared, acting);
  await eachRow(declared, acting, id, ['Created', 'Kept'], async (trx, { made }) => {
    // Null where somebody has deleted it meanwhile.
    if (made !== null) await declared.undo({ trx, caller, now: now(), path }, made);
    return { status: 'Undone' };
  });
}
