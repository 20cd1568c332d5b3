import type { FastifyInstance } from 'fastify';
import { endingsOf } from '../../shared/language/file-types.ts';
import type { ScreenLayout, TableNode } from '../../shared/language/types.ts';
import { routeScope } from '../../shared/rules/route.ts';
import { interpolate } from '../../shared/rules/text.ts';
import { PortalError } from '../errors.ts';
import { writeCsv } from './csv.ts';
import { resolveScreen } from './resolve-screen.ts';
import type { RouteParts } from './route-dependencies.ts';
import { exportTable } from './table-export.ts';
import { writeXlsx } from './xlsx.ts';

const querystring = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', maxLength: 4000, description: 'Pathname and query of the screen, with its filters.' },
  },
} as const;

/** RFC 6266: a plain name for old programs, and the real one in UTF-8. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9 ._-]/g, '_');
  const encoded = encodeURIComponent(name.replace(/\p{Surrogate}/gu, '_')).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/**
 * A name that an upstream gave, without what leads elsewhere or shows as something else; with an ending of its media
 * type, where that is known.
 */
export function fileName(given: string, type: string): string {
  const plain = given
    .replace(/[\p{C}\\/:*?"<>|]+/gu, ' ')
    .replace(/^[. ]+/, '')
    .trim();
  const endings = endingsOf(type);
  const ending = endings.find(known => plain.toLowerCase().endsWith(known)) ?? '';
  const bare = plain.slice(0, plain.length - ending.length);
  return `${[...bare].slice(0, 100).join('').trim() || 'file'}${ending || (endings[0] ?? '')}`;
}

/** The formats of a table as a file, by the ending of its name. */
const formats = {
  csv: { type: 'text/csv; charset=utf-8', write: writeCsv },
  xlsx: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', write: writeXlsx },
} as const;

/** GET /ui/files/{layout}/{table}.csv or .xlsx: the whole current filter of a table that the caller sees. */
export function addFilesRoute(app: FastifyInstance, { services }: RouteParts): void {
  app.get<{ Params: { layout: string; file: string }; Querystring: { path: string } }>(
    '/ui/files/:layout/:file',
    { schema: { tags: ['data'], summary: 'A table of a screen as CSV or XLSX, at most 10,000 rows.', querystring } },
    async ({ caller, params, query }, reply) => {
      const [, id, ending] = /^(.+)\.(csv|xlsx)$/.exec(params.file) ?? [];
      const found = resolveScreen(caller, query.path);
      if (id === undefined || 'redirect' in found) throw new PortalError('NOT_FOUND');
      // The hash is that of the page the user sees; after an edit the current layout of the same address answers.
      const { layout, nodes } = found.layout;
      const table = nodes.get(id);
      if (table?.type !== 'table' || layout.kind !== 'screen') throw new PortalError('NOT_FOUND');
      const route = routeScope(found.parameters, found.query);
      const { type, write } = formats[ending as keyof typeof formats];
      const title = interpolate((table as TableNode).label, {}).replace(/[\\/:*?"<>|]/g, '-') || layout.id;
      const file = await write(exportTable(services, caller, layout as ScreenLayout, table as TableNode, route), title);
      const day = new Date().toISOString().slice(0, 10);
      return reply
        .headers({ 'content-disposition': contentDisposition(`${title} ${day}.${ending}`) })
        .type(type)
        .send(file);
    },
  );
}
