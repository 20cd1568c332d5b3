import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from './tables.ts';

/** Totals are exact up to here; beyond it the number says "at least". */
export const exactTo = 10_000;

/** How many rows a query has, counted to one more than `exactTo` at most. */
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
 * The pattern of a case-insensitive "contains", lowered as the searched column is. It ends in the plain collation:
 * a trigram index serves only comparisons in its column's own.
 */
export function containing(search: string) {
  return sql<string>`('%' || ${lowered(search.replace(/[\\%_]/g, '\\$&'))} || '%') collate "C"`;
}

/** True for a text that trigrams are of no use for. */
export function isShort(search: string): boolean {
  return [...search.normalize('NFC').toLowerCase()].length <= 2;
}

/** The same for a short text, as what `short_pieces` of the searched column has to hold. */
export function asPiece(search: string) {
  return sql<string[]>`array[${lowered(search)} collate "C"]`;
}

const lowered = (text: string) => sql<string>`lower(${text.normalize('NFC')}::text collate "und-x-icu")`;
