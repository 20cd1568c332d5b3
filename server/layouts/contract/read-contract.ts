import { type ModelKind, models, openToAnyone, type ValueKind, valueKinds } from '../../../shared/language/reply.ts';
import type { Requirement } from '../../../shared/language/types.ts';
import type { Contract, Limits } from '../names/contract.ts';
import { dangerousNames } from '../names/dangerous-names.ts';
import type { Json } from '../names/json.ts';
import { wrongInPattern } from '../names/pattern.ts';
import { suggest } from '../names/problem.ts';

type Step = readonly (string | number)[];
/** Told of what a contract says while it is read, each with its place below the whole. */
export type ContractVisitor = {
  problem?(message: string, at: Step): void;
  requirement?(requirement: unknown, at: Step): void;
  catalogue?(id: string, at: Step): void;
};

const deepest = 24;
const fieldName = /^[A-Za-z_$][A-Za-z0-9_$-]{0,79}$/;
const kindNames = [...Object.keys(valueKinds), ...Object.keys(models)];

const isValueKind = (kind: string): kind is ValueKind => Object.hasOwn(valueKinds, kind);
const isModelKind = (kind: string): kind is ModelKind => Object.hasOwn(models, kind);

/** True for a requirement that nobody without the right to see prices meets. */
export const asksForPrices = ({ prices, all, any }: Requirement): boolean =>
  prices === true || all?.some(asksForPrices) === true || any?.every(asksForPrices) === true;

/**
 * Parses the declared reply of an operation or command into a contract. Undefined for one that cannot be read;
 * `visitor` is told why.
 */
export function readContract(reply: unknown, visitor: ContractVisitor = {}): Contract | undefined {
  return read(reply, visitor, []);
}

function read(reply: unknown, visitor: ContractVisitor, at: Step): Contract | undefined {
  const wrong = (message: string) => report(visitor, message, at);
  if (at.length > deepest) return wrong(`A reply is declared ${deepest} levels deep at most.`);
  if (typeof reply === 'string') return readValue({ kind: reply }, visitor, at);
  if (Array.isArray(reply)) return readList(reply, visitor, at);
  if (reply === null || typeof reply !== 'object')
    return wrong(`${nameOf(at)} is a kind such as "text", a list [ … ], or an object of fields.`);
  const given = reply as Json;
  if (Object.hasOwn(given, 'kind')) return readValue(given, visitor, at);
  if (Object.hasOwn(given, 'map')) return readMap(given, visitor, at);
  if (Object.hasOwn(given, 'of')) return readGroup(given, visitor, at);
  return readRecord(given, visitor, at);
}

function nameOf(at: Step): string {
  const name = at.findLast(step => typeof step === 'string');
  return name === undefined ? 'The reply' : `The field "${name}"`;
}

function report(visitor: ContractVisitor, message: string, at: Step): undefined {
  visitor.problem?.(message, at);
}

/** Says which properties do not belong here. */
function checkNames(given: Json, known: readonly string[], visitor: ContractVisitor, at: Step): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    visitor.problem?.(
      `"${name}" is not known beside "${known[0]}".${suggest(name, known)} An object whose own field is called "${known[0]}" stands in { "of": { … } }.`,
      [...at, name],
    );
  }
}

function readValue(given: Json, visitor: ContractVisitor, at: Step): Contract | undefined {
  const place = Object.hasOwn(given, 'kind') && Object.keys(given).length > 1 ? [...at, 'kind'] : at;
  const wrong = (message: string) => report(visitor, message, place);
  const { kind: written } = given;
  if (typeof written !== 'string') return wrong('A kind is a string such as "text".');
  const optional = written.endsWith('?');
  const [kind = '', catalogue, ...more] = (optional ? written.slice(0, -1) : written).split(':');
  const full = catalogue === undefined ? kind : `${kind}:${catalogue}`;
  if (isModelKind(full)) return readModel(full, given, optional, visitor, at);
  if (!isValueKind(kind) || more.length > 0)
    return wrong(`There is no kind "${full}" of value.${suggest(full, kindNames)}`);
  if (catalogue !== undefined && (kind !== 'code' || !/^[a-z][a-z0-9-]*$/.test(catalogue)))
    return wrong(`"${full}" is no kind: only a code has a catalogue, as in "code:status".`);
  if (catalogue !== undefined) visitor.catalogue?.(catalogue, place);
  checkNames(given, ['kind', 'requires', 'of', 'min', 'max', 'pattern'], visitor, at);
  const codes = readCodes(given, kind, catalogue, visitor, at);
  const limits = readLimits(given, kind, visitor, at);
  return {
    ...{ type: 'value', kind, optional, requires: requirementsOf(given, kind === 'money', visitor, at) },
    ...(catalogue !== undefined && { catalogue }),
    ...(codes && { codes }),
    ...(limits && { limits }),
  };
}

