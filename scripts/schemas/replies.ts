/** The part of an OpenAPI description that says what comes back. */
type ReplySchema = {
  readonly description?: string;
  readonly properties?: { readonly [name: string]: ReplySchema };
  readonly additionalProperties?: ReplySchema | boolean;
  readonly items?: ReplySchema;
  readonly anyOf?: readonly ReplySchema[];
  readonly oneOf?: readonly ReplySchema[];
  readonly allOf?: readonly ReplySchema[];
};
type Call = {
  readonly responses?: {
    readonly [status: string]: { readonly content?: { readonly [type: string]: { readonly schema?: ReplySchema } } };
  };
};
export type OpenApi = { readonly paths: { readonly [path: string]: { readonly [method: string]: Call } } };

/** Fields by name; "*" stands for any name. A list is described by its items. */
type Fields = { [name: string]: 'value' | 'money' | Fields };

/** The cloud's words for an amount of money. */
const isMoney = ({ description = '' }: ReplySchema): boolean => description.startsWith('In the currency ');

function describe(schema: ReplySchema): 'value' | 'money' | Fields {
  const fields: Fields = {};
  collect(schema, fields);
  if (Object.keys(fields).length > 0) return fields;
  return isMoney(schema) ? 'money' : 'value';
}

function collect(schema: ReplySchema, fields: Fields): void {
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) collect(part, fields);
  if (schema.items) collect(schema.items, fields);
  const named = Object.entries(schema.properties ?? {});
  if (schema.additionalProperties === true) named.push(['*', {}]);
  else if (schema.additionalProperties) named.push(['*', schema.additionalProperties]);
  for (const [name, inner] of named) {
    const own = describe(inner);
    const known = fields[name];
    fields[name] = typeof known === 'object' && typeof own === 'object' ? { ...known, ...own } : own;
  }
}

/** The fields of each call's reply, by method and path without the names of parameters, one call a line. */
export function describeReplies({ paths }: OpenApi): string {
  const lines = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, { responses = {} }]) => {
      const done = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
      const schema = done?.content?.['application/json']?.schema;
      const call = `${method.toUpperCase()} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
      return schema ? [`  ${JSON.stringify(call)}: ${JSON.stringify(describe(schema))}`] : [];
    }),
  );
  return `{\n${lines.sort().join(',\n')}\n}\n`;
}
