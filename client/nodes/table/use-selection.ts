import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import type { Row } from '../../runtime/state/scope.ts';
import {
  addRows,
  extendTo,
  keyOfRow,
  noRows,
  removeRows,
  rowsBetween,
  type Selection,
  withNewer,
} from './selection.ts';

/** Chooses rows; the functions stay the same for as long as the table lives. */
export type SelectionActions = {
  /** A box was pressed; with `isRange` all from the box that was pressed before follow. */
  choose(row: Row, isOn: boolean, isRange: boolean): void;
  choosePage(isOn: boolean): void;
  add(rows: readonly Row[]): void;
  remove(rows: readonly Row[]): void;
  clear(): void;
  /** Arrows lead from box to box, with Shift they choose. */
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
};

const boxes = '.cell-check input';

/**
 * Hook for the selected rows of a table: gives the selection and the functions that change it. Rows stay selected when
 * the user goes to another page or sorts anew.
 */
export function useSelection(node: TableNode, page: readonly Row[]): readonly [Selection, SelectionActions] {
  const [selection, setSelection] = useState(noRows);
  const anchor = useRef<string>(undefined);
  const shown = useRef(page);
  shown.current = page;
  const { key: name } = node;
  const actions = useMemo<SelectionActions>(
    () => ({
      choose(row, isOn, isRange) {
        const key = keyOfRow(row, name);
        const rows = isRange ? rowsBetween(shown.current, name, anchor.current, key) : [row];
        anchor.current = key;
        setSelection(before => (isOn ? addRows : removeRows)(before, rows, name));
        // Shift has marked the text between the two presses.
        if (isRange) getSelection()?.removeAllRanges();
      },
      choosePage: isOn => setSelection(before => (isOn ? addRows : removeRows)(before, shown.current, name)),
      add: rows => setSelection(before => addRows(before, rows, name)),
      remove: rows => setSelection(before => removeRows(before, rows, name)),
      clear: () => setSelection(noRows),
      onKeyDown(event) {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step || !(event.target as Element).matches(boxes)) return;
        const all = [...event.currentTarget.querySelectorAll<HTMLElement>(boxes)];
        const next = all[all.indexOf(event.target as HTMLElement) + step];
        if (!next) return;
        event.preventDefault();
        next.focus();
        const rowOf = (box: EventTarget) =>
          shown.current.find(row => keyOfRow(row, name) === (box as HTMLInputElement).value);
        const [from, to] = [rowOf(event.target), rowOf(next)];
        if (!event.shiftKey || !from || !to) return;
        anchor.current = keyOfRow(to, name);
        setSelection(before => extendTo(before, from, to, name));
      },
    }),
    [name],
  );
  const chosen = useMemo(() => withNewer(selection, page, name), [selection, page, name]);
  return [chosen, actions];
}
