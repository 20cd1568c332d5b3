import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../../../server/layouts/check/shape.ts';
import { expandJson } from '../../../server/layouts/expand/expand.ts';
import type { FolderFacts } from '../../../server/layouts/expand/folder-facts.ts';
import type { Source } from '../../../server/layouts/load/load.ts';
import { documentSchemas } from '../../../shared/language/documents.ts';
import type { Short } from '../../../shared/language/short.ts';
import { countDocument } from '../count.ts';
import {
  shortBindings,
  shortCondition,
  shortenEffects,
  shortenPress,
  shortPath,
  shortTemplate,
} from './plain-forms.ts';
import { findShortParts, type Part, type Unit } from './short-parts.ts';

type Json = Record<string, unknown>;

const plain = (json: unknown): Json => JSON.parse(JSON.stringify(json));
const sizeOf = (json: unknown): number => countDocument(json, '').together;

/**
 * A document in the short forms that its long form allows: expanded again it is what it was, or what `change` makes of
 * its long form.
 */
export function shorten(source: Source, facts: FolderFacts, change = (long: Json): unknown => long): Json {
  let isWrong = false;
  const expand = (json: Json) =>
    expandJson({ ...source, json }, facts, () => {
      isWrong = true;
    });
  const target = plain(change(expand(source.json)));
  // What cannot be expanded is somebody's to mend first.
  if (isWrong) return source.json;
  const written = JSON.stringify(target);
  const isSame = (json: Json): boolean => {
    isWrong = false;
    const long = JSON.stringify(expand(json));
    return !isWrong && (long === written || isDeepStrictEqual(JSON.parse(long), target));
  };
  // To say the area that it is in anyway is no shorter.
  const own = areaOf(source);
  const areas = [undefined, ...frequentAreas(target).filter(area => area !== own)];
  const tries = areas.map(area =>
    shortenIn(area, plain(target), documentSchemas[source.kind] as Schema, facts, isSame),
  );
  return tries.reduce((best, one) => (sizeOf(one) < sizeOf(best) ? one : best));
}

/** The area of a document that names none: its folder. */
const areaOf = ({ file }: Source): string => (file.includes('/') ? String(file.split('/').at(-2)) : '');

/** The areas whose texts a document shows most. */
function frequentAreas(json: Json): string[] {
  const counts = new Map<string, number>();
  for (const [, area = ''] of JSON.stringify(json).matchAll(/"([a-z][A-Za-z0-9-]*)\.[A-Za-z0-9_-]+"/g))
    counts.set(area, (counts.get(area) ?? 0) + 1);
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([area]) => area);
}

function shortenIn(
  area: string | undefined,
  json: Json,
  schema: Schema,
  facts: FolderFacts,
  isSame: (json: Json) => boolean,
): Json {
  const { $schema, id, ...rest } = json;
  const root: Json = { $schema, id, ...(area !== undefined && { texts: area }), ...rest };
  if (id === undefined) delete root.id;
  /** Makes a change, and takes it back where the document would be another one. */
  const attempt = (object: Json, change: () => void): boolean => {
    const before = { ...object };
    change();
    if (isSame(root)) return true;
    replace(object, before);
    return false;
  };
  if (!isSame(root)) return json;
  const parts = findShortParts(root, schema, facts);
  dropId(root, parts.loose, attempt);
  const changeAt = (parent: Json, key: string, shortOf: (value: never) => unknown): Change => ({
    object: parent,
    make: () => set(parent, key, shortOf(parent[key] as never)),
  });
  const changes = [
    ...stringsIn(root)
      .filter(([object, name]) => shortPath(object[name] as string) !== object[name])
      .map(([object, name]) => changeAt(object, name, shortPath)),
    ...parts.conditions.map(({ parent, key }) => changeAt(parent, key, shortCondition)),
    ...parts.bindings.map(({ parent, key }) => changeAt(parent, key, shortBindings)),
    ...parts.templates.map(({ parent, key }) => changeAt(parent, key, shortTemplate)),
    ...parts.effects.map((holder): Change => ({ object: holder.parent, make: () => shortenEffects(holder) })),
  ];
  const isRootSame = (): boolean => isSame(root);
  const formatted = parts.bindings.map(({ parent, key }) => parent[key] as Json);
  makeThose(
    formatted.flatMap(values =>
      Object.entries(values).flatMap(([name, value]) =>
        isFormatted(value) ? [{ object: values, make: () => set(values, name, shortPath(value.path)) }] : [],
      ),
    ),
    isRootSame,
  );
  makeThose(changes, isRootSame);
  for (const unit of parts.units) shortenUnit(unit, attempt, isRootSame);
  for (const part of parts.loose) shortenLoose(part, attempt, isRootSame);
  makeThose(
    parts.pressed.map(object => ({ object, make: () => shortenPress(object) })),
    isRootSame,
  );
  return root;
}

const isFormatted = (value: unknown): value is { readonly path: string; readonly format: string } =>
  value !== null &&
  typeof value === 'object' &&
  'path' in value &&
  typeof value.path === 'string' &&
  Object.hasOwn(value, 'format');

type Change = { readonly object: Json; readonly make: () => void };

