import { type Kysely, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { asPiece, containing, isShort } from '../search.ts';
import type { Database, Tables } from '../tables.ts';
import { isVisibleTo } from './scope.ts';

/**
 * Builds a query for the caller's customers whose name or domain contains `search`; all of them for ''. With `inOrder`
 * the text is compared row by row, for a query that sorts by another index and stops early.
 */
export function matching(db: Pick<Kysely<Tables>, 'selectFrom'>, caller: Caller, search: string, inOrder = false) {
  const visible = db.selectFrom('customers as c').where(isVisibleTo(caller));
  if (search === '') return visible;
  return isShort(search) && !inOrder
    ? visible.where(sql`short_pieces(c.search_text)`, '@>', asPiece(search))
    : visible.where('c.search_text', 'like', containing(search));
}

/** All of the caller's customers, in the columns that lists are found by. */
const all = (db: Pick<Kysely<Tables>, 'selectFrom'>, caller: Caller) =>
  db.selectFrom('customer_keys as c').where(isVisibleTo(caller));

/**
 * Builds a query with the CTE `matched`: the customers of `matching` with the columns to sort by. With `areFew` they
 * are fetched before they are sorted, since the planner would else walk all names in order.
 */
export function withMatched(db: Database, caller: Caller, search: string, areFew: boolean) {
  return db.with(
    name => (areFew ? name('matched').materialized() : name('matched').notMaterialized()),
    on =>
      (search === '' ? all(on, caller) : matching(on, caller, search, !areFew)).select([
        'c.id',
        'c.name',
        'c.status',
        'c.services',
        'c.users',
        'c.monthly_spend',
        'c.last_change',
        'c.suspended',
        'c.partner_id',
      ]),
  );
}
