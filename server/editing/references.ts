import { documentSchemas } from '../../shared/language/documents.ts';
import { nodeSchemas } from '../../shared/language/nodes.ts';
import { partUse } from '../../shared/language/part.ts';
import { openToAnyone } from '../../shared/language/reply.ts';
import { isPartUse } from '../layouts/names/part-use.ts';
import { itemSchema, type Schema, schemaOf } from '../layouts/names/schema.ts';
import type { Source } from '../layouts/names/source.ts';

/** A place of a document that names something which stands elsewhere. */
export type Reference = {
  readonly file: string;
  readonly what: string;
  readonly at: readonly (string | number)[];
  /** What is written there; of a parameter its name, which is a property. */
  readonly text: string;
  readonly isName?: true;
};

type Json = Readonly<Record<string | number, unknown>>;

/** What the value of a title names. */
const named: Readonly<Record<string, string>> = {
  Text: 'text',
  Path: 'path',
  HtmlPath: 'path',
  Rows: 'path',
  InitialPath: 'path',
  Place: 'path',
  KeyName: 'key',
  JoinKey: 'join key',
  SortName: 'order',
  Address: 'address',
  Link: 'address',
  OperationName: 'operation',
  CommandName: 'command',
  PopupName: 'popup',
  HelpPopup: 'popup',
  FormName: 'form',
  PartName: 'part',
  JourneyName: 'journey',
  Catalogue: 'catalogue',
  TableName: 'table',
  Requires: 'requirement',
  EventName: 'event',
};
const listed: Readonly<Record<string, string>> = {
  ViewNames: 'view',
  PermissionNames: 'permission',
  FeatureNames: 'feature',
  UserTypes: 'user type',
};

const columns: Schema = (nodeSchemas.table as Schema).properties?.columns?.items ?? {};

type Visit = (schema: Schema, value: unknown, at: readonly (string | number)[]) => void;

/**
 * Lists every reference of a document to something by name (operation, text, popup, path), as the language's schemas
 * tell.
 */
