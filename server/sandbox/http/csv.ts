import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { neutraliseCell } from '../../../shared/rules/csv-cell.ts';
import { string } from './schema.ts';

/** The `response` of a route that answers with a CSV file. */
export const csvReply = { 200: { content: { 'text/csv': { schema: string } } } } as const;

/** Answers a request with a CSV file. Texts cannot become formulas in a spreadsheet; numbers can be summed there. */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  rows: readonly (readonly (string | number)[])[],
): FastifyReply {
  const file = stringify(rows as (string | number)[][], {
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /;/,
    cast: { string: neutraliseCell },
  });
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(file);
}