/** Makes those of the changes, in turn, that leave the document what it is: all at once, or else each half by itself. */
function makeThose(changes: readonly Change[], isSame: () => boolean): void {
  if (changes.length === 0) return;
  const undone = changes.map(({ object, make }) => {
    const before = { ...object };
    make();
    return () => replace(object, before);
  });
  if (isSame()) return;
  for (const undo of undone.reverse()) undo();
  if (changes.length === 1) return;
  const middle = changes.length >> 1;
  makeThose(changes.slice(0, middle), isSame);
  makeThose(changes.slice(middle), isSame);
}

/** Leaves out the id, without which a document is in short form and so are the parts of it that stand in no node. */
function dropId(root: Json, loose: readonly Part[], attempt: Attempt): void {
  const before = loose.map(({ object }) => ({ ...object }));
  for (const part of loose) refuseDefaults(part);
  const isShort = attempt(root, () => void delete root.id);
  if (!isShort) for (const [index, { object }] of loose.entries()) replace(object, before[index] as Json);
}

type Attempt = (object: Json, change: () => void) => boolean;

function set(object: Json, name: string, value: unknown): void {
  object[name] = value;
}

function replace(object: Json, by: Json): void {
  if (Array.isArray(object)) return void Object.assign(object, by);
  for (const name of Object.keys(object)) delete object[name];
  Object.assign(object, by);
}

/** Every string of a document, with what holds it. */
function stringsIn(value: unknown): [Json, string][] {
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]): [Json, string][] =>
    typeof item === 'string' ? [[value as Json, name]] : stringsIn(item),
  );
}

const defaultsOf = ({ schema }: Part): string[] => Object.keys(schema.short?.defaults ?? {});

/** Says of every default that is not written that there is none. */
function refuseDefaults(part: Part): void {
  for (const name of defaultsOf(part)) if (part.object[name] === undefined) part.object[name] = false;
}

/** Leaves out each of the defaults. */
const withoutDefaults = (part: Part): Change[] =>
  defaultsOf(part).map(name => ({ object: part.object, make: () => void delete part.object[name] }));

/** Whether a node is written by the head of another type: it has what goes with that head, and what that head gives. */
const isCalled = ({ with: beside, gives }: NonNullable<Short['otherHead']>, object: Json): boolean =>
  beside.some(name => object[name] !== undefined) && Object.keys(gives).every(name => object[name] !== undefined);

/** Writes the head of a node or effect, and leaves out what is known then; nothing where that is no shorter. */
function shortenUnit(unit: Unit, attempt: Attempt, isSame: () => boolean): void {
  const { object, schema, word, parts } = unit;
  const { head, unlessOptional, otherHead } = schema.short ?? {};
  if (head === undefined || object[head] === undefined) return;
  const isOther = otherHead !== undefined && isCalled(otherHead, object);
  const all = [unit, ...parts];
  const before = all.map(part => ({ ...part.object }));
  const size = sizeOf(object);
  const undo = (): void => {
    for (const [index, part] of all.entries()) replace(part.object, before[index] as Json);
  };
  const optional = unlessOptional !== undefined && object[unlessOptional] !== true;
  for (const part of all) refuseDefaults(part);
  const { [word]: type, [head]: first, ...others } = object;
  const name = isOther ? otherHead.name : String(type);
  const isShort = attempt(object, () => replace(object, { [name]: optional ? `${first}?` : first, ...others }));
  if (!isShort) return void undo();
  for (const given of isOther ? Object.keys(otherHead.gives) : []) attempt(object, () => void delete object[given]);
  if (unlessOptional !== undefined) attempt(object, () => void delete object[unlessOptional]);
  makeThose(all.flatMap(withoutDefaults), isSame);
  if (sizeOf(object) >= size) return void undo();
  for (const part of parts) shortenPart(part, attempt);
}

/** As below for a part that is short by itself alone. */
function shortenLoose(part: Part, attempt: Attempt, isSame: () => boolean): void {
  const before = { ...part.object };
  refuseDefaults(part);
  shortenPart(part, attempt);
  makeThose(withoutDefaults(part), isSame);
  if (sizeOf(part.object) >= sizeOf(before)) replace(part.object, before);
}

/** Writes an entry as the one value that is left, or as a pair. */
function shortenPart(part: Part, attempt: Attempt): void {
  const { object, schema, holder } = part;
  const { bare, pair, ofRow, ifOptional } = schema.short ?? {};
  const { parent, key } = holder;
  if (ofRow !== undefined && typeof object[ofRow] === 'string')
    attempt(object, () => set(object, ofRow, String(object[ofRow]).replace(/^row\./, '')));
  if (ifOptional && object[ifOptional.gives] === ifOptional.is)
    attempt(object, () => {
      delete object[ifOptional.gives];
      set(object, ifOptional.of, `${object[ifOptional.of]}?`);
    });
  // Defaults that are still written hold for the one value too, or the attempt fails.
  const defaults = defaultsOf(part);
  const names = Object.keys(object).filter(name => name === bare || !defaults.includes(name));
  if (bare !== undefined && names.length === 1 && names[0] === bare)
    if ([object[bare], [object[bare]].flat()].some(value => attempt(parent, () => set(parent, key, value))))
      // One effect alone is no list, and what is no list may be the object itself.
      return;
  if (!pair) return;
  // Before the pair, since it takes "press" in.
  if (pair[1] === 'press') attempt(object, () => shortenPress(object));
  const { [pair[0]]: first, [pair[1]]: second, ...others } = object;
  if (typeof first === 'string' && second !== undefined)
    attempt(object, () => replace(object, { [first]: second, ...others }));
}
