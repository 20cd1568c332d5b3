import type { NodeRules } from '../../../shared/language/node-kind.ts';
import { rulesOf } from '../../../shared/language/nodes.ts';
import type { FieldNode, Node } from '../../../shared/language/types.ts';
import { comparisonNames } from '../../../shared/rules/condition.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { type CompileContext, into, isOfOperation, report } from '../names/compile-context.ts';
import { dangerousNames } from '../names/dangerous-names.ts';
import { wrongInPattern } from '../names/pattern.ts';
import { listOf, suggest } from '../names/problem.ts';
import { nodeRules, type Schema } from '../names/schema.ts';
import { checkParameters } from './call.ts';
import { checkFieldConstants, noteSetEffect } from './constants.ts';
import { checkInitial } from './initial.ts';
import { checkFilter, checkOffered, checkOfferedRows } from './list.ts';
import { noteNode } from './place-values.ts';

/**
 * Checks the rules for an object of a document that JSON Schema cannot express: those of its node kind, and those of
 * properties that occur in many kinds.
 */
export function checkNode(schema: Schema, value: Record<string, unknown>, place: CompileContext): void {
  checkChildren(schema, value, place);
  for (const key of ['id', 'propertyName', 'key']) {
    if (dangerousNames.has(String(value[key])))
      report(into(place, key), `The name "${String(value[key])}" is not allowed.`);
  }
  const { type, on, $schema } = schema.properties ?? {};
  // A document shares its id with nothing as long as it has no handlers itself.
  if ((type || (on && (!$schema || value.on))) && typeof value.id === 'string') checkId(value.id, place);
  noteNode(schema, value, place);
  if (value.do === 'set') noteSetEffect(value, place);
  checkRules(nodeRules(schema), value, place);
  if (schema.required?.includes('total')) for (const key of ['page', 'size']) keepPlace(value, key, place);
  if (schema.properties?.paging) checkOffered(value, place);
  if (schema.properties?.table?.title === 'TableName' && value.table !== undefined) checkTable(value, place);
  if (value.do === 'download') checkDownload(value, place);
  if (schema.properties?.refreshOn) checkSource(value, place);
  if (schema.properties?.each) checkCallsOfRows(value, place);
}

/** What is done to many rows is a call for each: anything else would open, ask or say something a hundred times. */
function checkCallsOfRows(handlers: Record<string, unknown>, place: CompileContext): void {
  for (const [name, effects] of Object.entries(handlers))
    (effects as readonly { readonly do?: unknown }[]).forEach((effect, index) => {
      if (effect.do !== 'call')
        report(into(place, name, index, 'do'), `What is done to each row is a call, not "${String(effect.do)}".`);
    });
}

function checkRules(rules: NodeRules, value: Record<string, unknown>, place: CompileContext): void {
  const { either, handlerTexts = [], childFields } = rules;
  if (rules.form === 'opens') checkInitial(value, place);
  if (rules.form === 'field') checkField(value, place);
  else if (isFrame(rules, value, place) && fieldsIn(value.children).length > 0)
    checkFieldCondition(value.when, into(place, 'when'));
  if (rules.form === 'rows') checkRows(value, place);
  if (either && either.names.filter(name => value[name] !== undefined).length !== 1) report(place, either.says);
  for (const name of handlerTexts) {
    const hasText = value[name] !== undefined;
    const hasHandler = (value.on as Record<string, unknown> | undefined)?.[name] !== undefined;
    if (hasText && !hasHandler) report(place, `A ${String(value.type)} with "${name}" needs "on.${name}".`);
    if (hasHandler && !hasText)
      report(
        into(place, 'on', name),
        `A ${String(value.type)} with "on.${name}" needs "${name}", the text of its button.`,
      );
  }
  if (childFields && !areFields(value.children as readonly Node[], childFields.kind))
    report(into(place, 'children'), childFields.says);
  if (rules.holds && value.propertyName !== undefined && !hasOwnForm(place))
    report(place, `A ${String(value.type)} stands among the children of a form.`);
  for (const command of rules.commands ?? []) place.mentions.command.add(command);
  if (rules.journey) checkJourneyNode(rules.journey, value, place);
  if (rules.offers !== undefined && value[rules.offers] !== undefined) checkOffers(value, place);
  if (rules.reads !== undefined) checkReader(value, rules.reads, place);
  if (rules.offersValues) checkFilter(value, place);
  if (rules.offersRows) checkOfferedRows(value, rules.offersRows.unless, place);
  if (rules.role === 'control') keepPlace(value, 'path', place);
}

/** What stands around fields; a step of a journey is judged by the server alone. */
const isFrame = (rules: NodeRules, { type }: Record<string, unknown>, { scope }: CompileContext): boolean =>
  rules.form !== 'opens' && scope.form !== undefined && (type !== undefined || scope.journey === undefined);

