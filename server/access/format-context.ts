import type { FormatContext } from '../../shared/rules/format.ts';
import type { Principal } from './principal.ts';

/**
 * How the server writes times and amounts for a principal, as its pages do: in the time zone that it has chosen, else in
 * that of its browser, as far as it is known.
 */
export function formatContextOf({ facts, browserTimeZone }: Principal): FormatContext {
  const timeZone = facts.timeZone ?? browserTimeZone;
  return { locale: facts.locale, currency: facts.currency, ...(timeZone !== undefined && { timeZone }) };
}
