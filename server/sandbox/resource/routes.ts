import type { FastifyInstance, FastifyRequest, HTTPMethods, RouteHandlerMethod } from 'fastify';
import type { JSONSchema } from 'json-schema-to-ts';
import type { Need } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, done, replies, succeed } from '../http/reply.ts';
import { type App, boolean, id, integer, list, object, pageQuery, params, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Write } from '../tables.ts';
import type { Field, OperationName, Resource, Row } from './declaration.ts';
import type { Path } from './owners.ts';
import { fieldOf, fieldsIn, type ListQuery, listRows, readRow, writeRow } from './rows.ts';

/** Adds the routes (list, read, create, change, delete) of a resource, as far as it declares these operations. */
export function addResource<R>(app: App, { db, now }: Pick<Parts, 'db' | 'now'>, declared: Resource<R>): void {
  const resource = declared as unknown as Resource;
  const { noun, tag, path, key, read, create, change, remove } = resource;
  const onePath = `${path}/:${key}`;
  // Schemas that are made here give no types to handlers.
  const routes = app as unknown as FastifyInstance;
  const add = (method: HTTPMethods, url: string, needs: Need, schema: object, handler: RouteHandlerMethod) =>
    routes.route({ method, url, config: { needs }, schema: { tags: [tag], ...paramsOf(url), ...schema }, handler });
  const write = (operation: OperationName, { signedIn: caller, params, body }: FastifyRequest, trx: Write) =>
    writeRow(resource, operation, { trx, caller, now: now(), body: (body ?? {}) as Row }, params as Path);

  const listed = { ...querySchema(resource), response: replies(listSchema(resource)) };
  add('GET', path, resource.list.needs, listed, async ({ signedIn, params, query }) =>
    succeed(await listRows(db, resource, signedIn, params as Path, query as ListQuery)),
  );

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

function listSchema(resource: Resource): object {
  const items = list(rowSchema(fieldsIn(resource, 'list')));
  const { largestPage, withoutTotal } = resource.list;
  if (withoutTotal) return items;
  const total = { Items: items as JSONSchema, Total: integer };
  return object(largestPage === undefined ? total : { ...total, TotalIsExact: boolean });
}

function rowSchema(fields: readonly Field[]) {
  const required = fields.filter(({ isFor }) => isFor === undefined).map(({ name }) => name);
  return { ...object(Object.fromEntries(fields.map(({ name, shape = string }) => [name, shape]))), required };
}

/** What the list may be asked: nothing where all rows come at once. */
function querySchema({ fields, list: { sort, filters, largestPage } }: Resource): { querystring?: object } {
  const sorts = fields.filter(field => field.sorts).flatMap(({ name }) => [name, `-${name}`]);
  const own = {
    ...(sorts.length > 0 && { sort: { enum: sorts, default: sort } }),
    ...(fields.some(field => field.searched) && { search: { ...text(200), default: '' } }),
    ...filters,
  };
  return largestPage === undefined ? {} : { querystring: pageQuery(own, largestPage) };
}

function bodySchema(resource: Resource, takes: readonly string[]): object {
  const rules = takes.map(taken => {
    const { name, rule } = fieldOf(resource, taken);
    if (rule === undefined) throw new Error(`${name} of a ${resource.noun} has no rule.`);
    return [name, rule] as const;
  });
  return { ...object(Object.fromEntries(rules)), required: takes.filter(taken => !taken.endsWith('?')) };
}

function paramsOf(path: string): { params?: object } {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
  return names.length === 0 ? {} : { params: params(...names) };
}
