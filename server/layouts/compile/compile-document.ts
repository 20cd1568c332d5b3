import { documentSchemas } from '../../../shared/language/documents.ts';
import { rulesOf } from '../../../shared/language/nodes.ts';
import type { DataSource, Requirement } from '../../../shared/language/types.ts';
import type { CompileContext } from '../names/compile-context.ts';
import { joinsOf } from '../names/joins.ts';
import type { Emit, TrimPass, Use } from '../names/pass.ts';
import { suggest } from '../names/problem.ts';
import type { Schema } from '../names/schema.ts';
import { type Names, type NamesInScope, replyOfOperation } from '../names/scope.ts';
import type { LongDocument } from '../names/source.ts';
import { withInitialValues } from './initial-values.ts';
import { routeNamesOf } from './route-names.ts';
import { compileValue } from './value.ts';

type SourceDeclaration = Pick<DataSource, 'operation' | 'rows' | 'as' | 'with'> & { readonly requires?: Requirement };

/**
 * Collects what paths in a document may read: its data sources, state, names of the address, and a popup's parameters.
 */
export function documentScope(source: LongDocument, names: Names): NamesInScope {
  const data = (source.json.data ?? {}) as Record<string, SourceDeclaration>;
  const scope: NamesInScope = {
    sources: new Map(
      Object.entries(data).map(([name, { operation }]) => [name, replyOfOperation(operation, names, name)]),
    ),
    states: new Set(Object.keys((source.json.state ?? {}) as object)),
    routes: names.routeNames.get(source.file) ?? routesAnywhere(source, names),
    ...(source.kind === 'popup' && { popup: new Set((source.json.parameters ?? []) as string[]) }),
  };
  return { ...scope, joined: joinsOf(data, scope) };
}

/**
 * The names of the address that a popup, form or menu may read: those of any screen, since it stands on many, and where
 * it keeps something there itself, as few do, its own.
 */
function routesAnywhere(source: LongDocument, { anyRouteName }: Names): ReadonlySet<string> {
  const own = routeNamesOf(source);
  return own.size === 0 ? anyRouteName : new Set([...anyRouteName, ...own]);
}

/** Compiles a screen, popup or navigation document into a function that emits its layout for a caller. */
export function compileDocument(source: LongDocument, place: CompileContext): Emit {
  const schema = documentSchemas[source.kind] as Schema;
  const { data: sources, ...rest } = source.json;
  const data = (sources ?? {}) as Record<string, SourceDeclaration>;
  const above = rest.requires ? [rest.requires as Requirement] : [];
  const emitSources = compileValue(schema.properties?.data as Schema, data, { ...place, above, at: ['data'] });
  const body = compileValue(schema, rest, place);
  for (const name of Object.keys(data)) {
    if (!place.data.has(name))
      place.problems.push(source.problem(['data', name], `Nothing reads the data source "${name}".`, 'warning'));
  }
  for (const { path, at } of place.placesKept) {
    if (!place.placesRead.has(path))
      place.problems.push(source.problem(at, `Nothing reads "${path}".${suggest(path, place.placesRead)}`));
    const readers = Object.entries(data).filter(([, { with: bound = {} }]) => Object.values(bound).includes(path));
    if (readers.length > 0 && readers.every(([, { rows }]) => rows !== undefined))
      place.problems.push(source.problem(at, `"${path}" narrows only what is joined to rows, and no list.`));
  }
  return trim => {
    const there = sourcesThere(trim, data, emitSources);
    const layout = emitBody(trim, body);
    if (!layout) return undefined;
    const { $schema, id, parameters, state, ...rest } = layout;
    const read = usedSources(trim, there);
    const used = read && withInitialValues(read, rest);
    const states = usedState(trim, state as Record<string, unknown> | undefined);
    return { kind: source.kind, id, ...rest, ...(states && { state: states }), ...(used && { data: used }) };
  };
}

/** The sources that the caller may read. One whose own parameters read another goes with it. */
function sourcesThere(trim: TrimPass, data: Record<string, SourceDeclaration>, emit: Emit): Record<string, unknown> {
  trim.sources = new Set(
    Object.entries(data)
      .filter(([, declared]) => trim.meets(declared.requires) && trim.mayCall(declared.operation))
      .map(([name]) => name),
  );
  for (;;) {
    const there = emit(trim) as Record<string, unknown>;
    if (Object.keys(there).length === trim.sources.size) return there;
    trim.sources = new Set(Object.keys(there));
  }
}

/** A download of a table that was trimmed goes too; where there is one, the body is made again without it. */
function emitBody(trim: TrimPass, body: Emit): Record<string, unknown> | undefined {
  const start = trim.mark();
  for (;;) {
    const layout = body(trim) as Record<string, unknown> | undefined;
    const tables = new Set(trim.callingNodes.filter(({ type }) => rulesOf(String(type)).isTable).map(node => node.id));
    const lost = trim.uses.flatMap(use => (use.kind === 'table' && !tables.has(use.table) ? [use.table] : []));
    if (lost.length === 0) return layout;
    for (const table of lost) trim.lostTables.add(table);
    trim.rollBackTo(start);
  }
}

/** Of the sources, those that a kept node reads, and those that feed the parameters of these. */
function usedSources(trim: TrimPass, sources: Record<string, unknown>): Record<string, unknown> | undefined {
  const used = new Set<string>();
  const wanted = sourcesOf(trim.uses);
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (used.has(name) || !Object.hasOwn(sources, name)) continue;
    used.add(name);
    trim.uses.push({ kind: 'source', operation: String((sources[name] as { operation?: unknown }).operation) });
    const uses = trim.sourceUses.get(name) ?? [];
    trim.uses.push(...uses);
    wanted.push(...sourcesOf(uses));
  }
  const kept = Object.keys(sources).filter(name => used.has(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept.map(name => [name, sources[name]]));
}

function sourcesOf(uses: readonly Use[]): string[] {
  return uses.flatMap(use => (use.kind === 'read' && use.source !== undefined ? [use.source] : []));
}

function usedState(trim: TrimPass, state: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const used = new Set(trim.uses.flatMap(use => (use.kind === 'state' ? [use.name] : [])));
  const kept = Object.entries(state ?? {}).filter(([name]) => used.has(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
