import type { Operation } from '../../shared/language/types.ts';

/** The part of JSON Schema that says what comes back. */
export type ReplySchema = {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: ReplySchema };
  readonly additionalProperties?: ReplySchema | boolean;
  readonly items?: ReplySchema;
  readonly anyOf?: readonly ReplySchema[];
  readonly oneOf?: readonly ReplySchema[];
  readonly allOf?: readonly ReplySchema[];
};
/** What may be given to a call, as far as operations say it too. */
export type ParameterSchema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};
type Call = {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: ParameterSchema;
  }[];
  readonly responses?: {
    readonly [status: string]: { readonly content?: { readonly [type: string]: { readonly schema?: ReplySchema } } };
  };
};
/** An OpenAPI description, as far as operations say the same. */
export type OpenApi = { readonly paths: { readonly [path: string]: { readonly [method: string]: Call } } };

/** A reply in the notation of operations, before anything says who may have it. */
export type Notation = string | readonly [Notation] | { readonly [name: string]: unknown };

const stringKinds: Readonly<Record<string, string>> = {
  id: 'id',
  'date-time': 'time',
  date: 'day',
  email: 'email',
  'cloud-email': 'email',
  'cloud-phone': 'phone',
  'cloud-domain': 'domain',
  hostname: 'domain',
  uri: 'url',
  'uri-reference': 'url',
  html: 'html',
};

/** The cloud's words for an amount of money. */
const isMoney = ({ description = '' }: ReplySchema): boolean => description.startsWith('In the currency ');

function kindOf(schema: ReplySchema): string {
  if (isMoney(schema)) return 'money';
  if (schema.type === 'boolean') return 'yes-no';
  if (schema.type === 'integer') return 'count';
  if (schema.type === 'number') return 'number';
  return stringKinds[schema.format ?? ''] ?? 'text';
}

/** A schema with what it says in parts. */
function whole({ allOf = [], anyOf = [], oneOf = [], ...schema }: ReplySchema): ReplySchema {
  const parts = [schema, ...[...allOf, ...anyOf, ...oneOf].map(whole)];
  if (parts.length === 1) return schema;
  const properties = Object.assign({}, ...parts.map(part => part.properties ?? {}));
  // Of alternatives no field is sure to be there.
  const sure = anyOf.length + oneOf.length > 0 ? [schema] : parts;
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    required: sure.flatMap(({ required = [] }) => required),
  };
}

/** Writes the JSON Schema of a cloud's reply in the notation in which operations declare their reply. */
export function notationOf(described: ReplySchema, mayBeAbsent = false): Notation {
  const schema = whole(described);
  const optional = mayBeAbsent || schema.nullable === true;
  if (schema.items) {
    const list = [notationOf(schema.items)] as const;
    return optional ? { of: list, optional } : list;
  }
  if (schema.properties && Object.keys(schema.properties).length > 0) {
    const { properties, required = [] } = schema;
    const fields = Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [name, notationOf(field, !required.includes(name))]),
    );
    if (optional) return { of: fields, optional };
    return ['kind', 'map', 'of'].some(name => Object.hasOwn(fields, name)) ? { of: fields } : fields;
  }
  if (schema.additionalProperties) {
    const { additionalProperties: item } = schema;
    return { map: item === true ? 'text?' : notationOf(item), ...(optional && { optional }) };
  }
  const sign = optional ? '?' : '';
  const codes = schema.enum?.filter(value => typeof value === 'string' || typeof value === 'number');
  return codes && codes.length > 0 ? { kind: `code${sign}`, of: codes } : `${kindOf(schema)}${sign}`;
}

/** Lists the method and path of an operation: its own, then those that it has for other callers (`elsewhere`). */
export const placesOf = ({ method, path, elsewhere = [] }: Operation): readonly { method: string; path: string }[] => [
  { method, path },
  ...elsewhere.map(place => ({ method: place.method ?? method, path: place.path })),
];

const nameless = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');

/** Finds a call in an OpenAPI description by method and path; the names of the path's parameters may differ. */
export const callAt = ({ paths }: OpenApi, method: string, path: string): Call | undefined =>
  Object.entries(paths).find(([other]) => nameless(other) === nameless(path))?.[1][method.toLowerCase()];

export type DescribedReply = { readonly result: ReplySchema | undefined; readonly hasEnvelope: boolean };

/** What an OpenAPI description says of the reply of a call; undefined where it does not offer the call. */
export function replyAt(openApi: OpenApi, method: string, path: string): DescribedReply | undefined {
  const call = callAt(openApi, method, path);
  if (!call) return undefined;
  const done = Object.entries(call.responses ?? {}).find(([status]) => status.startsWith('2'))?.[1];
  const schema = done?.content?.['application/json']?.schema;
  const hasEnvelope = schema?.properties?.Succeed !== undefined || !schema?.properties;
  return { result: hasEnvelope ? schema?.properties?.Result : schema, hasEnvelope };
}
