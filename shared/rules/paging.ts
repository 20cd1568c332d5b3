import type { TableNode } from '../language/types.ts';

/** Rows on a page of a list whose document does not say how many. */
const usualSize = 25;

/** Rows on a page until another size is chosen. */
export const firstSize = ({ sizes }: NonNullable<TableNode['paging']>): number => sizes?.[0] ?? usualSize;
