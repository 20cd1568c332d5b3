/** Amounts of money: decimal strings on the wire, so that no sum passes through a binary fraction. */

/** An amount as it is written: up to 15 digits, and behind the point as many as a number of JSON may have. */
export const decimalPattern = '-?\\d{1,15}(?:\\.\\d{1,20})?';

const decimal = new RegExp(`^${decimalPattern}$`);

/** True for an amount as it is written on the wire. */
export const isDecimal = (value: unknown): value is `${number}` => typeof value === 'string' && decimal.test(value);

/** Gives an amount as a decimal string; a number is read as its literal text. Undefined for what is no amount. */
export function decimalOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return isDecimal(text) ? text : undefined;
}
