/** Levels of objects and arrays that a text may have, and values in all of them (each name with its value is one). */
export type JsonBounds = { readonly depth: number; readonly values: number };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/**
 * Says in what a JSON text goes beyond its bounds; undefined when it is within them. One look at each character, so that
 * a text which would keep the parser busy is refused before it is parsed. What is no JSON is left to the parser.
 */
export function beyondBounds(text: string, { depth: deepest, values: most }: JsonBounds): keyof JsonBounds | undefined {
  let depth = 0;
  // The first value of each object or array has no comma before it.
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      // Brackets and commas in a string are text.
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++;
    } else if (character === 0x5b || character === 0x7b) {
      depth += 1;
      values += 1;
      if (depth > deepest) return 'depth';
    } else if (character === 0x5d || character === 0x7d) depth -= 1;
    else if (character === comma) values += 1;
    if (values > most) return 'values';
  }
  return undefined;
}
