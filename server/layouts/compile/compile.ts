import { type DocumentKind, documentSchemas } from '../../../shared/language/documents.ts';
import { rulesOf } from '../../../shared/language/nodes.ts';
import type { FieldNode, Operation, Requirement, Scalar } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { compareRoutes } from '../../../shared/rules/route.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import { checkDocuments, routesOf } from '../check/documents.ts';
import { checkJourney, namesOfJourneys } from '../check/journey.ts';
import { checkLanguages } from '../check/languages.ts';
import { checkOperations } from '../check/operations.ts';
import { checkPlaceValues, createPlaceValues } from '../check/place-values.ts';
import { checkCommands, checkRequirements } from '../check/requirement.ts';
import { checkShape, type Schema } from '../check/shape.ts';
import type { CommandDeclaration } from '../command-declaration.ts';
import { envelopeOf } from '../contract/contract.ts';
import { readContract } from '../contract/read-contract.ts';
import { expandDocuments } from '../expand/expand.ts';
import type { Source } from '../load/load.ts';
import { type Problem, suggest } from '../load/problem.ts';
import { expandParts } from '../parts/expand-parts.ts';
import type { Part } from '../parts/part.ts';
import type { Compiled, CompiledDocument, Emit, Mentions, TrimPass, Use } from '../pass.ts';
import { serverTextKeys } from '../server-texts.ts';
import type { CompileContext } from './compile-context.ts';
import { eventNamesOf } from './event-names.ts';
import { expandJourneys, journeyCommands, journeyOf, withSharedBody } from './expand-journeys.ts';
import { withAlso } from './expand-variants.ts';
import { withInitialValues } from './initial-values.ts';
import { createRequirementNames, resolveReply, resolveRequirements } from './requirement-names.ts';
import { namesFromOutside, routeNamesOf } from './route-names.ts';
import { formOf, type Names, type NamesInScope, type RequirementNames, replyOfOperation } from './scope.ts';
import { createTexts, type Texts } from './texts.ts';
import { compileValue } from './value.ts';

export type CompileResult = { readonly compiled: Compiled; readonly problems: readonly Problem[] };

const idOf = (source: Source): string => String(source.json.id);

/**
 * Compiles documents in five steps (long form, shape, parts, names, references and values) and gives the result with the
 * problems of all together. Documents with a wrong shape are left out of the later steps, and so is what is wrong with them
 * while a part is not used as it should be.
 */
