import type { ComponentType } from 'react';
import type { TableNode } from '../../../shared/language/types.ts';
import type { NodeProps } from '../../runtime/page/registry.ts';
import type { Scope } from '../../runtime/state/scope.ts';
import type { Selection } from './selection.ts';
import type { SelectionActions } from './use-selection.ts';

export type BulkBarProps = NodeProps<'table'> & {
  readonly selection: Selection;
  readonly actions: SelectionActions;
  /** How many rows match on all pages; undefined where it is not known. */
  readonly total: number | undefined;
};

export type SaveViewProps = {
  /** Names that there are. */
  readonly names: readonly string[];
  readonly testId: TableNode['testId'];
  readonly onSave: (name: string) => void;
  readonly onClose: () => void;
};

/** What a toolbar has for the table of this id. */
export type ToolsProps = { readonly table: string; readonly scope: Scope };

type TableWork = { readonly BulkBar: ComponentType<BulkBarProps>; readonly SaveView: ComponentType<SaveViewProps> };
type ListTools = {
  readonly ClearFilters: ComponentType<ToolsProps>;
  readonly TableTools: ComponentType<ToolsProps>;
  readonly DisplayBelow: ComponentType<NodeProps<'table'>>;
  readonly FilterSearch: ComponentType<NodeProps<'filter'>>;
};

let loadWork: () => Promise<TableWork>;
let loadTools: () => Promise<ListTools>;

/**
 * Sets the function that loads the code that few visits of a table need: actions on several rows, and saving a view.
 */
export function lazyLoadTableWork(load: typeof loadWork): void {
  loadWork = load;
}

/** Sets the function that loads what a toolbar shows for its table (views, columns); the rows are drawn before it. */
export function lazyLoadListTools(load: typeof loadTools): void {
  loadTools = load;
}

/** Loads the code for actions on several rows and for saving a view, with the function that `lazyLoadTableWork` set. */
export const loadTableWork = (): Promise<TableWork> => loadWork();
/** Loads what a toolbar shows for its table, with the function that `lazyLoadListTools` set. */
export const loadListTools = (): Promise<ListTools> => loadTools();