/** Without a journey the node has what a journey brings. */
function checkJourneyNode(
  { name, brings }: NonNullable<NodeRules['journey']>,
  value: Record<string, unknown>,
  place: CompileContext,
): void {
  const missing = brings.filter(property => value[property] === undefined);
  if (value[name] === undefined && missing.length > 0) report(place, `Without "${name}" it needs ${listOf(missing)}.`);
  if (value[name] === undefined && value.with !== undefined)
    report(into(place, 'with'), `Only a "${name}" takes parameters.`);
}

/** Each row is asked for plain fields: what else would stand there is drawn nowhere. */
function checkOffers(value: Record<string, unknown>, place: CompileContext): void {
  if (place.scope.journey === undefined) report(place, 'Items are offered in a step of a journey.');
  const others = (value.children as readonly Node[]).filter(({ type }) => rulesOf(type).form !== 'field');
  if (others.length > 0) report(into(place, 'children'), 'What is offered has fields alone.');
}

const areFields = (nodes: readonly Node[], kind: string): boolean =>
  nodes.every(node => rulesOf(node.type).form === 'field' && (node as FieldNode).kind === kind);

/** Whether the form around has fields of its own, as a step of a wizard does; not those of a form document. */
const hasOwnForm = ({ scope: { form } }: CompileContext): boolean => form !== undefined && form.document === undefined;

/** A place that is kept for others to read. */
function keepPlace(value: Record<string, unknown>, key: string, place: CompileContext): void {
  if (typeof value[key] === 'string') place.placesKept.push({ path: value[key], at: [...place.at, key] });
}

/** Nothing to show among the children, nor beside them. */
function checkChildren(schema: Schema, value: Record<string, unknown>, place: CompileContext): void {
  if (!Array.isArray(value.children) || value.children.length > 0) return;
  const isBeside = Object.entries(schema.properties ?? {}).some(
    ([name, { title }]) => title === 'Nodes' && (value[name] as readonly unknown[] | undefined)?.length,
  );
  if (isBeside) return;
  const way = schema.required?.includes('children') ? 'leave out what is around it' : 'leave it out';
  report(into(place, 'children'), `Nothing stands in "children": put nodes there, or ${way}.`);
}

/** Actions are called by the id of their node, so that no two may share one. */
function checkId(id: string, place: CompileContext): void {
  if (place.ids.has(id)) report(into(place, 'id'), `The id "${id}" is used twice in this document.`);
  if (/^n\d+$/.test(id)) report(into(place, 'id'), `Ids such as "${id}" are made by the server; choose a word.`);
  place.ids.add(id);
}

const notTyped: ReadonlySet<string> = new Set(['checkbox', 'switch', 'radio', 'select', 'display']);

function checkField(value: Record<string, unknown>, place: CompileContext): void {
  const kind = String(value.kind);
  if (!place.scope.form?.names.has(String(value.propertyName)))
    report(place, `The field "${String(value.propertyName)}" stands outside a form.`);
  if (place.scope.form?.twice.has(String(value.propertyName)))
    report(into(place, 'propertyName'), `Two fields of this form are "${String(value.propertyName)}".`);
  const from = (value.from ?? {}) as Record<string, unknown>;
  if (value.from !== undefined && place.scope.journey === undefined)
    report(into(place, 'from'), 'A field is made at run time in a step of a journey alone.');
  if (value.label === undefined && from.labelPath === undefined && kind !== 'hidden')
    report(
      place,
      `The field "${String(value.propertyName)}" has no label. A value that nobody sees is a field of kind "hidden".`,
    );
  if (
    ['select', 'radio'].includes(kind) &&
    [value.options, value.catalogue, from.options].every(options => options === undefined)
  )
    report(place, `A ${kind} field needs "options" or "catalogue".`);
  if (value.action !== undefined && (kind === 'checkbox' || kind === 'switch'))
    report(into(place, 'action'), `A ${kind} field draws no "action". Put it below the field.`, 'warning');
  checkFileField(kind, value, place);
  checkBounds(kind, value, place);
  if (from.options !== undefined) checkOfferedRows(from.options, undefined, into(place, 'from', 'options'));
  if (kind === 'list' && place.fieldKind !== 'list') report(place, 'Fields of kind list stand in a transfer.');
  for (const key of ['pattern', 'regex'])
    if (value[key] !== undefined && notTyped.has(kind))
      report(into(place, key), `A ${kind} field takes no "${key}": nothing is typed there.`);
  if (value.pattern !== undefined && value.regex !== undefined)
    report(into(place, 'regex'), 'A field has either "pattern" or "regex".');
  if (value.regex !== undefined && value.invalidMessage === undefined && !isOfOperation(place))
    report(place, 'A field with "regex" needs "invalidMessage", which says what is expected.', 'warning');
  const wrong = typeof value.regex === 'string' ? wrongInPattern(value.regex) : undefined;
  if (wrong !== undefined) report(into(place, 'regex'), wrong);
  checkFieldConstants(value, place);
  for (const key of ['when', 'disabledWhen'])
    if (value[key] !== undefined) checkFieldCondition(value[key], into(place, key));
}

const counted: ReadonlySet<string> = new Set(['number', 'date', 'date-time']);

