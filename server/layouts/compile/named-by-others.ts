import { type DocumentKind, documentSchemas } from '../../../shared/language/documents.ts';
import type { FieldNode, Requirement } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { routesOf } from '../check/documents.ts';
import { checkJourney, namesOfJourneys } from '../check/journey.ts';
import { checkOperations } from '../check/operations.ts';
import { checkCommands, checkRequirements } from '../check/requirement.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import type { CompileContext } from '../names/compile-context.ts';
import type { Emit, TrimPass } from '../names/pass.ts';
import type { Schema } from '../names/schema.ts';
import { formOf, type Names } from '../names/scope.ts';
import type { LongDocument } from '../names/source.ts';
import type { Texts } from '../names/texts.ts';
import type { Part } from '../parts/part.ts';
import { journeyCommands } from '../resolve/journeys.ts';
import { type Basis, isDrawn } from './basis.ts';
import { documentScope } from './compile-document.ts';
import { eventsIn } from './event-names.ts';
import { type Findings, newFindings } from './findings.ts';
import { gatherNames, operationsOf } from './gather-names.ts';
import { routeNamesOf } from './route-names.ts';
import { compileValue } from './value.ts';

/** What a document can name of the others, compiled. */
export type NamedByOthers = {
  readonly basis: Basis;
  readonly names: Names;
  readonly formSources: ReadonlyMap<string, LongDocument>;
  /** Route pattern → key of its screen. */
  readonly screenByPattern: ReadonlyMap<string, string>;
  readonly catalogues: ReadonlyMap<string, Emit>;
  readonly forms: ReadonlyMap<string, (trim: TrimPass) => FieldNode[] | undefined>;
  readonly findings: Findings;
};

type Given = {
  readonly basis: Basis;
  /** Documents with the names of their requirements resolved, and with their variants. */
  readonly sound: readonly LongDocument[];
  /** All documents, with those that are broken. */
  readonly all: readonly LongDocument[];
  readonly parts: readonly Part[];
  readonly commands: readonly CommandDeclaration[];
  readonly texts: Texts['names'];
};

/** Compiles what documents refer to by name: operations, commands, forms, texts, journeys, routes of screens. */
export function compileNamed({ basis, sound, all, parts, commands: known, texts }: Given): NamedByOthers {
  const { requirements, access, journeys, others } = basis;
  const findings: Findings = { ...newFindings(), requirements: basis.asked };
  const commands = [...known, ...journeyCommands([...journeys.values()], known, operationsOf(others))];
  const resolve = requirements.resolver(basis.asked);
  const gathered = gatherNames({ sound, all, parts, commands, texts, requirements, resolve });
  const names: Names = { ...gathered, journeys: namesOfJourneys([...journeys.values()], gathered) };
  const of = (kind: DocumentKind) => others.filter(source => source.kind === kind);
  findings.problems.push(
    ...[...journeys.values()].flatMap(source => checkJourney(source, names, known)),
    ...checkOperations(of('operations'), names),
    ...checkRequirements(others, names),
    ...(access ? checkCommands(access, known, names) : []),
  );
  const formSources = new Map(of('form').map(source => [String(source.json.id), source]));
  const screenByPattern = new Map(
    sound
      .filter(({ kind }) => kind === 'screen')
      .flatMap(source => routesOf(source).map(({ route }) => [route, `screen:${String(source.json.id)}`] as const)),
  );
  const catalogues = new Map<string, Emit>();
  const forms = new Map<string, (trim: TrimPass) => FieldNode[] | undefined>();
  const named: NamedByOthers = { basis, names, formSources, screenByPattern, catalogues, forms, findings };
  for (const source of of('catalogue')) {
    const { entries } = (documentSchemas.catalogue as Schema).properties ?? {};
    const context: CompileContext = { ...contextOf(source, named, findings), at: ['entries'] };
    catalogues.set(String(source.json.id), compileValue(entries as Schema, source.json.entries, context));
  }
  for (const [id, source] of formSources) forms.set(id, compileForm(id, source, named));
  return named;
}

/** A form document may stand in any popup; each node that shows it is checked with the parameters that are there. */
const anyParameter: ReadonlySet<string> = Object.assign(new Set<string>(), { has: () => true });

function compileForm(
  id: string,
  source: LongDocument,
  named: NamedByOthers,
): (trim: TrimPass) => FieldNode[] | undefined {
  const requires = source.json.requires as Requirement | undefined;
  const context = contextOf(source, named, named.findings);
  const scope = { ...context.scope, popup: anyParameter, form: formOf(fieldsIn(source.json.fields), id) };
  const { fields } = (documentSchemas.form as Schema).properties ?? {};
  const own: CompileContext = { ...context, scope, above: requires ? [requires] : [], at: ['fields'] };
  const emit = compileValue(fields as Schema, source.json.fields, own);
  return trim => (trim.meets(requires) ? fieldsIn(emit(trim)) : undefined);
}

/** Makes the context in which compiling a document begins; problems and other findings go to `findings`. */
export function contextOf(source: LongDocument, named: NamedByOthers, findings: Findings): CompileContext {
  const { names, formSources, screenByPattern } = named;
  const { problems, mentions, judged, placeValues } = findings;
  return {
    ...{ names, formSources, screenByPattern, problems, mentions, judged, placeValues },
    ...{ source, document: source, at: [], above: [], compile: compileValue },
    scope: documentScope(source, names),
    ...{ refers: new Set(), ids: new Set(), data: new Set(), placesRead: new Set(), placesKept: [] },
    ...{ isTest: false, shownAs: undefined, leftOut: undefined, mayBeControls: false },
    ...{ fieldKind: undefined, leader: undefined, values: undefined },
  };
}

type KeyParts = {
  /** All documents in their long form. */
  readonly files: readonly LongDocument[];
  /** Without parts, with these in place of their uses. */
  readonly written: readonly LongDocument[];
  readonly commands: readonly CommandDeclaration[];
  readonly givenOf: (source: LongDocument) => LongDocument;
  /** False for a document that is left out of the compilation. */
  readonly isSound: (source: LongDocument) => boolean;
};

/**
 * Gives all inputs of `compileNamed`, to be compared item by item, so that it runs again only when one has changed. Of
 * texts only their names and placeholders count, of screens only what others may refer to.
 */
export function keyOfNamed({ files, written, commands, givenOf, isSound }: KeyParts): readonly unknown[] {
  return [
    commands,
    ...files.filter(({ kind }) => kind === 'part'),
    ...written.map(source => {
      if (!isSound(source)) return givenOf(source);
      if (source.kind === 'texts') return namesInTexts(source);
      return isDrawn(source) ? namesInDrawn(source) : givenOf(source);
    }),
  ];
}

const namesInTexts = onceForEach(({ file, json }) => {
  const texts = Object.entries(json).map(([name, text]) => [name, JSON.stringify(text).match(/\{\{.*?\}\}/g) ?? []]);
  return JSON.stringify([file, texts]);
});

const namesInDrawn = onceForEach(source => {
  const { id, route, aliases, also, parameters, query } = source.json;
  const { published, heard } = eventsIn(source);
  const own = [id, route, aliases, also, parameters, query];
  return JSON.stringify([
    source.kind,
    source.file,
    ...own,
    ...[routeNamesOf(source), published, heard].map(set => [...set]),
  ]);
});

/** Remembers what it has found of a document. */
function onceForEach(find: (source: LongDocument) => string): (source: LongDocument) => string {
  const known = new WeakMap<LongDocument, string>();
  return source => {
    const before = known.get(source);
    if (before !== undefined) return before;
    const found = find(source);
    known.set(source, found);
    return found;
  };
}
