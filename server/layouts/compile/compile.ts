import { type DocumentKind, documentSchemas } from '../../../shared/language/documents.ts';
import type { FieldNode, Operation, Requirement } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { compareRoutes } from '../../../shared/rules/route.ts';
import { checkDocuments, routesOf } from '../check/documents.ts';
import { checkOperations } from '../check/operations.ts';
import { checkRestrictions } from '../check/replies.ts';
import { checkCommands, checkRequirements } from '../check/requirement.ts';
import { checkShape, type Schema } from '../check/shape.ts';
import type { CommandDeclaration } from '../command-declaration.ts';
import type { Source } from '../load/load.ts';
import type { Problem } from '../load/problem.ts';
import type { Compiled, CompiledDocument, Emit, Mentions, TrimPass, Use } from '../pass.ts';
import { serverTextKeys } from '../server-texts.ts';
import { withAlso } from './expand-variants.ts';
import { withInitialValues } from './initial-values.ts';
import type { Place } from './place.ts';
import { createRequirementNames, resolveRequirements } from './requirement-names.ts';
import { formOf, type Names, type RequirementNames, type Scope } from './scope.ts';
import { createTexts, type Texts } from './texts.ts';
import { compileValue } from './value.ts';

export type CompileResult = { readonly compiled: Compiled; readonly problems: readonly Problem[] };

const idOf = (source: Source): string => String(source.json.id);

/** 1 shape, 2 names, 3 references and values: problems of all steps are collected and reported together. */
export function compile(written: readonly Source[], commands: readonly CommandDeclaration[]): CompileResult {
  const problems: Problem[] = written.flatMap(checkShape);
  const sources = written.flatMap(withAlso);
  const whole = written.filter(source => checkShape(source).length === 0);
  const access = whole.find(source => source.kind === 'access');
  const requirements = createRequirementNames(access);
  const sound = whole.map(source => resolveRequirements(source, requirements)).flatMap(withAlso);
  const of = (kind: DocumentKind) => sound.filter(source => source.kind === kind);
  const { texts, problems: textProblems } = createTexts(of('texts'));
  problems.push(...textProblems, ...checkDocuments(sources, sound));
  const names = gatherNames(sound, sources, commands, texts, requirements);
  problems.push(...checkOperations(of('operations'), names), ...checkRequirements(sound, names));
  if (access) problems.push(...checkCommands(access, names));

  const mentions: Mentions = {
    operation: new Set(),
    popup: new Set(),
    form: new Set(),
    catalogue: new Set(),
    text: new Set(),
    command: new Set(),
  };
  const formSources = new Map(of('form').map(source => [idOf(source), source]));
  const screenByPattern = new Map(
    of('screen').flatMap(source => routesOf(source).map(({ route }) => [route, `screen:${idOf(source)}`] as const)),
  );
  const reads = new Map<string, Set<string>>();
  const contradictions = new Map<string, Problem | undefined>();
  const shared = { names, problems, mentions, reads, contradictions, formSources, screenByPattern };
  const base = { ...shared, above: [], compile: compileValue };

  const documents = new Map<string, CompiledDocument>();
  for (const source of sound) {
    if (source.kind !== 'screen' && source.kind !== 'popup' && source.kind !== 'navigation') continue;
    const refers = new Set<string>();
    const place: Place = {
      ...base,
      source,
      scope: documentScope(source),
      at: [],
      refers,
      ids: new Set(),
      data: new Set(),
    };
    const emit = compileDocument(source, place);
    const key = `${source.kind}:${idOf(source)}`;
    documents.set(key, { key, kind: source.kind, source, emit, refers });
  }
  const catalogues = new Map<string, Emit>();
  for (const source of of('catalogue')) {
    const place: Place = {
      ...base,
      source,
      scope: documentScope(source),
      at: ['entries'],
      refers: new Set(),
      ids: new Set(),
      data: new Set(),
    };
    catalogues.set(
      idOf(source),
      compileValue((documentSchemas.catalogue as Schema).properties?.entries as Schema, source.json.entries, place),
    );
  }
  const forms = new Map<string, (trim: TrimPass) => FieldNode[] | undefined>();
  for (const [id, source] of formSources) {
    const scope: Scope = {
      ...documentScope(source),
      popup: anyParameter,
      form: formOf(fieldsIn(source.json.fields), id),
    };
    const requires = source.json.requires as Requirement | undefined;
    const above = requires ? [requires] : [];
    const sets = { refers: new Set<string>(), ids: new Set<string>(), data: new Set<string>() };
    const place: Place = { ...base, ...sets, source, scope, above, at: ['fields'] };
    const emit = compileValue((documentSchemas.form as Schema).properties?.fields as Schema, source.json.fields, place);
    forms.set(id, trim => (trim.meets(requires) ? fieldsIn(emit(trim)) : undefined));
  }
  problems.push(...[...contradictions.values()].filter(problem => problem !== undefined));
  problems.push(...checkRestrictions(of('operations'), names, reads));
  for (const key of [...texts.area('runtime'), ...serverTextKeys]) mentions.text.add(key);
  return {
    compiled: { documents, names, texts, catalogues, forms, screenByPattern, mentions },
    problems: dedupe(problems),
  };
}

