import { permission } from '../auth/needs.ts';
import type { Database } from '../database/connect.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, replies, succeed } from '../http/reply.ts';
import { type App, id, integer, list, object, orNull, pageQuery, params, string } from '../http/schema.ts';
import { bulkBody, orderHeaders } from './body.ts';
import { outcomes, quoteBulk, readBulk, retryBulk, startBulk } from './bulk.ts';
import { quote, quoteOf } from './quote.ts';

const bulk = object({
  BulkId: id,
  Product: string,
  Items: list(
    object({
      CustomerId: id,
      Name: string,
      Outcome: { enum: outcomes },
      Reason: orNull(string),
      OrderNumber: orNull(string),
    }),
  ),
  Total: integer,
  Counts: object({ All: integer, Done: integer, Failed: integer, NotEligible: integer, Waiting: integer }),
});
const resultQuery = pageQuery({ outcome: { enum: outcomes } }, 1000);
const tags = ['orders'];
const config = { needs: permission('addProducts') };

/** One product for many customers, with a result for each. */
export function addBulkRoutes(app: App, db: Database, now: () => Date): void {
  app.post(
    '/api/orders/bulk/quote',
    { config, schema: { tags, body: bulkBody, response: replies(quote) } },
    async ({ signedIn, body }) => succeed(quoteOf(await quoteBulk(db, signedIn, body), signedIn, now())),
  );

  app.post(
    '/api/orders/bulk',
    { config, schema: { tags, headers: orderHeaders, body: bulkBody, response: created(object({ BulkId: id })) } },
    async (request, reply) => {
      reply.code(201);
      return await once(db, request, async trx => succeed(await startBulk(trx, request.signedIn, request.body, now())));
    },
  );

  app.get(
    '/api/orders/bulk/:bulkId',
    { config, schema: { tags, params: params('bulkId'), querystring: resultQuery, response: replies(bulk) } },
    async ({ signedIn, params: { bulkId }, query }) => succeed(await readBulk(db, signedIn, bulkId, query)),
  );

  app.post(
    '/api/orders/bulk/:bulkId/retry',
    {
      config,
      schema: {
        tags,
        params: params('bulkId'),
        headers: idempotencyKey,
        response: replies(object({ Retried: integer })),
      },
    },
    async request =>
      await once(db, request, async trx =>
        succeed({ Retried: await retryBulk(trx, request.signedIn, request.params.bulkId, now()) }),
      ),
  );
}
