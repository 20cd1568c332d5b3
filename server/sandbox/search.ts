import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { searchKey } from '../../shared/rules/search-key.ts';
import type { Database } from './tables.ts';

/** Totals are exact up to here; beyond it the number says "at least". */
export const exactTo = 10_000;

/** Counts the rows of a query, but at most `exactTo` + 1. */
export async function countUpTo<DB, TB extends keyof DB>(
  db: Database,
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const { found } = await db
    .selectFrom(query.limit(exactTo + 1).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('found'))
    .executeTakeFirstOrThrow();
  return found;
}

/**
 * Gives SQL for the pattern by which a `search_key` contains a search text, whatever its case and accents. It has the
 * column's plain collation, which a trigram index needs.
 */
export function containing(search: string) {
  return sql<string>`${`%${searchKey(search).replace(/[\\%_]/g, '\\$&')}%`}::text collate "C"`;
}

/** Gives SQL for a text as searches compare it. */
export const searchKeyOf = (whole: RawBuilder<unknown>) => sql<string>`search_key(${whole}) collate "C"`;

/** Gives the longest word of a search text; of several the last, which says more than what stands before it. */
export const longestWordOf = (search: string): string =>
  search.split(' ').reduce((longest, word) => (word.length >= longest.length ? word : longest), '');

/** True for a text of one or two characters, which a trigram index cannot find. */
export function isShort(search: string): boolean {
  return [...searchKey(search)].length <= 2;
}

/**
 * Builds SQL for a search text of one or two letters, too short for a trigram index, as an array: the column matches
 * where its `short_pieces`, which have their own index, contain it.
 */
export function asPiece(search: string) {
  return sql<string[]>`array[${searchKey(search)}::text collate "C"]`;
}
