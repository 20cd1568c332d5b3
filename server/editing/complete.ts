import type { LongDocument, Pointer } from '../layouts/names/source.ts';
import { namesBelow } from './complete-path.ts';
import { rowAround, sourcesOf } from './find-uses.ts';
import type { EditedFolder } from './folder.ts';
import { referencesAt } from './name-at.ts';
import { nameLists } from './name-lists.ts';
import type { Reference } from './references.ts';
import type { Token } from './tokens.ts';
import { valueAt } from './written-place.ts';

/** A word that may stand at a place, and what is said of it ('' for nothing). */
export type Completion = { readonly word: string; readonly says: string };

/** By what a reference names, the list of what there is. */
const lists: Readonly<Record<string, string>> = {
  operation: 'OperationName',
  command: 'CommandName',
  popup: 'PopupName',
  part: 'PartName',
  journey: 'JourneyName',
  form: 'FormName',
  text: 'Text',
  view: 'ViewNames',
  permission: 'PermissionNames',
  feature: 'FeatureNames',
  requirement: 'RequirementName',
  'user type': 'UserType',
  event: 'EventName',
};

/**
 * Lists the words that may stand in the place of one, by what that names: paths by the data sources, lists and contracts
 * around. Undefined where the word names nothing, as the name of a property.
 */
export function completionsAt(
  folder: EditedFolder,
  document: LongDocument,
  token: Token,
): readonly Completion[] | undefined {
  const found = referencesAt(document, token).flatMap(reference => wordsFor(folder, document, token, reference) ?? []);
  return found.length === 0 ? undefined : found;
}

function wordsFor(
  folder: EditedFolder,
  document: LongDocument,
  { text }: Token,
  reference: Reference,
): Completion[] | undefined {
  const { what, at } = reference;
  switch (what) {
    case 'path':
      return [...declaredWords(folder, document, at), ...pathsFor(folder, document, text, reference)];
    case 'constant':
      return declaredWords(folder, document, at.slice(0, -1));
    case 'key':
      return completions(namesBelow(folder, document, at, ['row']));
    case 'order':
      return ordersFor(folder, document, reference);
    case 'address':
      return [...folder.names.screenFiles].map(([word, says]) => ({ word, says }));
  }
  const list = nameLists[lists[what] ?? ''];
  return list && [...list(folder)].map(([word, says]) => ({ word, says }));
}

const completions = (names: Readonly<Record<string, string>>, before: readonly string[] = []): Completion[] =>
  Object.entries(names).map(([name, says]) => ({ word: [...before, name].join('.'), says }));

/** The words that an operation declares of the parameter that is bound at a place. */
function declaredWords({ names }: EditedFolder, { json }: LongDocument, at: Pointer): Completion[] {
  const { operation } = (at.at(-2) === 'with' ? (valueAt(json, at.slice(0, -2)) ?? {}) : {}) as { operation?: unknown };
  const values = names.operations.get(String(operation))?.with?.[String(at.at(-1))]?.enum ?? [];
  return values.map(value => ({ word: String(value), says: 'a word of this parameter' }));
}

/** Paths that begin as this one does; a word without a root is a field of the row. */
function pathsFor(folder: EditedFolder, document: LongDocument, text: string, { at, text: long }: Reference) {
  const before = text.split('.').slice(0, -1);
  const isOfRow = long !== text && long === `row.${text}`;
  return [
    ...(isOfRow ? completions(namesBelow(folder, document, at, ['row', ...before]), before) : []),
    ...(isOfRow && before.length > 0 ? [] : completions(namesBelow(folder, document, at, before), before)),
  ];
}

/** The names by which the operation of the list around orders it. */
function ordersFor({ names }: EditedFolder, document: LongDocument, { at }: Reference): Completion[] {
  const operations = [rowAround(document, at)?.operation, ...sourcesOf(document).values()];
  const [operation = ''] = operations.filter(one => one !== undefined);
  const orders = names.operations.get(operation)?.with?.sort?.enum ?? [];
  return orders.map(order => ({ word: String(order), says: '' }));
}
