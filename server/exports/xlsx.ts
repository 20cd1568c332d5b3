import { createRequire } from 'node:module';
import { createThread } from '../thread.ts';
import type { Cell, FileTable } from './cell.ts';

/** Letters of a cell and of the name of a sheet at most, as spreadsheets have them. */
const longestCell = 32_767;
const longestName = 31;
/** Width of a column in letters. */
const narrowest = 10;
const widest = 60;

const dayFormats = { day: 'dd/mm/yyyy', minute: 'dd/mm/yyyy hh:mm', month: 'mmm yyyy' } as const;

/** A cell as the thread takes it; the name of its type stands for the type. */
type SentCell = {
  readonly value: string | number | Date;
  readonly type: 'String' | 'Number' | 'Date';
  readonly format?: string;
  readonly fontWeight?: 'bold';
};

function cellOf(cell: Cell): SentCell | null {
  // A text is of the type text, also when somebody edits it: no formula begins in it.
  if (typeof cell === 'string')
    return cell === '' ? null : { value: cell.slice(0, longestCell), type: 'String', format: '@' };
  if ('number' in cell)
    return { value: Number(cell.number), type: 'Number', ...(cell.isMoney && { format: '#,##0.00' }) };
  return { value: cell.wall, type: 'Date', format: dayFormats[cell.unit] };
}

const lengthOf = (cell: Cell): number =>
  typeof cell === 'string' ? cell.length : 'number' in cell ? cell.number.length + 2 : cell.text.length;

const sheetName = (title: string): string =>
  title
    .replace(/[[\]/\\:*?]+|^'+|'+$/g, ' ')
    .trim()
    .slice(0, longestName) || 'Sheet1';

/** Gathers the rows of each workbook, page by page, and makes the file when it is given the options. */
const program = `
const types = { String, Number, Date };
const books = new Map();
const work = async ({ book, rows = [], options }) => {
  const all = books.get(book) ?? [];
  for (const row of rows) all.push(row.map(cell => cell && { ...cell, type: types[cell.type] }));
  if (!options) return void books.set(book, all);
  books.delete(book);
  if (options === 'none') return;
  const { default: write } = require(data);
  return await write(all, options).toBuffer();
};`;

const require = createRequire(import.meta.url);
/** Workbooks of a process are made one after another: 20,000 rows take two seconds of the processor. */
const thread = createThread({
  ...{ name: 'workbooks', program, data: require.resolve('write-excel-file/node') },
  // Each file that is under way has one page in it.
  most: 100,
});
let last = 0;

/**
 * Makes an Excel workbook of one sheet with fixed column heads, in a thread. Numbers and money can be summed, days and
 * times are dates. Throws BUSY, and what reading the pages throws.
 */
export async function writeXlsx({ titles, pages }: FileTable, title: string): Promise<Buffer> {
  const book = ++last;
  const head = titles.map((value): SentCell => ({ value, type: 'String', format: '@', fontWeight: 'bold' }));
  const widths = titles.map(({ length }) => length);
  try {
    await thread.run({ book, rows: [head] });
    for await (const page of pages) {
      for (const row of page)
        for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
      await thread.run({ book, rows: page.map(row => row.map(cellOf)) });
    }
  } catch (error) {
    await thread.run({ book, options: 'none' }).catch(() => undefined);
    throw error;
  }
  const columns = widths.map(width => ({ width: Math.min(Math.max(width + 2, narrowest), widest) }));
  const options = { sheet: sheetName(title), columns, stickyRowsCount: 1 };
  return Buffer.from((await thread.run({ book, options })) as Uint8Array);
}
