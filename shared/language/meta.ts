import { documentSchemas, navigationEntry } from './documents.ts';
import { effectSchemas } from './effects.ts';
import { allowShort, byHead, plainEffects, shortBindings, shortCondition } from './meta-short.ts';
import { nodeSchemas } from './nodes.ts';
import { listsWithParts, partName, partUse, placeholder } from './part.ts';
import { binding, bindings, requires } from './primitives.ts';
import { replyShape } from './reply.ts';
import { conditionShape, requirement, requirementName } from './requirement.ts';

type Json = { readonly [key: string]: unknown };

const references: { readonly [title: string]: string } = {
  Node: 'node',
  Effect: 'effect',
  Requires: 'requires',
  Condition: 'condition',
  Entry: 'entry',
  Binding: 'binding',
  Bindings: 'bindings',
  Reply: 'reply',
  OptionalNode: 'node-bell',
};

/** Replaces what a title stands for by a reference, so that any JSON Schema tool can follow the recursion. */
function link(schema: unknown, top = false): unknown {
  if (Array.isArray(schema)) return schema.map(item => link(item));
  if (schema === null || typeof schema !== 'object') return schema;
  const { title, description } = schema as { title?: unknown; description?: unknown };
  const reference = typeof title === 'string' && !top ? references[title] : undefined;
  if (reference) return { ...(description !== undefined && { description }), $ref: `#/$defs/${reference}` };
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'short' || typeof value !== 'object')
      .map(([key, value]) => {
        if (key === 'const' || key === 'enum') return [key, value];
        return [key, key === 'items' && listsWithParts.has(title) ? orPart(link(value)) : link(value)];
      }),
  );
}

/** An entry of a list, or a part in its place. */
const orPart = (entry: unknown): Json => ({
  if: { type: 'object', required: ['part'] },
  // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
  then: { $ref: '#/$defs/part-use' },
  else: entry,
});

/** Names of nodes and effects are never given. */
const fixed: ReadonlySet<string> = new Set(['type', 'do']);

/** A schema of a part, in which a placeholder may stand for any value. */
function withPlaceholders(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withPlaceholders);
  if (schema === null || typeof schema !== 'object') return schema;
  const orGiven = (value: unknown): Json => ({ anyOf: [withPlaceholders(value), { $ref: '#/$defs/given' }] });
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'const' || key === 'enum' || key === 'if') return [key, value];
      if (key === 'properties')
        return [
          key,
          Object.fromEntries(Object.entries(value).map(([name, own]) => [name, fixed.has(name) ? own : orGiven(own)])),
        ];
      const isValue = key === 'items' || (key === 'additionalProperties' && typeof value === 'object');
      return [key, isValue ? orGiven(value) : withPlaceholders(value)];
    }),
  );
}

/** The schema of part documents, and what it refers to, with what may be given in place of any value. */
function partSchema({ properties, $defs, ...rest }: Json): Json {
  const own = properties as Json;
  const given = {
    type: 'string',
    pattern: placeholder,
    description: 'What is given: part.<name>, or {part.<name>} inside a name or address.',
  };
  const body = Object.fromEntries(
    ['data', 'state', 'children', 'entries'].map(name => [name, withPlaceholders(own[name])]),
  );
  const defs = Object.entries($defs as Json).map(([name, schema]) => [name, withPlaceholders(schema)]);
  return { ...rest, properties: { ...own, ...body }, $defs: { ...Object.fromEntries(defs), given } };
}

/** One of several shapes by the value of one property; editors then complete that property and what belongs to it. */
function byProperty(
  property: string,
  schemas: { readonly [name: string]: { readonly description: string } },
  prefix: string,
  others: Json = {},
): Json {
  const names = Object.keys(schemas);
  return {
    type: 'object',
    required: [property],
    properties: {
      ...others,
      [property]: { anyOf: names.map(name => ({ const: name, description: schemas[name]?.description })) },
    },
    allOf: names.map(name => ({
      if: { required: [property], properties: { [property]: { const: name } } },
      // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
      then: { $ref: `#/$defs/${prefix}${name}` },
    })),
  };
}

