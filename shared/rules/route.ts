/** A route pattern in parts; a parameter part begins with `{`. */
export type RouteMatch = { readonly pattern: string; readonly parameters: Readonly<Record<string, string>> };

const compiled = new Map<string, { expression: RegExp; names: string[] }>();

function compile(pattern: string) {
  let route = compiled.get(pattern);
  if (!route) {
    const names: string[] = [];
    const source = pattern.replace(/\{([A-Za-z0-9_]+)\}|[.+*?^$()|[\]\\{}]/g, (part, name?: string) => {
      if (name === undefined) return `\\${part}`;
      names.push(name);
      return '([^/]+)';
    });
    route = { expression: new RegExp(`^${source}$`), names };
    compiled.set(pattern, route);
  }
  return route;
}

/**
 * Compares two routes for sorting: literal segments before parameters, so that the more specific route is tried first.
 */
export function compareRoutes(a: string, b: string): number {
  const literal = (pattern: string) =>
    pattern
      .split('/')
      .map(part => (part.includes('{') ? '1' : '0'))
      .join('');
  return literal(a) < literal(b) ? -1 : literal(a) > literal(b) ? 1 : a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Finds the route of a pathname. Browser and server match with this one function, so that a guard and a page can
 * never disagree. `patterns` must be in the order of compareRoutes. Malformed percent-encoding matches nothing.
 */
export function matchRoute(patterns: readonly string[], pathname: string): RouteMatch | undefined {
  const path = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  for (const pattern of patterns) {
    const { expression, names } = compile(pattern);
    const match = expression.exec(path);
    if (!match) continue;
    const parameters: Record<string, string> = {};
    try {
      names.forEach((name, index) => {
        parameters[name] = decodeURIComponent(match[index + 1] as string);
      });
    } catch {
      return undefined;
    }
    return { pattern, parameters };
  }
  return undefined;
}

/** Makes the `route` values of a scope: the address's query, overlaid by the parameters of its path. */
export function routeScope(
  parameters: Readonly<Record<string, string>>,
  query: string | URLSearchParams,
): Record<string, string> {
  const scope: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query))
    if (!Object.hasOwn(scope, name) && name !== '__proto__') scope[name] = value;
  return Object.assign(scope, parameters);
}
