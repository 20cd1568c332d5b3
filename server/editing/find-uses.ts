import { portalCalls } from '../../shared/language/operation.ts';
import type { CommandDeclaration } from '../layouts/names/command-declaration.ts';
import { isObject } from '../layouts/names/json.ts';
import type { LongDocument, Pointer } from '../layouts/names/source.ts';
import { type Reference, referencesIn } from './references.ts';
import { valueAt } from './written-place.ts';

/** A place that reads a name. */
export type Use = {
  readonly source: LongDocument;
  readonly reference: Reference;
  /** The thing that is named there: its kind (`text`, `operation`, `field`) and its whole name. */
  readonly what: string;
  readonly name: string;
};

/** The data sources of a document: name → operation. */
export function sourcesOf({ json }: LongDocument): ReadonlyMap<string, string> {
  const data = [json.data, json.prepare].flatMap(list => (isObject(list) ? Object.entries(list) : []));
  return new Map(
    data.flatMap(([name, source]) =>
      isObject(source) && typeof source.operation === 'string' ? [[name, source.operation] as const] : [],
    ),
  );
}

/** A place in the reply of an operation: the names of its fields, below the Result. */
export type ReplyPlace = { readonly operation: string; readonly names: readonly string[] };

/** Gives the list whose fields the names at a place are: that of the nearest object around it that has rows. */
export function rowAround(document: LongDocument, at: Pointer): ReplyPlace | undefined {
  for (let length = at.length - 1; length >= 0; length--) {
    const { rows } = (valueAt(document.json, at.slice(0, length)) ?? {}) as { readonly rows?: unknown };
    // The path of the list itself stands outside of it.
    if (typeof rows === 'string' && at[length] !== 'rows') return replyPlaceOf(document, rows, at.slice(0, length));
  }
  return undefined;
}

/** The list of a reply that a data source joins to the rows around, under this name. */
function joinAround(document: LongDocument, at: Pointer, name: string): ReplyPlace | undefined {
  for (let length = at.length - 1; length >= 0; length--) {
    const { rows } = (valueAt(document.json, at.slice(0, length)) ?? {}) as { readonly rows?: unknown };
    if (typeof rows !== 'string' || at[length] === 'rows') continue;
    const [joined] = Object.entries((document.json.data ?? {}) as Readonly<Record<string, Joining>>).filter(
      ([source, { rows: list, as = source }]) => list === rows && as === name,
    );
    return joined && { operation: String(joined[1].operation), names: ['Items'] };
  }
  return undefined;
}

type Joining = { readonly rows?: unknown; readonly as?: string; readonly operation?: unknown };

/** Follows a path of the long form that reads data or a row; undefined for any other one. */
export function replyPlaceOf(document: LongDocument, path: string, at: Pointer): ReplyPlace | undefined {
  const [root, ...names] = path.split('.');
  if (root === 'row') {
    const joined = joinAround(document, at, names[0] ?? '');
    if (joined) return { ...joined, names: [...joined.names, ...names.slice(1)] };
    const row = rowAround(document, at);
    return row && { ...row, names: [...row.names, ...names] };
  }
  const [source = '', envelope, ...below] = names;
  const operation = root === 'data' ? sourcesOf(document).get(source) : undefined;
  return operation === undefined || envelope !== 'Result' ? undefined : { operation, names: below };
}

/** The operation and field that a path reads, as `customers.list.Items.Name`; undefined for any other path. */
export function operationFieldOfPath(
  document: LongDocument,
  { at, text, what }: Pick<Reference, 'at' | 'text' | 'what'>,
): string | undefined {
  if (what === 'join key') {
    const { operation } = valueAt(document.json, at.slice(0, -1)) as Joining;
    return `${String(operation)}.Items.${text}`;
  }
  const path = what === 'key' || what === 'order' ? `row.${text.replace(/^-/, '')}` : text;
  const place = replyPlaceOf(document, path, at);
  return place && place.names.length > 0 ? [place.operation, ...place.names].join('.') : undefined;
}

const usesByDocument = new WeakMap<LongDocument, readonly Use[]>();

/** Lists every place of documents that names something, with what it names; of paths the fields that they read. */
export const findUses = (documents: readonly LongDocument[]): Use[] => documents.flatMap(usesIn);

function usesIn(source: LongDocument): readonly Use[] {
  const known = usesByDocument.get(source);
  if (known) return known;
  const found = referencesIn(source).map((reference): Use => {
    const isPath = ['path', 'key', 'order', 'join key'].includes(reference.what);
    const field = isPath ? operationFieldOfPath(source, reference) : undefined;
    if (field !== undefined) return { source, reference, what: 'field', name: field };
    const name =
      reference.what === 'catalogue' ? reference.text.replace(/^code:/, '').replace(/\?$/, '') : reference.text;
    return { source, reference, what: reference.what, name };
  });
  usesByDocument.set(source, found);
  return found;
}

/** Lists the commands of the server that ask an operation: documents cannot change them. */
export function usesInCode(operation: string, commands: readonly CommandDeclaration[]): string[] {
  return [
    ...commands.flatMap(({ name, asks = [] }) => (asks.includes(operation) ? [`the command "${name}"`] : [])),
    ...Object.entries(portalCalls).flatMap(([call, asks]) =>
      (asks as readonly string[]).includes(operation) ? [`the portal's own "${call}"`] : [],
    ),
  ];
}
