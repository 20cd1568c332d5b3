import { drawnOfJourney } from '../../../shared/language/journey.ts';
import type { NodeRules } from '../../../shared/language/node-kind.ts';
import type { FieldRowsNode, Operation, Requirement } from '../../../shared/language/types.ts';
import { isGeneral } from '../../../shared/rules/field-message.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { isMoney } from '../../../shared/rules/format.ts';
import { heldField } from '../../../shared/rules/held-field.ts';
import { spreadRows } from '../../../shared/rules/rows.ts';
import { neededParameters } from '../check/call.ts';
import { checkAgainstAbove } from '../check/contradiction.ts';
import { checkJoin } from '../check/join.ts';
import { checkMandatory } from '../check/mandatory.ts';
import { checkNode } from '../check/node.ts';
import {
  bodyForm,
  boundParameters,
  type CompileContext,
  constant,
  fieldTarget,
  into,
  isOfOperation,
  read,
} from '../names/compile-context.ts';
import { listOfJoin } from '../names/joins.ts';
import type { Emit, Part, TrimPass, Use } from '../names/pass.ts';
import type { ShownAs } from '../names/reads.ts';
import { nodeRules, type Schema } from '../names/schema.ts';
import {
  below,
  type FormScope,
  formOf,
  type JoinsByList,
  type JourneyNames,
  type PathTarget,
  replyOfCommand,
  resolvePath,
  type WrongPath,
} from '../names/scope.ts';
import { compilePlaceholder } from './placeholder.ts';

/** Properties whose loss leaves the rest standing; any other loss takes the whole with it. */
function isDroppable(schema: Schema, name: string, title: string | undefined): boolean {
  if (['Link', 'SortName', 'Requires', 'HelpPopup'].includes(title ?? '')) return true;
  // A choice without its options would take any value.
  if (name === 'options') return false;
  const optional =
    ['Nodes', 'Units', 'Unit', 'Entries', 'OptionalNode'].includes(title ?? '') ||
    (title === 'Handlers' && !(schema.properties?.[name]?.required?.length ?? 0));
  return (optional || schema.title === 'Handlers') && !schema.required?.includes(name);
}

type Property = { readonly name: string; readonly emit: Emit; readonly droppable: boolean };

/**
 * Compiles an object of a document: it is emitted when the caller meets its requirement, without properties that the
 * caller may not have; when one that it needs goes, the whole object goes.
 */
