import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { contentDisposition } from '../../../shared/rules/file-name.ts';
import type { Caller } from '../auth/caller.ts';
import type { Need } from '../auth/needs.ts';
import { inSavepoint } from '../savepoint.ts';
import type { Database, Write } from '../tables.ts';
import { ActWaits, type AskedCall } from './acts.ts';
import { type Cell, sendCsv } from './csv.ts';
import { idempotencyKey, once as runOnce } from './idempotency.ts';
import { created, done, replies, replyOfWaiting, succeed, WithMessage, waiting } from './reply.ts';
import { type App, openToAll, paramsOf, string } from './schema.ts';

/** Facts that the routes of an area have in common; `Permitted` is what `permit` gives to their handlers. */
type Common<Permitted> = {
  readonly tags: readonly string[];
  /** Absent: the routes are for everybody. */
  readonly needs?: Need;
  /** Refuses by throwing, after the request is validated and before the handler. */
  readonly permit?: (origin: Origin) => Promise<Permitted>;
};
type Origin = {
  readonly caller: Caller;
  /** True at the first of a route's addresses: that of the new service, and not of the monolith. */
  readonly isPlatform: boolean;
};

type Shape = {
  readonly needs?: Need;
  readonly summary?: string;
  readonly query?: JSONSchema;
  readonly body?: JSONSchema;
  /** Schema of the result in the envelope; absent: there is none, and the handler may give a message. */
  readonly reply?: object;
  /** Schema of the result where something is created: the status is 201. */
  readonly made?: object;
  /** Media type of the file that the handler gives instead. */
  readonly file?: keyof Files;
  /** True: the handler runs in one transaction, `trx`, and once for each press of a button. */
  readonly once?: true;
  /** True: what it does may need the approval of another person (`requireApproval`); it runs `once`, at one address. */
  readonly mayWait?: true;
  /** True: it takes the key of a press, which the handler looks at itself. */
  readonly takesPress?: true;
  /** Media types of the body, where it is not JSON. */
  readonly consumes?: readonly string[];
  /** Bytes of a body at most. */
  readonly bodyLimit?: number;
  /** True: a caller without a permissions record is answered too. */
  readonly withoutRecord?: true;
};

type Files = {
  'text/csv': { readonly name: string; readonly rows: readonly (readonly Cell[])[] };
  'application/pdf': { readonly name: string; readonly content: Uint8Array };
  'application/octet-stream': { readonly name: string; readonly bytes: number; readonly content: Readable };
};

/**
 * A method and an address, "GET /api/customers/:customerId"; or that of the new service and those of the monolith
 * (document 2, section 7).
 */
type Address = string | readonly [platform: string, ...monolith: string[]];
type PathIn<A extends Address> = A extends readonly [infer First extends string, ...string[]] ? First : A;
/** The names of the parameters in an address: "GET /api/a/:id/b/:key-:sub" → "id" | "key" | "sub". */
type NamesIn<Path> = string extends Path
  ? string
  : Path extends `${string}:${infer Name}/${infer Rest}`
    ? Name | NamesIn<Rest>
    : Path extends `${string}:${infer Name}-:${infer Rest}`
      ? Name | NamesIn<`:${Rest}`>
      : Path extends `${string}:${infer Name}`
        ? Name
        : never;

/** The type of what a schema lets through. */
export type TypeOf<S> = S extends JSONSchema ? FromSchema<S> : unknown;

type Call<A extends Address, S extends Shape, Permitted> = Origin & {
  readonly params: { readonly [name in NamesIn<PathIn<A>>]: string };
  readonly query: TypeOf<S['query']>;
  readonly body: TypeOf<S['body']>;
  readonly permitted: Permitted;
  readonly press: string | undefined;
  readonly trx: S extends { readonly once: true } ? Write : undefined;
};
type Given<S extends Shape> = S extends { readonly file: infer F extends keyof Files } ? Files[F] : unknown;

/**
 * Gives the function that adds routes which have this in common. What a handler gives is the result in the envelope, or,
 * where the route has none, the message that says what was done.
 */
