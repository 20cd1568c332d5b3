import { documentSchemas } from '../../../shared/language/documents.ts';
import { effectSchemas } from '../../../shared/language/effects.ts';
import { nodeSchemas } from '../../../shared/language/nodes.ts';
import { listsWithParts } from '../../../shared/language/part.ts';
import { readContract } from '../contract/read-contract.ts';
import { type Problem, suggest } from '../names/problem.ts';
import { hasPlaceholder, itemSchema, type Schema, schemaOf } from '../names/schema.ts';
import type { LongDocument, Pointer, Source } from '../names/source.ts';
import { findSameScalars, findTwice } from './duplicates.ts';
import {
  describeMissingType,
  hintForPlain,
  meaningOf,
  otherOfWhenAndRequires,
  otherValueOfWhenAndRequires,
  suggestRoot,
} from './shape-words.ts';

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

/** Names a place of a document as it is written: an entry of a list has the name of the list. */
function labelOf(at: Pointer): string {
  const name = at.findLast(part => typeof part === 'string');
  if (name === undefined) return 'The document';
  return typeof at.at(-1) === 'number' ? `An entry of "${name}"` : `"${name}"`;
}

/** What lacks a property: a node by its type, anything else by its place. */
const ownerOf = ({ properties }: Schema, at: Pointer): string =>
  typeof properties?.type?.const === 'string' ? `The ${properties.type.const}` : labelOf(at);

/** What is written where a node lacks a property, in the words of the language. */
function meaningOfMissing({ properties = {} }: Schema, name: string): string {
  const description = properties.type?.const === undefined ? undefined : properties[name]?.description;
  return description === undefined ? '' : ` ${description}`;
}

type Shaped = Source & Pick<LongDocument, 'expansion' | 'written'>;

/** Of a path what one looks like: an object in its place is a frequent slip. */
const meaningOfPath = (schema: Schema): string =>
  schema.title === 'Path' || schema.title === 'Rows' ? ` ${meaningOf(schema)}` : '';

/**
 * Checks one document against the JSON Schema of its kind; gives the problems in plain words, those of its short forms
 * first. What it lacks since a reference leads nowhere is not among them.
 */
export function checkShape(source: Shaped): readonly Problem[] {
  return [...(source.expansion?.form ?? []), ...findProblemsSafely(source)];
}

/** Reports an unforeseen error as a problem of this document, not of the folder. */
function findProblemsSafely(source: Shaped): readonly Problem[] {
  try {
    return findProblems(source);
  } catch (error) {
    return [source.problem([], `This cannot be checked: ${(error as Error).message}.`)];
  }
}

