import { groupBy } from '../rules/group-by.ts';
import { amountOf, printedScale, roundTo, sumOf, unitsAt, writeAmount, writeRate } from './amounts.ts';

/** A line of an invoice before it is printed. */
export type ExactLine = {
  /** Unlike that of any other line of the invoice; of two lines with the same fraction the first one gets the cent. */
  readonly id: string;
  readonly currency: string;
  /** Tax in per cent, as a decimal. */
  readonly rate: string;
  /** Decimal with as many digits as it takes. */
  readonly amount: string;
};

/**
 * Gives the printed amount of each invoice line, by id. The exact sum of each currency and tax rate is rounded once,
 * half up, and the printed lines add up to it: each is cut to the cent, and the missing cents go to the lines that lost
 * most.
 */
export function printLines(lines: readonly ExactLine[]): ReadonlyMap<string, string> {
  const printed = new Map<string, string>();
  for (const group of groupBy(lines, ({ currency, rate }) => `${currency} ${writeRate(rate)}`).values()) {
    for (const [id, units] of distribute(group)) {
      printed.set(id, writeAmount({ units, scale: printedScale }));
    }
  }
  return printed;
}

function distribute(lines: readonly ExactLine[]): [string, bigint][] {
  const exact = lines.map(({ id, amount }) => ({ id, amount: amountOf(amount) }));
  const scale = Math.max(printedScale, ...exact.map(({ amount }) => amount.scale));
  const total = sumOf(exact.map(({ amount }) => amount));
  // A negative total is handled as the positive one that it takes back, so that both print the same cents.
  const sign = total.units < 0n ? -1n : 1n;
  const cent = 10n ** BigInt(scale - printedScale);
  const parts = exact.map(({ id, amount }) => {
    const units = sign * unitsAt(amount, scale);
    const fraction = ((units % cent) + cent) % cent;
    return { id, cents: (units - fraction) / cent, fraction };
  });
  const owed = sign * roundTo(total, printedScale).units;
  const missing = Number(owed - parts.reduce((sum, { cents }) => sum + cents, 0n));
  const byFraction = parts.toSorted((one, other) => compare(other.fraction, one.fraction) || compare(one.id, other.id));
  return byFraction.map(({ id, cents }, place) => [id, sign * (place < missing ? cents + 1n : cents)]);
}

const compare = <V extends bigint | string>(one: V, other: V): number => (one < other ? -1 : one > other ? 1 : 0);
