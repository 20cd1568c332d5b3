import { documentSchemas } from '../../../shared/language/documents.ts';
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

function resolveIn(given: Schema, value: unknown, names: RequirementNames): unknown {
  if (given.title === 'Requires') return names.resolve(value as WrittenRequirement);
  if (value === null || typeof value !== 'object') return value;
  const schema = schemaOf(given, value);
  if (schema.anyOf) return schema.anyOf.reduce<unknown>((item, option) => resolveIn(option, item, names), value);
  if (Array.isArray(value)) {
    const items = value.map(item => resolveIn(schema.items ?? {}, item, names));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const { properties = {}, additionalProperties } = schema;
  const others = typeof additionalProperties === 'object' ? additionalProperties : {};
  const changed = Object.entries(value).flatMap(([name, item]) => {
    const now = resolveIn(Object.hasOwn(properties, name) ? (properties[name] as Schema) : others, item, names);
    return now === item ? [] : [[name, now] as const];
  });
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) };
}
