import type { FastifyRequest } from 'fastify';
import { csvReply, sendCsv } from '../http/csv.ts';
import { created, done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, date, id, integer, list, object, params, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Resource } from '../resource/declaration.ts';
import type { Owner, Path } from '../resource/owners.ts';
import { addResource } from '../resource/routes.ts';
import { untyped } from '../resource/rows.ts';
import type { Database } from '../tables.ts';
import { type Import, rowStates } from './declaration.ts';
import { largestImport, propertyOf } from './file.ts';
import {
  type Acting,
  assignColumns,
  type ColumnChoice,
  findImport,
  readColumns,
  runImport,
  storeImport,
  undoImport,
} from './run.ts';

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
  const config = { needs };
  const tags = [declared.tag];
  const ofOwner = path.includes(':customerId') ? { params: params('customerId') } : {};
  const oneImport = path.includes(':customerId') ? params('customerId', 'importId') : params('importId');
  // The parameters of a path that is declared have no types.
  const actingOf = ({ signedIn: caller, params: at }: FastifyRequest): Acting => ({
    db,
    caller,
    path: at as Path,
    now,
  });

  app.get(`${path}/template`, { config, schema: { tags, ...ofOwner, response: csvReply } }, async (request, reply) => {
    const { caller, path: at } = actingOf(request as FastifyRequest);
    await owner.of(db, caller, at);
    return sendCsv(reply, nouns, [declared.file.map(({ head }) => head)]);
  });

  app.register(async (files: App) => {
    files.removeContentTypeParser('application/json');
    files.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (_request, body, next) => next(null, body));
    files.post(
      path,
      {
        config,
        schema: {
          tags,
          consumes: ['text/csv'],
          ...ofOwner,
          querystring: {
            type: 'object',
            additionalProperties: false,
            properties: { name: { ...text(200), default: `${nouns}.csv`, description: 'Name of the file.' } },
          },
          response: created(object({ ImportId: string })),
        },
        bodyLimit: largestImport,
      },
      async (request, reply) => {
        const file = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
        const acting = actingOf(request as FastifyRequest);
        const ImportId = await storeImport(declared, acting, request.query.name, file);
        reply.code(201);
        return succeed({ ImportId });
      },
    );
  });

  app.get(
    `${path}/:importId`,
    { config, schema: { tags, params: oneImport, response: replies(summary) } },
    async request => succeed(await readSummary(db, declared, actingOf(request as FastifyRequest))),
  );
  addResource(app, { db, now }, rowsOf(declared, { now }));

  const properties = Object.fromEntries(declared.file.map(column => [propertyOf(column), place]));
  app.get(
    `${path}/:importId/columns`,
    {
      config,
      schema: {
        tags,
        params: oneImport,
        response: replies(object({ Columns: list(fileColumn), Chosen: object({ ...properties }) })),
      },
    },
    async request => succeed(await readColumns(declared, actingOf(request as FastifyRequest))),
  );
  app.post(
    `${path}/:importId/columns`,
    {
      config,
      schema: {
        tags,
        params: oneImport,
        body: { type: 'object', additionalProperties: false, properties: { ...properties, HasHeads: boolean } },
        response: replies(object({ ImportId: string })),
      },
    },
    async request => {
      const acting = actingOf(request as FastifyRequest);
      await assignColumns(declared, acting, request.body as ColumnChoice);
      return succeed({ ImportId: String(acting.path.importId) });
    },
  );

  for (const [verb, act] of [
    ['run', runImport],
    ['undo', undoImport],
  ] as const) {
    app.post(
      `${path}/:importId/${verb}`,
      { config, schema: { tags, params: oneImport, response: replies() } },
      async request => {
        await act(declared, actingOf(request as FastifyRequest));
        return done();
      },
    );
  }
}
