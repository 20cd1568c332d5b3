import { documentSchemas } from '../../../shared/language/documents.ts';
import { openToAnyone } from '../../../shared/language/reply.ts';
import type { Requirement, WrittenRequirement } from '../../../shared/language/types.ts';
import { type Schema, schemaOf } from '../check/shape.ts';
import type { Source } from '../load/load.ts';
import type { RequirementNames } from './scope.ts';

export function createRequirementNames(access: Source | undefined): RequirementNames {
  const written = (access?.json.requirements ?? {}) as Readonly<Record<string, WrittenRequirement>>;
  const meanings = new Map<string, Requirement>();
  const circular = new Set<string>();
  const used = new Set<string>();
  const resolved: Requirement[] = [];
  const names = new WeakMap<Requirement, string>();

  const meaningOf = (name: string, above: readonly string[]): Requirement | undefined => {
    if (above.includes(name)) circular.add(name);
    if (above.includes(name) || !Object.hasOwn(written, name)) return undefined;
    const meaning = meanings.get(name) ?? resolvePart(written[name] as WrittenRequirement, [...above, name]);
    meanings.set(name, meaning);
    return meaning;
  };
  const resolvePart = (part: WrittenRequirement, above: readonly string[]): Requirement => {
    if (typeof part === 'string') return resolveName(part, above);
    if (part === null || typeof part !== 'object') return part;
    const changed = (['all', 'any'] as const).flatMap(key => {
      const list: readonly WrittenRequirement[] | undefined = part[key];
      if (!Array.isArray(list)) return [];
      const parts = list.map(item => resolvePart(item, above));
      return parts.some((item, index) => item !== list[index]) ? [[key, parts] as const] : [];
    });
    return (changed.length === 0 ? part : { ...part, ...Object.fromEntries(changed) }) as Requirement;
  };
  const resolveName = (name: string, above: readonly string[]): Requirement => {
    used.add(name);
    const meaning: unknown = meaningOf(name, above) ?? name;
    if (meaning === null || typeof meaning !== 'object') return meaning as Requirement;
    const own = { ...meaning };
    names.set(own, name);
    return own;
  };

  for (const name of Object.keys(written)) meaningOf(name, []);
  return {
    meanings,
    circular,
    used,
    resolved,
    nameOf: requirement => names.get(requirement),
    resolve(requirement) {
      const own = resolvePart(requirement, []);
      resolved.push(own);
      return own;
    },
  };
}

/** A document with the names of its requirements resolved. What has none is left as it is. */
export function resolveRequirements(source: Source, names: RequirementNames): Source {
  // Its own requirements are the meanings.
  if (source.kind === 'access') return source;
  const json = resolveIn(documentSchemas[source.kind] as Schema, source.json, names) as Source['json'];
  return json === source.json ? source : { ...source, json };
}

/** What an operation or command declares of its reply, with the names of its requirements resolved. */
export function resolveReply(reply: unknown, names: RequirementNames): unknown {
  if (Array.isArray(reply)) return mapChanged(reply, item => resolveReply(item, names));
  if (reply === null || typeof reply !== 'object') return reply;
  const isRecord = !['kind', 'map', 'of'].some(name => Object.hasOwn(reply, name));
  if (isRecord) return mapChanged(reply, item => resolveReply(item, names));
  return mapChanged(reply, (item, name) => {
    if (name === 'requires' && item !== openToAnyone) return names.resolve(item as WrittenRequirement);
    if (name === 'map') return resolveReply(item, names);
    if (name !== 'of' || Object.hasOwn(reply, 'kind')) return item;
    // What stands in "of" are fields, whatever they are called.
    return item === null || typeof item !== 'object' ? item : mapChanged(item, field => resolveReply(field, names));
  });
}

/** A list or object with each item in its changed form; itself where none changes. */
function mapChanged(value: object, change: (item: unknown, name: string) => unknown): unknown {
  const entries = Object.entries(value).map(([name, item]) => [name, change(item, name), item] as const);
  if (entries.every(([, now, item]) => now === item)) return value;
  if (Array.isArray(value)) return entries.map(([, now]) => now);
  return { ...value, ...Object.fromEntries(entries) };
}

function resolveIn(given: Schema, value: unknown, names: RequirementNames): unknown {
  if (given.title === 'Requires') return names.resolve(value as WrittenRequirement);
  if (given.title === 'Reply') return resolveReply(value, names);
  const schema = schemaOf(given, value);
  if (schema.anyOf) return schema.anyOf.reduce<unknown>((item, option) => resolveIn(option, item, names), value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return mapChanged(value, item => resolveIn(schema.items ?? {}, item, names));
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? additionalProperties : {};
  return mapChanged(value, (item, name) =>
    resolveIn(Object.hasOwn(properties, name) ? (properties[name] as Schema) : others, item, names),
  );
}
