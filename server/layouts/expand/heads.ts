import { isObject, type Json } from '../names/json.ts';
import { nameDistance } from '../names/problem.ts';
import type { Schema } from '../names/schema.ts';

type Types = Readonly<Record<string, Schema>>;
type OtherHeads = readonly (readonly [type: string, head: string, beside: readonly string[]])[];

const properties = (schema: Schema | undefined): object => schema?.properties ?? {};
const headOf = (schema: Schema | undefined): string | undefined => schema?.short?.head;

/**
 * The type that a node or effect in short form has: the one whose name is among the names, and that has properties with
 * the names of all other types among them. Undefined where a name that is no type is more likely meant to be one.
 */
export function typeByHead(value: Json, known: Types): string | undefined {
  const named = Object.keys(value).filter(name => Object.hasOwn(known, name) && headOf(known[name]) !== undefined);
  const head = named.find(one => named.every(other => other === one || Object.hasOwn(properties(known[one]), other)));
  if (head === undefined) return typeByProperty(value, known);
  const type = typeByOtherHead(head, value, known) ?? head;
  const strangers = Object.keys(value).filter(name => name !== head && !belongs(name, known[type]));
  return strangers.length > 0 && findMisspeltHead(value, known)?.isWhole ? undefined : type;
}

/** The type that is known by one of its properties, where all others are its own too. */
const typeByProperty = (value: Json, known: Types): string | undefined =>
  calledBy(known).find(
    ([type, property]) =>
      Object.hasOwn(value, property) && Object.keys(value).every(name => belongs(name, known[type])),
  )?.[0];

const namedByProperty = new WeakMap<Types, readonly (readonly [type: string, property: string])[]>();

/** The types that need no head beside one of their properties, found once. */
function calledBy(known: Types): readonly (readonly [type: string, property: string])[] {
  const before = namedByProperty.get(known);
  if (before) return before;
  const found = Object.entries(known).flatMap(([type, { short }]) =>
    short?.calledBy === undefined ? [] : [[type, short.calledBy] as const],
  );
  namedByProperty.set(known, found);
  return found;
}

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

const belongs = (name: string, schema: Schema | undefined): boolean =>
  Object.hasOwn(properties(schema), name) ||
  (name === 'press' && schema?.properties?.on?.properties?.press !== undefined);

/** A name that is written where that of a type stands, and the type that is meant. */
type MisspeltHead = {
  readonly word: string;
  readonly type: string;
  /** True where all that stands beside the name is a property of this type. */
  readonly isWhole: boolean;
};

/**
 * Finds the name in a node or effect that is meant as its type and is none, judged by the properties beside it and by
 * its letters; undefined where no name is like that.
 */
export function findMisspeltHead(value: unknown, known: Types): MisspeltHead | undefined {
  if (!isObject(value)) return undefined;
  const names = Object.keys(value).filter(name => !name.startsWith('$'));
  let best: MisspeltHead | undefined;
  let bestScore = 0;
  for (const word of names.filter(name => !Object.hasOwn(known, name)))
    for (const [type, schema] of Object.entries(known)) {
      if (headOf(schema) === undefined || belongs(word, schema)) continue;
      const beside = names.filter(name => name !== word && belongs(name, schema)).length;
      const strange = names.length - 1 - beside;
      const near = nearness(word, type);
      const score = 2 * (beside - strange) + near;
      if (score <= bestScore || (near === 0 && isProperty(word, known))) continue;
      bestScore = score;
      best = { word, type, isWhole: strange === 0 && (near > 0 || beside > 0) };
    }
  return best;
}

const isProperty = (word: string, known: Types): boolean => Object.values(known).some(schema => belongs(word, schema));

/** From 0 for names that have nothing in common to 3 for one that differs by a slip. */
function nearness(word: string, type: string): number {
  const lower = word.toLowerCase();
  const away = nameDistance(lower, type, 3);
  if (away < 3 && away < type.length - 1) return 4 - Math.max(1, away);
  return type.length > 3 && (lower.includes(type) || (lower.length > 3 && type.includes(lower))) ? 1 : 0;
}
