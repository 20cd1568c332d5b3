import type { TableNode } from '../language/types.ts';

/** Rows on a page of a list whose document does not say how many. */
const usualSize = 25;

/** Gives the page size of a table until the user chooses another. */
export const firstSize = ({ sizes }: NonNullable<TableNode['paging']>): number => sizes?.[0] ?? usualSize;
