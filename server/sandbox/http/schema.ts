import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { visibleLine } from '../../../shared/rules/hidden-characters.ts';

/** Gives handlers the types of their routes' schemas. */
interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends JSONSchema ? FromSchema<this['schema']> : unknown;
}
export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse<IncomingMessage>,
  FastifyBaseLogger,
  SchemaTypes
>;

/** Makes the JSON Schema of one line of text, at most `maxLength` characters, without control characters. */
export const text = (maxLength: number) => ({ type: 'string', maxLength, pattern: visibleLine }) as const;

/** Makes the JSON Schema of `text` that must not be empty. */
export const filled = (maxLength: number) => ({ ...text(maxLength), format: 'cloud-filled' }) as const;
export const email = { type: 'string', maxLength: 254, format: 'cloud-email' } as const;
export const phone = { type: 'string', maxLength: 40, format: 'cloud-phone' } as const;
export const domain = { type: 'string', maxLength: 253, format: 'cloud-domain' } as const;

/**
 * Makes the JSON Schema of an object with exactly these properties, all required. Handlers get the types of a body whose
 * properties are all of a known shape.
 */
export const object = <const P extends Readonly<Record<string, object | boolean>>>(properties: P) =>
  ({
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties) as (keyof P & string)[],
    properties,
  }) as const;

/** Makes the JSON Schema of an object with no properties but these, of which only those in `required` must be there. */
export const partial = <
  const P extends Readonly<Record<string, JSONSchema>>,
  const R extends (keyof P & string)[] = [],
>(
  properties: P,
  ...required: R
) => ({ type: 'object', additionalProperties: false, required, properties }) as const;

/** Schema of the parameter that a list is searched by; empty: not at all. */
export const search = { ...text(200), default: '' } as const;

/** Makes the JSON Schema for the query of a paged list; `more` are its further parameters. */
export const pageQuery = <const P extends Record<string, JSONSchema>>(more: P, maximum = 100) =>
  ({
    type: 'object',
    additionalProperties: false,
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1_000_000, default: 1 },
      pageSize: { type: 'integer', minimum: 1, maximum, default: 25 },
      ...more,
    },
  }) as const;

/** Makes the JSON Schema of a path's parameters, any text: a malformed id is answered with 404, not 400. */
export const params = <const N extends string>(...names: N[]) =>
  ({
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map(name => [name, text(300)])) as Record<N, ReturnType<typeof text>>,
  }) as const;

/** Makes the `params` of a route's schema from the names in its address; none for an address without any. */
export function paramsOf(path: string): { readonly params?: ReturnType<typeof params> } {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return names.length === 0 ? {} : { params: params(...names) };
}

/** Shapes of replies. A number that the database gives for an `id` is written as text. */
export const id = { type: 'string', format: 'id' } as const;
export const string = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const money = {
  type: 'string',
  pattern: '^-?\\d+(\\.\\d+)?$',
  description: 'In the currency beside it, two decimals.',
} as const;
export const boolean = { type: 'boolean' } as const;
/** A day, which is the same in every time zone: YYYY-MM-DD. */
export const day = { type: 'string', description: 'YYYY-MM-DD' } as const;
export const date = { type: 'string', format: 'date-time' } as const;
/** Makes the JSON Schema of a value that may also be null. */
export const orNull = <const S extends { type: string }>(schema: S) => ({ ...schema, nullable: true }) as const;
/** Adds what people read about a value in the OpenAPI document. */
export const described = <const S extends object>(schema: S, description: string) => ({ ...schema, description });
/** Makes the JSON Schema of an array of these items. */
export const list = <const S>(items: S) => ({ type: 'array', items }) as const;

/** As written in the OpenAPI document of a route that asks for no bearer. */
export const openToAll = 'Needs: nothing.';
