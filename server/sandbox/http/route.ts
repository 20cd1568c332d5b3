import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, preHandlerAsyncHookHandler } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Caller } from '../auth/caller.ts';
import type { Need } from '../auth/needs.ts';
import { done, replies, succeed } from './reply.ts';
import { type App, paramsOf } from './schema.ts';

type Shape = {
  readonly needs: Need;
  readonly tags: readonly string[];
  readonly summary?: string;
  readonly query?: JSONSchema;
  readonly body?: JSONSchema;
  /** Schema of the result in the envelope; absent: there is none, and the handler may give a message. */
  readonly reply?: object;
  /** Refuses by throwing, before the handler. */
  readonly permit?: preHandlerAsyncHookHandler;
};

/** The names of the parameters in an address: "/api/a/:id/b/:key" → "id" | "key". */
type NamesIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NamesIn<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

type Of<S> = S extends JSONSchema ? FromSchema<S> : unknown;
type Asked<Path extends string, S extends Shape> = {
  readonly caller: Caller;
  readonly params: { readonly [name in NamesIn<Path>]: string };
  readonly query: Of<S['query']>;
  readonly body: Of<S['body']>;
};

/**
 * Adds a route for callers who hold what it needs. What the handler gives is the result in the envelope, or, where the
 * route has none, the message that says what was done.
 */
export function route<Path extends string, const S extends Shape>(
  app: App,
  method: HTTPMethods & string,
  path: Path,
  { needs, permit, query, body, reply, tags, summary }: S,
  handle: (asked: Asked<Path, S>, reply: FastifyReply) => Promise<unknown>,
): void {
  // Fastify would take the types of handlers from the schemas, which are generic here.
  (app as unknown as FastifyInstance).route({
    method,
    url: path,
    config: { needs },
    ...(permit && { preHandler: permit }),
    schema: {
      tags,
      ...(summary !== undefined && { summary }),
      ...paramsOf(path),
      ...(query !== undefined && { querystring: query }),
      ...(body !== undefined && { body }),
      response: replies(reply),
    },
    async handler(request: FastifyRequest, answer) {
      const { signedIn: caller, params, query, body } = request;
      const given = await handle({ caller, params, query, body } as Asked<Path, S>, answer);
      if (reply !== undefined) return succeed(given);
      return typeof given === 'string' ? done(given) : done();
    },
  });
}
