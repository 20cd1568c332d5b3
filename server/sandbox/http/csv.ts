import { stringify } from 'csv-stringify/sync';
import type { FastifyReply } from 'fastify';
import { string } from './schema.ts';

/** The `response` of a route that answers with a CSV file. */
export const csvReply = { 200: { content: { 'text/csv': { schema: string } } } } as const;

/** Where a spreadsheet would begin a formula in a text: at its start, or behind a semicolon that it splits at. */
const formulaStart = /^(?=[=+\-@])|;(?=[\s"]*(?:[=+\-@]|$))/g;

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
    cast: {
      string: text =>
        text
          .replace(/[\r\n\t]+/g, ' ')
          .trimStart()
          .replace(formulaStart, "$&'"),
    },
  });
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(file);
}
