import { effectSchemas } from './effects.ts';
import type { nodeSchemas } from './nodes.ts';
import { bindings, path } from './primitives.ts';
import { conditionShape } from './requirement.ts';
import type { Short } from './short.ts';

type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

const none = { const: false, description: 'There is none, in place of what is known without it.' } as const;

/** Gives a JSON Schema of the language that also allows the short forms, for editors. */
export function allowShort(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(allowShort);
  if (!isObject(schema)) return schema;
  const { short, ...long } = schema as Json & { readonly short?: Short };
  const inner: Json = Object.fromEntries(
    Object.entries(long).map(([key, value]) => [key, key === 'const' || key === 'enum' ? value : allowShort(value)]),
  );
  const relaxed = inner.type === 'object' ? relax(inner, short ?? {}) : inner;
  if (long.title === 'Effects') return { anyOf: [relaxed, { title: 'Effect' }], description: long.description };
  if (long.title === 'Nodes' && short?.bare !== undefined) return withStrings(relaxed);
  return short?.bare === undefined ? relaxed : { anyOf: [propertyOf(relaxed, short.bare), relaxed] };
}

const propertyOf = (schema: Json, name: string): unknown => (schema.properties as Json)[name];

/** A list of nodes in which the name of a field stands for a field. */
const withStrings = (schema: Json): Json => ({
  ...schema,
  items: { anyOf: [{ type: 'string', description: 'The name of a field.' }, schema.items] },
});

/** An object that may leave out what is known without it, or say that there is none. */
function relax(schema: Json, { defaults = {}, pair, ofRow }: Short): Json {
  const properties = Object.fromEntries(
    Object.entries((schema.properties ?? {}) as Json).map(([name, property]) => [
      name,
      Object.hasOwn(defaults, name) ? { anyOf: [property, none] } : property,
    ]),
  );
  const on = properties.on as { readonly properties?: Json } | undefined;
  const press = on?.properties?.press;
  if (press) properties.press = press;
  if (ofRow !== undefined)
    properties[ofRow] = { anyOf: [properties[ofRow], { type: 'string', description: 'A field of the row.' }] };
  const dropped = new Set([...Object.keys(defaults), ...(pair ?? []), ...(press ? ['on'] : [])]);
  const required = ((schema.required ?? []) as string[]).filter(name => !dropped.has(name));
  return {
    ...schema,
    ...(schema.properties !== undefined && { properties }),
    ...(schema.required !== undefined && { required }),
    ...(pair && {
      additionalProperties: properties[pair[1]],
      propertyNames: { anyOf: [{ enum: Object.keys(properties) }, properties[pair[0]]] },
    }),
  };
}

/**
 * Makes the JSON Schemas of nodes or effects in short form, where the type is written as a property (`"heading":
 * "a.title"`) instead of as `type` or `do`.
 */
export function byHead(
  schemas: typeof nodeSchemas | typeof effectSchemas,
  word: string,
): Readonly<Record<string, Json>> {
  const written = Object.entries(schemas as Readonly<Record<string, Json & { readonly short?: Short }>>);
  const own = Object.fromEntries(
    written.flatMap(([type, schema]) => {
      const head = schema.short?.head;
      if (head === undefined) return [];
      const relaxed = allowShort(schema) as Json;
      const { [word]: _, [head]: first, ...others } = relaxed.properties as Json;
      const { pattern } = first as { readonly pattern?: string };
      const isOptional = schema.short?.unlessOptional !== undefined && pattern !== undefined;
      const required = (relaxed.required as string[]).filter(name => name !== word && name !== head);
      return [
        [
          type,
          {
            ...relaxed,
            required: [type, ...required],
            properties: {
              [type]: isOptional ? { ...(first as Json), pattern: pattern.replace(/\$$/, '\\??$') } : first,
              ...others,
            },
          },
        ],
      ];
    }),
  );
  const others = written.flatMap(([type, { short }]) => {
    const { name, with: beside } = short?.otherHead ?? {};
    if (name === undefined || beside === undefined) return [];
    return [[name, { anyOf: [own[name], calledOtherwise(own[type] as Json, type, name, beside)] }]] as const;
  });
  const called = written.flatMap(([type, { short }]) => {
    const property = short?.calledBy;
    if (property === undefined) return [];
    const { [type]: first, ...properties } = (own[type] as Json).properties as Json;
    const required = ((own[type] as Json).required as string[]).filter(one => one !== type);
    const head = String(short?.head);
    return [
      [property, { ...own[type], required: [property, ...required], properties: { [head]: first, ...properties } }],
    ] as const;
  });
  return { ...own, ...Object.fromEntries([...others, ...called]) };
}

/** A type that is written by the head of another one. */
function calledOtherwise(schema: Json, type: string, name: string, beside: readonly string[]): Json {
  const { [type]: head, ...others } = schema.properties as Json;
  const required = (schema.required as string[]).filter(one => one !== type);
  return {
    ...schema,
    required: [name, ...required],
    anyOf: beside.map(one => ({ required: [one] })),
    properties: { [name]: head, ...others },
  };
}

const paths = { anyOf: [path, { type: 'array', minItems: 1, items: path }] } as const;

const { path: _path, not: _not, all: _all, any: _any, ...comparisons } = conditionShape.properties;

/** What is tested of the value at a path. */
const comparison = { type: 'object', minProperties: 1, additionalProperties: false, properties: comparisons } as const;

/** A condition, long or short. */
export const shortCondition = {
  ...conditionShape,
  description: 'A test over data.',
  properties: {
    ...conditionShape.properties,
    given: { ...paths, description: 'Paths that must have a value.' },
    empty: { anyOf: [{ type: 'boolean' }, paths], description: 'Paths that must have none.' },
  },
  patternProperties: {
    [path.pattern]: {
      description:
        'The value that must stand there, one of those that may, or another comparison, as { "atLeast": 1 }.',
      anyOf: [{ type: ['string', 'number', 'boolean', 'null', 'array'] }, comparison],
    },
  },
} as const;

/** A word that a parameter takes; which there are is the checker's to know. */
const word = { type: 'string', pattern: '^-?[A-Za-z][A-Za-z0-9-]*$' } as const;

const { title: _, additionalProperties: bound, ...named } = bindings;
const byName = { ...named, additionalProperties: { anyOf: [bound, word] } } as const;

/** Bindings, by name or as a list. */
export const shortBindings = {
  description: `${bindings.description} In a list each path gives the parameter of its last name.`,
  anyOf: [byName, { type: 'array', items: { anyOf: [path, byName] } }],
} as const;

/** Effects that need nothing besides their name. */
export const plainEffects: readonly string[] = Object.entries(effectSchemas).flatMap(([name, { required }]) =>
  required.length === 1 ? [name] : [],
);
