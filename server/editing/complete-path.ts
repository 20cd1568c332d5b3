import { formFacts, pathRoots, principalFacts } from '../../shared/language/path-roots.ts';
import { fieldNames, followReply } from '../layouts/expand/reply-notation.ts';
import { isObject, type Json } from '../layouts/names/json.ts';
import type { LongDocument, Pointer } from '../layouts/names/source.ts';
import { type ReplyPlace, replyPlaceOf, rowAround, sourcesOf } from './find-uses.ts';
import type { EditedFolder } from './folder.ts';
import { valueAt } from './written-place.ts';

/** Names that may stand next in a path, each with what is said of it. */
type NextNames = Readonly<Record<string, string>>;

const plain = (names: Iterable<string>): NextNames => Object.fromEntries([...names].map(name => [name, '']));

/** Names beside the Result of a reply. */
const ofReply: NextNames = {
  $Succeed: 'Whether the call succeeded.',
  $Error: 'What was said where it did not.',
  $Messages: 'What was said.',
};

/** Lists the names that may follow in a path at a place of a document's long form, below the names before it. */
export function namesBelow(
  folder: EditedFolder,
  document: LongDocument,
  at: Pointer,
  before: readonly string[],
): NextNames {
  const { json, file } = document;
  const [root, first, ...rest] = before;
  if (root === undefined) return rootsAt(document, at);
  if (root === 'data' && first === undefined) return Object.fromEntries(sourcesOf(document));
  if (root === 'data') {
    const operation = sourcesOf(document).get(first as string);
    const beside = rest.length === 0 ? ofReply : {};
    return operation === undefined ? {} : { ...fieldsAt(folder, { operation, names: withoutResult(rest) }), ...beside };
  }
  if (root === 'row') {
    const row = replyPlaceOf(document, before.join('.'), at);
    return row ? fieldsAt(folder, row) : {};
  }
  if (root === 'reply') {
    const operation = callBefore(document, at);
    return operation === undefined ? {} : fieldsAt(folder, { operation, names: withoutResult(before.slice(1)) });
  }
  if (root === 'answers')
    return first === undefined ? plain(steps(json).keys()) : plain(fieldsIn(steps(json).get(first)));
  if (first !== undefined) return {};
  switch (root) {
    case 'form':
      return { ...plain(formAround(folder, document, at)), ...formFacts };
    case 'route':
      return plain(folder.names.routeNames.get(file) ?? folder.names.anyRouteName);
    case 'principal':
      return principalFacts;
    case 'state':
      return plain(keysOf(json.state));
    case 'popup':
      return plain(listOf(json.parameters));
    case 'part':
      return plain(keysOf(json.parameters));
    case 'journey':
      return { ...plain(listOf(json.parameters)), reference: 'Names what the journey places.' };
    default:
      return {};
  }
}

const withoutResult = (names: readonly string[]): readonly string[] => (names[0] === 'Result' ? names.slice(1) : names);
const keysOf = (value: unknown): readonly string[] => (isObject(value) ? Object.keys(value) : []);
const listOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(item => typeof item === 'string') : [];

/** The roots that mean something in a document of this kind, at this place. */
function rootsAt(document: LongDocument, at: Pointer): NextNames {
  const { kind, json } = document;
  const isThere: Readonly<Record<string, boolean>> = {
    data: sourcesOf(document).size > 0,
    row: rowAround(document, at) !== undefined || kind === 'part',
    state: json.state !== undefined,
    popup: kind === 'popup',
    journey: kind === 'journey',
    answers: kind === 'journey',
  };
  const roots = Object.entries(pathRoots).filter(([root]) => isThere[root] !== false);
  return { ...Object.fromEntries(roots), ...(kind === 'part' && { part: 'What the part is given where it is used.' }) };
}

/** The fields at a place of a reply, each with its kind. */
function fieldsAt({ names: { operations } }: EditedFolder, { operation, names }: ReplyPlace): NextNames {
  const reply = followReply(operations.get(operation)?.reply, names);
  return Object.fromEntries(fieldNames(reply).map(name => [name, kindIn(followReply(reply, [name]))]));
}

const kindIn = (declared: unknown): string => {
  if (typeof declared === 'string') return declared;
  if (Array.isArray(declared)) return 'list';
  return isObject(declared) && typeof declared.kind === 'string' ? declared.kind : 'object';
};

const steps = ({ steps: all }: Json): ReadonlyMap<string, unknown> =>
  new Map((Array.isArray(all) ? all : []).flatMap(step => (isObject(step) ? [[String(step.id), step]] : [])));

/** The names of all fields in a value. */
function fieldsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(fieldsIn);
  if (!isObject(value)) return [];
  const own = typeof value.propertyName === 'string' ? [value.propertyName] : [];
  return [...own, ...Object.values(value).flatMap(fieldsIn)];
}

/** The fields of the form around a place: those of its document, or that stand in it. */
function formAround({ names: { forms } }: EditedFolder, { json }: LongDocument, at: Pointer): readonly string[] {
  for (let length = at.length; length >= 0; length--) {
    const around = valueAt(json, at.slice(0, length));
    if (!isObject(around)) continue;
    if (typeof around.form === 'string') return forms.get(around.form)?.names ?? [];
    if (around.type === 'form' || length === 0) return fieldsIn(around);
  }
  return [];
}

/** The operation that the effect before a place calls, or that places a journey. */
function callBefore({ json }: LongDocument, at: Pointer): string | undefined {
  const operationOf = (value: unknown): string[] =>
    isObject(value) && typeof value.operation === 'string' ? [value.operation] : [];
  const calls = at.flatMap((step, index) => {
    const list = valueAt(json, at.slice(0, index));
    return typeof step === 'number' && Array.isArray(list) ? list.slice(0, step).flatMap(operationOf) : [];
  });
  return calls.at(-1) ?? operationOf(json.place)[0];
}