export function compile(given: readonly Source[], known: readonly CommandDeclaration[]): CompileResult {
  const files = expandDocuments(given, known);
  const { sources: written, parts, used, problems: wrongUses } = expandParts(files);
  const wrongShapes = [...new Set([...files, ...written])].flatMap(checkShape);
  const problems: Problem[] = [];
  const sources = written.flatMap(withAlso);
  const whole = written.filter(source => checkShape(source).length === 0);
  const access = whole.find(source => source.kind === 'access');
  const requirements = createRequirementNames(access);
  const resolved = whole.map(source => resolveRequirements(source, requirements));
  const journeys = new Map(
    resolved.flatMap(source => (source.kind === 'journey' ? [[idOf(source), withSharedBody(source)] as const] : [])),
  );
  const commands = [...known, ...journeyCommands([...journeys.values()], known, operationsOf(resolved))];
  const sound = resolved.map(source => expandJourneys(source, journeys)).flatMap(withAlso);
  const of = (kind: DocumentKind) => sound.filter(source => source.kind === kind);
  const { texts, written: languages, problems: textProblems } = createTexts(of('texts'));
  problems.push(...textProblems, ...checkLanguages(languages, of('texts')));
  problems.push(...checkDocuments([...sources, ...parts.map(({ source }) => source)], sound));
  const gathered = gatherNames(sound, sources, parts, commands, texts, requirements);
  const names: Names = { ...gathered, journeys: namesOfJourneys([...journeys.values()], gathered) };
  problems.push(...[...journeys.values()].flatMap(source => checkJourney(source, names, known)));
  problems.push(...checkOperations(of('operations'), names), ...checkRequirements(sound, names));
  if (access) problems.push(...checkCommands(access, names));

  const mentions: Mentions = {
    operation: new Set(),
    popup: new Set(),
    part: new Set(used),
    form: new Set(),
    journey: new Set(),
    catalogue: new Set(),
    text: new Set(),
    command: new Set(),
  };
  const formSources = new Map(of('form').map(source => [idOf(source), source]));
  const screenByPattern = new Map(
    of('screen').flatMap(source => routesOf(source).map(({ route }) => [route, `screen:${idOf(source)}`] as const)),
  );
  const contradictions = new Map<string, Problem | undefined>();
  const placeValues = createPlaceValues();
  const shared = { names, problems, mentions, contradictions, formSources, screenByPattern, placeValues };
  const base = { ...shared, above: [], compile: compileValue };

  const documents = new Map<string, CompiledDocument>();
  for (const source of sound) {
    if (source.kind !== 'screen' && source.kind !== 'popup' && source.kind !== 'navigation') continue;
    const refers = new Set<string>();
    const place: CompileContext = {
      ...base,
      source,
      document: source,
      scope: documentScope(source, names),
      at: [],
      refers,
      ids: new Set(),
      ...own(),
    };
    const emit = compileDocument(source, place);
    const key = `${source.kind}:${idOf(source)}`;
    documents.set(key, { key, kind: source.kind, source, emit, refers });
  }
  const catalogues = new Map<string, Emit>();
  for (const source of of('catalogue')) {
    const place: CompileContext = {
      ...base,
      source,
      document: source,
      scope: documentScope(source, names),
      at: ['entries'],
      refers: new Set(),
      ids: new Set(),
      ...own(),
    };
    catalogues.set(
      idOf(source),
      compileValue((documentSchemas.catalogue as Schema).properties?.entries as Schema, source.json.entries, place),
    );
  }
  const forms = new Map<string, (trim: TrimPass) => FieldNode[] | undefined>();
  for (const [id, source] of formSources) {
    const scope: NamesInScope = {
      ...documentScope(source, names),
      popup: anyParameter,
      form: formOf(fieldsIn(source.json.fields), id),
    };
    const requires = source.json.requires as Requirement | undefined;
    const above = requires ? [requires] : [];
    const sets = { refers: new Set<string>(), ids: new Set<string>(), ...own() };
    const place: CompileContext = { ...base, ...sets, source, document: source, scope, above, at: ['fields'] };
    const emit = compileValue((documentSchemas.form as Schema).properties?.fields as Schema, source.json.fields, place);
    forms.set(id, trim => (trim.meets(requires) ? fieldsIn(emit(trim)) : undefined));
  }
  checkPlaceValues(placeValues, namesFromOutside(of('screen')));
  problems.push(...[...contradictions.values()].filter(problem => problem !== undefined));
  for (const key of [...texts.area('runtime'), ...serverTextKeys]) mentions.text.add(key);
  return {
    compiled: {
      sources: [...written, ...parts.map(({ source }) => source)],
      ...{ documents, names, texts, catalogues, forms, screenByPattern, mentions },
      journeys: new Map(
        [...journeys].map(([id, source]) => [id, { journey: journeyOf(source), hash: source.hash }] as const),
      ),
    },
    problems: dedupe([...wrongShapes, ...wrongUses, ...(wrongUses.some(isError) ? [] : problems)]),
  };
}

const isError = ({ severity }: Problem): boolean => severity === 'error';

function dedupe(problems: readonly Problem[]): Problem[] {
  const seen = new Map<string, Problem>();
  for (const problem of problems)
    seen.set(`${problem.file}:${problem.line}:${problem.column}:${problem.message}`, problem);
  return [...seen.values()];
}

const operationsOf = (sources: readonly Source[]): ReadonlyMap<string, Operation> =>
  new Map(
    sources.flatMap(({ kind, json }) =>
      kind === 'operations' ? Object.entries(json.operations as Record<string, Operation>) : [],
    ),
  );