function dedupe(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems)
    seen.set(`${problem.file}:${problem.line}:${problem.column}:${problem.message}`, problem);
  return [...seen.values()];
}

function gatherNames(
  sound: readonly Source[],
  all: readonly Source[],
  commands: readonly CommandDeclaration[],
  texts: Texts,
  requirements: RequirementNames,
): Names {
  const of = (kind: DocumentKind) => sound.filter(source => source.kind === kind);
  // A document that is itself broken is still known by its name, so that one mistake is reported once.
  const named = (kind: DocumentKind, by = 'id') =>
    all.filter(source => source.kind === kind && typeof source.json[by] === 'string');
  const access = all.find(source => source.kind === 'access')?.json;
  return {
    operations: new Map(
      of('operations').flatMap(source => Object.entries(source.json.operations as Record<string, Operation>)),
    ),
    commands: new Map(
      commands.map(({ requires, ...command }) => [
        command.name,
        { ...command, ...(requires !== undefined && { requires: requirements.resolve(requires) }) },
      ]),
    ),
    forms: new Map(
      named('form').map(source => [idOf(source), fieldsIn(source.json.fields).map(field => field.propertyName)]),
    ),
    popups: new Map(
      named('popup').map(source => [
        idOf(source),
        Array.isArray(source.json.parameters) ? (source.json.parameters as string[]) : [],
      ]),
    ),
    catalogues: new Set(named('catalogue').map(idOf)),
    patterns: named('screen', 'route')
      .flatMap(source => routesOf(source).map(({ route }) => route))
      .sort(compareRoutes),
    views: new Set(namesIn(access?.views)),
    permissions: new Set(namesIn(access?.permissions)),
    features: new Set(namesIn(access?.features)),
    requirements,
    texts: texts.names,
  };
}

const namesIn = (list: unknown): string[] => (Array.isArray(list) ? list.filter(name => typeof name === 'string') : []);

/** A form document may stand in any popup; each node that shows it is checked with the parameters that are there. */
const anyParameter: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });

type SourceDeclaration = { readonly operation: string; readonly requires?: Requirement };

function documentScope(source: Source): Scope {
  const data = (source.json.data ?? {}) as Record<string, SourceDeclaration>;
  return {
    sources: new Map(Object.entries(data).map(([name, { operation }]) => [name, operation])),
    states: new Set(Object.keys((source.json.state ?? {}) as object)),
    ...(source.kind === 'popup' && { popup: new Set((source.json.parameters ?? []) as string[]) }),
  };
}

function compileDocument(source: Source, place: Place): Emit {
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
    const tables = new Set(trim.callingNodes.filter(node => node.type === 'table').map(node => node.id));
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
