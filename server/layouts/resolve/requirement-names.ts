import { documentSchemas } from '../../../shared/language/documents.ts';
import { openToAnyone } from '../../../shared/language/reply.ts';
import type { Requirement, WrittenRequirement } from '../../../shared/language/types.ts';
import { type Schema, schemaOf } from '../names/schema.ts';
import type { AskedRequirements, RequirementNames, ResolveRequirement } from '../names/scope.ts';
import type { LongDocument } from '../names/source.ts';
import { mapChanged } from './map-changed.ts';

/**
 * Makes the lookup of requirement names from access.json, with their meanings resolved.
 * @param asked gets the names that other names mean
 */
export function createRequirementNames(access: LongDocument | undefined, asked: AskedRequirements): RequirementNames {
  const written = (access?.json.requirements ?? {}) as Readonly<Record<string, WrittenRequirement>>;
  const meanings = new Map<string, Requirement>();
  const circular = new Set<string>();
  const names = new WeakMap<Requirement, string>();

  const meaningOf = (name: string, above: readonly string[], used: Set<string>): Requirement | undefined => {
    if (above.includes(name)) circular.add(name);
    if (above.includes(name) || !Object.hasOwn(written, name)) return undefined;
    const meaning = meanings.get(name) ?? resolvePart(written[name] as WrittenRequirement, [...above, name], used);
    meanings.set(name, meaning);
    return meaning;
  };
  const resolvePart = (part: WrittenRequirement, above: readonly string[], used: Set<string>): Requirement => {
    if (typeof part === 'string') return resolveName(part, above, used);
    if (part === null || typeof part !== 'object') return part;
    const changed = (['all', 'any'] as const).flatMap(key => {
      const list: readonly WrittenRequirement[] | undefined = part[key];
      if (!Array.isArray(list)) return [];
      const parts = list.map(item => resolvePart(item, above, used));
      return parts.some((item, index) => item !== list[index]) ? [[key, parts] as const] : [];
    });
    return (changed.length === 0 ? part : { ...part, ...Object.fromEntries(changed) }) as Requirement;
  };
  const resolveName = (name: string, above: readonly string[], used: Set<string>): Requirement => {
    used.add(name);
    const meaning: unknown = meaningOf(name, above, used) ?? name;
    if (meaning === null || typeof meaning !== 'object') return meaning as Requirement;
    const own = { ...meaning };
    names.set(own, name);
    return own;
  };

  for (const name of Object.keys(written)) meaningOf(name, [], asked.used);
  return {
    meanings,
    circular,
    nameOf: requirement => names.get(requirement),
    resolver:
      ({ used, all }) =>
      requirement => {
        const own = resolvePart(requirement, [], used);
        all.push(own);
        return own;
      },
  };
}

/** Gives a document with its requirement names replaced by what they mean; the same object when it has none. */
export function resolveRequirements(source: LongDocument, resolve: ResolveRequirement): LongDocument {
  // Its own requirements are the meanings.
  if (source.kind === 'access') return source;
  const json = resolveIn(documentSchemas[source.kind] as Schema, source.json, resolve) as LongDocument['json'];
  return json === source.json ? source : { ...source, json };
}

/** Gives the declaration of an operation's or command's reply with requirement names replaced by what they mean. */
export function resolveReply(reply: unknown, resolve: ResolveRequirement): unknown {
  if (Array.isArray(reply)) return mapChanged(reply, item => resolveReply(item, resolve));
  if (reply === null || typeof reply !== 'object') return reply;
  const isRecord = !['kind', 'map', 'of'].some(name => Object.hasOwn(reply, name));
  if (isRecord) return mapChanged(reply, item => resolveReply(item, resolve));
  return mapChanged(reply, (item, name) => {
    if (name === 'requires' && item !== openToAnyone) return resolve(item as WrittenRequirement);
    if (name === 'map') return resolveReply(item, resolve);
    if (name !== 'of' || Object.hasOwn(reply, 'kind')) return item;
    // What stands in "of" are fields, whatever they are called.
    return item === null || typeof item !== 'object' ? item : mapChanged(item, field => resolveReply(field, resolve));
  });
}

function resolveIn(given: Schema, value: unknown, resolve: ResolveRequirement): unknown {
  if (given.title === 'Requires') return resolve(value as WrittenRequirement);
  if (given.title === 'Reply') return resolveReply(value, resolve);
  const schema = schemaOf(given, value);
  if (schema.anyOf) return schema.anyOf.reduce<unknown>((item, option) => resolveIn(option, item, resolve), value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return mapChanged(value, item => resolveIn(schema.items ?? {}, item, resolve));
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? additionalProperties : {};
  return mapChanged(value, (item, name) =>
    resolveIn(Object.hasOwn(properties, name) ? (properties[name] as Schema) : others, item, resolve),
  );
}
