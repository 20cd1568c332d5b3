import { documentSchemas } from '../../../shared/language/documents.ts';
import type { Reply } from '../../../shared/language/reply.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import { isObject } from '../names/json.ts';
import { Newest } from '../names/newest.ts';
import type { Problem } from '../names/problem.ts';
import type { Schema } from '../names/schema.ts';
import type { LongDocument, Pointer, Source } from '../names/source.ts';
import { writtenName } from '../names/written-name.ts';
import { constantOf, openBindings } from './bindings.ts';
import type { ExpandPlace, ExpansionProblemKind, SourceFacts, Trace } from './expand-place.ts';
import { expandValue } from './expand-value.ts';
import { type FolderFacts, gatherFacts } from './folder-facts.ts';
import { documentName } from './names.ts';
import { openObject } from './short-object.ts';

/** Kinds of documents that have no short forms. */
export const asWritten: ReadonlySet<string> = new Set(['texts', 'access', 'operations']);

/** Kinds of documents that the short forms of others go by, besides texts. */
const factKinds: ReadonlySet<string> = new Set(['operations', 'part']);

/** Long forms by their documents as they are written. */
export type LongForms = WeakMap<Source, LongDocument>;

/**
 * Expands all documents of a folder from short to long form, the only one that checker, compiler and browser know.
 * Problems are reported at the position in the written document. Unchanged documents give the same object as before,
 * unless texts, operations, parts or commands of the folder changed, where `newest` is the same.
 */
export function expandDocuments(
  sources: readonly Source[],
  commands: readonly CommandDeclaration[],
  newest = new Newest<LongForms>(),
): readonly LongDocument[] {
  const key = [commands, ...sources.filter(({ kind }) => factKinds.has(kind)), ...namesOfTexts(sources)];
  const expanded = newest.find(key) ?? new WeakMap();
  newest.keep(key, expanded);
  let facts: FolderFacts | undefined;
  return sources.map(source => {
    const before = expanded.get(source);
    if (before) return before;
    facts ??= gatherFacts(sources, commands);
    const long = asWritten.has(source.kind) ? ({ ...source, isLong: true } as const) : expandSource(source, facts);
    expanded.set(source, long);
    return long;
  });
}

const textNames = new WeakMap<Source, string>();

/** The files of texts with the names in them: what they say is of no matter here. */
const namesOfTexts = (sources: readonly Source[]): string[] =>
  sources.flatMap(source => {
    if (source.kind !== 'texts') return [];
    const names = textNames.get(source) ?? [source.file, ...Object.keys(source.json)].join('\n');
    textNames.set(source, names);
    return [names];
  });

/** Expands one document; one that cannot be expanded stays as it is written, with a problem that says so. */
function expandSource(source: Source, facts: FolderFacts): LongDocument {
  try {
    return expandSound(source, facts);
  } catch (error) {
    const message = `This cannot be read: ${(error as Error).message}.`;
    return { ...source, isLong: true, expansion: { form: [source.problem([], message)], cause: [], text: [] } };
  }
}

function expandSound(source: Source, facts: FolderFacts): LongDocument {
  const heard = { wrong: 0 };
  const excused = new WeakMap<object, Set<string>>();
  const guessed = new Set<string>();
  const json = expandJson(source, facts, {
    problem() {
      heard.wrong++;
    },
    excuse(long, name) {
      heard.wrong++;
      excused.set(long, (excused.get(long) ?? new Set()).add(name));
    },
    guess: key => void guessed.add(key),
  });
  let find: ((at: Pointer) => Pointer) | undefined;
  const at = (long: Pointer): Pointer => {
    find ??= traceOf(source, facts);
    return find(long);
  };
  return {
    ...source,
    isLong: true,
    json,
    written: { json: source.json, at },
    ...(heard.wrong > 0 && { expansion: { ...trace(source, facts).found, excused } }),
    ...(guessed.size > 0 && { guessedTexts: guessed }),
    problem: (long, ...said): Problem => source.problem(at(long), ...said),
  };
}

function areaOf({ file, json }: Source): string {
  const folder = file.includes('/') ? file.split('/').at(-2) : '';
  return typeof json.texts === 'string' ? json.texts : String(folder);
}

type Json = Record<string, unknown>;

type Told = Pick<ExpandPlace, 'problem' | 'excuse' | 'guess'>;

