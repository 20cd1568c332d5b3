import { effectSchemas } from '../../../shared/language/effects.ts';
import { nodeSchemas } from '../../../shared/language/nodes.ts';
import { isObject } from '../names/json.ts';
import { newRecord } from '../names/new-record.ts';
import { isPartUse } from '../names/part-use.ts';
import { nodeRules, type Schema, schemaOf } from '../names/schema.ts';
import type { Pointer } from '../names/source.ts';
import { writtenName } from '../names/written-name.ts';
import { expandBinding, expandBindings } from './bindings.ts';
import { expandCondition } from './conditions.ts';
import { type ExpandPlace, inside } from './expand-place.ts';
import { typeByHead } from './heads.ts';
import { lastName } from './names.ts';
import { declaredAt, longAddress, longPath } from './paths.ts';
import { giveDefaults, openObject } from './short-object.ts';

const nodes = nodeSchemas as Readonly<Record<string, Schema>>;
const effects = effectSchemas as Readonly<Record<string, Schema>>;

const columns = (nodes.table as Schema).properties?.columns as Schema;
const { priority: _, ...ofAnyColumn } = columns.items?.short?.defaults ?? {};

/**
 * Lists that a part is given, by the kind of the parameter. Which column is the first of the table is the part's to
 * say.
 */
export const givenLists: Readonly<Record<string, Schema>> = {
  nodes: { title: 'Nodes', items: { title: 'Node' } },
  columns: {
    ...columns,
    items: { ...columns.items, short: { ...columns.items?.short, defaults: ofAnyColumn } },
  },
};

/**
 * Expands one value of a document from short to long form. What cannot be read stays, for the shape check to report.
 */
export function expandValue(given: Schema, value: unknown, place: ExpandPlace): unknown {
  switch (given.title) {
    case 'Path':
    case 'InitialPath':
    case 'HtmlPath':
    case 'Rows':
      return typeof value === 'string' ? longPath(value, place) : value;
    case 'Address':
    case 'Link':
      return typeof value === 'string' ? longAddress(value, place) : value;
    case 'Binding':
      return expandBinding(value, place);
    case 'Bindings':
      return expandBindings(value, place, given.short?.formatted);
    case 'Template':
      return expandTemplate(value, place);
    case 'Condition':
      return expandCondition(value, place);
    case 'Effects':
      return expandEffects(value, place);
    case 'Requires':
    case 'Reply':
      return value;
    case 'Node':
      return expandTyped(given, value, { ...place, isShort: false }, 'type', nodes);
    case 'Effect':
      return expandTyped(given, value, { ...place, isShort: false }, 'do', effects);
  }
  // Of an object a list may be the value of one property, as the sizes of pages are.
  if (Array.isArray(value) && given.type !== 'object') return expandList(given, value, place);
  return expandObject(schemaOf(given, value), value, place);
}

function expandList(schema: Schema, list: readonly unknown[], place: ExpandPlace): unknown {
  const { items } = schema;
  // In a list of nodes that says so, a string is the head of one.
  const type = schema.title === 'Nodes' ? schema.short?.bare : undefined;
  const minds = Object.values(items?.short?.defaults ?? {}).some(rule => 'ofFirst' in rule);
  const long = list.map((item, index) => {
    const at = minds ? { ...inside(place, index), isFirst: index === 0 } : inside(place, index);
    if (type !== undefined && typeof item === 'string' && !item.startsWith('part.'))
      return expandTyped({ title: 'Node' }, { [type]: item }, at, 'type', nodes);
    return items ? expandValue(items, item, at) : item;
  });
  place.trace?.placed(long, place.at);
  return long;
}

/** A node or effect, whose type stands in the property `word` or is its head. */
function expandTyped(
  given: Schema,
  value: unknown,
  place: ExpandPlace,
  word: string,
  known: Readonly<Record<string, Schema>>,
): unknown {
  if (!isObject(value)) return value;
  if (isPartUse(value)) return expandUse(value, place);
  const type = value[word] === undefined ? typeByHead(value, known) : undefined;
  if (type === undefined) return expandObject(schemaOf(given, value), value, place);
  return expandObject(known[type] as Schema, value, place, { word, type });
}

