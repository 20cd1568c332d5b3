import type { Operation } from '../../shared/language/types.ts';
import type { BodySchema, Call, OpenApi, Parameter, ReplySchema, Response } from './open-api-types.ts';
import { follow, resolveSchema } from './resolve-schema.ts';

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
  const nullable = schema.nullable ?? parts.some(part => part.nullable);
  // Of alternatives no field is sure to be there.
  const sure = anyOf.length + oneOf.length > 0 ? [schema] : parts;
  return {
    ...Object.assign({}, ...parts),
    ...(Object.keys(properties).length > 0 && { properties }),
    nullable,
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

/** A path without the names of its parameters. */
export const nameless = (path: string): string => path.replace(/\{[^{}]*\}/g, '{}');
const none: ReadonlySet<string> = new Set();

/**
 * Finds a call in an OpenAPI description by method and path, with the parameters of its path; the names of the path's
 * parameters may differ.
 */
export function callAt(openApi: OpenApi, method: string, path: string): Call | undefined {
  const [, described] = Object.entries(openApi.paths).find(([other]) => nameless(other) === nameless(path)) ?? [];
  const item = follow(openApi, described, none).value;
  const call = follow(openApi, item?.[method.toLowerCase()], none).value;
  if (!item || !call) return undefined;
  const parameters = new Map<string, Parameter>();
  for (const given of [...(item.parameters ?? []), ...(call.parameters ?? [])]) {
    const parameter = follow(openApi, given, none).value;
    if (!parameter?.name) continue;
    const schema = resolveSchema(openApi, parameter.schema ?? {}, `${method} ${path}, parameter ${parameter.name}`);
    // A parameter of the call replaces one of its path with the same name.
    parameters.set(`${parameter.in} ${parameter.name}`, { ...parameter, schema: whole(schema ?? {}) });
  }
  return { ...call, parameters: [...parameters.values()] };
}

/** Lists the calls of an OpenAPI description, such as "GET /api/orders". */
export const callsOf = (openApi: OpenApi): string[] =>
  Object.entries(openApi.paths).flatMap(([path, described]) =>
    Object.keys(follow(openApi, described, none).value ?? {}).map(method => `${method.toUpperCase()} ${path}`),
  );

export type DescribedReply = {
  readonly result: ReplySchema | undefined;
  readonly hasEnvelope: boolean;
  /** True where nothing is said of what comes back, though something does. */
  readonly isSilent: boolean;
};

/** True for JSON, whatever parameters or suffix its media type has (RFC 6839). */
const isJson = (type: string): boolean =>
  /^(?:application\/(?:[\w.+-]+\+)?json|text\/json|\*\/\*)$/.test(type.split(';')[0]?.trim().toLowerCase() ?? '');

/** The JSON Schema of what is sent or comes back as JSON, in the words of OpenAPI 3.0. */
function jsonSchemaOf(openApi: OpenApi, described: Response | undefined, where: string): ReplySchema | undefined {
  const content = follow(openApi, described, none).value?.content ?? {};
  const [, media] = Object.entries(content).find(([type]) => isJson(type)) ?? [];
  const resolved = resolveSchema(openApi, media?.schema, where);
  return resolved && whole(resolved);
}

/** Gives the JSON Schema of the body of a call; undefined where it takes no JSON. */
export function bodyAt(openApi: OpenApi, method: string, path: string): BodySchema | undefined {
  const body = jsonSchemaOf(openApi, callAt(openApi, method, path)?.requestBody, `The body of "${method} ${path}"`);
  const fields = Object.entries(body?.properties ?? {}).map(([name, field]) => [name, whole(field)]);
  return body && { ...body, properties: Object.fromEntries(fields) };
}

/** What an OpenAPI description says of the reply of a call; undefined where it does not offer the call. */
export function replyAt(openApi: OpenApi, method: string, path: string): DescribedReply | undefined {
  const call = callAt(openApi, method, path);
  if (!call) return undefined;
  const responses = Object.entries(call.responses ?? {}).sort(([one], [other]) => one.localeCompare(other));
  const [status, described] =
    responses.find(([status]) => status.startsWith('2')) ?? responses.find(([status]) => status === 'default') ?? [];
  const schema = jsonSchemaOf(openApi, described, `The reply of "${method} ${path}"`);
  const saysNothing =
    schema === undefined || (schema.type === 'object' && !schema.properties && !schema.additionalProperties);
  if (saysNothing) return { result: undefined, hasEnvelope: true, isSilent: status !== '204' };
  const hasEnvelope = schema.properties?.Succeed !== undefined;
  return { result: hasEnvelope ? schema.properties?.Result : schema, hasEnvelope, isSilent: false };
}