function findProblems(source: Shaped): Problem[] {
  const problems: Problem[] = [];
  /** Whether options are being tried, of which only counts whether they fit. */
  let isTrying = false;
  let isMisfit = false;
  /** Where the value stands that is visited now. */
  const at: (string | number)[] = [];
  /** The name of the value that is visited now, in the document as it is written. */
  const label = (): string => (isTrying ? '' : labelOf(source.written?.at(at) ?? at));
  const report = (message: string, ...below: Pointer): void => {
    if (isTrying) isMisfit = true;
    else problems.push(source.problem([...at, ...below], message));
  };

  /** Why a document lacks what others have without writing it. */
  const whyNotAdded = ({ short }: Schema, name: string): string =>
    at.length === 0 && Object.hasOwn(short?.defaults ?? {}, name) && source.written?.json.id !== undefined
      ? ' It is added to documents that leave out "id", which is then the name of the file.'
      : '';

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
      if (typeof found !== 'string') {
        if (typeOf(value) !== 'object') {
          const meant = given.title === 'Node' ? 'a node' : 'an effect';
          const hint = hintForPlain(given.title, value);
          return void report(`${label()} must be ${meant}, not ${typeOf(value)}.${hint}`);
        }
        if (found !== undefined) return void report(`"${key}" must be string, not ${typeOf(found)}.`, key);
        const { message, word } = describeMissingType(given.title, value as object);
        return void report(message, ...(word === undefined ? [] : [word]));
      }
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
      if (schema.title === 'Binding' || given.title === 'Binding') {
        const meant = 'a path such as "route.page", a number, true, false, or { "value": … }';
        return void report(
          typeof value === 'string'
            ? `${label()} cannot be ${JSON.stringify(value)}: it is ${meant}.${suggestRoot(value)}`
            : `${label()} must be ${meant}.`,
        );
      }
      // The one form that is a list says what is wrong with a list.
      const lists = Array.isArray(value) ? schema.anyOf.filter(({ type }) => type === 'array') : [];
      if (lists.length === 1) return void visit(lists[0] as Schema, value);
      return void report(`${label()} has none of the allowed forms.`);
    }
    if (schema.type !== undefined && !isType(value, schema.type)) {
      const hint = otherValueOfWhenAndRequires(schema, value) || meaningOfPath(schema);
      return void report(`${label()} must be ${[schema.type].flat().join(' or ')}, not ${typeOf(value)}.${hint}`);
    }
    if (schema.const !== undefined && value !== schema.const)
      return void report(`${label()} must be ${JSON.stringify(schema.const)}.`);
    if (schema.enum && !schema.enum.includes(value)) {
      return void report(
        `${label()} cannot be ${JSON.stringify(value)}; it can be ${schema.enum.map(entry => JSON.stringify(entry)).join(', ')}.${typeof value === 'string' ? suggest(value, schema.enum.map(String)) : ''}`,
      );
    }
    if (typeof value === 'string') checkString(schema, value);
    if (typeof value === 'number') {
      if (schema.minimum !== undefined && value < schema.minimum)
        report(`${label()} must be at least ${schema.minimum}.`);
      if (schema.maximum !== undefined && value > schema.maximum)
        report(`${label()} must be at most ${schema.maximum}.`);
    }
    if (Array.isArray(value)) checkList(schema, value);
    else if (typeOf(value) === 'object') checkObject(schema, value as Record<string, unknown>);
  };

  const checkString = (schema: Schema, value: string): void => {
    if (schema.minLength !== undefined && [...value].length < schema.minLength) report(`${label()} is too short.`);
    if (schema.maxLength !== undefined && [...value].length > schema.maxLength)
      report(`${label()} is longer than ${schema.maxLength} characters.`);
    if (schema.pattern !== undefined && !matches(schema.pattern, value)) {
      const meaning = meaningOf(schema);
      const other = otherValueOfWhenAndRequires(schema, value);
      report(`${label()} cannot be ${JSON.stringify(value)}.${other || (meaning && ` ${meaning}`)}`);
    }
  };

  const checkList = (schema: Schema, value: readonly unknown[]): void => {
    if (schema.minItems !== undefined && value.length < schema.minItems)
      report(`${label()} needs at least ${schema.minItems} entries.`);
    if (schema.maxItems !== undefined && value.length > schema.maxItems)
      report(`${label()} has more than ${schema.maxItems} entries.`);
    if (schema.title === 'Effects' && value.length === 0 && at.at(-1) === 'press')
      report(`${label()} does nothing: give an effect, or leave it out.`);
    for (const { index, name } of findSameScalars(value)) report(`${name} stands in ${label()} twice.`, index);
    // Two nodes may say the same.
    if (listsWithParts.has(schema.title) && schema.title !== 'Nodes')
      for (const { index, name, property } of findTwice(value))
        report(`${name} stands in ${label()} twice.`, index, ...(property === undefined ? [] : [property]));
    if (schema.items) for (const [index, item] of value.entries()) visitBelow([index], itemSchema(schema, item), item);
  };

  const checkObject = (schema: Schema, value: Record<string, unknown>): void => {
    const excused = source.expansion?.excused?.get(value);
    for (const name of schema.required ?? [])
      if (!Object.hasOwn(value, name) && !excused?.has(name))
        report(`${ownerOf(schema, at)} needs "${name}".${meaningOfMissing(schema, name)}${whyNotAdded(schema, name)}`);
    if (schema.minProperties !== undefined && Object.keys(value).length < schema.minProperties)
      report(`${label()} is empty.`);
    for (const [name, item] of Object.entries(value)) {
      const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      if (own) visitBelow([name], own, item);
      else if (schema.additionalProperties === false) {
        const known = suggest(name, Object.keys(schema.properties ?? {}));
        const why =
          schema.title === 'Excluded' ? ` ${schema.description}` : otherOfWhenAndRequires(schema, name) || known;
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
    const around = { isTrying, isMisfit };
    [isTrying, isMisfit] = [true, false];
    visit(schema, value);
    const isFit = !isMisfit;
    ({ isTrying, isMisfit } = around);
    return isFit;
  };

  visit(documentSchemas[source.kind] as Schema, source.json);
  return problems;
}
