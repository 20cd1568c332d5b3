import { permission } from '../auth/needs.ts';
import type { Database } from '../database/connect.ts';
import { once } from '../http/idempotency.ts';
import { created, replies, succeed } from '../http/reply.ts';
import { type App, id, integer, list, object, orNull, params, string } from '../http/schema.ts';
import { bulkBody, orderHeaders } from './body.ts';
import { quoteBulk, readBulk, retryBulk, startBulk } from './bulk.ts';
import { quote, quoteOf } from './quote.ts';

const bulk = object({
  BulkId: id,
  Product: string,
  Done: integer,
  Failed: integer,
  NotEligible: integer,
  Waiting: integer,
  Items: list(
    object({
      CustomerId: id,
      Name: string,
      Outcome: { ...string, description: 'done, failed, notEligible or waiting' },
      Reason: orNull(string),
      OrderNumber: orNull(string),
    }),
  ),
  Total: integer,
});
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
    { config, schema: { tags, params: params('bulkId'), response: replies(bulk) } },
    async ({ signedIn, params: { bulkId } }) => succeed(await readBulk(db, signedIn, bulkId)),
  );

  app.post(
    '/api/orders/bulk/:bulkId/retry',
    { config, schema: { tags, params: params('bulkId'), response: replies(object({ Retried: integer })) } },
    async ({ signedIn, params: { bulkId } }) => {
      const Retried = await db.transaction().execute(trx => retryBulk(trx, signedIn, bulkId, now()));
      return succeed({ Retried });
    },
  );
}
