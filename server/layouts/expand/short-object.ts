import { isObject, type Json } from '../names/json.ts';
import { newRecord } from '../names/new-record.ts';
import type { Schema } from '../names/schema.ts';
import { defaultOf } from './defaults.ts';
import { type ExpandPlace, inside } from './expand-place.ts';
import { hasRoot } from './paths.ts';

/** An object with its short forms undone, but for what stands in it. */
export type Opened = {
  readonly long: Record<string, unknown>;
  /** Property → steps to where it stands, where that is not its own name. */
  readonly elsewhere: ReadonlyMap<string, readonly (string | number)[]>;
  /** Steps to the effects of `on.press` where they stand outside of "on". */
  readonly pressAt?: readonly (string | number)[];
  /** Properties that are written nowhere, each with the reason for its value. */
  readonly made: ReadonlyMap<string, string>;
  readonly isShort: boolean;
};

const properties = (schema: Schema | undefined): object => schema?.properties ?? {};

/**
 * The type that a node or effect in short form has: the one whose name is among the names, and that has properties with
 * the names of all other types among them.
 */
export function typeByHead(value: Json, known: Readonly<Record<string, Schema>>): string | undefined {
  const named = Object.keys(value).filter(name => Object.hasOwn(known, name) && known[name]?.short?.head !== undefined);
  const type = named.find(one => named.every(other => other === one || Object.hasOwn(properties(known[one]), other)));
  return type === undefined ? undefined : (typeByOtherHead(type, value, known) ?? type);
}

type Types = Readonly<Record<string, Schema>>;
type OtherHeads = readonly (readonly [type: string, head: string, beside: readonly string[]])[];

const otherHeads = new WeakMap<Types, OtherHeads>();

/** The types that are written by the head of another one too, found once. */
function otherHeadsOf(known: Types): OtherHeads {
  const before = otherHeads.get(known);
  if (before) return before;
  const found = Object.entries(known).flatMap(([type, { short }]) =>
    short?.otherHead ? [[type, short.otherHead.name, short.otherHead.with] as const] : [],
  );
  otherHeads.set(known, found);
  return found;
}

/** The type that the head of another one stands for beside the properties of this object. */
const typeByOtherHead = (head: string, value: Json, known: Types): string | undefined =>
  otherHeadsOf(known).find(([, name, beside]) => name === head && beside.some(one => Object.hasOwn(value, one)))?.[0];

/** Undoes the short forms of one object. `type` is what it is by its head, with the word that says so in the long form. */
export function openObject(
  schema: Schema,
  value: unknown,
  place: ExpandPlace,
  head?: { readonly word: string; readonly type: string },
): Opened | undefined {
  const { short } = schema;
  const long = newRecord();
  const elsewhere = new Map<string, readonly (string | number)[]>();
  const made = new Map<string, string>();
  let isShort = place.isShort;
  let pressAt: [string] | undefined;
  if (!isObject(value)) {
    // What a part is given stands for itself, whatever it is.
    if (short?.bare === undefined || (typeof value === 'string' && value.startsWith('part.'))) return undefined;
    long[short.bare] = value;
    elsewhere.set(short.bare, []);
    isShort = true;
  } else {
    const [first = '', second = ''] = short?.pair ?? [];
    const pair = head === undefined ? pairIn(value, schema) : undefined;
    const headName = head && (Object.hasOwn(value, head.type) ? head.type : short?.otherHead?.name);
    if (head && headName !== undefined) {
      long[head.word] = head.type;
      elsewhere.set(head.word, [headName]);
      isShort = true;
    }
    for (const [name, item] of Object.entries(value)) {
      if (head && name === headName) {
        long[short?.head as string] = item;
        elsewhere.set(short?.head as string, [name]);
      } else if (name === pair) {
        long[first] = name;
        elsewhere.set(first, [name]).set(second, [name]);
        isShort = true;
        if (second === 'press') pressAt = [name];
        else long[second] = item;
      } else if (name === 'press' && mayPress(schema, value)) pressAt = [name];
      else long[name] = item;
      if (pressAt?.[0] === name) long.on = { press: item };
    }
    if (headName !== undefined && headName !== head?.type)
      for (const [name, item] of Object.entries(short?.otherHead?.gives ?? {}))
        if (long[name] === undefined) {
          long[name] = item;
          made.set(name, `it is called a ${headName}`);
        }
  }
  if (short && isShort) {
    openOptional(schema, long, made, place);
    openIfOptional(schema, long, made, place);
    const { ofRow } = short;
    if (ofRow !== undefined && typeof long[ofRow] === 'string' && !hasRoot(long[ofRow]))
      long[ofRow] = `row.${long[ofRow]}`;
  }
  return { long, elsewhere, made, isShort, ...(pressAt && { pressAt }) };
}

