import { type RawBuilder, sql } from 'kysely';
import { productCodes } from '../../../shared/catalogue/codes.ts';
import type { Database } from '../tables.ts';
import { isProductOf } from './held.ts';

/**
 * Builds SQL for a property of the term of a service, as text: of the terms that its product `p` is offered with, the
 * one that the service `i` is ordered for, or the first; null where the product has none.
 */
export const ofTerm = (property: 'Name' | 'Months'): RawBuilder<string | null> => sql`(
  select term ->> ${sql.lit(property)}
  from jsonb_array_elements(p.offer -> 'Terms') with ordinality as offered (term, place)
  order by (term ->> 'Id' = i.term_id) desc nulls last, place limit 1)`;

const boughtOnce = productCodes
  .filter(({ chargingModel }) => chargingModel === 'OneTime')
  .map(({ serviceId, subId }) => `${serviceId}-${subId}`);

/** SQL for how a service `i` is billed: `once` where its product is paid once, else as it was ordered, or monthly. */
export const billingOfService: RawBuilder<string> = sql`
  case when i.service_id || '-' || i.sub_id = any(${boughtOnce}::text[]) then 'once'
    else coalesce(i.billing_id, 'monthly') end`;

/** SQL for the months of that term. */
export const monthsOfTerm: RawBuilder<number | null> = sql`${ofTerm('Months')}::int`;

/** Builds SQL for when the term of a service `i` ends next, and another one begins: the first end after `now`. */
export const nextEndOfTerm = (months: RawBuilder<unknown>, now: Date): RawBuilder<Date> =>
  sql<Date>`end_of_term(i.term_began, ${months}, ${now}::timestamptz)`;

/** Reads when the term of a service ends next. */
export async function readEndOfTerm(db: Database, instanceId: number, now: Date): Promise<Date> {
  const { ends } = await db
    .selectFrom('service_instances as i')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .where('i.id', '=', instanceId)
    .select(nextEndOfTerm(monthsOfTerm, now).as('ends'))
    .executeTakeFirstOrThrow();
  return ends;
}

/** Gives the last day (YYYY-MM-DD, the same in every time zone) of a term, of the moment at which the next one begins. */
export const lastDayBefore = (next: Date): string =>
  new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth(), next.getUTCDate() - 1)).toISOString().slice(0, 10);

/** Gives how many months are still to be charged until the end of the term, the present one not counted. */
export function monthsLeft(end: Date, now: Date): number {
  const months = (end.getUTCFullYear() - now.getUTCFullYear()) * 12 + end.getUTCMonth() - now.getUTCMonth();
  return addMonths(end, -months) > now ? months : Math.max(0, months - 1);
}

/** Gives the same day of another month, or its last one: 31 January and a month is 28 February. */
export function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), last));
  return moved;
}