export function referencesIn(source: Source): Reference[] {
  const found: Reference[] = [];
  const note = (what: string, at: Reference['at'], text: string, isName = false) =>
    found.push({ file: source.file, what, at, text, ...(isName && { isName }) });

  const visit: Visit = (given, value, at) => {
    const title = given.title ?? '';
    const what = named[title] ?? (isBound(at) ? 'path' : undefined);
    if (typeof value === 'string' && what !== undefined && !isOwnPlace(title, value)) return void note(what, at, value);
    if (title === 'Binding') return visitBinding(value, at);
    if (title === 'Condition') visitConstants(value as Json, at);
    if (title === 'State')
      for (const [name, item] of Object.entries(value as object)) noteConstant(item, [...at, name]);
    if (title === 'Bindings' || title === 'PartValues')
      for (const name of Object.keys(value as object)) note('parameter', [...at, name], name, true);
    if (title === 'PartValues')
      for (const [name, item] of Object.entries(value as object))
        if (Array.isArray(item)) visitGiven(item, [...at, name]);
    if (title === 'Reply') return visitReply(value, at);
    if (title === 'Template') return visitTemplate(value, at);
    if (listed[title] && Array.isArray(value)) {
      value.forEach((item, index) => {
        note(listed[title] as string, [...at, index], String(item));
      });
      return;
    }
    if (isFilterValue(value, at)) return void note('filter value', at, String(value));
    visitInside(schemaOf(given, value), value, at);
  };

  /** A list that a part is given: of nodes, uses of parts, or columns. */
  const visitGiven = (list: readonly unknown[], at: Reference['at']): void => {
    for (const [index, item] of list.entries()) {
      if (item === null || typeof item !== 'object') continue;
      const schema = isPartUse(item) ? (partUse as Schema) : 'type' in item ? { title: 'Node' } : columns;
      visit(schema, item, [...at, index]);
    }
  };

  const visitBinding = (value: unknown, at: Reference['at']): void => {
    if (typeof value === 'string') note('path', at, value);
    else if (value !== null && typeof value === 'object' && 'path' in value)
      note('path', [...at, 'path'], String(value.path));
    // What a text interpolates may be anything.
    else if (at.at(-2) !== 'values') visitConstant(value, at);
  };

  const visitConstant = (value: unknown, at: Reference['at']): void => {
    if (value !== null && typeof value === 'object' && 'value' in value) noteConstant(value.value, [...at, 'value']);
    else noteConstant(value, at);
  };

  /** A number has no letter to be changed, and an empty text stands for nothing. */
  const noteConstant = (value: unknown, at: Reference['at']): void => {
    if ((typeof value === 'string' && value !== '') || typeof value === 'boolean') note('constant', at, String(value));
  };

  const visitConstants = ({ is, in: list }: Json, at: Reference['at']): void => {
    noteConstant(is, [...at, 'is']);
    if (Array.isArray(list))
      list.forEach((value, index) => {
        noteConstant(value, [...at, 'in', index]);
      });
  };

  /** Of a contract the catalogues, and what fields require. */
  const visitReply = (value: unknown, at: Reference['at']): void => {
    if (typeof value === 'string' && value.startsWith('code:')) note('catalogue', at, value);
    if (value === null || typeof value !== 'object') return;
    for (const [name, item] of Object.entries(value)) {
      const inner = [...at, Array.isArray(value) ? Number(name) : name];
      // Beside these names "requires" is no field of the reply.
      const isRequirement = name === 'requires' && ['kind', 'map', 'of'].some(word => Object.hasOwn(value, word));
      if (isRequirement && item !== openToAnyone) visit({ title: 'Requires' }, item, inner);
      else visitReply(item, inner);
    }
  };

  /** Of a template its paths; what stands in "value", "default" and conditions is the cloud's to judge. */
  const visitTemplate = (value: unknown, at: Reference['at']): void => {
    if (typeof value === 'string') return void note('path', at, value);
    if (value === null || typeof value !== 'object') return;
    for (const [name, item] of Object.entries(value))
      if (!['value', 'default', 'when'].includes(name)) visitTemplate(item, [...at, name]);
  };

  const isOperations = source.kind === 'operations';
  /** Of an operation the fact that a parameter is bound to, and the list that names of orders are fields of. */
  const isBound = (at: Reference['at']): boolean =>
    isOperations && ((at.at(-1) === 'is' && at.at(-3) === 'own') || (at.at(-1) === 'names' && at.at(-3) === 'with'));

  const texts = JSON.stringify(source.json);
  /** A place that its node alone uses: its name stands for nothing elsewhere. */
  const isOwnPlace = (title: string, place: string): boolean => title === 'Place' && texts.split(place).length === 2;

  /** The options of filters, and in operations the names of orders. */
  const isFilterValue = (value: unknown, at: Reference['at']): boolean =>
    typeof value === 'string' &&
    ((at.at(-1) === 'value' && at.at(-3) === 'options' && propertyAt(at.slice(0, -3), 'type') === 'filter') ||
      (isOperations && at.at(-2) === 'enum' && propertyAt(at.slice(0, -2), 'names') !== undefined));
  const propertyAt = (at: Reference['at'], name: string): unknown =>
    (at.reduce<unknown>((inner, step) => (inner as Json)[step], source.json) as Json | undefined)?.[name];

  const visitInside: Visit = (schema, value, at) => {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        visit(itemSchema(schema, item), item, [...at, index]);
      });
      return;
    }
    if (value === null || typeof value !== 'object') return;
    for (const [name, item] of Object.entries(value)) {
      const own = schema.properties?.[name] ?? schema.additionalProperties;
      if (typeof own === 'object') visit(own, item, [...at, name]);
    }
  };

  if (source.kind === 'texts') visitTexts(source, visit);
  else visit(documentSchemas[source.kind] as Schema, source.json, []);
  return found;
}

/** Of texts what their variants require. */
function visitTexts({ json }: Source, visit: Visit): void {
  for (const [name, value] of Object.entries(json))
    if (Array.isArray(value))
      value.forEach((variant: { readonly requires?: unknown }, index) => {
        if (variant.requires) visit({ title: 'Requires' }, variant.requires, [name, index, 'requires']);
      });
}
