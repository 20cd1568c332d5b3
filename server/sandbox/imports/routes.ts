import type { Caller } from '../auth/caller.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, id, integer, list, object, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Resource } from '../resource/declaration.ts';
import type { Owner, Path } from '../resource/owners.ts';
import { addResourceRoutes } from '../resource/routes.ts';
import { untyped } from '../resource/rows.ts';
import type { Database } from '../tables.ts';
import { type Import, rowStates } from './declaration.ts';
import { largestImport, propertyOf } from './file.ts';
import { type Acting, assignColumns, findImport, readColumns, runImport, storeImport, undoImport } from './run.ts';

const summary = object({
  ImportId: string,
  Name: string,
  Created: date,
  Expires: date,
  Rows: integer,
  IsRun: boolean,
  IsAssigned: boolean,
  Counts: object({
    Ready: integer,
    Invalid: integer,
    Created: integer,
    Failed: integer,
    Undone: integer,
    Kept: integer,
  }),
});

/** The place of a column in the file, from 0, as text; empty for none. */
const place = { type: 'string', pattern: '^\\d{0,4}$' } as const;
const fileColumn = object({
  ...{ Place: string, Title: string },
  ...{ First: string, Second: string, Third: string },
});

/** The rows of one import, which is found with the clock of the routes: what has expired is not there. */
function rowsOf<C extends object>(declared: Import<C>, { now }: Pick<Parts, 'now'>): Resource {
  const { tag, tables, path, needs, reasons, fields } = declared;
  const owner: Owner = {
    of: async (db, caller, at) => ({ import_id: (await findImport(declared, { db, caller, path: at, now })).id }),
    seeded: async () => undefined,
  };
  return {
    noun: 'row of an import',
    tag,
    table: tables.rows,
    path: `${path}/:importId/rows`,
    key: 'rowId',
    owner,
    title: 'Line',
    fields: [
      { name: 'RowId', column: 'id', shape: id },
      { name: 'Line', shape: integer, sorts: true },
      ...fields,
      { name: 'Status', sorts: true, shape: { enum: rowStates } },
      { name: 'Reason', shape: { type: 'string', nullable: true, enum: [...reasons, null] } },
    ],
    list: { needs, sort: 'Line', filters: { status: { enum: rowStates } }, largestPage: 100 },
  };
}

/** An import with how many of its rows are in each state. */
async function readSummary<C extends object>(db: Database, declared: Import<C>, acting: Acting) {
  const found = await findImport(declared, acting);
  const counts = await untyped(db)
    .selectFrom(declared.tables.rows)
    .select(['status', ({ fn }) => fn.countAll<string>().as('count')])
    .where('import_id', '=', found.id)
    .groupBy('status')
    .execute();
  const countOf = (status: string): number => Number(counts.find(one => one.status === status)?.count ?? 0);
  const Rows = counts.reduce((sum, { count }) => sum + Number(count), 0);
  const { id: ImportId, name: Name, created: Created, expires: Expires } = found;
  const Counts = Object.fromEntries(rowStates.map(status => [status, countOf(status)]));
  const IsAssigned = found.places !== null;
  return {
    ImportId,
    Name,
    Created,
    Expires,
    Rows,
    IsAssigned,
    IsRun: countOf('Ready') + countOf('Invalid') < Rows,
    Counts,
  };
}

/** Adds the routes of an import from CSV: template, upload with a check of each row, the rows, run, undo. */
export function addImport<C extends object>(app: App, { db, now }: Pick<Parts, 'db' | 'now'>, declared: Import<C>) {
  const { path, needs, nouns, owner } = declared;
  const common = { tags: [declared.tag], needs };
  const route = routeAdder(app, db, common);
  const actingOf = ({ caller, params }: { readonly caller: Caller; readonly params: Path }): Acting => ({
    db,
    caller,
    path: params,
    now,
  });

  route(`GET ${path}/template`, { file: 'text/csv' }, async ({ caller, params }) => {
    await owner.of(db, caller, params);
    return { name: nouns, rows: [declared.file.map(({ head }) => head)] };
  });

  app.register(async (files: App) => {
    files.removeContentTypeParser('application/json');
    files.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, next) => next(null, body));
    const name = { ...text(200), default: `${nouns}.csv`, description: 'Name of the file.' } as const;
    const file = { consumes: ['text/csv'], bodyLimit: largestImport } as const;
    routeAdder(files, db, common)(
      `POST ${path}`,
      { ...file, query: partial({ name }), made: object({ ImportId: string }) },
      async ({ caller, params, query, body }) => {
        const bytes = body instanceof Buffer ? body : Buffer.alloc(0);
        return { ImportId: await storeImport(declared, actingOf({ caller, params }), query.name, bytes) };
      },
    );
  });

  route(`GET ${path}/:importId`, { reply: summary }, call => readSummary(db, declared, actingOf(call)));
  addResourceRoutes(app, { db, now }, rowsOf(declared, { now }));

  const properties = Object.fromEntries(declared.file.map(column => [propertyOf(column), place]));
  const columns = object({ Columns: list(fileColumn), Chosen: object(properties) });
  route(`GET ${path}/:importId/columns`, { reply: columns }, call => readColumns(declared, actingOf(call)));
  route(
    `POST ${path}/:importId/columns`,
    { body: partial({ ...properties, HasHeads: boolean }), reply: object({ ImportId: string }) },
    async call => {
      await assignColumns(declared, actingOf(call), call.body);
      return { ImportId: call.params.importId };
    },
  );

  for (const [verb, act] of [
    ['run', runImport],
    ['undo', undoImport],
  ] as const)
    route(`POST ${path}/:importId/${verb}`, {}, call => act(declared, actingOf(call)));
}
