type Json = { readonly [key: string]: unknown };

const prefix = '#/$defs/';
/** Shorter ones are no longer than a reference to them. */
const shortest = 100;

/** Rewrites the references below a value by `rename`, which is given the name of a definition. */
function renameReferences(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map(item => renameReferences(item, rename));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, below]) => [
      key,
      key === '$ref' && typeof below === 'string' && below.startsWith(prefix)
        ? `${prefix}${rename(below.slice(prefix.length))}`
        : renameReferences(below, rename),
    ]),
  );
}

const schemaKeys: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'if', 'then', 'else', 'not']);
const mapKeys: ReadonlySet<string> = new Set(['properties', 'patternProperties']);
const listKeys: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf']);

/** Gives a schema with `change` applied to each schema directly below it. */
function mapSchemas(schema: Json, change: (below: Json) => Json): Json {
  const changed = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value) ? change(value as Json) : value;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (schemaKeys.has(key)) return [key, changed(value)];
      if (listKeys.has(key) && Array.isArray(value)) return [key, value.map(changed)];
      if (!mapKeys.has(key)) return [key, value];
      return [key, Object.fromEntries(Object.entries(value as Json).map(([name, below]) => [name, changed(below)]))];
    }),
  );
}

/**
 * Moves the definitions of several JSON Schemas, and whatever they say more than once, into one set that they refer to
 * by the address of its file. Where two define a name otherwise, the second one's gets its own name in front.
 */
export function shareDefinitions(
  all: Readonly<Record<string, Json>>,
  file: string,
): { readonly schemas: Readonly<Record<string, Json>>; readonly shared: Json } {
  const definitions = new Map<string, Json>();
  const texts = new Map<string, string>();
  const bodies = Object.entries(all).map(([name, { $defs = {}, ...body }]) => {
    const own = $defs as Readonly<Record<string, Json>>;
    const differing = new Set(
      Object.entries(own).flatMap(([key, schema]) => {
        const text = JSON.stringify(schema);
        if (!texts.has(key)) texts.set(key, text);
        return texts.get(key) === text ? [] : [key];
      }),
    );
    // What refers to another definition is another definition.
    const referring = (schema: Json) =>
      [...JSON.stringify(schema).matchAll(/"#\/\$defs\/([^"]+)"/g)].some(([, key]) => differing.has(key ?? ''));
    for (let size = -1; size !== differing.size; ) {
      size = differing.size;
      for (const [key, schema] of Object.entries(own)) if (referring(schema)) differing.add(key);
    }
    const rename = (key: string): string => (differing.has(key) ? `${name}-${key}` : key);
    for (const [key, schema] of Object.entries(own))
      definitions.set(rename(key), renameReferences(schema, rename) as Json);
    return [name, renameReferences(body, rename) as Json] as const;
  });

  const counts = new Map<string, number>();
  const count = (schema: Json): Json => {
    const text = JSON.stringify(schema);
    const met = counts.get(text) ?? 0;
    counts.set(text, met + 1);
    return met === 0 ? mapSchemas(schema, count) : schema;
  };
  for (const schema of [...definitions.values(), ...bodies.map(([, body]) => body)]) mapSchemas(schema, count);

  const repeated = new Map<string, string>();
  const shared: Record<string, Json> = {};
  const share = (schema: Json): Json => {
    const text = JSON.stringify(schema);
    if (text.length < shortest || (counts.get(text) ?? 0) < 2) return mapSchemas(schema, share);
    let name = repeated.get(text);
    if (name === undefined) {
      name = `repeated-${repeated.size + 1}`;
      repeated.set(text, name);
      shared[name] = mapSchemas(schema, share);
    }
    return { $ref: `${prefix}${name}` };
  };
  for (const [name, schema] of definitions) shared[name] = mapSchemas(schema, share);
  const outside = (value: Json): Json =>
    JSON.parse(JSON.stringify(value).replaceAll(`"$ref":"${prefix}`, `"$ref":"${file}${prefix}`)) as Json;
  return {
    schemas: Object.fromEntries(bodies.map(([name, body]) => [name, outside(mapSchemas(body, share))])),
    shared,
  };
}
