import type { FastifyInstance, FastifyRequest } from 'fastify';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, done, replies, succeed } from '../http/reply.ts';
import { type App, id, object } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Resource, Row, Writing } from './declaration.ts';
import { type ListQuery, listRows, type Path, readRow } from './rows.ts';
import { bodySchema, detailsSchema, listSchema, paramsOf, querySchema } from './schemas.ts';
import { changeRow, createRow, removeRow } from './writes.ts';

/** Adds the routes of those operations that a resource declares. */
export function addResource<R>(app: App, { db, now }: Pick<Parts, 'db' | 'now'>, declared: Resource<R>): void {
  const resource = declared as unknown as Resource;
  // The schemas are made here, so that handlers get no types from them.
  const routes = app as unknown as FastifyInstance;
  const { noun, path, key, list, read, create, change, remove } = resource;
  const tags = [resource.tag];
  const rowPath = `${path}/:${key}`;
  const ofList = { tags, ...paramsOf(path) };
  const ofRow = { tags, ...paramsOf(rowPath) };
  const writing = (request: FastifyRequest, trx: Writing['trx']): Writing => ({
    trx,
    caller: request.signedIn,
    now: now(),
    body: (request.body ?? {}) as Row,
  });

  const querystring = querySchema(resource);
  routes.get(
    path,
    {
      config: { needs: list.needs },
      schema: { ...ofList, ...(querystring && { querystring }), response: replies(listSchema(resource)) },
    },
    async ({ signedIn, params, query }) =>
      succeed(await listRows(db, resource, signedIn, params as Path, query as ListQuery)),
  );

  if (create) {
    const body = bodySchema(resource, create.takes);
    routes.post(
      path,
      {
        config: { needs: create.needs },
        schema: { ...ofList, headers: idempotencyKey, body, response: created(object({ [key]: id })) },
      },
      async (request, reply) => {
        reply.code(201);
        return await once(db, request, async trx =>
          succeed(await createRow(resource, writing(request, trx), request.params as Path)),
        );
      },
    );
  }

  if (read) {
    routes.get(
      rowPath,
      { config: { needs: read.needs }, schema: { ...ofRow, response: replies(detailsSchema(resource)) } },
      async ({ signedIn, params }) => succeed(await readRow(db, resource, signedIn, params as Path)),
    );
  }

  if (change) {
    const body = bodySchema(resource, change.takes);
    routes.put(
      rowPath,
      { config: { needs: change.needs }, schema: { ...ofRow, body, response: replies() } },
      async request => {
        const { params } = request;
        await db.transaction().execute(trx => changeRow(resource, writing(request, trx), params as Path));
        return done(`The ${noun} was saved.`);
      },
    );
  }

  if (remove) {
    routes.delete(
      rowPath,
      { config: { needs: remove.needs }, schema: { ...ofRow, headers: idempotencyKey, response: replies() } },
      async request =>
        await once(db, request, async trx => {
          await removeRow(resource, writing(request, trx), request.params as Path);
          return done(`The ${noun} was deleted.`);
        }),
    );
  }
}
