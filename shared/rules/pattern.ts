/**
 * Compiles the pattern of a field or rule to a RegExp, the same in browser and server: in Unicode mode where it is
 * valid there (`\p{L}`), else in the older syntax (`\-` outside a class). Throws SyntaxError.
 */
export function createPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}
