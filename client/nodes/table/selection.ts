import type { Row } from '../../runtime/state/scope.ts';

/** Rows that can be chosen at once: so many calls a browser makes in a few minutes. */
export const selectionLimit = 1000;

/** The chosen rows by their keys, whatever page they are on. */
export type Selection = ReadonlyMap<string, Row>;

export const noRows: Selection = new Map();

/** Gives the key of a row, `name` being the field that has it. */
export const keyOfRow = (row: Row, name: string): string => String(row[name]);

/**
 * Gives the selection with these rows added, up to its limit. Rows selected already keep their order and take their
 * newer values.
 */
export function addRows(selection: Selection, rows: readonly Row[], name: string): Selection {
  const next = new Map(selection);
  for (const row of rows) {
    const key = keyOfRow(row, name);
    if (next.has(key) || next.size < selectionLimit) next.set(key, row);
  }
  return next;
}

/** Gives the selection of a table without these rows; `name` is the field that holds the key of a row. */
export function removeRows(selection: Selection, rows: readonly Row[], name: string): Selection {
  const next = new Map(selection);
  for (const row of rows) next.delete(keyOfRow(row, name));
  return next;
}

/**
 * Gives the rows of a page between two keys, both included, for selecting with Shift; only the row `to` when `from` is
 * not on the page.
 */
export function rowsBetween(page: readonly Row[], name: string, from: string | undefined, to: string): readonly Row[] {
  const indexOf = (key: string | undefined) => page.findIndex(row => keyOfRow(row, name) === key);
  const end = indexOf(to);
  if (end < 0) return [];
  const start = from === undefined ? -1 : indexOf(from);
  if (start < 0) return page.slice(end, end + 1);
  return page.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * Gives the selection after Shift and an arrow key moved from one row to the next: selects both, or, when the next row
 * is selected already, deselects the one that was left.
 */
export function extendTo(selection: Selection, from: Row, to: Row, name: string): Selection {
  return selection.has(keyOfRow(to, name)) ? removeRows(selection, [from], name) : addRows(selection, [from, to], name);
}

/** Gives the selection with the newer values of the rows that the page shows; the same object when none has changed. */
export function withNewer(selection: Selection, page: readonly Row[], name: string): Selection {
  const newer = page.filter(row => {
    const kept = selection.get(keyOfRow(row, name));
    return kept !== undefined && kept !== row;
  });
  return newer.length === 0 ? selection : addRows(selection, newer, name);
}

/** Says how many rows of a page are selected: none, some or all. */
export function chosenOf(selection: Selection, page: readonly Row[], name: string): 'none' | 'some' | 'all' {
  const count = page.filter(row => selection.has(keyOfRow(row, name))).length;
  if (count === 0) return 'none';
  return count === page.length ? 'all' : 'some';
}
