import type { ParameterKind } from '../../../shared/language/part.ts';
import { isObject, type Json } from '../names/json.ts';
import { isPartUse, type PartUse } from '../names/part-use.ts';
import type { LongDocument, Pointer } from '../names/source.ts';

export type Parameter = { readonly kind: ParameterKind; readonly isOptional: boolean };

/** A part document, as others use it. */
export type Part = {
  readonly id: string;
  readonly source: LongDocument;
  readonly parameters: ReadonlyMap<string, Parameter>;
  /** Where its nodes or entries stand in the document; undefined where it has none, or both. */
  readonly body: 'children' | 'entries' | undefined;
};

/** Gives an object property of a document (`parameters`, `data`, `state`); `{}` when the document has none. */
export const objectIn = (json: Json, name: string): Json => (isObject(json[name]) ? json[name] : {});

/** Reads a part document: its id, parameters with their kinds, and its body. Its shape must have been checked. */
export function readPart(source: LongDocument): Part {
  const { children, entries } = source.json;
  const bodies = (['children', 'entries'] as const).filter(name => source.json[name] !== undefined);
  return {
    id: String(source.json.id),
    source,
    parameters: new Map(
      Object.entries(objectIn(source.json, 'parameters')).map(([name, kind]) => [
        name,
        { kind: String(kind).replace('?', '') as ParameterKind, isOptional: String(kind).endsWith('?') },
      ]),
    ),
    body: children !== undefined && entries !== undefined ? undefined : bodies[0],
  };
}

/** In these documents a property may be called "part". */
const withoutParts: ReadonlySet<string> = new Set(['operations', 'texts', 'access']);

type FoundUse = { readonly use: PartUse; readonly at: Pointer };

const usesBySource = new WeakMap<LongDocument, readonly FoundUse[]>();

/** Lists every use of a part in a document, with its position. */
export function usesOf(source: LongDocument): readonly FoundUse[] {
  let uses = usesBySource.get(source);
  if (!uses) {
    const found: FoundUse[] = [];
    if (!withoutParts.has(source.kind)) findUses(source.json, [], found);
    uses = found;
    usesBySource.set(source, uses);
  }
  return uses;
}

function findUses(value: unknown, at: Pointer, found: FoundUse[]): void {
  if (value === null || typeof value !== 'object') return;
  const isList = Array.isArray(value);
  for (const [name, item] of Object.entries(value)) {
    if (item === null || typeof item !== 'object') continue;
    const inner = [...at, isList ? Number(name) : name];
    if (isList && isPartUse(item)) found.push({ use: item, at: inner });
    findUses(item, inner, found);
  }
}

/** What stands for a parameter in a text of a part. */
export type Placeholder = {
  readonly name: string;
  /** alone: the text is nothing else. below: a path goes on below it. inside: it stands in braces, as a piece of the text. */
  readonly as: 'alone' | 'below' | 'inside';
};

const alone = /^part\.([A-Za-z0-9_-]+)$/;
const below = /^part\.([A-Za-z0-9_-]+)(?=\.)/;
const inside = /\{part\.([A-Za-z0-9_-]+)((?:\.[^{}]*)?)\}/g;

/**
 * Lists the parameters of a part that a text in it contains, each with whether it is the whole text, the start of a
 * path, or inside it.
 */
export function placeholdersIn(text: string): Placeholder[] {
  const whole = alone.exec(text)?.[1];
  if (whole !== undefined) return [{ name: whole, as: 'alone' }];
  const first = below.exec(text)?.[1];
  return [
    ...(first === undefined ? [] : [{ name: first, as: 'below' } as const]),
    ...[...text.matchAll(inside)].map(([, name]) => ({ name: String(name), as: 'inside' }) as const),
  ];
}

/**
 * Replaces the parameters of a part inside a text by their values; a text that is nothing but a parameter is not for
 * this.
 */
export function fillIn(text: string, given: (name: string) => string, isPath: (name: string) => boolean): string {
  return text
    .replace(below, (_, name: string) => given(name))
    .replace(inside, (_, name: string, rest: string) => (isPath(name) ? `{${given(name)}${rest}}` : given(name)));
}
