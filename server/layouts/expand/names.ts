/** The last name of a path, or of the key of a text. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** The id of a document that says none: its file's name, without the "-form" of a form. */
export function documentName({ file, kind }: { readonly file: string; readonly kind: string }): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.json$/, '');
  return name.endsWith(`-${kind}`) ? name.slice(0, -kind.length - 1) : name;
}

/** As properties of a document and texts are named: `MonthlySpend` and `monthly-spend` are `monthlySpend`. */
export const inCamelCase = (name: string): string =>
  name
    .replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, start => start.toLowerCase())
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** `MonthlySpend` is `monthly-spend`, and `DDIBlocks` is `ddi-blocks`. */
export const withHyphens = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, end = '', start = '', last = '') =>
      last ? `${last}-` : `${end}-${start}`,
    )
    .toLowerCase();
