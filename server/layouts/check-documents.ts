import type { Source } from './load.ts';
import type { Problem } from './problem.ts';
import { dangerousNames } from './scope.ts';

/** Finds what two documents claim alike, addresses that cannot work, and kinds of which there must be one. */
export function checkDocuments(sources: readonly Source[], sound: readonly Source[]): Problem[] {
  return [...checkUnique(sources), ...sound.flatMap(checkRoute), ...checkSingle(sources)];
}

function checkUnique(sources: readonly Source[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, Source>();
  const note = (source: Source, key: string, at: string[], what: string) => {
    const first = seen.get(key);
    if (first) problems.push(source.problem(at, `${what} is already used by ${first.file}.`));
    else seen.set(key, source);
  };
  for (const source of sources) {
    const { id, route, operations } = source.json;
    if (typeof id === 'string') note(source, `${source.kind}:${id}`, ['id'], `The id "${id}"`);
    if (source.kind === 'screen' && typeof route === 'string')
      note(source, `route:${route.replace(/\{[^}]*\}/g, '{}')}`, ['route'], `The route "${route}"`);
    if (source.kind === 'operations')
      for (const name of Object.keys((operations as object | undefined) ?? {}))
        note(source, `operation:${name}`, ['operations', name], `The operation "${name}"`);
  }
  return problems;
}

function checkRoute(source: Source): Problem[] {
  const { route } = source.json;
  if (source.kind !== 'screen' || typeof route !== 'string') return [];
  const wrong = wrongInRoute(route);
  return wrong === undefined ? [] : [source.problem(['route'], wrong)];
}

function wrongInRoute(route: string): string | undefined {
  const names = [...route.matchAll(/\{([A-Za-z][A-Za-z0-9_]*)\}/g)].map(([, name]) => name as string);
  if (/[{}]/.test(route.replace(/\{[A-Za-z][A-Za-z0-9_]*\}/g, '')))
    return `The route "${route}" has a brace that is no {parameter}.`;
  if (names.length > new Set(names).size) return `The route "${route}" names a parameter twice.`;
  const dangerous = names.find(name => dangerousNames.has(name));
  if (dangerous) return `The name "${dangerous}" is not allowed.`;
  if (route.includes('//') || (route.length > 1 && route.endsWith('/')))
    return `The route "${route}" has an empty part, so that no address matches it.`;
  return undefined;
}

function checkSingle(sources: readonly Source[]): Problem[] {
  if (sources.length === 0) return [];
  return ['access', 'navigation'].flatMap(kind =>
    sources.filter(source => source.kind === kind).length === 1
      ? []
      : [
          {
            file: `${kind}.json`,
            line: 1,
            column: 1,
            severity: 'error' as const,
            message: `There must be one document of kind "${kind}".`,
          },
        ],
  );
}
