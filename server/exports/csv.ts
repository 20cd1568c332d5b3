import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import { neutraliseCell } from '../../shared/rules/csv-cell.ts';
import type { Cell, FileTable } from './cell.ts';

/** Streams a table as CSV. The byte order mark tells a spreadsheet the encoding. */
export async function writeCsv({ titles, pages }: FileTable): Promise<Readable> {
  const iterator = pages[Symbol.asyncIterator]();
  // The first page is read before anything is sent, so that a failure is answered as one.
  const first = await iterator.next();
  const rows = async function* (): AsyncGenerator<readonly Cell[]> {
    yield titles;
    for (let next = first; !next.done; next = await iterator.next()) yield* next.value;
  };
  const csv = stringify({
    bom: true,
    record_delimiter: 'windows',
    quoted_match: /;/,
    cast: {
      string: neutraliseCell,
      object: given => {
        const cell = given as Exclude<Cell, string>;
        return 'number' in cell ? cell.number : cell.text;
      },
    },
  });
  return Readable.from(rows())
    .on('error', error => csv.destroy(error))
    .pipe(csv);
}
