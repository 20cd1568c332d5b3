export type Row = Readonly<Record<string, unknown>>;

/** The rows at a path, or undefined where no list is there yet. */
export function rowsOf(value: unknown): readonly Row[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Rows by the moment that `momentOf` gives, the newest first; equal and unreadable moments keep their order. */
export function newestFirst(rows: readonly Row[], momentOf: (row: Row) => unknown): readonly Row[] {
  const moment = (row: Row) => Date.parse(String(momentOf(row))) || 0;
  return rows.toSorted((a, b) => moment(b) - moment(a));
}
