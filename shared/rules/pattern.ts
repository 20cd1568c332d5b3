/**
 * The expression of a pattern, the same in browser and server: by Unicode code points where the pattern allows it
 * (`\p{L}`), else as older patterns are written (`\-` outside a class). Throws SyntaxError when it is none.
 */
export function createPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
