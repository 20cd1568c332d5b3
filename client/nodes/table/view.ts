import type { TableNode } from '../../../shared/language/types.ts';
import { usePlace } from '../../runtime/effects/navigation.tsx';
import { useDocument } from '../../runtime/state/document-scope.tsx';
import { usePreference } from '../../runtime/state/preferences.ts';

export type Density = 'comfortable' | 'compact';

export type TableView = {
  /** Keys of the columns that are hidden. */
  readonly hidden: ReadonlySet<string>;
  readonly density: Density;
  hide(next: ReadonlySet<string>): void;
  setDensity(next: Density): void;
};

/** Says that no column is hidden, also to somebody who hides some. */
const none = 'none';

const acceptHidden = (kept: unknown): string => (typeof kept === 'string' ? kept : none);
const acceptDensity = (kept: unknown): Density => (kept === 'compact' ? kept : 'comfortable');

/** Writes a table's hidden columns in the form in which the address holds them. */
export const writeHiddenColumns = (hidden: ReadonlySet<string>): string => [...hidden].sort().join(' ') || none;

/**
 * Gives the name under which a setting of this table (`what`: columns, density) is stored as a preference of the user.
 */
export function usePreferenceName(node: TableNode, what: string): string {
  const { layout } = useDocument();
  return `${what}.${layout.get().layout.id}.${node.id}`;
}

/**
 * Hook for the hidden columns and the density of a table: those in the address, else the user's stored choice; with
 * functions that change both.
 */
export function useTableView(node: TableNode): TableView {
  const [hiddenHere, setHiddenHere] = usePlace(node.view?.hidden);
  const [densityHere, setDensityHere] = usePlace(node.view?.density);
  const [hiddenKept, keepHidden] = usePreference(usePreferenceName(node, 'columns'), acceptHidden);
  const [densityKept, keepDensity] = usePreference(usePreferenceName(node, 'density'), acceptDensity);
  const names = String(hiddenHere ?? hiddenKept);
  return {
    hidden: new Set(names === none ? [] : names.split(' ')),
    density: densityHere === undefined ? densityKept : acceptDensity(densityHere),
    hide(next) {
      keepHidden(writeHiddenColumns(next));
      setHiddenHere(next.size === 0 ? undefined : writeHiddenColumns(next), { replace: true });
    },
    setDensity(next) {
      keepDensity(next);
      setDensityHere(next === 'compact' ? next : undefined, { replace: true });
    },
  };
}
