import { formatValue } from '../../shared/rules/format.ts';
import { decimalOf } from '../../shared/rules/money.ts';
import type { WordRefusal } from '../cloud/call.ts';
import { type RefusalCode, type RefusalDatum, refusals } from '../refusals.ts';
import type { Caller } from './caller.ts';

const longest = 200;

const isKnown = (code: string): code is RefusalCode => Object.hasOwn(refusals, code);

/** The currency of an amount: that beside it, else the caller's; undefined for what is none. */
function currencyOf(given: unknown, own: string): string | undefined {
  if (given === undefined || given === null) return own;
  return typeof given === 'string' && /^[A-Z]{3}$/.test(given) ? given : undefined;
}

/**
 * Gives a function that words the cloud's refusals for a caller: the text of the refusal's code, with its data
 * formatted as on screens. A general text stands in where the code has none, data are wrong, or a price must stay
 * hidden.
 */
export const wordRefusalFor =
  ({ access: { serverText }, principal: { facts, prices } }: Pick<Caller, 'access' | 'principal'>): WordRefusal =>
  (code, data) => {
    if (!isKnown(code)) return serverText('refusal.unknown');
    const own = (name: string): unknown => (Object.hasOwn(data, name) ? data[name] : undefined);
    const write = (name: string, kind: RefusalDatum): string | undefined => {
      const value = own(name);
      if (kind === 'text') return typeof value === 'string' ? value.slice(0, longest) : undefined;
      const [amount, currency] = [decimalOf(value), currencyOf(own('Currency'), facts.currency)];
      return prices && amount !== undefined && currency
        ? formatValue(amount, 'currency', { ...facts, currency })
        : undefined;
    };
    const values: Record<string, string> = {};
    for (const [name, kind] of Object.entries<RefusalDatum>(refusals[code])) {
      const written = write(name, kind);
      if (written === undefined) return serverText('refusal.unknown');
      values[name] = written;
    }
    return serverText(`refusal.${code}`, values);
  };
