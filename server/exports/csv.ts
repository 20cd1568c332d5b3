import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify';
import type { Cell, FileTable } from './cell.ts';

/**
 * Where a spreadsheet would begin a formula in a text: at its start, and behind each semicolon, at which a spreadsheet of
 * another locale splits it. Behind the last semicolon nobody knows what follows.
 */
const formulaStart = /^(?=[=+\-@＝＋－＠])|;(?=[\s"]*(?:[=+\-@＝＋－＠]|$))/g;

/** A text on one line without tabs, since a line or cell of its own would begin behind either, with no formula in it. */
const neutralise = (text: string): string =>
  text
    .replace(/[\r\n\t]+/g, ' ')
    .trimStart()
    .replace(formulaStart, "$&'");

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
      string: neutralise,
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