/** Expands one document from short to long form and gives its JSON; `told` hears what cannot be expanded. */
function expandJson(source: Source, facts: FolderFacts, told: Told, trace?: Trace): Json {
  const { texts: _, ...json } = source.json;
  const schema = documentSchemas[source.kind] as Schema;
  const needsId = json.id === undefined && schema.properties?.id !== undefined;
  const id = needsId ? documentName(source) : json.id;
  const place: ExpandPlace = {
    ...{
      facts,
      trace,
      ...told,
      at: [],
      isShort: needsId,
      area: areaOf(source),
      kind: source.kind,
      document: typeof id === 'string' ? id : '',
    },
    sources: sourcesOf(json, schema, facts),
    reply: replyOf(json.place, facts),
  };
  const long = expandValue(schema, { ...json, ...(needsId && { id }) }, place) as Json;
  if (needsId) trace?.made(long, 'id', [], 'the name of the file');
  return long;
}

/** Where documents name what is read as `data.<name>`: in a journey these are the calls of the server. */
const sourceLists = ['data', 'prepare'] as const;

/** The data sources of a document, each with its operation and what it binds. */
function sourcesOf(json: Json, schema: Schema, folder: FolderFacts): ReadonlyMap<string, SourceFacts> {
  const step = schema.properties?.steps?.items;
  const steps = step && Array.isArray(json.steps) ? json.steps.filter(isObject) : [];
  return new Map([
    ...sourceLists.flatMap(name => sourcesIn(json[name], schema.properties?.[name], [name], folder)),
    ...steps.flatMap((one, index) =>
      (['prepare', 'quote', 'estimate'] as const).flatMap(name =>
        sourcesIn(one[name], step?.properties?.[name], ['steps', index, name], folder),
      ),
    ),
  ]);
}

function sourcesIn(
  data: unknown,
  schema: Schema | undefined,
  at: Pointer,
  { operations }: FolderFacts,
): (readonly [string, SourceFacts])[] {
  const source = schema?.additionalProperties;
  if (!isObject(data) || typeof source !== 'object') return [];
  const place = { at: [], isShort: false } as unknown as ExpandPlace;
  return Object.entries(data).flatMap(([name, value]) => {
    const opened = openObject(source, value, place);
    if (!opened) return [];
    const { long, elsewhere } = opened;
    const bound = openBindings(long.with) ?? [];
    const withAt = [...at, name, ...(elsewhere.get('with') ?? ['with'])];
    const operation = writtenName(long.operation);
    const parameters = operations.get(operation)?.with;
    const facts: SourceFacts = {
      operation,
      with: Object.fromEntries(bound.map(({ name, value }) => [name, constantOf(name, value, parameters)])),
      boundAt: new Map(bound.map(binding => [binding.name, [...withAt, ...binding.steps]])),
      at: [...at, name, ...(elsewhere.get('operation') ?? ['operation'])],
      ...(typeof long.rows === 'string' && { joins: { rows: long.rows, as: writtenName(long.as ?? name) } }),
    };
    return [[name, facts] as const];
  });
}

/** What a journey brings back at its end. */
function replyOf(place: unknown, { operations, commands }: FolderFacts): Reply | undefined {
  if (!isObject(place)) return undefined;
  return typeof place.command === 'string'
    ? commands.get(place.command)
    : operations.get(writtenName(place.operation))?.reply;
}

/** Follows places of the long form to where they stand in the document as it is written. */
function traceOf(source: Source, facts: FolderFacts): (at: Pointer) => Pointer {
  const { root, places, made } = trace(source, facts);
  return at => {
    let inner: unknown = root;
    let found: Pointer = [];
    for (const step of at) {
      const own = made.get(inner as object)?.get(step);
      const next = (inner as Json | undefined)?.[step];
      found = own?.at ?? (isContainer(next) ? places.get(next) : undefined) ?? [...found, step];
      inner = next;
    }
    return found;
  };
}

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object';

type Made = { readonly at: Pointer; readonly why: string };

/** The long form of a document, with where each part of it comes from. */
function trace(source: Source, facts: FolderFacts) {
  const places = new Map<object, Pointer>();
  const made = new Map<object, Map<string | number, Made>>();
  const found: Record<ExpansionProblemKind, Problem[]> = { form: [], cause: [], text: [] };
  const told: Told = {
    problem: (at, message, kind) => void found[kind].push(source.problem(at, message)),
    excuse: () => undefined,
    guess: () => undefined,
  };
  const root = expandJson(source, facts, told, {
    placed: (long, at) => void places.set(long, at),
    made(long, name, at, why) {
      const ofLong = made.get(long) ?? new Map<string | number, Made>();
      made.set(long, ofLong.set(name, { at, why }));
    },
  });
  return { root, places, made, found };
}

/** Expands a document to long form, with the reason for each value that was added. */
export function explainExpansion(
  source: Source,
  sources: readonly Source[],
  commands: readonly CommandDeclaration[],
): { readonly json: Json; readonly whyAt: (object: object, name: string) => string | undefined } {
  const { root, made } = trace(source, gatherFacts(sources, commands));
  return { json: root, whyAt: (object, name) => made.get(object)?.get(name)?.why };
}
