import type { Binding, Bindings } from '../language/types.ts';

/** The scopes of a place in a layout, by name: data, row, form, route, principal, state, reply, popup. */
export type Scope = { readonly [scope: string]: unknown };

const parsed = new Map<string, readonly string[]>();

/** Splits a path at its dots; the result is cached. */
export function parsePath(path: string): readonly string[] {
  let parts = parsed.get(path);
  if (!parts) {
    if (parsed.size > 5000) parsed.clear();
    parts = path.split('.');
    parsed.set(path, parts);
  }
  return parts;
}

/** Reads the value at a path in the scope, own properties only; undefined when something on the way is missing. */
export function readPath(scope: Scope, path: string): unknown {
  let value: unknown = scope;
  for (const part of parsePath(path)) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Resolves one binding: a string is a path to read, `{ value }` a constant. */
export function bind(binding: Binding, scope: Scope): unknown {
  if (typeof binding === 'string') return readPath(scope, binding);
  if (typeof binding !== 'object') return binding;
  return 'value' in binding ? binding.value : readPath(scope, binding.path);
}

/**
 * Gives the values of bindings by their names, each read in `scope`. Leaves out a name whose value is undefined, null
 * or empty text; gives an empty object without `bindings`.
 */
export function bindAll(
  bindings: Bindings | Readonly<Record<string, boolean | number | { readonly value: unknown }>> | undefined,
  scope: Scope,
): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const name in bindings) {
    const value = bind(bindings[name] as Binding, scope);
    if (value !== undefined && value !== null && value !== '') out[name] = value;
  }
  return out;
}

/**
 * Fills the `{path}` parts of an address, each percent-encoded by itself (`+` and `/` inside a part included).
 * Gives undefined when a part has no plain value, or one that cannot stand in an address: such an address leads
 * nowhere.
 */
export function fillAddress(address: string, scope: Scope): string | undefined {
  let missing = false;
  const filled = address.replace(/\{([^{}]+)\}/g, (_, path: string) => {
    const part = encodePart(readPath(scope, path));
    if (part === undefined) missing = true;
    return part ?? '';
  });
  // A segment of dots would be taken for a step up (WHATWG URL, 4.4), and cannot be written otherwise.
  const pathname = filled.split(/[?#]/, 1)[0] ?? '';
  return missing || pathname.split('/').some(segment => segment === '.' || segment === '..') ? undefined : filled;
}

function encodePart(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '' || typeof value === 'object') return undefined;
  try {
    return encodeURIComponent(String(value));
  } catch {
    // Half of a surrogate pair has no encoding.
    return undefined;
  }
}
