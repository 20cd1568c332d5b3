import { openDelivered, submitDelivered } from '../../../shared/contract/delivered.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { into, type Place, report } from '../compile/place.ts';
import { dangerousNames } from '../compile/scope.ts';
import { suggest } from '../load/problem.ts';
import { wrongInPattern } from '../pattern.ts';
import { checkParameters } from './call.ts';
import { checkFilter, checkOffered } from './list.ts';
import type { Schema } from './shape.ts';

/** Rules of single node kinds that their JSON Schema cannot say. */
export function checkNode(schema: Schema, value: Record<string, unknown>, place: Place): void {
  const type = value.type;
  checkChildren(schema, value, place);
  for (const key of ['id', 'propertyName', 'key']) {
    if (dangerousNames.has(String(value[key])))
      report(into(place, key), `The name "${String(value[key])}" is not allowed.`);
  }
  if ((schema.properties?.type || schema.properties?.on) && typeof value.id === 'string') checkId(value.id, place);
  if (type === 'field') checkField(value, place);
  else if (type !== 'form' && place.scope.form && fieldsIn(value.children).length > 0)
    checkFieldCondition(value.when, into(place, 'when'));
  if (type === 'form') checkForm(value, place);
  if (type === 'text' && (value.text === undefined) === (value.path === undefined))
    report(place, 'A text node has either "text" or "path".');
  if (type === 'link' && (value.to === undefined) === (value.external === undefined))
    report(place, 'A link has either "to" or "external".');
  if (type === 'rows') checkRows(value, place);
  if (type === 'transfer' && (value.children as readonly { type?: unknown }[]).some(child => child.type !== 'field'))
    report(into(place, 'children'), 'The children of a transfer are its lists.');
  if (type === 'signature' && (value.children as readonly { kind?: unknown }[]).some(({ kind }) => kind !== 'text'))
    report(into(place, 'children'), 'The child of a signature is a field of kind text.');
  const isHeld = type === 'match' || type === 'ticks' || (type === 'grid' && value.propertyName !== undefined);
  if (isHeld && (!place.scope.form || place.scope.form.document !== undefined))
    report(place, `A ${String(type)} stands among the children of a form.`);
  if (type === 'delivered') checkDelivered(value, place);
  if (type === 'chart') checkTable(value, place);
  if (type === 'filter') checkFilter(value, place);
  for (const key of ['search', 'filter', 'day'].includes(String(type)) ? ['path'] : []) keepPlace(value, key, place);
  if (schema.required?.includes('total')) for (const key of ['page', 'size']) keepPlace(value, key, place);
  if (schema.properties?.paging) checkOffered(value, place);
  if (value.do === 'download') checkDownload(value, place);
  if (schema.properties?.refreshOn) checkSource(value, place);
}

/** A place that is kept for others to read. */
function keepPlace(value: Record<string, unknown>, key: string, place: Place): void {
  if (typeof value[key] === 'string') place.placesKept.push({ path: value[key], at: [...place.at, key] });
}

/** Nothing to show among the children, nor beside them. */
function checkChildren(schema: Schema, value: Record<string, unknown>, place: Place): void {
  if (!Array.isArray(value.children) || value.children.length > 0) return;
  const isBeside = Object.entries(schema.properties ?? {}).some(
    ([name, { title }]) => title === 'Nodes' && (value[name] as readonly unknown[] | undefined)?.length,
  );
  if (isBeside) return;
  const way = schema.required?.includes('children') ? 'leave out what is around it' : 'leave it out';
  report(into(place, 'children'), `Nothing stands in "children": put nodes there, or ${way}.`);
}

/** Actions are called by the id of their node, so that no two may share one. */
function checkId(id: string, place: Place): void {
  if (place.ids.has(id)) report(into(place, 'id'), `The id "${id}" is used twice in this document.`);
  if (/^n\d+$/.test(id)) report(into(place, 'id'), `Ids such as "${id}" are made by the server; choose a word.`);
  place.ids.add(id);
}

const notTyped: ReadonlySet<string> = new Set(['checkbox', 'switch', 'radio', 'select', 'display']);

