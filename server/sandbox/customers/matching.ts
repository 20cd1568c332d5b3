import { type Kysely, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { asPiece, containing, isShort } from '../search.ts';
import type { Database, Tables } from '../tables.ts';
import { isVisibleTo } from './scope.ts';

/**
 * The caller's customers whose name or domain has the text; all of them for none. `inOrder`: they are walked in the
 * order of another index until there are enough, for which each is compared as it comes.
 */
export function matching(db: Pick<Kysely<Tables>, 'selectFrom'>, caller: Caller, search: string, inOrder = false) {
  const visible = db.selectFrom('customers as c').where(isVisibleTo(caller));
  if (search === '') return visible;
  return isShort(search) && !inOrder
    ? visible.where(sql`short_pieces(c.search_text)`, '@>', asPiece(search))
    : visible.where('c.search_text', 'like', containing(search));
}

/**
 * The same as a `matched` to select from, with what one may sort by. When they are known to be few they are fetched
 * first and then sorted: the planner, which takes the names to be spread evenly, would rather walk all names in order
 * and meets none for long.
 */
export function withMatched(db: Database, caller: Caller, search: string, areFew: boolean) {
  return db.with(
    name => (areFew ? name('matched').materialized() : name('matched').notMaterialized()),
    on =>
      matching(on, caller, search, !areFew).select([
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
