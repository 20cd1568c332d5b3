/** The last name of a path, or of the key of a text. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** As properties of a document and texts are named: `MonthlySpend` and `monthly-spend` are `monthlySpend`. */
export const inCamelCase = (name: string): string =>
  name
    .replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, start => start.toLowerCase())
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** `MonthlySpend` is `monthly-spend`. */
export const withHyphens = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
