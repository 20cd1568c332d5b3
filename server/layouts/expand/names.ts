/** Gives the last name of a dotted path or text key: `Items` of `data.customers.Items`. */
export const lastName = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Gives the id of a document that declares none: its file's name, without the kind at its end (`-form`). */
export function documentName({ file, kind }: { readonly file: string; readonly kind: string }): string {
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.json$/, '');
  return name.endsWith(`-${kind}`) ? name.slice(0, -kind.length - 1) : name;
}

/** Writes a name in camel case, as documents and texts do: `MonthlySpend` and `monthly-spend` become `monthlySpend`. */
export const inCamelCase = (name: string): string =>
  name
    .replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, start => start.toLowerCase())
    .replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Writes a name with hyphens: `MonthlySpend` becomes `monthly-spend`, `DDIBlocks` becomes `ddi-blocks`. */
export const withHyphens = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, (_, end = '', start = '', last = '') =>
      last ? `${last}-` : `${end}-${start}`,
    )
    .toLowerCase();
