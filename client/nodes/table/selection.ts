import type { Row } from '../../runtime/scope.ts';

/** Rows that can be chosen at once: so many calls a browser makes in a few minutes. */
export const selectionLimit = 1000;

/** The chosen rows by their keys, whatever page they are on. */
export type Selection = ReadonlyMap<string, Row>;

export const noRows: Selection = new Map();

/** Gives the key of a row, `name` being the field that has it. */
export const keyOfRow = (row: Row, name: string): string => String(row[name]);

/** Adds rows until the limit is reached; those that are chosen already keep their place and take their newer values. */
export function addRows(selection: Selection, rows: readonly Row[], name: string): Selection {
  const next = new Map(selection);
  for (const row of rows) {
    const key = keyOfRow(row, name);
    if (next.has(key) || next.size < selectionLimit) next.set(key, row);
  }
  return next;
}

export function removeRows(selection: Selection, rows: readonly Row[], name: string): Selection {
  const next = new Map(selection);
  for (const row of rows) next.delete(keyOfRow(row, name));
  return next;
}

/** The rows of a page from one key to another, whichever comes first; only the last where the first is elsewhere. */
export function rowsBetween(page: readonly Row[], name: string, from: string | undefined, to: string): readonly Row[] {
  const indexOf = (key: string | undefined) => page.findIndex(row => keyOfRow(row, name) === key);
  const end = indexOf(to);
  if (end < 0) return [];
  const start = from === undefined ? -1 : indexOf(from);
  if (start < 0) return page.slice(end, end + 1);
  return page.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/**
 * Goes on from one row to the next with Shift and an arrow: what is reached is chosen with where one comes from; going
 * back over what is chosen lets go of it again.
 */
export function extendTo(selection: Selection, from: Row, to: Row, name: string): Selection {
  return selection.has(keyOfRow(to, name)) ? removeRows(selection, [from], name) : addRows(selection, [from, to], name);
}

/** The chosen rows as the page shows them now; the same selection where it shows nothing newer. */
export function withNewer(selection: Selection, page: readonly Row[], name: string): Selection {
  const newer = page.filter(row => {
    const kept = selection.get(keyOfRow(row, name));
    return kept !== undefined && kept !== row;
  });
  return newer.length === 0 ? selection : addRows(selection, newer, name);
}

/** How much of a page is chosen. */
export function chosenOf(selection: Selection, page: readonly Row[], name: string): 'none' | 'some' | 'all' {
  const count = page.filter(row => selection.has(keyOfRow(row, name))).length;
  if (count === 0) return 'none';
  return count === page.length ? 'all' : 'some';
}