export function routeAdder<Permitted = undefined>(app: App, db: Database, common: Common<Permitted>) {
  // Fastify would take the types of handlers from the schemas, which are generic here.
  const routes = app as unknown as FastifyInstance;

  return function route<const A extends Address, const S extends Shape>(
    address: A,
    shape: S,
    handle: (call: Call<A, S, Permitted>) => Promise<Given<S>> | Given<S>,
  ): void {
    const { needs = common.needs, once, mayWait, bodyLimit, withoutRecord } = shape;
    const [first = '', ...further] = typeof address === 'string' ? [address] : address;
    const [method = '', path = ''] = first.split(' ');
    if (mayWait)
      app.acts.routes.set(first, {
        isOpenTo: (caller, params) => needs?.isMet(caller, params as Record<string, string>) ?? true,
        async run(trx, caller, { params, query, body }) {
          const origin = { caller, isPlatform: true };
          const permitted = await common.permit?.(origin);
          await handle({ ...origin, params, query, body, permitted, press: undefined, trx } as Call<A, S, Permitted>);
        },
      });
    for (const [index, url] of [path, ...further].entries())
      routes.route({
        method,
        url,
        schema: schemaOf(url, common, shape),
        ...(needs && { config: { needs, ...(withoutRecord && { withoutRecord }) } }),
        ...(bodyLimit !== undefined && { bodyLimit }),
        async handler(request, answer) {
          const origin = { caller: request.signedIn, isPlatform: index === 0 };
          const permitted = await common.permit?.(origin);
          const { params, query, body } = request;
          const press = request.headers['idempotency-key'];
          const run = (trx?: Write) =>
            handle({ ...origin, params, query, body, permitted, press, trx } as Call<A, S, Permitted>);
          if (shape.made) answer.code(201);
          if (mayWait) {
            const asked = { route: first, params: params as object, query: query as object, body };
            const work = async (trx: Write) => envelope(shape, await run(trx));
            const reply = await runOnce(db, request, trx => orWaiting(app, trx, origin.caller, asked, () => work(trx)));
            if ('Waits' in reply) answer.code(202);
            return reply;
          }
          if (once) return await runOnce(db, request, async trx => envelope(shape, await run(trx)));
          const given = await run();
          return shape.file ? sendFile(answer, shape.file, given) : envelope(shape, given);
        },
      });
  };
}

/** Gives the reply of `work`; where that must wait for another person, takes back what it did and keeps the act. */
async function orWaiting(
  { acts }: App,
  trx: Write,
  caller: Caller,
  asked: AskedCall,
  work: () => Promise<object>,
): Promise<object> {
  const ended = await inSavepoint(trx, work, error => error instanceof ActWaits);
  if (!('refused' in ended)) return ended.result;
  return replyOfWaiting(await acts.keep(trx, caller, asked, (ended.refused as ActWaits).act));
}

function schemaOf(url: string, common: Common<unknown>, { file, made, reply, ...shape }: Shape): object {
  const { summary, query, body, once, mayWait, takesPress, consumes } = shape;
  const isOpen = (shape.needs ?? common.needs) === undefined;
  return {
    tags: common.tags,
    ...(isOpen && { description: openToAll }),
    ...(summary !== undefined && { summary }),
    ...(consumes && { consumes }),
    ...paramsOf(url),
    ...(query && { querystring: query }),
    ...(body && { body }),
    ...((once || takesPress) && { headers: idempotencyKey }),
    response: {
      ...(file ? { 200: { content: { [file]: { schema: string } } } } : made ? created(made) : replies(reply)),
      ...(mayWait && waiting),
    },
  };
}

function envelope({ made, reply = made }: Shape, given: unknown): object {
  if (reply !== undefined) return given instanceof WithMessage ? succeed(given.result, given.message) : succeed(given);
  return typeof given === 'string' ? done(given) : done();
}

function sendFile(answer: FastifyReply, type: keyof Files, given: unknown): FastifyReply {
  if (type === 'text/csv') {
    const { name, rows } = given as Files['text/csv'];
    return sendCsv(answer, name, rows);
  }
  if (type === 'application/octet-stream') {
    const { name, bytes, content } = given as Files['application/octet-stream'];
    return answer
      .headers({ 'content-disposition': contentDisposition(name), 'content-length': bytes })
      .type(type)
      .send(content);
  }
  const { name, content } = given as Files['application/pdf'];
  return answer
    .header('content-disposition', `attachment; filename="${name}.pdf"`)
    .type(type)
    .send(Buffer.from(content));
}
