export type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The rows at a path, or undefined where no list of rows is there. */
export function rowsOf(value: unknown): readonly Row[] | undefined {
  return Array.isArray(value) && value.every(isRow) ? value : undefined;
}

/** Rows by the moment that `momentOf` gives, the newest first; equal and unreadable moments keep their order. */
export function newestFirst(rows: readonly Row[], momentOf: (row: Row) => unknown): readonly Row[] {
  const moment = (row: Row) => Date.parse(String(momentOf(row))) || 0;
  return rows.toSorted((a, b) => moment(b) - moment(a));
}
