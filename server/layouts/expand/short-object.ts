import { isObject, type Json } from '../names/json.ts';
import { newRecord } from '../names/new-record.ts';
import type { Schema } from '../names/schema.ts';
import type { Pointer } from '../names/source.ts';
import { causeOfDefault, hasWrongPath } from './causes.ts';
import { type DefaultValue, defaultOf } from './defaults.ts';
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
    const toldBy = headName ?? short?.calledBy;
    if (head && toldBy !== undefined) {
      long[head.word] = head.type;
      elsewhere.set(head.word, [toldBy]);
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
    'form',
  );
}

/**
 * Adds the defaults of properties that an object in short form leaves out; a `false` written in the place of a default
 * says that there is none, and goes. Where one is not known since a reference leads nowhere, the reference is told.
 */
export function giveDefaults(schema: Schema, opened: Opened, place: ExpandPlace): void {
  const { long, isShort, elsewhere } = opened;
  const stepsTo = (name: string): Pointer => elsewhere.get(name) ?? [name];
  for (const [name, rule] of Object.entries((isShort && schema.short?.defaults) || {})) {
    if (long[name] === false) delete long[name];
    else if (long[name] === undefined) {
      const found = defaultOf(name, rule, long, place);
      if (found) {
        long[name] = found.value;
        (opened.made as Map<string, string>).set(name, found.why);
        if (found.missing) reportMissingText(found, schema, long, place);
      } else if (schema.required?.includes(name)) {
        const cause = causeOfDefault(name, rule, long, stepsTo, place);
        if (!cause) continue;
        place.excuse(long, name);
        if (cause !== 'told') place.problem(cause.at, cause.message, 'cause');
      }
    }
  }
}

/** Of a text that there is not both keys are told, unless what it is the name of is not there either. */
function reportMissingText({ value, missing }: DefaultValue, schema: Schema, long: Json, place: ExpandPlace): void {
  place.guess(String(value));
  if (missing !== undefined && !hasWrongPath(schema, long, place)) place.problem(place.at, missing, 'text');
}