function gatherNames(
  sound: readonly Source[],
  all: readonly Source[],
  parts: readonly Part[],
  commands: readonly CommandDeclaration[],
  texts: Texts,
  requirements: RequirementNames,
): Omit<Names, 'journeys'> {
  const of = (kind: DocumentKind) => sound.filter(source => source.kind === kind);
  // A document that is itself broken is still known by its name, so that one mistake is reported once.
  const named = (kind: DocumentKind, by = 'id') =>
    all.filter(source => source.kind === kind && typeof source.json[by] === 'string');
  const routeNames = new Map<string, Set<string>>();
  for (const source of of('screen'))
    routeNames.set(source.file, new Set([...(routeNames.get(source.file) ?? []), ...routeNamesOf(source)]));
  const access = all.find(source => source.kind === 'access')?.json;
  const operations = operationsOf(sound);
  return {
    operations,
    commands: new Map(
      commands.map(({ requires, ...command }) => [
        command.name,
        { ...command, ...(requires !== undefined && { requires: requirements.resolve(requires) }) },
      ]),
    ),
    contracts: new Map(
      [...operations].map(([name, { reply }]) => [
        name,
        envelopeOf(reply === undefined ? undefined : readContract(reply)),
      ]),
    ),
    commandContracts: new Map(
      commands.map(({ name, reply }) => {
        const contract = reply === undefined ? undefined : readContract(resolveReply(reply, requirements));
        // A command may answer with effects alone.
        return [name, envelopeOf(contract && { ...contract, optional: true })];
      }),
    ),
    operationFiles: new Map(
      of('operations').flatMap(({ file, json }) =>
        Object.keys(json.operations as object).map(name => [name, file] as const),
      ),
    ),
    forms: new Map(
      named('form').map(source => [
        idOf(source),
        {
          file: source.file,
          names: fieldsIn(source.json.fields).map(field => field.propertyName),
          needed: neededIn(source.json.fields),
        },
      ]),
    ),
    popups: new Map(
      named('popup').map(source => [
        idOf(source),
        Array.isArray(source.json.parameters) ? (source.json.parameters as string[]) : [],
      ]),
    ),
    parts: new Map(parts.map(({ id, parameters }) => [id, [...parameters.keys()]])),
    catalogues: new Map(
      named('catalogue').map(source => [idOf(source), { file: source.file, values: valuesOf(source.json.entries) }]),
    ),
    patterns: named('screen', 'route')
      .flatMap(source => routesOf(source).map(({ route }) => route))
      .sort(compareRoutes),
    routeNames,
    screenFiles: new Map(
      named('screen', 'route').flatMap(source => routesOf(source).map(({ route }) => [route, source.file] as const)),
    ),
    anyRouteName: new Set([...routeNames.values()].flatMap(known => [...known])),
    views: new Set(namesIn(access?.views)),
    permissions: new Set(namesIn(access?.permissions)),
    features: new Set(namesIn(access?.features)),
    requirements,
    events: eventNamesOf(all),
    texts: texts.names,
  };
}

/** Names of the fields that always must have a value: a requirement or condition of theirs, or of a frame, may waive it. */
function neededIn(nodes: unknown): string[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap(node => {
    if (node?.requires !== undefined || node?.when !== undefined || node?.disabledWhen !== undefined) return [];
    if (rulesOf(String(node?.type)).form !== 'field') return neededIn(node?.children);
    return node.mandatory === true && !isShownOnly(node as FieldNode) ? [String(node.propertyName)] : [];
  });
}

/** The values of a catalogue's entries. */
const valuesOf = (entries: unknown): Scalar[] =>
  Array.isArray(entries) ? entries.map((entry: { readonly value?: Scalar } | null) => entry?.value ?? null) : [];

const namesIn = (list: unknown): string[] => (Array.isArray(list) ? list.filter(name => typeof name === 'string') : []);

/** A form document may stand in any popup; each node that shows it is checked with the parameters that are there. */
const anyParameter: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });

type SourceDeclaration = { readonly operation: string; readonly requires?: Requirement };

function documentScope(source: Source, names: Names): NamesInScope {
  const data = (source.json.data ?? {}) as Record<string, SourceDeclaration>;
  return {
    sources: new Map(
      Object.entries(data).map(([name, { operation }]) => [name, replyOfOperation(operation, names, name)]),
    ),
    states: new Set(Object.keys((source.json.state ?? {}) as object)),
    // A popup, form or menu stands on many screens.
    routes: names.routeNames.get(source.file) ?? new Set([...names.anyRouteName, ...routeNamesOf(source)]),
    ...(source.kind === 'popup' && { popup: new Set((source.json.parameters ?? []) as string[]) }),
  };
}

/** What is gathered of one document while it is compiled. */
const own = () => ({ data: new Set<string>(), placesRead: new Set<string>(), placesKept: [] });

function compileDocument(source: Source, place: CompileContext): Emit {
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