/** As `byProperty`, or by the head: one name that is a type, where no other one that is has it as a property. */
function byHeadOrProperty(
  property: string,
  schemas: { readonly [name: string]: { readonly description: string; readonly properties?: unknown } },
  prefix: string,
): Json {
  const heads = Object.keys(byHead(schemas as typeof nodeSchemas, property));
  const long = byProperty(property, schemas, prefix) as { properties: Json; allOf: Json[] };
  const hasProperty = (type: string, name: string) =>
    Object.hasOwn((schemas[type]?.properties ?? {}) as object, name) && type !== name;
  return {
    type: 'object',
    anyOf: [property, ...heads].map(name => ({ required: [name] })),
    properties: {
      ...long.properties,
      ...Object.fromEntries(heads.map(name => [name, { description: schemas[name]?.description }])),
    },
    allOf: [
      ...long.allOf,
      ...heads.map(name => ({
        if: {
          required: [name],
          not: {
            anyOf: [property, ...heads.filter(other => hasProperty(other, name))].map(other => ({ required: [other] })),
          },
        },
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: { $ref: `#/$defs/short-${prefix}${name}` },
      })),
    ],
  };
}

const plainEffect = { enum: plainEffects, description: 'An effect that needs nothing besides its name.' } as const;

function definitions(): Json {
  const entries = (prefix: string, schemas: object): [string, unknown][] =>
    Object.entries(schemas).map(([name, schema]) => [`${prefix}${name}`, link(schema, true)]);
  return Object.fromEntries([
    ['node', byProperty('type', nodeSchemas, 'node-', { part: partName })],
    ['effect', byProperty('do', effectSchemas, 'effect-')],
    ['requires', link({ description: requires.description, anyOf: [requirementName, requirement] }, true)],
    ['condition', link({ ...conditionShape, description: 'A test over data.' }, true)],
    ['entry', link(navigationEntry, true)],
    ['binding', link(binding, true)],
    ['bindings', link(bindings, true)],
    ['reply', link(replyShape, true)],
    ['part-use', link(partUse, true)],
    ...entries('node-', nodeSchemas),
    ...entries('effect-', effectSchemas),
  ]);
}

/** As above with the short forms of each. */
function shortDefinitions(): Json {
  const entries = (prefix: string, schemas: object): [string, unknown][] =>
    Object.entries(schemas).map(([name, schema]) => [`${prefix}${name}`, link(allowShort(schema), true)]);
  return {
    ...definitions(),
    node: byHeadOrProperty('type', nodeSchemas, 'node-'),
    effect: { anyOf: [byHeadOrProperty('do', effectSchemas, 'effect-'), plainEffect] },
    condition: link(shortCondition, true),
    bindings: link(shortBindings, true),
    ...Object.fromEntries([
      ...entries('', { entry: navigationEntry }),
      ...entries('node-', nodeSchemas),
      ...entries('effect-', effectSchemas),
      ...entries('short-node-', byHead(nodeSchemas, 'type')),
      ...entries('short-effect-', byHead(effectSchemas, 'do')),
    ]),
  };
}

/** Makes the JSON Schema of each kind of document in its long form, self-contained. */
export const metaSchemas = (): MetaSchemas => schemasWith(schema => schema, definitions());

/**
 * Makes the JSON Schema of each kind of document as people write it, short forms included, for completion in editors.
 */
export const writtenMetaSchemas = (): MetaSchemas => schemasWith(allowShortDocument, shortDefinitions());

type MetaSchemas = { readonly [kind in keyof typeof documentSchemas]: Json };

const textsOfArea = {
  type: 'string',
  pattern: '^[a-z][A-Za-z0-9-]*$',
  description: 'Area whose texts are found by name, where it is another than the folder.',
} as const;

/** A document may leave out its id, and say in which area its texts are. */
function allowShortDocument(schema: Json): Json {
  const { required, properties, ...rest } = allowShort(schema) as Json & { required: string[]; properties: Json };
  if (!Object.hasOwn(properties ?? {}, 'id')) return { required, properties, ...rest };
  return {
    ...rest,
    required: required.filter(name => name !== 'id'),
    properties: { ...properties, texts: textsOfArea },
  };
}

function schemasWith(of: (schema: Json) => Json, $defs: Json): MetaSchemas {
  const kinds = Object.entries(documentSchemas).map(([kind, schema]) => {
    const linked = link(of(schema), true) as Json;
    return [
      kind,
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        title: `Layout language: ${kind}`,
        ...linked,
        $defs: used(linked, $defs),
      },
    ];
  });
  const all = Object.fromEntries(kinds);
  return { ...all, part: partSchema(all.part) };
}

/** Of the definitions those that a schema reaches. */
function used(schema: unknown, all: Json): Json {
  const found = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference === 'string') {
      const name = reference.slice('#/$defs/'.length);
      if (!found.has(name)) {
        found.set(name, all[name]);
        visit(all[name]);
      }
    }
    for (const item of Object.values(value)) visit(item);
  };
  visit(schema);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
