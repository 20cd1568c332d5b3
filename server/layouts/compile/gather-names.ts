import type { DocumentKind } from '../../../shared/language/documents.ts';
import { rulesOf } from '../../../shared/language/nodes.ts';
import type { FieldNode, Operation, Scalar } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { compareRoutes } from '../../../shared/rules/route.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import { routesOf } from '../check/documents.ts';
import { readContract } from '../contract/read-contract.ts';
import { isOwnFile } from '../expand/folder-facts.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import { envelopeOf } from '../names/contract.ts';
import type { Names, RequirementNames, ResolveRequirement } from '../names/scope.ts';
import type { LongDocument } from '../names/source.ts';
import type { Texts } from '../names/texts.ts';
import type { Part } from '../parts/part.ts';
import { resolveReply } from '../resolve/requirement-names.ts';
import { eventNamesOf } from './event-names.ts';
import { routeNamesOf } from './route-names.ts';

type Declaration = { readonly operation: Operation; readonly file: string };

/** The declarations of operations by name; of two of one name the one that is meant. */
function declarationsIn(sources: readonly LongDocument[]): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const { kind, json, file } of sources)
    if (kind === 'operations')
      for (const [name, operation] of Object.entries(json.operations as Record<string, Operation>))
        if (!found.has(name) || isOwnFile(name, file)) found.set(name, { operation, file });
  return found;
}

/** Collects the operations of all documents, by name. */
export const operationsOf = (sources: readonly LongDocument[]): ReadonlyMap<string, Operation> =>
  new Map([...declarationsIn(sources)].map(([name, { operation }]) => [name, operation]));

type Given = {
  readonly sound: readonly LongDocument[];
  readonly all: readonly LongDocument[];
  readonly parts: readonly Part[];
  readonly commands: readonly CommandDeclaration[];
  readonly texts: Texts['names'];
  readonly requirements: RequirementNames;
  readonly resolve: ResolveRequirement;
};

/**
 * Collects from all documents every name that documents may refer to (operations, popups, texts, routes, and so on).
 */
export function gatherNames({
  sound,
  all,
  parts,
  commands,
  texts,
  requirements,
  resolve,
}: Given): Omit<Names, 'journeys'> {
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
    bodies: new Set([...operations.values()].flatMap(({ body }) => body ?? [])),
    commands: new Map(
      commands.map(({ requires, ...command }) => [
        command.name,
        { ...command, ...(requires !== undefined && { requires: resolve(requires) }) },
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
        const contract = reply === undefined ? undefined : readContract(resolveReply(reply, resolve));
        // A command may answer with effects alone.
        return [name, envelopeOf(contract && { ...contract, optional: true })];
      }),
    ),
    operationFiles: new Map([...declarationsIn(sound)].map(([name, { file }]) => [name, file])),
    forms: new Map(
      named('form').map(source => [
        String(source.json.id),
        {
          file: source.file,
          names: fieldsIn(source.json.fields).map(field => field.propertyName),
          needed: neededIn(source.json.fields),
          uploads: fieldsIn(source.json.fields).flatMap(({ kind, propertyName }) =>
            kind === 'file' ? propertyName : [],
          ),
        },
      ]),
    ),
    popups: new Map(
      named('popup').map(source => [
        String(source.json.id),
        Array.isArray(source.json.parameters) ? (source.json.parameters as string[]) : [],
      ]),
    ),
    parts: new Map(parts.map(({ id, parameters }) => [id, [...parameters.keys()]])),
    catalogues: new Map(
      named('catalogue').map(source => [
        String(source.json.id),
        { file: source.file, values: valuesOf(source.json.entries) },
      ]),
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
    texts,
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
