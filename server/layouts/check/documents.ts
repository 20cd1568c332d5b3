import { dangerousNames } from '../names/dangerous-names.ts';
import type { Problem } from '../names/problem.ts';
import type { LongDocument } from '../names/source.ts';

/**
 * Checks documents against each other: ids and addresses claimed twice, addresses that cannot work, and kinds of
 * document that must exist once.
 */
export function checkDocuments(sources: readonly LongDocument[], sound: readonly LongDocument[]): Problem[] {
  return [...checkUnique(sources), ...sound.flatMap(checkRoute), ...checkSingle(sources)];
}

function checkUnique(sources: readonly LongDocument[]): Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, LongDocument>();
  const note = (source: LongDocument, key: string, at: readonly (string | number)[], what: string) => {
    const first = seen.get(key);
    if (first) problems.push(source.problem(at, `${what} is already used by ${first.file}.`));
    else seen.set(key, source);
  };
  for (const source of sources) {
    const { id, operations } = source.json;
    if (typeof id === 'string') note(source, `${source.kind}:${id}`, ['id'], `The id "${id}"`);
    for (const { route, at } of routesOf(source))
      note(source, `route:${route.replace(/\{[^}]*\}/g, '{}')}`, at, `The route "${route}"`);
    if (source.kind === 'operations')
      for (const name of Object.keys((operations as object | undefined) ?? {}))
        note(source, `operation:${name}`, ['operations', name], `The operation "${name}"`);
  }
  return problems;
}

/** Lists the routes of a screen document, its own first, then its aliases, each with its position in the document. */
export function routesOf({ kind, json }: LongDocument): { route: string; at: readonly (string | number)[] }[] {
  if (kind !== 'screen') return [];
  const aliases = (Array.isArray(json.aliases) ? json.aliases : []).map((route, index) => ({
    route,
    at: ['aliases', index],
  }));
  return [{ route: json.route, at: ['route'] }, ...aliases].filter(({ route }) => typeof route === 'string');
}

const parameter = /\{([A-Za-z][A-Za-z0-9_]*)\}/g;
const parametersOf = (route: string): string[] => [...route.matchAll(parameter)].map(([, name]) => name as string);

function checkRoute(source: LongDocument): Problem[] {
  const [own, ...aliases] = routesOf(source);
  if (!own) return [];
  return [own, ...aliases].flatMap(({ route, at }) => {
    const missing = parametersOf(own.route).find(name => !parametersOf(route).includes(name));
    const wrong =
      wrongInRoute(route) ??
      (missing && `The address "${route}" cannot lead to "${own.route}": it has no parameter "${missing}".`);
    return wrong === undefined ? [] : [source.problem(at, wrong)];
  });
}

function wrongInRoute(route: string): string | undefined {
  const names = parametersOf(route);
  if (/[{}]/.test(route.replace(parameter, ''))) return `The route "${route}" has a brace that is no {parameter}.`;
  if (names.length > new Set(names).size) return `The route "${route}" names a parameter twice.`;
  const dangerous = names.find(name => dangerousNames.has(name));
  if (dangerous) return `The name "${dangerous}" is not allowed.`;
  if (route.includes('//') || (route.length > 1 && route.endsWith('/')))
    return `The route "${route}" has an empty part, so that no address matches it.`;
  return undefined;
}

function checkSingle(sources: readonly LongDocument[]): Problem[] {
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