export function compileObject(schema: Schema, value: Record<string, unknown>, place: CompileContext): Emit {
  const requires = schema.properties?.requires ? (value.requires as Requirement | undefined) : undefined;
  if (requires) checkAgainstAbove(requires, place);
  const rules = nodeRules(schema);
  const inner = innerPlace(schema, value, requires ? { ...place, above: [...place.above, requires] } : place);
  checkNode(schema, value, inner);
  if (rules.form === 'opens') checkMandatory(value, inner);
  if (schema.properties?.by?.title === 'JoinKey') checkJoin(value, inner);
  const placeholder = compilePlaceholder(schema, value, place);
  const properties: Property[] = [];
  const amounts = formattedPaths(value);
  for (const [name, item] of Object.entries(value)) {
    if (name === 'requestable' && placeholder) continue;
    const own =
      schema.properties?.[name] ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {});
    // Numbers, switches and words that name nothing stand for themselves.
    if (own.title === undefined && (item === null || typeof item !== 'object')) {
      properties.push({ name, emit: constant(item), droppable: isDroppable(schema, name, undefined) });
      continue;
    }
    const outer = name === 'when' || own.title === 'Rows' || own.title === 'InitialPath';
    const around = insidePlace(name, item, value, rules, inner);
    const here = {
      ...(outer ? place : around),
      at: [...place.at, name],
      shownAs: amounts.get(name),
      mayBeControls: name !== 'children' || rules.role === 'arrangement',
    };
    properties.push({
      name,
      emit: place.compile(own, item, bindingsPlace(value, name, here)),
      droppable: isDroppable(schema, name, own.title),
    });
  }
  for (const name of rules.readsPlaces ?? []) if (typeof value[name] === 'string') inner.placesRead.add(value[name]);
  const extras = extraReads(value, rules, inner);
  const form = rules.form === 'opens' ? compileFormDocument(value, inner) : undefined;
  if (form) properties.push({ name: 'children', emit: form, droppable: false });
  const field: Use | undefined =
    rules.form === 'field' && inner.scope.form?.document !== undefined
      ? { kind: 'field', form: inner.scope.form.document, name: String(value.propertyName) }
      : undefined;
  const ofOperation = rules.form === 'field' && isGeneral(value) && isOfOperation(inner);
  const isEntry = schema.title === 'Entry';
  const needs =
    Object.hasOwn(schema.properties ?? {}, 'operation') && Object.hasOwn(schema.properties ?? {}, 'refreshOn')
      ? sourceNeeds(value, place)
      : undefined;
  const part: Part = { source: place.source, at: place.at, value, isUnit: schema.properties?.requires !== undefined };
  return trim => {
    trim.observer?.part?.(part);
    const start = trim.mark();
    if (!trim.meets(requires)) {
      const instead = placeholder?.(trim);
      trim.observer?.partDone?.(instead !== undefined);
      return instead ?? trim.rollBackTo(start);
    }
    const out: Record<string, unknown> = {};
    for (const { name, emit, droppable } of properties) {
      const before = droppable ? trim.mark() : start;
      const emitted = emit(trim);
      if (emitted !== undefined) out[name] = emitted;
      else if (droppable) trim.rollBackTo(before);
      else return takeAway(trim, start);
    }
    if (extras.some(target => !read(trim, target))) return takeAway(trim, start);
    if (rules.commands && !mayUseCommands(trim, rules.commands)) return takeAway(trim, start);
    if (isEntry && !out.to && !out.on && !out.items && !out.external) return takeAway(trim, start);
    if (needs) finishSource(trim, out, needs);
    if (field) trim.uses.push(field);
    if (ofOperation) out.ofOperation = true;
    if (rules.role === 'arrangement' && isEmptyList(out.children) && !out.end) return takeAway(trim, start);
    dropOrphans(value, out);
    if (rules.form === 'rows') out.children = spreadRows(out as FieldRowsNode);
    if (rules.holds && out.propertyName !== undefined)
      out.children = [heldField(rules.holds, String(out.propertyName))];
    if (rules.calls || (typeof out.on === 'object' && out.on !== null)) trim.callingNodes.push(out);
    trim.observer?.partDone?.(true);
    return out;
  };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Nothing of a unit is there, and what it would have called is not called. */
function takeAway(trim: TrimPass, start: ReturnType<TrimPass['mark']>): undefined {
  trim.observer?.partDone?.(false);
  return trim.rollBackTo(start);
}

/** Fields of a row are of a form of their own, and what a journey brings reads what the journey knows. */
function insidePlace(
  name: string,
  item: unknown,
  value: Record<string, unknown>,
  rules: NodeRules,
  inner: CompileContext,
): CompileContext {
  if (name === rules.beyondPage) return { ...inner, scope: { ...inner.scope, joined: noJoins } };
  if (name === rules.fieldsOfRow) return { ...inner, scope: rowFormScope(value, item, inner) };
  const journey = rules.journey && inner.names.journeys.get(String(value[rules.journey.name]));
  if (!journey || !isOfJourney(name)) return inner;
  const scope = { sources: journey.prepared, states: none, routes: none, journey, reply: journey.placed };
  return { ...inner, scope };
}

const none: ReadonlySet<string> = new Set();
const noJoins: JoinsByList = new Map();
const ofJourney: ReadonlySet<string> = new Set([...drawnOfJourney, 'steps', 'draft']);
const isOfJourney = (name: string): boolean => ofJourney.has(name);

/** Of one object, the properties whose paths are written as amounts of money, or as anything else. */
function formattedPaths({ format, labelFormat, detailFormat }: Record<string, unknown>): ReadonlyMap<string, ShownAs> {
  const as = (written: unknown, names: readonly string[]) =>
    written === undefined
      ? []
      : names.map(name => [name, isMoney(String(written)) ? ('money' as const) : ('number' as const)] as const);
  return new Map([
    ...as(format, ['path', 'figure', 'total']),
    ...as(labelFormat, ['labels', 'titlePath']),
    ...as(detailFormat, ['detail']),
  ]);
}

