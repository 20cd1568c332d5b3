import { documentSchemas } from '../../../shared/language/documents.ts';
import { effectSchemas } from '../../../shared/language/effects.ts';
import { nodeSchemas } from '../../../shared/language/nodes.ts';
import * as primitives from '../../../shared/language/primitives.ts';
import { readContract } from '../contract/read-contract.ts';
import { type Problem, suggest } from '../names/problem.ts';
import { hasPlaceholder, itemSchema, type Schema, schemaOf } from '../names/schema.ts';
import type { LongDocument, Pointer, Source } from '../names/source.ts';

/** What each kind of value is; a property's own description says what it is for. */
const meanings = new Map(
  Object.values(primitives).flatMap(kind =>
    'title' in kind ? [[kind.title as string, kind.description as string]] : [],
  ),
);

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function isType(value: unknown, type: string | readonly string[]): boolean {
  const actual = typeOf(value);
  const wanted = typeof type === 'string' ? [type] : type;
  return wanted.includes(actual) || (actual === 'integer' && wanted.includes('number'));
}

const expressions = new Map<string, RegExp>();
function matches(pattern: string, value: string): boolean {
  let expression = expressions.get(pattern);
  if (!expression) {
    expression = new RegExp(pattern);
    expressions.set(pattern, expression);
  }
  return expression.test(value);
}

/** What a place is called: an entry of a list by the name of the list. */
function labelOf(at: Pointer): string {
  const name = at.findLast(part => typeof part === 'string');
  if (name === undefined) return 'The document';
  return typeof at.at(-1) === 'number' ? `An entry of "${name}"` : `"${name}"`;
}

/** What lacks a property: a node by its type, anything else by its place. */
const ownerOf = ({ properties }: Schema, at: Pointer): string =>
  typeof properties?.type?.const === 'string' ? `The ${properties.type.const}` : labelOf(at);

/** What is written where a node lacks a property, in the words of the language. */
function meaningOf({ properties = {} }: Schema, name: string): string {
  const description = properties.type?.const === undefined ? undefined : properties[name]?.description;
  return description === undefined ? '' : ` ${description}`;
}

/** The type that may be meant by a name of a node or effect in short form, where none of them is one. */
function suggestHead(value: unknown, known: Readonly<Record<string, unknown>>): string {
  const names = typeOf(value) === 'object' ? Object.keys(value as object) : [];
  const unknown = names.filter(name => !Object.hasOwn(known, name) && name !== 'type' && name !== 'do');
  return unknown.map(name => suggest(name, Object.keys(known))).find(suggestion => suggestion !== '') ?? '';
}

/**
 * Checks one document against the JSON Schema of its kind; gives the problems in plain words, those of its short forms
 * first.
 */
export function checkShape(source: Source & Pick<LongDocument, 'expansionProblems'>): readonly Problem[] {
  return [...(source.expansionProblems ?? []), ...findProblemsSafely(source)];
}

/** Reports an unforeseen error as a problem of this document, not of the folder. */
function findProblemsSafely(source: Source): readonly Problem[] {
  try {
    return findProblems(source);
  } catch (error) {
    return [source.problem([], `This cannot be checked: ${(error as Error).message}.`)];
  }
}

