import type { Caller } from '../auth/caller.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import type { Path } from '../resource/owners.ts';
import { untyped } from '../resource/rows.ts';
import type { Database, Write } from '../tables.ts';
import { type Import, type ImportRow, RowRefused } from './declaration.ts';
import { type FileTable, type Places, propertyOf, readRows, readTable } from './file.ts';
import type { RowState } from './tables.ts';

const day = 86_400_000;
/** Milliseconds that a checked file waits to be carried out, and that its result can be read and undone. */
const previewed = day;
const carriedOut = 7 * day;

/** The caller, the import and the clock of an act: each row has a moment of its own. */
export type Acting = { readonly db: Database; readonly caller: Caller; readonly path: Path; now(): Date };

type StoredImport = {
  readonly id: string;
  readonly name: string;
  readonly created: Date;
  readonly expires: Date;
  /** Of an import that is not carried out yet. */
  readonly content: FileTable | null;
  /** Null until its columns are known. */
  readonly places: Places | null;
  readonly recognised: Places | null;
};

/**
 * Reads an import's CSV file and checks its rows, or, where its columns are not recognised, keeps it until somebody says
 * what they hold; for a day. Creates nothing yet.
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
  const { table, places, missing } = readTable(declared, file);
  const created = now();
  const expires = new Date(created.getTime() + previewed);
  return await db.transaction().execute(async trx => {
    const content = JSON.stringify(table);
    const { id } = (await untyped(trx)
      .insertInto(tables.imports)
      .values({ ...owned, name, created, expires, content, recognised: JSON.stringify(places) })
      .returning('id')
      .executeTakeFirstOrThrow()) as StoredImport;
    if (missing === undefined) await storeRows(declared, { trx, caller, owned }, id, table, places);
    return id;
  });
}

/** Checks the rows of a table and stores them as those of an import, in place of those that it had. */
async function storeRows<C extends object>(
  declared: Import<C>,
  {
    trx,
    caller,
    owned,
  }: { readonly trx: Write; readonly caller: Caller; readonly owned: Readonly<Record<string, unknown>> },
  import_id: string,
  table: FileTable,
  places: Places,
): Promise<void> {
  const { tables } = declared;
  const rows = readRows(declared, table, places);
  const reasons = await declared.check({ db: trx, caller, owned }, rows);
  const values = rows.map(({ isWhole: _, ...row }, index) => {
    const reason = reasons[index];
    return { ...row, import_id, status: reason === undefined ? 'Ready' : 'Invalid', reason };
  });
  await untyped(trx).deleteFrom(tables.rows).where('import_id', '=', import_id).execute();
  await untyped(trx).insertInto(tables.rows).values(values).execute();
  await untyped(trx)
    .updateTable(tables.imports)
    .set({ places: JSON.stringify(places) })
    .where('id', '=', import_id)
    .execute();
}

/** Columns as a body has them: by property their place as text, "" for none; and whether the first line is heads. */
export type ColumnChoice = Readonly<Record<string, unknown>> & { readonly HasHeads?: boolean };

/**
 * Takes what somebody says of the columns of an import that is not carried out yet, and checks its rows by that.
 * @throws {CloudError} 404, 400 where a needed column is missing or one column is two, 409 where it was carried out
 */
export async function assignColumns<C extends object>(
  declared: Import<C>,
  { db, caller, path, now }: Acting,
  choice: ColumnChoice,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const owned = await declared.owner.of(trx, caller, path);
    const { id, content } = await findImport(declared, { db: trx, caller, path, now });
    if (content === null) throw conflict('This import was carried out. Upload the file again.');
    const table =
      choice.HasHeads === false
        ? { ...content, rows: [{ line: content.headLine, values: content.head }, ...content.rows] }
        : content;
    await storeRows(declared, { trx, caller, owned }, id, table, placesOf(declared, content, choice));
  });
}

/** The places that a body says. @throws {CloudError} 400 */
function placesOf<C extends object>({ file }: Import<C>, { head }: FileTable, choice: ColumnChoice): Places {
  const places: Record<string, number> = {};
  const faults: Record<string, string[]> = {};
  for (const column of file) {
    const property = propertyOf(column);
    const said = String(choice[property] ?? '');
    const place = Number(said);
    const other = file.find(({ name }) => said !== '' && places[name] === place);
    if (said === '') {
      if (column.isNeeded) faults[property] = [`Say which column has: ${column.head}.`];
    } else if (place >= head.length) faults[property] = ['The file has no such column.'];
    else if (other) faults[property] = [`This column is chosen for ${other.head} already.`];
    else places[column.name] = place;
  }
  if (Object.keys(faults).length > 0) throw invalid(faults);
  return places;
}

/** Columns of a file with their first values, and which of them is which as far as that is known. */
export async function readColumns<C extends object>(declared: Import<C>, acting: Acting) {
  const { content, places, recognised } = await findImport(declared, acting);
  if (content === null) throw conflict('This import was carried out. Upload the file again.');
  const { head, rows } = content;
  const known = places ?? recognised ?? {};
  const Columns = head.map((title, place) => {
    const [First = '', Second = '', Third = ''] = rows.slice(0, 3).map(({ values }) => shorten(values[place] ?? ''));
    const Title = `${place + 1}. ${shorten(title)}`;
    return { Place: String(place), Title, First, Second, Third };
  });
  const Chosen = Object.fromEntries(
    declared.file.map(column => {
      const place = known[column.name];
      return [propertyOf(column), place === undefined ? '' : String(place)];
    }),
  );
  return { Columns, Chosen };
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

/**
 * Finds an import that has not expired; inside a transaction it is held until the end.
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
  return (await (db.isTransaction ? found.forUpdate() : found).executeTakeFirstOrThrow(notFound)) as StoredImport;
}

/** Outcome of a row. */
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
  // From now on its columns are no more changed.
  await untyped(db).updateTable(tables.imports).set({ content: null }).where('id', '=', importId).execute();
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
