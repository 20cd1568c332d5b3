/** Levels of objects and arrays; no form of the portal needs a quarter of them. */
const deepest = 64;

const quote = 0x22;
const backslash = 0x5c;

/**
 * True for a JSON text with more than 64 levels of objects and arrays in one another. One look at each character, so that
 * a text which would keep the parser busy is refused before it is parsed. What is no JSON is left to the parser.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) {
      // Brackets in a string are text.
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++) if (text.charCodeAt(at) === backslash) at++;
    } else if (character === 0x5b || character === 0x7b) {
      depth += 1;
      if (depth > deepest) return true;
    } else if (character === 0x5d || character === 0x7d) depth -= 1;
  }
  return false;
}
