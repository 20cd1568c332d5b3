import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ScreenLayout, TableNode } from '../../../shared/language/types.ts';
import { contentDisposition } from '../../../shared/rules/file-name.ts';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import { routeScope } from '../../../shared/rules/route.ts';
import { readTimeZone } from '../../../shared/rules/time-zone.ts';
import { PortalError } from '../../errors.ts';
import { type ExportFormat, formats } from '../../exports/formats.ts';
import { boundedPages, mostAtOnce, openTable } from '../../exports/table-export.ts';
import type { Caller } from '../../operations/caller.ts';
import { createCounts } from '../../session/count-by-key.ts';
import { resolveScreen } from '../replies/resolve-screen.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

const asked = {
  type: 'object',
  additionalProperties: false,
  required: ['path'],
  properties: {
    path: { type: 'string', maxLength: 4000, description: 'Pathname and query of the screen, with its filters.' },
    zone: {
      type: 'string',
      maxLength: 60,
      description: 'Time zone of the browser, in which the page shows times where the caller has chosen none.',
    },
  },
} as const;

/** Files of one account, and of all, that are made while their browsers wait: each costs up to a second of the processor. */
const mostOfAccount = 2;
const mostOfAll = 8;

/** Limits the files that are made at once; gives the function to call before each, with the response it goes out in. */
function limitFiles(): (caller: Caller, response: ServerResponse) => void {
  const making = createCounts();
  let all = 0;
  return ({ session, address }, response) => {
    const key = session?.account ?? networkOf(address);
    if (making.of(key) >= mostOfAccount) throw new PortalError('EXPORTS_BUSY');
    if (all >= mostOfAll) throw new PortalError('BUSY', { detail: 'files made at once' });
    making.add(key);
    all += 1;
    // Comes once, also when the browser goes away before.
    response.once('close', () => {
      making.drop(key);
      all -= 1;
    });
  };
}

type Place = { readonly path: string; readonly zone?: string };

type Asked = { readonly layout: string; readonly file: string };

/** Finds the table that a file is to be made of, in the caller's layout of the screen at `path`. Throws NOT_FOUND. */
export function findTable(caller: Caller, path: string, id: string | undefined) {
  const found = resolveScreen(caller, path);
  if (id === undefined || 'redirect' in found) throw new PortalError('NOT_FOUND');
  // The hash is that of the page the user sees; after an edit the current layout of the same address answers.
  const { layout, nodes } = found.layout;
  const table = nodes.get(id);
  if (table?.type !== 'table' || layout.kind !== 'screen') throw new PortalError('NOT_FOUND');
  const route = routeScope(found.parameters, found.query);
  return { layout: layout as ScreenLayout, table: table as TableNode, route };
}

/** Writes a file name with a date, as in "Invoices 2026-11-25.csv". */
export const datedName = (title: string, day: Date, ending: string): string =>
  `${title} ${day.toISOString().slice(0, 10)}.${ending}`;

/**
 * Adds GET and POST /ui/files/{layout}/{table}.csv or .xlsx: all rows of a table under its current filter. For more
 * than `mostAtOnce` rows a POST starts a background job and leads to the screen that shows it.
 */
export function addFilesRoutes(app: FastifyInstance, { services, exportJobs }: RouteParts): void {
  const begin = limitFiles();

  async function send(caller: Caller, { file }: Asked, { path, zone }: Place, reply: FastifyReply, mayStart: boolean) {
    const [, id, ending] = /^(.+)\.(csv|xlsx)$/.exec(file) ?? [];
    const { layout, table, route } = findTable(caller, path, id);
    const format = ending as ExportFormat;
    begin(caller, reply.raw);
    const stop = new AbortController();
    const chosen = caller.principal.facts.timeZone;
    const seen = { ...services, timeZone: chosen ?? readTimeZone(zone) ?? services.timeZone };
    const open = await openTable(seen, caller, layout, table, route, mayStart ? stop.signal : undefined);
    if ((open.total ?? 0) > mostAtOnce) {
      if (!mayStart) throw new PortalError('EXPORT_LONG');
      await exportJobs.start(caller, { table: open, format, path, tableId: table.id, stop });
      return reply.code(202).send({ Succeed: true, effects: [{ do: 'open-popup', popup: 'exports' }] });
    }
    const { type, write } = formats[format];
    const content = await write({ titles: open.titles, pages: boundedPages(open) }, open.title);
    return reply
      .headers({ 'content-disposition': contentDisposition(datedName(open.title, new Date(), format)) })
      .type(format === 'csv' ? `${type}; charset=utf-8` : type)
      .send(content);
  }
  app.get<{ Params: Asked; Querystring: Place }>(
    '/ui/files/:layout/:file',
    {
      schema: {
        tags: ['data'],
        summary: 'A table of a screen as CSV or XLSX, at most 5,000 rows.',
        querystring: asked,
      },
    },
    async ({ caller, params, query }, reply) => send(caller, params, query, reply, false),
  );
  app.post<{ Params: Asked; Body: Place }>(
    '/ui/files/:layout/:file',
    { schema: { tags: ['data'], summary: 'The same, made in the background where it is longer.', body: asked } },
    async ({ caller, params, body }, reply) => send(caller, params, body, reply, true),
  );
}