/** What is sent, made from answers and from what was read (`Template` of a journey). */
function expandTemplate(value: unknown, place: ExpandPlace): unknown {
  if (typeof value === 'string') return longPath(value, place);
  if (Array.isArray(value)) return expandFields(value, place);
  if (!isObject(value) || Object.hasOwn(value, 'value')) return value;
  const long = newRecord();
  place.trace?.placed(long, place.at);
  const isOneOfTwo = Object.hasOwn(value, 'when');
  for (const [name, item] of Object.entries(value)) {
    const at = inside(place, name);
    if (name === 'default' && Object.hasOwn(value, 'path')) long[name] = item;
    else long[name] = isOneOfTwo && name === 'when' ? expandCondition(item, at) : expandTemplate(item, at);
  }
  return long;
}

/** The fields of what is sent as a list: a path gives the field of its last name, an object those that it names. */
function expandFields(list: readonly unknown[], place: ExpandPlace): unknown {
  if (!list.every(item => typeof item === 'string' || isObject(item))) return list;
  const long = newRecord();
  place.trace?.placed(long, place.at);
  for (const [index, item] of list.entries()) {
    const at = inside(place, index);
    if (typeof item === 'string') {
      const path = item.replace(/\?$/, '');
      const field = item === path ? longPath(path, place) : { path: longPath(path, place), default: '' };
      long[lastName(path)] = field;
      place.trace?.made(long, lastName(path), at.at, '');
    } else
      for (const [name, field] of Object.entries(item as object)) {
        long[name] = expandTemplate(field, inside(at, name));
        place.trace?.made(long, name, [...at.at, name], '');
      }
  }
  return long;
}

/** The use of a part: what it gives is a path, nodes or columns, or stands for itself. */
function expandUse(value: Readonly<Record<string, unknown>>, place: ExpandPlace): unknown {
  const long: Record<string, unknown> = { ...value };
  const given = inside(place, 'with');
  if (isObject(value.with)) {
    const parameters = place.facts.parts.get(writtenName(value.part)) ?? {};
    const inner = Object.entries(value.with).map(([name, item]) => {
      if (typeof item === 'string') return [name, longPath(item, place)];
      const schema = Array.isArray(item) ? givenLists[writtenName(parameters[name]).replace('?', '')] : undefined;
      return [name, schema ? expandValue(schema, item, inside(given, name)) : item];
    });
    long.with = Object.fromEntries(inner);
    place.trace?.placed(long.with as object, given.at);
  }
  if (value.when !== undefined) long.when = expandCondition(value.when, inside(place, 'when'));
  place.trace?.placed(long, place.at);
  return long;
}

/** One effect stands for a list of it, and the name of an effect that needs nothing else for that effect. */
function expandEffects(value: unknown, place: ExpandPlace): unknown {
  const list = Array.isArray(value) ? value : [value];
  let { reply } = place;
  const long = list.map((written, index) => {
    const at = { ...(Array.isArray(value) ? inside(place, index) : place), reply };
    const isName = typeof written === 'string' && Object.hasOwn(effects, written);
    const effect = expandValue({ title: 'Effect' }, isName ? { do: written } : written, at) as Record<string, unknown>;
    if (effect?.do === 'call') reply = place.facts.operations.get(writtenName(effect.operation))?.reply;
    if (effect?.do === 'command') reply = place.facts.commands.get(writtenName(effect.command));
    return effect;
  });
  place.trace?.placed(long, place.at);
  return long;
}

