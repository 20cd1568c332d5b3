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
/** The part of JSON Schema that says what may be sent. */
export type BodySchema = ReplySchema & {
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly readOnly?: boolean;
};
/** The schema of a parameter of a call, as far as operations say it too. */
export type ParameterSchema = {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};
export type Parameter = {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: ReplySchema & ParameterSchema;
};
export type Response = { readonly content?: { readonly [type: string]: { readonly schema?: ReplySchema } } };
export type Call = {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  /** A body is described in the same form as a reply. */
  readonly requestBody?: Response;
  readonly responses?: { readonly [status: string]: Response };
};
type PathItem = { readonly parameters?: readonly Parameter[] } & { readonly [method: string]: Call };
/** An OpenAPI description, as far as operations say the same. */
export type OpenApi = {
  readonly paths: { readonly [path: string]: PathItem };
  /** Sentences that name each part that could not be read. */
  readonly unread: Set<string>;
};
