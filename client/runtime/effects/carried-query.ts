import type { Scope } from '../../../shared/rules/path.ts';

/** Adds parameters of the current address to a new one that lacks them: those named in `keep`, or all for `true`. */
export function withCarriedQuery(
  address: string,
  keep: readonly string[] | true | undefined,
  { route }: Scope,
): string {
  if (keep === undefined) return address;
  const [path = '', given] = address.split('?');
  const query = new URLSearchParams(given);
  for (const [name, value] of Object.entries(route ?? {}))
    if (value && (keep === true || keep.includes(name)) && !query.has(name)) query.set(name, value as string);
  return query.size ? `${path}?${query}` : path;
}
