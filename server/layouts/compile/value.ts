import { alertLooks } from '../../../shared/language/nodes/alert.ts';
import { arrangements, controls, decoration } from '../../../shared/language/nodes.ts';
import type { Node, Requirement, Scalar } from '../../../shared/language/types.ts';
import { comparisonNames } from '../../../shared/rules/condition.ts';
import { isMoney } from '../../../shared/rules/format.ts';
import { groupBy } from '../../../shared/rules/group-by.ts';
import { wrongComparisons } from '../check/comparisons.ts';
import { checkTestedConstants } from '../check/constants.ts';
import { checkJoinedOrder } from '../check/join.ts';
import { isPlace, noteRead, noteState } from '../check/place-values.ts';
import { checkRequirement } from '../check/requirement.ts';
import {
  type CompileContext,
  constant,
  fieldTarget,
  into,
  mayHave,
  read,
  report,
  targetOf,
} from '../names/compile-context.ts';
import type { Emit } from '../names/pass.ts';
import { listOf, suggest } from '../names/problem.ts';
import type { ShownAs } from '../names/reads.ts';
import { type Schema, schemaOf } from '../names/schema.ts';
import { compileEffects } from './effects.ts';
import { compileObject } from './object.ts';
import { compileReference } from './reference.ts';

/**
 * Compiles one value of a document by the title of its JSON Schema: object, list, effects, path, reference or constant.
 */
export function compileValue(given: Schema, value: unknown, place: CompileContext): Emit {
  const schema = schemaOf(given, value);
  switch (given.title) {
    case 'Text':
      return compileText(String(value), place);
    case 'Path':
      return compilePath(String(value), place, place.shownAs ?? 'value');
    case 'InitialPath':
      return compilePath(String(value), place);
    case 'HtmlPath':
      return compilePath(String(value), place, 'html');
    case 'Rows':
      return compilePath(String(value), place, 'rows');
    case 'Place':
      return compilePlace(String(value), place);
    case 'Binding':
      return compileBinding(value, place);
    case 'Bindings':
      return compileRecord(value as Record<string, unknown>, place, (item, inner) =>
        compileValue({ title: 'Binding' }, item, inner),
      );
    case 'Condition':
      return compileCondition(value, place);
    case 'Effects':
      return compileEffects(value as unknown[], place);
    case 'Requires':
      place.problems.push(...checkRequirement(value as Requirement, place.source, place.at, place.names));
      return constant(undefined);
    case 'Sources':
      return compileSources(schema, value as Record<string, unknown>, place);
    case 'SortName':
      return compileSortName(String(value), place);
    case 'AlertType':
      return constant(alertLooks[value as keyof typeof alertLooks]);
    case 'Nodes':
      return compileNodes(given.items ?? {}, value as unknown[], place);
    case 'State':
      noteState(value as Readonly<Record<string, Scalar>>, place);
      return constant(value);
  }
  const reference = compileReference(given.title, value, place);
  if (reference) return reference;
  if (Array.isArray(value)) return compileList(schema, value, place);
  if (value !== null && typeof value === 'object' && (schema.properties || schema.additionalProperties))
    return compileObject(schema, value as Record<string, unknown>, place);
  return constant(value);
}

function compileText(key: string, place: CompileContext): Emit {
  const names = place.names.texts.get(key);
  place.mentions.text.add(key);
  if (!names && !place.source.guessedTexts?.has(key))
    report(place, `Text "${key}" not found.${suggestText(key, place.names.texts)}`);
  for (const name of names ?? []) {
    if (!place.values?.has(name))
      report(place, `Text "${key}" interpolates {{${name}}}, which this node does not hand it in "values".`);
  }
  return trim => trim.text(key);
}

const areasOf = new WeakMap<ReadonlyMap<string, unknown>, ReadonlyMap<string, readonly string[]>>();

/** The names of texts by their area. */
function namesByArea(texts: ReadonlyMap<string, unknown>): ReadonlyMap<string, readonly string[]> {
  const known = areasOf.get(texts);
  if (known) return known;
  const areas = groupBy(texts.keys(), name => splitName(name).area);
  areasOf.set(texts, areas);
  return areas;
}

function splitName(key: string): { readonly area: string; readonly own: string } {
  const dot = key.indexOf('.');
  return { area: key.slice(0, dot), own: key.slice(dot) };
}

/**
 * The nearest text of the same area, else the one that is called so in another, and of an area that there is not the
 * nearest of all: a document may have thousands that there are not.
 */
function suggestText(key: string, texts: ReadonlyMap<string, unknown>): string {
  const { area, own } = splitName(key);
  const areas = namesByArea(texts);
  const names = areas.get(area);
  if (!names) return suggest(key, texts.keys());
  const elsewhere = [...areas.keys()].map(other => other + own).find(name => texts.has(name));
  return suggest(key, names) || (elsewhere === undefined ? '' : ` Did you mean "${elsewhere}"?`);
}

function compilePath(path: string, place: CompileContext, shownAs: ShownAs | undefined = place.shownAs): Emit {
  const target = targetOf(path, place, shownAs);
  if (target?.in === 'page') place.placesRead.add(path);
  if (!place.isTest && isPlace(path)) noteRead(path, place);
  const lead =
    target?.in === 'operation'
      ? { source: place.source, at: place.at, target: `the field "${target.path}" of "${target.operation}"` }
      : undefined;
  return trim => (read(trim, target, lead) ? path : undefined);
}

function compileBinding(value: unknown, place: CompileContext): Emit {
  if (typeof value === 'string') return compilePath(value, place);
  if (value === null || typeof value !== 'object' || !('path' in value)) return constant(value);
  const shownAs = 'format' in value ? (isMoney(String(value.format)) ? 'money' : 'number') : undefined;
  const path = compilePath(String(value.path), { ...into(place, 'path'), shownAs });
  return trim => (path(trim) === undefined ? undefined : value);
}