function readCodes(
  given: Json,
  kind: string,
  catalogue: string | undefined,
  visitor: ContractVisitor,
  at: Step,
): readonly (string | number)[] | undefined {
  const { of } = given;
  if (!Object.hasOwn(given, 'of')) {
    if (kind === 'code' && catalogue === undefined)
      visitor.problem?.('A code says which values it has: "code:<catalogue>", or "of": [ … ].', at);
    return undefined;
  }
  const isRight = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  if (kind !== 'code' || catalogue !== undefined || !Array.isArray(of) || of.length === 0 || !of.every(isRight)) {
    visitor.problem?.('"of" lists the values of a code that has no catalogue.', [...at, 'of']);
    return undefined;
  }
  return of;
}

function readLimits(given: Json, kind: ValueKind, visitor: ContractVisitor, at: Step): Limits | undefined {
  const { min, max, pattern } = given;
  const wrong = (name: string, message: string) => visitor.problem?.(message, [...at, name]);
  const classes: readonly string[] = valueKinds[kind].classes;
  const isNumber = classes.includes('number');
  const limits: { min?: number; max?: number; pattern?: string } = {};
  if (min !== undefined && (typeof min !== 'number' || !isNumber)) wrong('min', '"min" is the least number.');
  else if (typeof min === 'number') limits.min = min;
  if (max !== undefined && (typeof max !== 'number' || kind === 'yes-no'))
    wrong('max', '"max" is the greatest number, or length.');
  else if (typeof max === 'number') limits.max = max;
  if (limits.min !== undefined && limits.max !== undefined && limits.min > limits.max)
    wrong('min', '"min" is above "max", so that no value is right.');
  if (pattern !== undefined && (typeof pattern !== 'string' || classes.join() !== 'string'))
    wrong('pattern', 'A text has a pattern.');
  else if (typeof pattern === 'string') {
    const why = wrongInPattern(pattern);
    if (why === undefined) limits.pattern = pattern;
    else wrong('pattern', why);
  }
  return Object.keys(limits).length > 0 ? limits : undefined;
}

function readModel(
  kind: ModelKind,
  given: Json,
  optional: boolean,
  visitor: ContractVisitor,
  at: Step,
): Contract | undefined {
  checkNames(given, ['kind', 'requires'], visitor, at);
  if (!Object.hasOwn(given, 'requires'))
    visitor.problem?.(
      `What a ${kind} holds is not known before: say in "requires" who may have it, "anyone" where it has no prices.`,
      at,
    );
  return { type: 'model', kind, optional, requires: requirementsOf(given, true, visitor, at) };
}

function readList(reply: readonly unknown[], visitor: ContractVisitor, at: Step): Contract | undefined {
  if (reply.length !== 1) return report(visitor, 'A list is declared by one entry, which all its items are.', at);
  const item = read(reply[0], visitor, [...at, 0]);
  return item && { type: 'list', item, optional: false, requires: [] };
}

function readMap(given: Json, visitor: ContractVisitor, at: Step): Contract | undefined {
  checkNames(given, ['map', 'requires', 'optional'], visitor, at);
  const item = read(given.map, visitor, [...at, 'map']);
  return item && { type: 'map', item, ...readCommon(given, visitor, at) };
}

function readGroup(given: Json, visitor: ContractVisitor, at: Step): Contract | undefined {
  checkNames(given, ['of', 'requires', 'optional'], visitor, at);
  const inner = [...at, 'of'];
  const { of } = given;
  if (of === null || typeof of !== 'object') return report(visitor, '"of" is a list or an object of fields.', inner);
  const contract = Array.isArray(of) ? readList(of, visitor, inner) : readRecord(of as Json, visitor, inner);
  return contract && { ...contract, ...readCommon(given, visitor, at) };
}

function readRecord(given: Json, visitor: ContractVisitor, at: Step): Contract | undefined {
  const fields = new Map<string, Contract>();
  for (const [name, reply] of Object.entries(given)) {
    if (dangerousNames.has(name) || !fieldName.test(name))
      visitor.problem?.(`A field cannot be called "${name}".`, [...at, name]);
    else {
      const field = read(reply, visitor, [...at, name]);
      if (field) fields.set(name, field);
    }
  }
  if (Object.keys(given).length === 0) return report(visitor, 'An object has at least one field.', at);
  return { type: 'record', fields, optional: false, requires: [] };
}

function readCommon(given: Json, visitor: ContractVisitor, at: Step) {
  if (Object.hasOwn(given, 'optional') && typeof given.optional !== 'boolean')
    visitor.problem?.('"optional" is true or false.', [...at, 'optional']);
  return { optional: given.optional === true, requires: requirementsOf(given, false, visitor, at) };
}

/** What a caller must hold; money and models may be everybody's if they say so, and money needs prices if it does not. */
function requirementsOf(
  { kind, requires }: Json,
  mayBeOpen: boolean,
  visitor: ContractVisitor,
  at: Step,
): readonly Requirement[] {
  const isMoney = typeof kind === 'string' && kind.replace('?', '') === 'money';
  const own: Requirement[] = [];
  if (requires === openToAnyone) {
    if (!mayBeOpen)
      visitor.problem?.('What is not money and no model is open anyway: leave this out.', [...at, 'requires']);
    return [];
  }
  if (requires !== undefined) {
    visitor.requirement?.(requires, [...at, 'requires']);
    // What is no requirement is met by nobody.
    own.push(requires as Requirement);
  }
  return isMoney && !own.some(asksForPrices) ? [...own, { prices: true }] : own;
}
