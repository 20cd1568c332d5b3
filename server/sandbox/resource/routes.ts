import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteHandlerMethod } from 'fastify';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Need } from '../auth/needs.ts';
import { csvReply, sendCsv } from '../http/csv.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, id, integer, list, object, pageQuery, paramsOf, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Write } from '../tables.ts';
import { type Field, type List, type OperationName, type Resource, type Row, withoutRowType } from './declaration.ts';
import type { Path } from './owners.ts';
import { fieldOf, fieldsIn, type ListQuery, listRows, readRow, runVerb, writeRow } from './rows.ts';

/** Adds the routes (list, read, create, change, delete) of a resource, as far as it declares these operations. */
export function addResource<R>(app: App, { db, now }: Pick<Parts, 'db' | 'now'>, declared: Resource<R>): void {
  const resource = withoutRowType(declared);
  const { noun, tag, path, key, read, create, change, remove } = resource;
  const onePath = `${path}/:${key}`;
  // Schemas that are made here give no types to handlers.
  const routes = app as unknown as FastifyInstance;
  const add = (method: HTTPMethods, url: string, needs: Need, schema: object, handler: RouteHandlerMethod) =>
    routes.route({ method, url, config: { needs }, schema: { tags: [tag], ...paramsOf(url), ...schema }, handler });
  const write = (operation: OperationName, { signedIn: caller, params, body }: FastifyRequest, trx: Write) =>
    writeRow(resource, operation, { trx, caller, now: now(), body: (body ?? {}) as Row }, params as Path);

  for (const [at, list] of Object.entries({ [path]: resource.list, ...resource.lists })) {
    const narrowing = narrowingOf(resource, list);
    const { largestPage } = list;
    const paged = largestPage === undefined ? {} : { querystring: pageQuery(narrowing, largestPage) };
    const listed = { ...paged, response: replies(listSchema(resource, list)) };
    add('GET', at, list.needs, listed, async ({ signedIn: caller, params, query }) =>
      succeed(await listRows(db, resource, list, { caller, path: params as Path, query: query as ListQuery })),
    );
    if (list.csv === undefined) continue;
    const whole = { ...list, withoutTotal: true } as const;
    const fields = fieldsIn(resource, 'list');
    const narrowed = { querystring: { ...object(narrowing), required: [] }, response: csvReply };
    add('GET', `${at}/csv`, list.needs, narrowed, async ({ signedIn: caller, params, query }, reply) => {
      const seen = fields.filter(({ isFor }) => isFor?.(caller) ?? true).map(({ name }) => name);
      const asking = { caller, path: params as Path, query: query as ListQuery };
      const rows = (await listRows(db, resource, whole, asking)) as Row[];
      return sendCsv(reply, list.csv!, [seen, ...rows.map(row => seen.map(name => inCell(row[name])))]);
    });
  }

  if (create) {
    const body = bodySchema(resource, create.takes);
    const schema = { headers: idempotencyKey, body, response: created(object({ [key]: id })) };
    add('POST', path, create.needs, schema, async (request, reply) => {
      reply.code(201);
      return await once(db, request, async trx => succeed({ [key]: String((await write('create', request, trx)).id) }));
    });
  }
  if (read) {
    const response = replies(rowSchema(fieldsIn(resource, 'details')));
    add('GET', onePath, read.needs, { response }, async ({ signedIn, params }) =>
      succeed(await readRow(db, resource, signedIn, params as Path)),
    );
  }
  if (change) {
    const schema = { body: bodySchema(resource, change.takes), response: replies() };
    add('PUT', onePath, change.needs, schema, async request => {
      await db.transaction().execute(trx => write('change', request, trx));
      return done(`The ${noun} was saved.`);
    });
  }
  for (const [name, verb] of Object.entries(resource.verbs ?? {})) {
    const schema = { headers: idempotencyKey, response: replies() };
    add('POST', `${onePath}/${name}`, verb.needs, schema, request =>
      once(db, request, async trx => {
        await runVerb(resource, verb, { trx, caller: request.signedIn, now: now(), body: {} }, request.params as Path);
        return done(verb.said);
      }),
    );
  }
  if (remove) {
    const schema = { headers: idempotencyKey, response: replies() };
    add('DELETE', onePath, remove.needs, schema, request =>
      once(db, request, async trx => {
        await write('remove', request, trx);
        return done(`The ${noun} was deleted.`);
      }),
    );
  }
}

const inCell = (value: unknown): string | number => {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' ? value : String(value ?? '');
};

function listSchema(resource: Resource, { largestPage, withoutTotal, counts }: List): object {
  const items = list(rowSchema(fieldsIn(resource, 'list')));
  if (withoutTotal) return items;
  return object({
    Items: items as JSONSchema,
    Total: integer,
    ...(largestPage !== undefined && { TotalIsExact: boolean }),
    ...(counts && { Counts: object(Object.fromEntries(Object.keys(counts.values).map(name => [name, integer]))) }),
  });
}

function rowSchema(fields: readonly Field[]) {
  const required = fields.filter(({ isFor }) => isFor === undefined).map(({ name }) => name);
  return { ...object(Object.fromEntries(fields.map(({ name, shape = string }) => [name, shape]))), required };
}

/** The parameters that order and narrow a list. */
function narrowingOf({ fields }: Resource, { sort, filters }: List): Record<string, JSONSchema> {
  const sorts = fields.filter(field => field.sorts).flatMap(({ name }) => [name, `-${name}`]);
  return {
    ...(sorts.length > 0 && { sort: { enum: sorts, default: sort } }),
    ...(fields.some(field => field.searched) && { search: { ...text(200), default: '' } }),
    ...filters,
  };
}

function bodySchema(resource: Resource, takes: readonly string[]): object {
  const rules = takes.map(taken => {
    const { name, rule } = fieldOf(resource, taken);
    if (rule === undefined) throw new Error(`${name} of a ${resource.noun} has no rule.`);
    return [name, rule] as const;
  });
  return { ...object(Object.fromEntries(rules)), required: takes.filter(taken => !taken.endsWith('?')) };
}
