import { sql } from 'kysely';
import type { View } from './words.ts';

/** Views whose screens sum all customers of a reseller up: whoever sees certain customers only does not hold them. */
const viewsOfAll: readonly View[] = ['billing', 'pSA'];

/** SQL over an account `a` and its permissions record `p`, if it has one: the views that it holds. */
export const heldViews = sql<View[]>`case when a.limited
  then array(select word from unnest(p.views) as w (word) where word <> all(${[...viewsOfAll]}::text[]))
  else coalesce(p.views, '{}') end`;
