import { isDecimal } from '../rules/money.ts';

/**
 * An exact decimal: `units` divided by ten to the power of `scale`. No step of a sum passes through a binary fraction.
 */
export type Amount = { readonly units: bigint; readonly scale: number };

/** Digits behind the point of what is printed and paid, in pounds and in euros. */
export const printedScale = 2;

/** Parses a decimal string into an exact amount. @throws {RangeError} for what is no amount */
export function amountOf(text: string): Amount {
  if (!isDecimal(text)) throw new RangeError(`"${text}" is no amount`);
  const [whole = '', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), scale: fraction.length };
}

/** Writes an amount with all digits of its scale: 5 at scale 2 is "0.05". */
export function writeAmount({ units, scale }: Amount): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

/** Gives an amount as a whole number of units at a larger scale: 5.1 at scale 2 is 510. */
export const unitsAt = ({ units, scale }: Amount, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

/** Adds amounts exactly, at the largest scale among them; 0 for none. */
export function sumOf(amounts: readonly Amount[]): Amount {
  const scale = Math.max(0, ...amounts.map(amount => amount.scale));
  return { units: amounts.reduce((sum, amount) => sum + unitsAt(amount, scale), 0n), scale };
}

/**
 * Divides and rounds half up, by the size of the quotient: -0.5 becomes -1, so that what takes an amount back has the
 * same cents as the amount.
 */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend;
  const quotient = (2n * size + divisor) / (2n * divisor);
  return dividend < 0n ? -quotient : quotient;
}

/** Rounds an amount half up to `scale` decimal places. */
export function roundTo(amount: Amount, scale: number): Amount {
  if (amount.scale <= scale) return { units: unitsAt(amount, scale), scale };
  return { units: divideHalfUp(amount.units, 10n ** BigInt(amount.scale - scale)), scale };
}

/** Gives a percentage of an amount, rounded half up to the cent. */
export function percentOf(amount: Amount, rate: Amount): Amount {
  return roundTo({ units: amount.units * rate.units, scale: amount.scale + rate.scale + 2 }, printedScale);
}

/** Writes a tax rate in one form, so that 20 and 20.0 per cent are the same rate. */
export const writeRate = (rate: string): string => writeAmount(roundTo(amountOf(rate), 2));
