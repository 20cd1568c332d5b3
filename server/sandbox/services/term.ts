import type { Term } from '../marketplace/offer.ts';

/** Gives the next end of a term after `now`, for a term that began at `started` and renews each time it ends. */
export function endOfTerm(started: Date, { Months }: Pick<Term, 'Months'>, now: Date): Date {
  const elapsed = (now.getUTCFullYear() - started.getUTCFullYear()) * 12 + now.getUTCMonth() - started.getUTCMonth();
  const terms = Math.max(1, Math.floor(elapsed / Months));
  const end = addMonths(started, terms * Months);
  return end > now ? end : addMonths(started, (terms + 1) * Months);
}

/** Gives how many months are still to be charged until the end of the term, the present one not counted. */
export function monthsLeft(end: Date, now: Date): number {
  const months = (end.getUTCFullYear() - now.getUTCFullYear()) * 12 + end.getUTCMonth() - now.getUTCMonth();
  return addMonths(end, -months) > now ? months : Math.max(0, months - 1);
}

/** The same day of another month, or its last one: 31 January and a month is 28 February. */
function addMonths(date: Date, months: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const last = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), last));
  return moved;
}