function checkField(value: Record<string, unknown>, place: Place): void {
  const kind = String(value.kind);
  if (!place.scope.form?.names.has(String(value.propertyName)))
    report(place, `The field "${String(value.propertyName)}" stands outside a form.`);
  if (place.scope.form?.twice.has(String(value.propertyName)))
    report(into(place, 'propertyName'), `Two fields of this form are "${String(value.propertyName)}".`);
  if (value.label === undefined && kind !== 'hidden')
    report(place, `The field "${String(value.propertyName)}" has no label.`);
  if (['select', 'radio'].includes(kind) && value.options === undefined && value.catalogue === undefined)
    report(place, `A ${kind} field needs "options" or "catalogue".`);
  if ((kind === 'list') !== (place.inTransfer === true))
    report(place, 'Fields of kind list stand in a transfer, and no others do.');
  for (const key of ['pattern', 'regex'])
    if (value[key] !== undefined && notTyped.has(kind))
      report(into(place, key), `A ${kind} field takes no "${key}": nothing is typed there.`);
  if (value.pattern !== undefined && value.regex !== undefined)
    report(into(place, 'regex'), 'A field has either "pattern" or "regex".');
  if (value.regex !== undefined && value.invalidMessage === undefined)
    report(place, 'A field with "regex" needs "invalidMessage", which says what is expected.', 'warning');
  const wrong = typeof value.regex === 'string' ? wrongInPattern(value.regex) : undefined;
  if (wrong !== undefined) report(into(place, 'regex'), wrong);
  for (const key of ['when', 'disabledWhen']) checkFieldCondition(value[key], into(place, key));
}

/** One rule, both sides: the condition of a field reads only what browser and server both know. */
function checkFieldCondition(condition: unknown, place: Place): void {
  if (condition === undefined) return;
  for (const [, path = ''] of JSON.stringify(condition).matchAll(/"(?:path|same)":"([^"]+)"/g)) {
    const [head, name = ''] = path.split('.');
    if (head !== 'form' && head !== 'principal')
      report(place, `The condition of a field reads only form.… and principal.…, not "${path}".`);
    if (path === 'form.$changed')
      report(place, `The condition of a field cannot read "${path}": the server does not know it.`);
    if (head === 'form' && place.scope.form?.shownOnly.has(name))
      report(place, `The condition of a field cannot read "${path}": it is shown, never sent.`);
  }
}

function checkForm(value: Record<string, unknown>, place: Place): void {
  if ((value.form === undefined) === (value.children === undefined))
    report(place, 'A form has either "form" (a form document) or "children".');
  if (value.cancel !== undefined && (value.on as Record<string, unknown> | undefined)?.cancel === undefined)
    report(place, 'A form with "cancel" needs "on.cancel".');
}

/** What is written in rows is for a command to read: no cloud takes a body like that. */
function checkRows({ min, max }: Record<string, unknown>, place: Place): void {
  const { form } = place.scope;
  if (!form || form.document !== undefined)
    report(place, 'Rows stand in a step of a wizard, or among the children of a form.');
  if (Number(min ?? 0) > Number(max)) report(into(place, 'min'), `There can be at most ${String(max)} rows.`);
}

function checkDelivered(value: Record<string, unknown>, place: Place): void {
  for (const command of [openDelivered, submitDelivered]) place.mentions.command.add(command);
  const operation = place.names.operations.get(String(value.operation));
  if (operation && operation.method !== 'GET')
    report(into(place, 'operation'), 'The operation that delivers a model is a GET.');
  if (operation) checkParameters(value, operation, place);
}

function checkDownload(value: Record<string, unknown>, place: Place): void {
  if ((value.table === undefined) === (value.operation === undefined))
    report(place, 'A download has either "table" or "operation".');
  else if (value.operation === undefined) checkTable(value, place);
  else checkFile(value, place);
}

function checkTable(value: Record<string, unknown>, place: Place): void {
  const tables = tablesIn(place.source.json);
  if (!tables.includes(String(value.table)))
    report(
      into(place, 'table'),
      `Table "${String(value.table)}" not found in this document.${suggest(String(value.table), tables)}`,
    );
}

function checkFile(value: Record<string, unknown>, place: Place): void {
  const operation = place.names.operations.get(String(value.operation));
  if (!operation) return;
  if (operation.file === undefined)
    report(into(place, 'operation'), `"${String(value.operation)}" gives no file; it has no "file".`);
  checkParameters(value, operation, place);
}

function tablesIn(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const { type, id } = value as { type?: unknown; id?: unknown };
  return [...(type === 'table' && typeof id === 'string' ? [id] : []), ...Object.values(value).flatMap(tablesIn)];
}

function checkSource(value: Record<string, unknown>, place: Place): void {
  const operation = place.names.operations.get(String(value.operation));
  if (!operation) return;
  if (operation.method !== 'GET')
    report(into(place, 'operation'), `"${String(value.operation)}" is not a GET; a data source only reads.`);
  if (operation.file !== undefined)
    report(into(place, 'operation'), `"${String(value.operation)}" gives a file; the effect download saves it.`);
  checkParameters(value, operation, place);
}
