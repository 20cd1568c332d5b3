import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { neutraliseCell } from '../../../shared/rules/csv-cell.ts';

/** A number can be summed in a spreadsheet; a text never becomes a formula there. */
export type Cell = string | number;

/** Answers a request with a CSV file. */
export function sendCsv(reply: FastifyReply, name: string, rows: readonly (readonly Cell[])[]): FastifyReply {
  const file = stringify(rows as Cell[][], {
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
