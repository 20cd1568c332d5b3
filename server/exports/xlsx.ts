import type { CellObject, Row } from 'write-excel-file/node';
import type { Cell, FileTable } from './cell.ts';

/** Letters of a cell and of the name of a sheet at most, as spreadsheets have them. */
const longestCell = 32_767;
const longestName = 31;
/** Width of a column in letters. */
const narrowest = 10;
const widest = 60;

const dayFormats = { day: 'dd/mm/yyyy', minute: 'dd/mm/yyyy hh:mm', month: 'mmm yyyy' } as const;

function cellOf(cell: Cell): CellObject | null {
  // A text is of the type text, also when somebody edits it: no formula begins in it.
  if (typeof cell === 'string')
    return cell === '' ? null : { value: cell.slice(0, longestCell), type: String, format: '@' };
  if ('number' in cell)
    return { value: Number(cell.number), type: Number, ...(cell.isMoney && { format: '#,##0.00' }) };
  return { value: cell.wall, type: Date, format: dayFormats[cell.unit] };
}

const lengthOf = (cell: Cell): number =>
  typeof cell === 'string' ? cell.length : 'number' in cell ? cell.number.length + 2 : cell.text.length;

const sheetName = (title: string): string =>
  title
    .replace(/[[\]/\\:*?]+|^'+|'+$/g, ' ')
    .trim()
    .slice(0, longestName) || 'Sheet1';

/**
 * Makes an Excel workbook of one sheet with fixed column heads. Numbers and money can be summed, days and times are
 * dates. Loads the library at the first call.
 */
export async function writeXlsx({ titles, pages }: FileTable, title: string): Promise<Buffer> {
  const rows: Row[] = [titles.map(value => ({ value, type: String, format: '@', fontWeight: 'bold' }) as const)];
  const widths = titles.map(({ length }) => length);
  for await (const page of pages) {
    for (const row of page) {
      for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, lengthOf(cell));
      rows.push(row.map(cellOf));
    }
  }
  const { default: write } = await import('write-excel-file/node');
  const columns = widths.map(width => ({ width: Math.min(Math.max(width + 2, narrowest), widest) }));
  return await write(rows, { sheet: sheetName(title), columns, stickyRowsCount: 1 }).toBuffer();
}
