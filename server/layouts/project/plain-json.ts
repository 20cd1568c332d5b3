import { decimalPattern } from '../../../shared/rules/money.ts';

/**
 * Passes over JSON that is written plainly: without escapes, with numbers that every reader takes alike. Each function
 * takes the place where something starts and gives the one behind it, or `odd`.
 */
export const odd = -1;

export const quote = 34;
export const comma = 44;
export const colon = 58;
export const openBrace = 123;
export const closeBrace = 125;
export const openBracket = 91;
export const closeBracket = 93;

/** Digits of a whole number that fit a double. */
const mostDigits = 15;

/** What a value is by the sign that it starts with, as bits. */
export const classes = { string: 1, number: 2, boolean: 4, null: 8, object: 16, list: 32, decimal: 64 } as const;

/** True for the character code that begins an object or array in JSON text. */
export const isContainer = (code: number): boolean => code === openBrace || code === openBracket;
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Gives the position of the next character of JSON text, from `at` on, that is no white space. */
export function skipSpace(text: string, at: number): number {
  for (let place = at; ; place++) {
    const code = text.charCodeAt(place);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return place;
  }
}

/**
 * Gives the position of a JSON string's closing quote, from behind the opening one; `odd` when it has none. The text
 * has no escapes.
 */
export function passString(text: string, at: number): number {
  for (let place = at; ; place++) {
    const code = text.charCodeAt(place);
    if (code === quote) return place;
    // Also the end of the text, where there is no code.
    if (!(code >= 32)) return odd;
  }
}

function passDigits(text: string, at: number): number {
  let place = at;
  while (isDigit(text.charCodeAt(place))) place++;
  return place;
}

function passNumber(text: string, at: number): number {
  const isNegative = text.charCodeAt(at) === 45;
  const start = isNegative ? at + 1 : at;
  let place = passDigits(text, start);
  const length = place - start;
  if (length === 0 || length > mostDigits || (text.charCodeAt(start) === 48 && (length > 1 || isNegative))) return odd;
  if (text.charCodeAt(place) === 46) {
    const fraction = place + 1;
    place = passDigits(text, fraction);
    if (place === fraction) return odd;
  }
  const next = text.charCodeAt(place);
  return next === 101 || next === 69 ? odd : place;
}

function passWord(text: string, at: number): number {
  if (text.startsWith('true', at) || text.startsWith('null', at)) return at + 4;
  return text.startsWith('false', at) ? at + 5 : odd;
}

/** Gives the position behind a JSON string, number or word that begins at `at`; `odd` when there is none. */
export function passScalar(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === quote) {
    const end = passString(text, at + 1);
    return end === odd ? odd : end + 1;
  }
  return isDigit(code) || code === 45 ? passNumber(text, at) : passWord(text, at);
}

/** Gives the classes that a JSON value may be of, by the code of its first character; 0 when none begins so. */
export function classOf(code: number): number {
  if (code === quote) return classes.string | classes.decimal;
  if (isDigit(code) || code === 45) return classes.number;
  if (code === 116 || code === 102) return classes.boolean;
  if (code === 110) return classes.null;
  if (code === openBrace) return classes.object;
  return code === openBracket ? classes.list : 0;
}

const patterns = [
  [classes.string, '"[^"\\\\\\x00-\\x1f]*"'],
  [classes.number, '(?:0|-?[1-9]\\d{0,14})(?:\\.\\d+)?'],
  [classes.boolean, 'true|false'],
  [classes.null, 'null'],
  [classes.decimal, `"${decimalPattern}"`],
] as const;

const decimal = new RegExp(`"${decimalPattern}"`, 'y');

/** True when an amount of money, as a JSON string, begins at this position. */
export function startsDecimal(text: string, at: number): boolean {
  decimal.lastIndex = at;
  return decimal.test(text);
}

/** Writes the regular expression for JSON scalars of some classes, to stand before a comma or closing bracket. */
export const scalarPattern = (accepts: number): string =>
  `(?:${patterns.flatMap(([bit, pattern]) => ((accepts & bit) === 0 ? [] : [pattern])).join('|')})`;