function compilePlace(path: string, place: CompileContext): Emit {
  const target = targetOf(path, place);
  return trim => (read(trim, target) ? path : undefined);
}

/** The name of a field, with "-" before it for descending; not there for who may not have the field. */
function compileSortName(name: string, place: CompileContext): Emit {
  const { row } = place.scope;
  if (row?.in !== 'operation' || checkJoinedOrder(`row.${name.replace(/^-/, '')}`, place)) return constant(name);
  const target = fieldTarget(row, name.replace(/^-/, ''), place);
  return trim => {
    if (!target || target.in === 'page' || !mayHave(trim, target)) return undefined;
    if (target.in === 'operation') trim.uses.push({ kind: 'order', operation: target.operation, path: target.path });
    return name;
  };
}

function compileRecord(
  value: Record<string, unknown>,
  place: CompileContext,
  compileItem: (item: unknown, inner: CompileContext) => Emit,
): Emit {
  const items = Object.entries(value).map(([name, item]) => [name, compileItem(item, into(place, name))] as const);
  return trim => {
    const leftOut = place.leftOut?.(trim);
    const out: Record<string, unknown> = {};
    for (const [name, emit] of items) {
      if (leftOut?.(name)) continue;
      const emitted = emit(trim);
      if (emitted === undefined) return undefined;
      out[name] = emitted;
    }
    return out;
  };
}

const testsOfPath: readonly string[] = ['is', 'in', 'empty', 'atLeast', ...comparisonNames];

/** Whether all or any of two tests would have to hold is nowhere to be read, so there is one. */
function checkTests(condition: Record<string, unknown>, place: CompileContext): void {
  const { path } = condition;
  const ofPath = testsOfPath.filter(test => Object.hasOwn(condition, test));
  const names = [...ofPath, ...['not', 'all', 'any'].filter(test => Object.hasOwn(condition, test))];
  if ((path === undefined) !== (ofPath.length === 0))
    report(place, `A condition with "path" needs one of ${listOf(testsOfPath)}, and these need "path".`);
  if (names.length < 2) return;
  const apart = names.map(name => ({ ...(ofPath.includes(name) && { path }), [name]: condition[name] }));
  report(
    place,
    `A condition has one test, not ${listOf(names)}. Write each by itself: { "all": ${JSON.stringify(apart)} }.`,
  );
}

function compileCondition(value: unknown, place: CompileContext): Emit {
  const parts: Emit[] = [];
  const visit = (condition: Record<string, unknown>, inner: CompileContext): void => {
    if (typeof condition.path === 'string')
      parts.push(compilePath(condition.path, { ...into(inner, 'path'), isTest: true }));
    checkTests(condition, inner);
    for (const name of comparisonNames)
      if (typeof condition[name] === 'string') parts.push(compilePath(condition[name], into(inner, name)));
    if (condition.not) visit(condition.not as Record<string, unknown>, into(inner, 'not'));
    for (const key of ['all', 'any']) {
      for (const [index, part] of ((condition[key] ?? []) as Record<string, unknown>[]).entries()) {
        visit(part, into(inner, key, index));
      }
    }
    checkTestedConstants(condition, inner);
    for (const { name, wrong } of wrongComparisons(condition, inner)) report(into(inner, name), wrong);
  };
  visit(value as Record<string, unknown>, place);
  return trim => (parts.every(part => part(trim) !== undefined) ? value : undefined);
}

function compileSources(schema: Schema, value: Record<string, unknown>, place: CompileContext): Emit {
  const items = Object.entries(value).map(
    ([name, item]) =>
      [
        name,
        compileObject(schema.additionalProperties as Schema, item as Record<string, unknown>, into(place, name)),
      ] as const,
  );
  return trim => {
    const out: Record<string, unknown> = {};
    for (const [name, emit] of items) {
      const mark = trim.uses.length;
      const emitted = trim.sources.has(name) ? emit(trim) : undefined;
      trim.sourceUses.set(name, trim.uses.splice(mark));
      if (emitted !== undefined) out[name] = emitted;
    }
    return out;
  };
}

function compileList(schema: Schema, value: readonly unknown[], place: CompileContext): Emit {
  const items = value.map((item, index) => compileValue(schema.items ?? {}, item, into(place, index)));
  const units = schema.title === 'Units' || schema.title === 'Entries';
  return trim => {
    const out = items.map(emit => emit(trim)).filter(item => item !== undefined);
    if (units && out.length === 0) return undefined;
    return units || out.length === value.length ? out : undefined;
  };
}

/** False for what is of no use by itself: headings, and what only chooses or arranges what others show. */
function isContent(node: Node): boolean {
  if (decoration.has(node.type) || controls.has(node.type)) return false;
  if (!arrangements.has(node.type)) return true;
  const { children = [], end = [] } = node as { readonly children?: readonly Node[]; readonly end?: readonly Node[] };
  return [...children, ...end].some(isContent);
}

function compileNodes(item: Schema, value: readonly unknown[], place: CompileContext): Emit {
  // The checker lets only a toolbar be written so, for its `end`.
  if (value.length === 0 && place.at.at(-1) === 'children') return () => [];
  const items = value.map((child, index) => compileValue(item, child, into(place, index)));
  return trim => {
    const nodes = items.map(emit => emit(trim) as Node | undefined).filter(node => node !== undefined);
    if (nodes.some(place.mayBeControls ? node => !decoration.has(node.type) : isContent)) return nodes;
    trim.observer?.emptied?.(place);
    return undefined;
  };
}
