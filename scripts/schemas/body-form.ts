import { byWord } from '../../server/layouts/expand/defaults.ts';
import { inCamelCase } from '../../server/layouts/expand/names.ts';
import { fieldKind } from '../../shared/language/nodes/field.ts';
import { bodyAt } from './open-api.ts';
import type { BodySchema, OpenApi } from './open-api-types.ts';

/** The form of what a call takes: its fields in short form, and texts by their names in the area. */
export type BodyForm = {
  readonly fields: readonly unknown[];
  readonly texts: Readonly<Record<string, string>>;
};

const { defaults } = fieldKind.schema.short;
/** Most characters by kind of field, where none are said. */
const lengths: Readonly<Record<string, number>> = defaults.maxLength.values;
/** A text longer than this is written on several lines. */
const longestLine = 300;

/** Writes `MonthlySpend` as "Monthly spend". */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])|[_$-]+/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Kinds of field by the formats of JSON Schema, and those of the sandbox. */
const kinds: Readonly<Record<string, string>> = {
  ...{ email: 'email', 'cloud-email': 'email', 'cloud-phone': 'phone' },
  ...{ date: 'date', 'date-time': 'date-time', password: 'password' },
};

/** Name of the text of a value: `Kind` and `ThinClient` give "kindThinClient". */
export const optionKey = (name: string, value: unknown): string =>
  `${inCamelCase(name)}${String(value)
    .replace(/[^A-Za-z0-9]+(.)?/g, (_, letter: string = '') => letter.toUpperCase())
    .replace(/^./, letter => letter.toUpperCase())}`;

/** The options of a choice, with a text for each. */
function optionsOf(name: string, values: readonly unknown[], area: string, texts: Record<string, string>): unknown[] {
  return values.map(value => {
    const key = optionKey(name, value);
    texts[key] = inWords(String(value));
    return typeof value === 'string' ? { [value]: `${area}.${key}` } : { value, text: `${area}.${key}` };
  });
}

/** A field in short form; undefined where no field of a form can hold such a value. */
function fieldOf(
  [name, schema]: readonly [string, BodySchema],
  isNeeded: boolean,
  area: string,
  texts: Record<string, string>,
): unknown {
  const { type, format = '', enum: values, pattern, minLength, maxLength, minimum, maximum } = schema;
  const field = isNeeded && type !== 'boolean' ? name : `${name}?`;
  texts[inCamelCase(name)] = inWords(name);
  if (type === 'boolean') return { field, kind: 'checkbox' };
  const choices = values?.filter(value => value !== null);
  if (choices && choices.length > 0)
    return {
      ...{ field, kind: choices.length > 4 ? 'select' : 'radio' },
      options: optionsOf(name, choices, area, texts),
    };
  if (type === 'integer' || type === 'number')
    return {
      ...{ field, kind: 'number' },
      ...(minimum !== undefined && { min: minimum }),
      ...(maximum !== undefined && { max: maximum }),
    };
  if ((type !== undefined && type !== 'string') || schema.items || schema.properties) return undefined;
  const isLong = maxLength !== undefined && maxLength > longestLine;
  const kind = kinds[format] ?? (isLong ? 'text-area' : 'text');
  const said = {
    ...(kind !== byWord(defaults.kind, { propertyName: name })?.value && { kind }),
    ...(minLength !== undefined && minLength > 1 && { minLength }),
    ...(maxLength !== undefined && maxLength !== lengths[kind] && { maxLength }),
    ...(pattern !== undefined && kind === 'text' && { regex: pattern }),
  };
  return Object.keys(said).length > 0 ? { field, ...said } : field;
}

/**
 * Makes the form of what a call takes, from its OpenAPI description; undefined where it takes no JSON. Notes the fields
 * that no form can hold.
 */
export function bodyFormAt(openApi: OpenApi, method: string, path: string, area: string): BodyForm | undefined {
  const body = bodyAt(openApi, method, path);
  const properties = Object.entries(body?.properties ?? {}).filter(
    ([, { readOnly }]: [string, BodySchema]) => !readOnly,
  );
  if (properties.length === 0) return undefined;
  const texts: Record<string, string> = {};
  const fields = properties.flatMap(property => {
    const [name] = property;
    const field = /^[A-Za-z][A-Za-z0-9_]*$/.test(name)
      ? fieldOf(property, body?.required?.includes(name) ?? false, area, texts)
      : undefined;
    if (field !== undefined) return [field];
    delete texts[inCamelCase(name)];
    openApi.unread.add(`The body of "${method} ${path}", "${name}": no field of a form holds it, and it is left out.`);
    return [];
  });
  return { fields, texts };
}
