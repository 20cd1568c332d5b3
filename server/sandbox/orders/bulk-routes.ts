import { permission } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, replies, succeed } from '../http/reply.ts';
import { type App, date, id, integer, list, money, object, orNull, pageQuery, params, string } from '../http/schema.ts';
import { obstacles } from '../marketplace/eligibility.ts';
import type { Parts } from '../parts.ts';
import { bulkBody, bulkBytes, bulkQuoteBody, orderHeaders } from './body.ts';
import { listBulks, outcomes, readBulk, retryBulk, startBulk } from './bulk.ts';
import { cancelBulk } from './bulk-cancel.ts';
import { quoteBulk } from './bulk-check.ts';
import { quote, quoteOf } from './quote.ts';

const counts = {
  All: integer,
  Done: integer,
  Failed: integer,
  NotEligible: integer,
  Cancelled: integer,
  Waiting: integer,
  Ended: integer,
} as const;
const bulkList = object({
  Items: list(
    object({
      BulkId: id,
      Product: string,
      Created: date,
      OrderedBy: string,
      /** Of the orders that are done. */
      MonthlyPrice: money,
      Status: { enum: ['Running', 'Failed', 'Done', 'Cancelled'] },
      ...counts,
    }),
  ),
  Total: integer,
});
const bulk = object({
  BulkId: id,
  Product: string,
  Created: date,
  OrderedBy: string,
  Items: list(
    object({
      CustomerId: id,
      Name: string,
      Quantity: { ...orNull(integer), description: 'Null for who is not eligible.' },
      MonthlyPrice: { ...money, nullable: true },
      Values: { ...string, description: 'The answers that are its own, to be read.' },
      Outcome: { enum: outcomes },
      Reason: orNull(string),
      OrderNumber: orNull(string),
      InstanceId: orNull(id),
    }),
  ),
  Total: integer,
  Counts: object({
    ...counts,
    Cancellable: { ...integer, description: 'Orders that can still be cancelled free of charge.' },
  }),
});
const bulkQuote = object({
  ...quote.properties,
  Customers: {
    ...list(object({ CustomerId: id, Name: string, Quantity: integer, Price: money })),
    description: 'Who it is for; Price is per month, or once for a one-time purchase.',
  },
  LeftOut: {
    ...list(object({ CustomerId: id, Name: string, Obstacle: { enum: obstacles }, Reason: string })),
    description: 'Who cannot have it; nothing is charged for these.',
  },
});
const resultQuery = pageQuery({ outcome: { enum: outcomes } }, 1000);
const tags = ['orders'];
const config = { needs: permission('addProducts') };

/**
 * Adds the routes of orders for many customers: quote, place, read the outcome for each customer, retry the failed
 * ones.
 */
export function addBulkRoutes(app: App, { db, now }: Parts): void {
  app.post(
    '/api/orders/bulk/quote',
    { config, bodyLimit: bulkBytes, schema: { tags, body: bulkQuoteBody, response: replies(bulkQuote) } },
    async ({ signedIn, body }) => {
      const { total, ...who } = await quoteBulk(db, signedIn, body);
      return succeed({ ...quoteOf(total, signedIn, now()), ...who });
    },
  );

  app.post(
    '/api/orders/bulk',
    {
      config,
      bodyLimit: bulkBytes,
      schema: { tags, headers: orderHeaders, body: bulkBody, response: created(object({ BulkId: id })) },
    },
    async (request, reply) => {
      reply.code(201);
      return await once(db, request, async trx => succeed(await startBulk(trx, request.signedIn, request.body, now())));
    },
  );

  app.get(
    '/api/orders/bulk',
    { config, schema: { tags, querystring: pageQuery({}), response: replies(bulkList) } },
    async ({ signedIn, query }) => succeed(await listBulks(db, signedIn, query)),
  );

  app.get(
    '/api/orders/bulk/:bulkId',
    { config, schema: { tags, params: params('bulkId'), querystring: resultQuery, response: replies(bulk) } },
    async ({ signedIn, params: { bulkId }, query }) => succeed(await readBulk(db, signedIn, bulkId, query, now())),
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

  app.post(
    '/api/orders/bulk/:bulkId/cancel',
    {
      config,
      schema: {
        tags,
        params: params('bulkId'),
        headers: idempotencyKey,
        response: replies(object({ Cancelled: integer, Kept: integer })),
      },
    },
    async request =>
      await once(db, request, async trx =>
        succeed(await cancelBulk(trx, request.signedIn, request.params.bulkId, now())),
      ),
  );
}