function expandObject(
  schema: Schema,
  value: unknown,
  place: ExpandPlace,
  head?: { readonly word: string; readonly type: string },
): unknown {
  const opened = openObject(schema, value, place, head);
  if (!opened) return value;
  const { long, elsewhere, made, isShort, pressAt } = opened;
  place.trace?.placed(long, place.at);
  const around = { ...place, isShort };
  const { properties = {}, additionalProperties } = schema;
  const own = (name: string): Schema =>
    (Object.hasOwn(properties, name) && properties[name]) ||
    (typeof additionalProperties === 'object' ? additionalProperties : {});
  // What others go by comes first: the list whose items are read, and the paths that defaults are known from.
  if (own('rows').title === 'Rows' && typeof long.rows === 'string') long.rows = longPath(long.rows, place);
  const shown = innerPlace(schema, long, around, elsewhere.get('rows'));
  for (const [name, item] of Object.entries(long))
    if (own(name).title === 'Path' && typeof item === 'string') long[name] = longPath(item, shown);
  giveDefaults(schema, opened, shown);
  // A title that is not written is a title all the same.
  Object.assign(shown, headingOf(schema, long));
  for (const [name, item] of Object.entries(long)) {
    if (name === 'on' && pressAt) long[name] = expandPress(own(name), item, inside(shown, ...pressAt));
    else if (made.has(name)) place.trace?.made(long, name, place.at, made.get(name) as string);
    else {
      const steps = elsewhere.get(name) ?? [name];
      const { title = '' } = own(name);
      const isOuter = name === 'when' || title === 'Rows' || title === 'InitialPath';
      const inner = inside(isOuter ? around : shown, ...steps);
      const parameters = name === 'with' ? parametersOf(long, place) : undefined;
      long[name] = expandValue(own(name), item, parameters ? { ...inner, parameters } : inner);
      if (elsewhere.has(name)) place.trace?.made(long, name, [...place.at, ...steps], '');
    }
  }
  return long;
}

/** Gives the parameters that the operation of a source or call declares. */
const parametersOf = ({ operation }: Readonly<Record<string, unknown>>, { facts }: ExpandPlace) =>
  facts.operations.get(writtenName(operation))?.with;

/** Handlers with the one that stands outside of them. */
function expandPress(handlers: Schema, on: unknown, place: ExpandPlace): unknown {
  const press = expandValue(handlers.properties?.press ?? {}, (on as { press: unknown }).press, place);
  const long = { press };
  place.trace?.placed(long, place.at);
  return long;
}

/** The place of what stands in an object: in a list an item is its row, below a title that is what it is called. */
function innerPlace(
  schema: Schema,
  long: Readonly<Record<string, unknown>>,
  place: ExpandPlace,
  stepsToRows: Pointer = ['rows'],
): ExpandPlace {
  const { properties = {} } = schema;
  const hasRows = properties.rows?.title === 'Rows' && long.rows !== undefined;
  const isList = hasRows && typeof long.rows === 'string';
  const { leads } = nodeRules(schema);
  const [effect] = leads === undefined ? [] : [isObject(long.on) ? long.on[leads] : long.on].flat();
  return {
    ...place,
    ...(isList && {
      row: declaredAt(long.rows as string, place),
      rows: long.rows as string,
      rowsAround: place.rows,
      rowsAt: [...place.at, ...stepsToRows],
    }),
    ...(hasRows && !isList && { row: undefined, rows: undefined, hasWrongRows: true }),
    ...(schema.short?.counted && { counted: placeCounted(schema.short.counted, long) }),
    ...(isObject(effect) && { reply: place.facts.commands.get(writtenName(effect.command)) }),
    ...headingOf(schema, long),
  };
}

/** Where the choice is kept whose entries say how many there are of each. */
const placeCounted = (
  { of, where }: NonNullable<NonNullable<Schema['short']>['counted']>,
  long: Readonly<Record<string, unknown>>,
): unknown =>
  Object.entries(where).every(([name, values]) => values.includes(writtenName(long[name]))) ? long[of] : undefined;

/** What all below an object stands under, where it has a title. */
const headingOf = (
  { properties }: Schema,
  { title }: Readonly<Record<string, unknown>>,
): Pick<ExpandPlace, 'heading'> =>
  properties?.title?.title === 'Text' && typeof title === 'string' ? { heading: title } : {};
