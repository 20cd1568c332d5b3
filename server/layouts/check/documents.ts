import { groupBy } from '../../../shared/rules/group-by.ts';
import { isOwnFile } from '../expand/folder-facts.ts';
import { documentName } from '../expand/names.ts';
import { dangerousNames } from '../names/dangerous-names.ts';
import type { Problem } from '../names/problem.ts';
import type { LongDocument, Pointer } from '../names/source.ts';

/**
 * Checks documents against each other: ids and addresses claimed twice, addresses that cannot work, and kinds of
 * document that must exist once.
 */
export function checkDocuments(sources: readonly LongDocument[], sound: readonly LongDocument[]): Problem[] {
  return [...checkUnique(sources), ...sound.flatMap(checkRoute), ...checkSingle(sources)];
}

/** A name that a document claims, and where. `isOwn`: its file says that the name is its own. */
type Claim = {
  readonly source: LongDocument;
  readonly key: string;
  readonly at: Pointer;
  readonly what: string;
  readonly isOwn: boolean;
};

/** Of those that claim one name, it is taken by the first whose file says so, else by the first: the others are wrong. */
function findTaken(claims: readonly Claim[]): { readonly source: LongDocument; readonly problem: Problem }[] {
  return [...groupBy(claims, ({ key }) => key).values()].flatMap(all => {
    const owner = all.find(({ isOwn }) => isOwn) ?? all[0];
    return all.flatMap(claim => {
      const { source, at, what } = claim;
      if (claim === owner) return [];
      return [{ source, problem: source.problem(at, `${what} is already used by ${owner?.source.file}.`) }];
    });
  });
}

function idsOf(sources: readonly LongDocument[]): Claim[] {
  return sources.flatMap(source => {
    const { kind, json } = source;
    if (typeof json.id !== 'string') return [];
    const isOwn = documentName(source) === json.id;
    return [{ source, key: `${kind}:${json.id}`, at: ['id'], what: `The id "${json.id}"`, isOwn }];
  });
}

/**
 * Finds documents that say the id of another one of their kind. Nothing else is said of them: who copies a document
 * changes its id first.
 */
export const findTakenIds = (sources: readonly LongDocument[]): ReadonlyMap<LongDocument, Problem> =>
  new Map(findTaken(idsOf(sources)).map(({ source, problem }) => [source, problem]));

function checkUnique(sources: readonly LongDocument[]): Problem[] {
  const routes = sources.flatMap(source =>
    routesOf(source).map(({ route, at }) => {
      const key = route.replace(/\{[^}]*\}/g, '{}');
      return { source, key, at, what: `The route "${route}"`, isOwn: false };
    }),
  );
  const operations = sources.flatMap(source =>
    source.kind !== 'operations'
      ? []
      : Object.keys((source.json.operations as object | undefined) ?? {}).map(name => {
          const what = `The operation "${name}"`;
          return { source, key: name, at: ['operations', name], what, isOwn: isOwnFile(name, source.file) };
        }),
  );
  return [idsOf(sources), routes, operations].flatMap(findTaken).map(({ problem }) => problem);
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