function findProblems(source: Source): Problem[] {
  const problems: Problem[] = [];
  /** Whether options are being tried, of which only counts whether they fit. */
  let isTrying = false;
  let isMisfit = false;
  /** Where the value stands that is visited now. */
  let at: (string | number)[] = [];
  const report = (message: string, ...below: Pointer): void => {
    if (isTrying) isMisfit = true;
    else problems.push(source.problem([...at, ...below], message));
  };

  const mayBeGiven = (value: unknown): boolean =>
    source.kind === 'part' &&
    at.length > 1 &&
    at[0] !== 'parameters' &&
    typeof value === 'string' &&
    hasPlaceholder(value);

  const visitBelow = (steps: Pointer, schema: Schema, value: unknown): void => {
    at.push(...steps);
    visit(schema, value);
    at.length -= steps.length;
  };

  const visit = (given: Schema, value: unknown): void => {
    if (mayBeGiven(value)) return;
    if (given.title === 'Node' || given.title === 'Effect') {
      const key = given.title === 'Node' ? 'type' : 'do';
      const known = given.title === 'Node' ? nodeSchemas : effectSchemas;
      const found = typeOf(value) === 'object' ? (value as Record<string, unknown>)[key] : undefined;
      if (typeof found !== 'string')
        return void report(
          `${given.title === 'Node' ? 'A node' : 'An effect'} needs "${key}".${suggestHead(value, known)}`,
        );
      if (!Object.hasOwn(known, found)) {
        return void report(
          `${given.title === 'Node' ? 'Node type' : 'Effect'} "${found}" not found.${suggest(found, Object.keys(known))}`,
          key,
        );
      }
    }
    if (given.title === 'Reply') {
      readContract(value, {
        problem: (message, step) => void report(message, ...step),
        requirement: (asked, step) => visitBelow(step, { title: 'Requires' }, asked),
      });
      return;
    }
    const schema = schemaOf(given, value);
    if (schema.anyOf) {
      if (schema.anyOf.some(option => fits(option, value))) return;
      if (schema.title === 'Binding' || given.title === 'Binding')
        return void report(
          `${labelOf(at)} must be a path such as "route.page", a number, true, false, or { "value": … }.`,
        );
      return void report(`${labelOf(at)} has none of the allowed forms.`);
    }
    if (schema.type !== undefined && !isType(value, schema.type)) {
      return void report(`${labelOf(at)} must be ${[schema.type].flat().join(' or ')}, not ${typeOf(value)}.`);
    }
    if (schema.const !== undefined && value !== schema.const)
      return void report(`${labelOf(at)} must be ${JSON.stringify(schema.const)}.`);
    if (schema.enum && !schema.enum.includes(value)) {
      return void report(
        `${labelOf(at)} cannot be ${JSON.stringify(value)}; it can be ${schema.enum.map(entry => JSON.stringify(entry)).join(', ')}.${typeof value === 'string' ? suggest(value, schema.enum.map(String)) : ''}`,
      );
    }
    if (typeof value === 'string') checkString(schema, value);
    if (typeof value === 'number') {
      if (schema.minimum !== undefined && value < schema.minimum)
        report(`${labelOf(at)} must be at least ${schema.minimum}.`);
      if (schema.maximum !== undefined && value > schema.maximum)
        report(`${labelOf(at)} must be at most ${schema.maximum}.`);
    }
    if (Array.isArray(value)) checkList(schema, value);
    else if (typeOf(value) === 'object') checkObject(schema, value as Record<string, unknown>);
  };

  const checkString = (schema: Schema, value: string): void => {
    if (schema.minLength !== undefined && [...value].length < schema.minLength) report(`${labelOf(at)} is too short.`);
    if (schema.maxLength !== undefined && [...value].length > schema.maxLength)
      report(`${labelOf(at)} is longer than ${schema.maxLength} characters.`);
    if (schema.pattern !== undefined && !matches(schema.pattern, value)) {
      const meaning = meanings.get(schema.title ?? '') ?? schema.description;
      report(`${labelOf(at)} cannot be ${JSON.stringify(value)}.${meaning ? ` ${meaning}` : ''}`);
    }
  };

  const checkList = (schema: Schema, value: readonly unknown[]): void => {
    if (schema.minItems !== undefined && value.length < schema.minItems)
      report(`${labelOf(at)} needs at least ${schema.minItems} entries.`);
    if (schema.maxItems !== undefined && value.length > schema.maxItems)
      report(`${labelOf(at)} has more than ${schema.maxItems} entries.`);
    if (schema.uniqueItems && new Set(value).size < value.length) report(`${labelOf(at)} names an entry twice.`);
    if (schema.items) for (const [index, item] of value.entries()) visitBelow([index], itemSchema(schema, item), item);
  };

  const checkObject = (schema: Schema, value: Record<string, unknown>): void => {
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(value, name)) report(`${ownerOf(schema, at)} needs "${name}".${meaningOf(schema, name)}`);
    if (schema.minProperties !== undefined && Object.keys(value).length < schema.minProperties)
      report(`${labelOf(at)} is empty.`);
    for (const [name, item] of Object.entries(value)) {
      const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      if (own) visitBelow([name], own, item);
      else if (schema.additionalProperties === false) {
        const known = suggest(name, Object.keys(schema.properties ?? {}));
        const why = schema.title === 'Excluded' ? ` ${schema.description}` : known;
        report(`"${name}" is not known here.${why}`, name);
      } else if (typeof schema.additionalProperties === 'object') {
        if (schema.propertyNames?.pattern !== undefined && !matches(schema.propertyNames.pattern, name))
          report(`The name "${name}" cannot be used here.`, name);
        visitBelow([name], schema.additionalProperties, item);
      }
    }
  };

  const fits = (schema: Schema, value: unknown): boolean => {
    // Most options differ in this, and need no words for it.
    if (schema.type !== undefined && !isType(value, schema.type)) return false;
    const around = { isTrying, isMisfit, at };
    [isTrying, isMisfit, at] = [true, false, []];
    visit(schema, value);
    const isFit = !isMisfit;
    ({ isTrying, isMisfit, at } = around);
    return isFit;
  };

  visit(documentSchemas[source.kind] as Schema, source.json);
  return problems;
}
