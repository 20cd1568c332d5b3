import type { FieldNode } from '../../../shared/language/types.ts';
import type { Item } from './typing.ts';

/** Bytes of a file at most: ten thousand rows of a hundred characters. */
export const largestCsv = 1_000_000;

/** Values of a file, each for a field of an item, and the names of rows that no item has. */
export type CsvRows = {
  readonly values: readonly { readonly item: Item; readonly field: FieldNode; readonly value: string | boolean }[];
  readonly count: number;
  readonly unknown: readonly string[];
};

/** Splits a table of text into cells (RFC 4180), between commas, semicolons or tabs, whichever its first line has most. */
function readCells(text: string): string[][] {
  const [first = ''] = text.split('\n', 1);
  const separator = [',', ';', '\t'].sort((one, other) => first.split(other).length - first.split(one).length)[0];
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = (): void => {
    rows.at(-1)?.push(cell.trim());
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at];
      else isQuoted = false;
    } else if (sign === '"' && cell.trim() === '') {
      cell = '';
      isQuoted = true;
    } else if (sign === separator) endCell();
    else if (sign === '\n') {
      endCell();
      rows.push([]);
    } else if (sign !== '\r') cell += sign;
  }
  endCell();
  return rows.filter(row => row.some(value => value !== ''));
}

const plain = (text: string): string => text.normalize('NFC').trim().toLowerCase();
const ticked: readonly string[] = ['true', 'yes', '1'];

/**
 * Reads field values for a grid from CSV: the first column names the item (or has its key), the others hold its fields,
 * in order or as a first line of labels says. An empty cell changes nothing.
 */
export function readCsvRows(
  text: string,
  items: readonly Item[],
  fields: readonly FieldNode[],
  labelOf: (field: FieldNode) => string,
): CsvRows {
  const rows = readCells(text.replace(/^\uFEFF/, ''));
  const byName = new Map(items.flatMap(item => [[plain(item.title), item] as const, [plain(item.key), item] as const]));
  const named = (rows[0] ?? []).slice(1).map(cell => {
    const name = plain(cell);
    return fields.find(field => name === plain(labelOf(field)) || name === plain(field.propertyName));
  });
  const hasHead = named.some(field => field !== undefined) && !byName.has(plain(rows[0]?.[0] ?? ''));
  const columns = hasHead ? named : fields;
  const unknown: string[] = [];
  const found = (hasHead ? rows.slice(1) : rows).flatMap(([name = '', ...cells]) => {
    const item = byName.get(plain(name));
    if (!item) unknown.push(name);
    return item ? [{ item, cells }] : [];
  });
  const values = found.flatMap(({ item, cells }) =>
    cells.flatMap((cell, index) => {
      const field = columns[index];
      if (!field || cell === '') return [];
      return [{ item, field, value: field.kind === 'checkbox' ? ticked.includes(plain(cell)) : cell }];
    }),
  );
  return { values, count: found.length, unknown };
}