/** Numbers have bounds, and texts a length. */
function checkBounds(kind: string, value: Record<string, unknown>, place: CompileContext): void {
  const wrong = counted.has(kind) ? ['minLength', 'maxLength'] : ['min', 'max'];
  for (const key of wrong) if (value[key] !== undefined) report(into(place, key), `A ${kind} field takes no "${key}".`);
  for (const [least, most] of [
    ['min', 'max'],
    ['minLength', 'maxLength'],
  ] as const) {
    const [from, to] = [value[least], value[most]];
    if (typeof from === typeof to && (from as number) > (to as number))
      report(into(place, least), `"${least}" is above "${most}", so that no value is right.`);
  }
}

function checkFileField(kind: string, value: Record<string, unknown>, place: CompileContext): void {
  for (const key of ['types', 'maxBytes']) {
    if (kind === 'file' && value[key] === undefined) report(place, `A file field needs "${key}".`);
    if (kind !== 'file' && value[key] !== undefined) report(into(place, key), `Only a file field takes "${key}".`);
  }
  if (kind === 'file' && value.mandatory !== true)
    report(place, 'A file field is mandatory: without its file the form has nothing to send.');
  if (kind !== 'file' && value.files !== undefined) report(into(place, 'files'), 'Only a file field takes "files".');
  if (value.picture !== undefined && !(value.types as readonly string[] | undefined)?.includes('image/png'))
    report(into(place, 'picture'), 'Only a file field whose "types" have image/png takes "picture".');
  if (kind === 'file' && place.source.kind !== 'form')
    report(place, 'A file field stands in a form document, which an operation with "upload" names as its body.');
}

const pathsOfConditions = new RegExp(`"(?:path|${comparisonNames.join('|')})":"([^"]+)"`, 'g');

/** One rule, both sides: the condition of a field reads only what browser and server both know. */
function checkFieldCondition(condition: unknown, place: CompileContext): void {
  if (condition === undefined) return;
  for (const [, path = ''] of JSON.stringify(condition).matchAll(pathsOfConditions)) {
    const [head, name = ''] = path.split('.');
    if (head !== 'form' && head !== 'principal')
      report(place, `The condition of a field reads only form.… and principal.…, not "${path}".`);
    if (path === 'form.$changed')
      report(place, `The condition of a field cannot read "${path}": the server does not know it.`);
    if (head === 'form' && place.scope.form?.shownOnly.has(name))
      report(place, `The condition of a field cannot read "${path}": it is shown, never sent.`);
  }
}

/** What is written in rows is for a command to read: no cloud takes a body like that. */
function checkRows({ min, max }: Record<string, unknown>, place: CompileContext): void {
  if (!hasOwnForm(place)) report(place, 'Rows stand in a step of a wizard, or among the children of a form.');
  if (Number(min ?? 0) > Number(max)) report(into(place, 'min'), `There can be at most ${String(max)} rows.`);
}

function checkReader(value: Record<string, unknown>, property: string, place: CompileContext): void {
  const operation = place.names.operations.get(String(value[property]));
  if (operation && operation.method !== 'GET')
    report(into(place, property), 'The operation that delivers a model is a GET.');
  if (operation) checkParameters(value, operation, place);
}

function checkDownload(value: Record<string, unknown>, place: CompileContext): void {
  if ((value.table === undefined) === (value.operation === undefined))
    report(place, 'A download has either "table" or "operation".');
  else if (value.operation !== undefined) checkFile(value, place);
  if (value.as !== undefined && value.table === undefined)
    report(into(place, 'as'), 'An operation says itself what kind of file it gives.');
}

function checkTable(value: Record<string, unknown>, place: CompileContext): void {
  const { json } = place.source;
  const tables = knownTables.get(json) ?? tablesIn(json);
  knownTables.set(json, tables);
  if (!tables.includes(String(value.table)))
    report(
      into(place, 'table'),
      `Table "${String(value.table)}" not found in this document.${suggest(String(value.table), tables)}`,
    );
}

function checkFile(value: Record<string, unknown>, place: CompileContext): void {
  const operation = place.names.operations.get(String(value.operation));
  if (!operation) return;
  if (operation.file === undefined)
    report(into(place, 'operation'), `"${String(value.operation)}" gives no file; it has no "file".`);
  checkParameters(value, operation, place);
}

/** Document → ids of its tables: each page control, filter and search of it names one. */
const knownTables = new WeakMap<object, readonly string[]>();

function tablesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const { type, id } = value as { type?: unknown; id?: unknown };
  return [
    ...(rulesOf(String(type)).isTable && typeof id === 'string' ? [id] : []),
    ...Object.values(value).flatMap(tablesIn),
  ];
}

function checkSource(value: Record<string, unknown>, place: CompileContext): void {
  const operation = place.names.operations.get(String(value.operation));
  if (!operation) return;
  if (operation.method !== 'GET')
    report(into(place, 'operation'), `"${String(value.operation)}" is not a GET; a data source only reads.`);
  if (operation.file !== undefined)
    report(into(place, 'operation'), `"${String(value.operation)}" gives a file; the effect download saves it.`);
  checkParameters(value, operation, place);
}