function mayUseCommands(trim: TrimPass, commands: readonly string[]): boolean {
  for (const command of commands) trim.uses.push({ kind: 'command', command });
  return commands.every(command => trim.mayCommand(command));
}

/** Texts of what was trimmed: of a handler, a link or a menu. */
function dropOrphans(value: Record<string, unknown>, out: Record<string, unknown>): void {
  if (value.on !== undefined)
    for (const name of Object.keys(value.on as object)) {
      if (Object.hasOwn((out.on ?? {}) as object, name)) continue;
      delete out[name];
      delete out[`${name}Text`];
    }
  if (value.to !== undefined && out.to === undefined) delete out.moreText;
  if (value.menu !== undefined && out.menu === undefined) delete out.menuLabel;
}

/** Parameters bound to the caller are the server's to set, and of a body it gives only the fields that it has. */
function bindingsPlace(value: Record<string, unknown>, name: string, place: CompileContext): CompileContext {
  const form = name === 'body' ? bodyForm(value, place) : undefined;
  if (form !== undefined) return { ...place, leftOut: trim => field => !trim.fieldsOf(form).has(field) };
  const own = name === 'with' ? place.names.operations.get(String(value.operation))?.own : undefined;
  if (own === undefined) return place;
  return {
    ...place,
    leftOut: trim => {
      const bound = boundParameters(trim, own);
      return parameter => bound.has(parameter);
    },
  };
}

/** Scope of the inside: rows open `row`, forms open `form`, `values` name what texts may interpolate. */
function innerPlace(schema: Schema, value: Record<string, unknown>, place: CompileContext): CompileContext {
  let { scope, leader } = place;
  const rules = nodeRules(schema);
  const values = schema.properties?.values
    ? new Set([...Object.keys((value.values ?? {}) as object), ...(rules.ownValues ?? [])])
    : place.values;
  if (rules.leads !== undefined) leader = leaderOf(value, rules.leads);
  if (schema.title === 'Step') {
    const { prepared = [], quoted = [] } = scope.journey?.steps.get(String(value.id)) ?? {};
    scope = {
      ...scope,
      form: stepForm(value, scope.journey),
      reply: replyOfCommand(leader ?? '', place.names),
      sources: new Map([...scope.sources, ...prepared, ...quoted]),
    };
  }
  if (schema.properties?.rows?.title === 'Rows' && typeof value.rows === 'string') {
    const row = resolvePath(value.rows, scope);
    scope = { ...scope, row: isList(row) ? row : { in: 'page' } };
  }
  if (rules.form === 'opens') scope = { ...scope, form: formScope(value, place) };
  const fieldKind = rules.childFields?.kind ?? (rules.form === 'field' ? place.fieldKind : undefined);
  const isAsAround =
    scope === place.scope && values === place.values && leader === place.leader && fieldKind === place.fieldKind;
  return isAsAround ? place : { ...place, scope, fieldKind, leader, values };
}

/** The fields of a step; its lists of rows have names that conditions may read as well. */
function stepForm({ id, children }: Record<string, unknown>, journey: JourneyNames | undefined): FormScope {
  const form = formOf(fieldsIn(children));
  return { ...form, names: new Set([...form.names, ...(journey?.steps.get(String(id))?.answers.keys() ?? [])]) };
}

/** False for what is told where it stands: of its rows nothing more is said. */
const isList = (row: PathTarget | WrongPath): row is PathTarget =>
  !('wrong' in row) && (row.in === 'page' || row.field === undefined || row.field.contract.type === 'list');

function leaderOf({ on }: Record<string, unknown>, handler: string): string {
  const { [handler]: [effect] = [] } = (on ?? {}) as Readonly<Record<string, readonly { readonly command?: string }[]>>;
  return effect?.command ?? '';
}