/** Where exactly one name is no property of the object and may be the first of a pair, that name. */
function pairIn(value: Json, { short, properties = {} }: Schema): string | undefined {
  const [first, second] = short?.pair ?? [];
  if (first === undefined || second === undefined || value[first] !== undefined || value[second] !== undefined)
    return undefined;
  const own = Object.keys(value).filter(name => !Object.hasOwn(properties, name) && name !== 'press');
  // Keys of texts and names of operations have a dot, which no property has: what is misspelt is no pair.
  const isName = properties[first]?.title !== undefined;
  return own.length === 1 && (!isName || own[0]?.includes('.')) ? own[0] : undefined;
}

/** Whether `press` may stand for `on.press`. */
const mayPress = ({ properties }: Schema, value: Json): boolean =>
  value.on === undefined && properties?.on?.properties?.press !== undefined;

/** "?" behind the name of a value leaves out what its absence says. */
function openOptional(
  { short }: Schema,
  long: Record<string, unknown>,
  made: Map<string, string>,
  place: ExpandPlace,
): void {
  const { unlessOptional, head } = short ?? {};
  if (unlessOptional === undefined || head === undefined || typeof long[head] !== 'string') return;
  const name = long[head];
  if (name.endsWith('?')) {
    long[head] = name.slice(0, -1);
    if (long[unlessOptional] === true) reportOtherwise(name, unlessOptional, false, true, place);
  } else if (long[unlessOptional] === undefined) {
    long[unlessOptional] = true;
    made.set(unlessOptional, 'there is no "?" behind the name');
  }
}

/** "?" behind the value of one property gives another. */
function openIfOptional(
  { short }: Schema,
  long: Record<string, unknown>,
  made: Map<string, string>,
  place: ExpandPlace,
): void {
  const { of, gives, is } = short?.ifOptional ?? {};
  const value = of === undefined ? undefined : long[of];
  if (of === undefined || gives === undefined || typeof value !== 'string' || !value.endsWith('?')) return;
  long[of] = value.slice(0, -1);
  const written = long[gives];
  if (written !== undefined && written !== is) reportOtherwise(value, gives, is, written, place);
  if (written !== undefined) return;
  long[gives] = is;
  made.set(gives, `there is a "?" behind "${of}"`);
}

/** Tells of a property that says otherwise than the "?" beside it: which of them is meant is for the operator to say. */
function reportOtherwise(marked: string, name: string, given: unknown, written: unknown, place: ExpandPlace): void {
  place.problem(
    inside(place, name).at,
    `The "?" of "${marked}" gives "${name}" the value ${JSON.stringify(given)}, but ${JSON.stringify(written)} is written: leave out the "?" or "${name}".`,
  );
}

/**
 * Adds the defaults of properties that an object in short form leaves out; a `false` written in the place of a default
 * says that there is none, and goes.
 */
export function giveDefaults({ short }: Schema, opened: Opened, place: ExpandPlace): void {
  const { long, isShort } = opened;
  for (const [name, rule] of Object.entries((isShort && short?.defaults) || {})) {
    if (long[name] === false) delete long[name];
    else if (long[name] === undefined) {
      const found = defaultOf(name, rule, long, place);
      if (!found) continue;
      long[name] = found.value;
      (opened.made as Map<string, string>).set(name, found.why);
    }
  }
}
