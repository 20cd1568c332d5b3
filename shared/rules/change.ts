import { decimalOf } from './money.ts';

/** How a figure differs from an earlier one. */
export type Change = {
  readonly direction: 'up' | 'down' | 'same';
  /** By how much, without a sign, as a decimal string: no sum of money passes through a binary fraction. */
  readonly amount: string;
  /** The same in percent of the earlier figure, to a tenth; absent where that was 0. */
  readonly percent?: number;
};

/** Digits behind the point of an amount, at most. */
const digits = 20;

/** An amount in units of its last possible digit. */
function unitsOf(amount: string): bigint {
  const [whole = '', part = ''] = amount.split('.');
  return BigInt(whole + part.padEnd(digits, '0'));
}

function writeUnits(units: bigint): string {
  const text = String(units).padStart(digits + 1, '0');
  const part = text.slice(-digits).replace(/0+$/, '');
  return part === '' ? text.slice(0, -digits) : `${text.slice(0, -digits)}.${part}`;
}

/** Gives the change from an earlier number or amount to a newer one; undefined where one of them is none. */
export function changeSince(earlier: unknown, value: unknown): Change | undefined {
  const [then, now] = [decimalOf(earlier), decimalOf(value)];
  if (then === undefined || now === undefined) return undefined;
  const [before, difference] = [unitsOf(then), unitsOf(now) - unitsOf(then)];
  const amount = writeUnits(difference < 0n ? -difference : difference);
  if (difference === 0n) return { direction: 'same', amount, percent: 0 };
  const percent = Math.round((Number(difference) / Math.abs(Number(before))) * 1000) / 10;
  return { direction: difference > 0n ? 'up' : 'down', amount, ...(before !== 0n && { percent: Math.abs(percent) }) };
}