function formScope(value: Record<string, unknown>, place: CompileContext): FormScope {
  const document = typeof value.form === 'string' ? value.form : undefined;
  const fields = document === undefined ? value.children : place.formSources.get(document)?.json.fields;
  const initial = typeof value.initial === 'string' ? resolvePath(value.initial, place.scope) : undefined;
  return { ...formOf(fieldsIn(fields), document), ...(initial && !('wrong' in initial) && { initial }) };
}

/** The fields that each row has are those of a form of its own, with the first values of the item. */
function rowFormScope(
  value: Record<string, unknown>,
  fields: unknown,
  { scope }: CompileContext,
): CompileContext['scope'] {
  const initial = resolvePath(typeof value.initial === 'string' ? value.initial : 'row', scope);
  return { ...scope, form: { ...formOf(fieldsIn(fields)), ...(!('wrong' in initial) && { initial }) } };
}

/** Fields that a unit reads without naming a whole path: the key of a list, the first value of a field. */
function extraReads(value: Record<string, unknown>, rules: NodeRules, place: CompileContext): PathTarget[] {
  const { row, form } = place.scope;
  const keyed =
    typeof value.rows === 'string' && typeof value.key === 'string' && row && row.in !== 'page'
      ? fieldTarget(row, value.key, into(place, 'key'))
      : undefined;
  return [
    ...(keyed?.in === 'operation' ? [keyed] : []),
    ...joinKey(value, place),
    ...(rules.form === 'field' && form?.initial ? firstValue(value, form.initial, place) : []),
  ];
}

/** The field that says to which row an item belongs that a data source joins. */
function joinKey({ rows, by }: Record<string, unknown>, { scope, at }: CompileContext): PathTarget[] {
  if (typeof rows !== 'string' || typeof by !== 'string') return [];
  const list = listOfJoin(scope.sources.get(String(at.at(-1))));
  const key = list && below(list, [by]);
  return key && !('wrong' in key) ? [key] : [];
}

/** The first value of a field, where the object that these come from has one. */
function firstValue(
  { propertyName, key, nameKey }: Record<string, unknown>,
  initial: PathTarget,
  place: CompileContext,
): PathTarget[] {
  const value = below(initial, [String(propertyName)]);
  if ('wrong' in value || value.in !== 'operation') return [];
  if (typeof key !== 'string') return [value];
  const name = typeof nameKey === 'string' ? fieldTarget(value, nameKey, into(place, 'nameKey')) : undefined;
  return [fieldTarget(value, key, into(place, 'key')), name].filter(target => target !== undefined);
}

/** A form node that names a form document arrives with that document's fields as its children. */
function compileFormDocument(value: Record<string, unknown>, place: CompileContext): Emit | undefined {
  if (typeof value.form !== 'string') return undefined;
  const source = place.formSources.get(value.form);
  if (!source) return () => undefined;
  const requires = source.json.requires as Requirement | undefined;
  const emit = place.compile({ title: 'Nodes', items: { title: 'Node' } }, source.json.fields, {
    ...place,
    source,
    above: requires ? [...place.above, requires] : place.above,
    at: ['fields'],
    ids: new Set(),
  });
  return trim => (trim.meets(requires) ? emit(trim) : undefined);
}

type SourceNeeds = {
  readonly operation: string;
  readonly required: readonly string[];
  readonly own: Operation;
  /** The bindings of the document. */
  readonly given: object;
};

function sourceNeeds(value: Record<string, unknown>, place: CompileContext): SourceNeeds | undefined {
  const operation = place.names.operations.get(String(value.operation));
  if (!operation) return undefined;
  return {
    operation: String(value.operation),
    required: neededParameters(operation),
    own: operation,
    given: (value.with ?? {}) as object,
  };
}

/** Parameters bound to the caller are the server's to set; the rest that are needed travel along. */
function finishSource(trim: TrimPass, out: Record<string, unknown>, { required, own, given }: SourceNeeds): void {
  if (Object.keys((out.with ?? {}) as object).length === 0) delete out.with;
  const bound = boundParameters(trim, own.own);
  const needs = required.filter(name => !bound.has(name));
  if (needs.length > 0) out.needs = needs;
  const named = out.essential ? Object.entries(given).filter(([name]) => bound.has(name)) : [];
  if (named.length > 0) out.bound = Object.fromEntries(named);
}
