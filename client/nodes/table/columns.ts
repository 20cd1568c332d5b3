import type { TableNode } from '../../../shared/language/types.ts';

export type Column = TableNode['columns'][number];

/** Gives the key of a column: its id, else the path that it shows. */
export const keyOfColumn = ({ id, path }: Column): string => id ?? path;

/** Gives the column that names a row: the one with priority `lead`, else the first. */
export function leadOf(columns: readonly Column[]): Column | undefined {
  return columns.find(column => column.priority === 'lead') ?? columns[0];
}
