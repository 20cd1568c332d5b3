import type { OpenApi, ReplySchema } from './open-api-types.ts';

type Json = Readonly<Record<string, unknown>>;

/** Parts of a description that one reply may have, once its references are followed. */
const mostParts = 5000;

/**
 * Follows `$ref` (RFC 6901, within the description) until something else stands there; what stands beside the reference
 * wins over what it leads to. Notes what leads nowhere or elsewhere.
 */
export function follow<T extends object>(openApi: OpenApi, value: T | undefined, seen: ReadonlySet<string>) {
  let found: Json | undefined = value as Json | undefined;
  const passed = new Set(seen);
  while (typeof found?.$ref === 'string') {
    const { $ref, ...beside } = found as Json & { readonly $ref: string };
    if (passed.has($ref)) return { isRing: true as const, passed };
    passed.add($ref);
    const target = $ref.startsWith('#') ? pointAt(openApi, $ref.slice(1)) : undefined;
    if (target === undefined) {
      openApi.unread.add(`"${$ref}" leads to nothing that the description has.`);
      return { passed };
    }
    found = { ...target, ...beside };
  }
  return { value: found as T | undefined, passed };
}

function pointAt(root: object, pointer: string): Json | undefined {
  const names = pointer.split('/').slice(1);
  const found = names.reduce<unknown>((at, name) => {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    return typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Json)[key] : undefined;
  }, root);
  return typeof found === 'object' && found !== null ? (found as Json) : undefined;
}

const isNull = ({ type, enum: values, const: only }: Json): boolean =>
  type === 'null' || only === null || (Array.isArray(values) && values.length === 1 && values[0] === null);

/** The types that alternatives are of, each once; a whole number is a number. */
const typesOf = (types: readonly unknown[]): readonly unknown[] => [
  ...new Set(types.filter(type => type !== undefined).map(type => (type === 'integer' ? 'number' : type))),
];
/** True for what is a text or a number, which the kind "id" may be. */
const isId = (types: readonly unknown[]): boolean =>
  types.length === 2 && types.every(type => type === 'string' || type === 'number');

/**
 * Gives a schema without references, in the words of OpenAPI 3.0: `nullable` in place of a type or an alternative "null".
 * A schema inside itself is cut off where it begins again. Notes what no contract can say.
 * @param where names the schema in notes
 */
export function resolveSchema(openApi: OpenApi, schema: ReplySchema | undefined, where: string) {
  let parts = 0;
  const note = (at: string, what: string) => openApi.unread.add(`${where}${at === '' ? '' : `, "${at}"`}: ${what}`);

  const resolve = (given: ReplySchema, at: string, seen: ReadonlySet<string>): ReplySchema | undefined => {
    parts += 1;
    if (parts > mostParts) {
      note('', `it has more than ${mostParts} parts.`);
      return undefined;
    }
    // A schema of 3.1 may be just true or false.
    if (typeof given !== 'object') return {};
    const { value, passed, isRing } = follow<ReplySchema>(openApi, given, seen);
    if (isRing) {
      note(at, 'it holds itself, and is left out where it begins again.');
      return undefined;
    }
    if (value === undefined) return undefined;
    const { type, enum: values, const: only, items, properties, additionalProperties, ...others } = value as Json;
    const types = (Array.isArray(type) ? type : [type]).filter(one => one !== 'null');
    const codes = (only === undefined ? values : [only]) as readonly unknown[] | undefined;
    let isNullable = value.nullable === true || (Array.isArray(type) && type.includes('null')) || isNull(value as Json);
    if (codes?.includes(null)) isNullable = true;

    const mixed = [...types];
    const alternatives = (['allOf', 'anyOf', 'oneOf'] as const).flatMap(name => {
      const all = value[name] ?? [];
      const others = all.filter(one => !isNull(one as Json));
      if (others.length < all.length) isNullable = true;
      const kept = others.flatMap(one => resolve(one, at, passed) ?? []);
      if (name !== 'allOf') mixed.push(...kept.map(one => one.type));
      // A single one that is left is what it is.
      return kept.length === 0 ? [] : [[kept.length === 1 ? 'allOf' : name, kept] as const];
    });
    const joined = { allOf: [] as ReplySchema[], anyOf: [] as ReplySchema[], oneOf: [] as ReplySchema[] };
    for (const [name, all] of alternatives) joined[name].push(...all);
    if (alternatives.some(([, all]) => all.some(one => one.nullable))) isNullable = true;
    const distinct = typesOf(mixed);
    if (isId(distinct)) return { format: 'id', nullable: isNullable };
    if (distinct.length > 1) {
      note(at, `it may be ${distinct.join(' or ')}, which no kind of value is. It is left out.`);
      return undefined;
    }

    const fields = Object.entries((properties ?? {}) as Record<string, ReplySchema>).flatMap(([name, field]) => {
      const inner = resolve(field, at === '' ? name : `${at}.${name}`, passed);
      return inner === undefined ? [] : [[name, inner] as const];
    });
    const [kind] = types;
    const isList = kind === 'array' || items !== undefined;
    const item = isList ? resolve((items ?? {}) as ReplySchema, at, passed) : undefined;
    if (isList && item === undefined) return undefined;
    const further = additionalProperties as ReplySchema | boolean | undefined;
    const rest = typeof further === 'object' ? (resolve(further, `${at}.*`, passed) ?? false) : further;
    return {
      ...(others as ReplySchema),
      ...(kind !== undefined && { type: String(kind) }),
      ...(codes && { enum: codes.filter(code => code !== null) }),
      ...(item && { items: item }),
      ...(properties !== undefined && { properties: Object.fromEntries(fields) }),
      ...(rest !== undefined && { additionalProperties: rest }),
      ...joined,
      nullable: isNullable,
    };
  };
  return schema && resolve(schema, '', new Set());
}
