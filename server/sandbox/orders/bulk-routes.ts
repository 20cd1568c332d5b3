import { permission } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, replies, succeed } from '../http/reply.ts';
import { type App, id, integer, list, money, object, orNull, pageQuery, params, string } from '../http/schema.ts';
import { obstacles } from '../marketplace/eligibility.ts';
import type { Parts } from '../parts.ts';
import { bulkBody, bulkBytes, bulkQuoteBody, orderHeaders } from './body.ts';
import { outcomes, readBulk, retryBulk, startBulk } from './bulk.ts';
import { quoteBulk } from './bulk-check.ts';
import { quote, quoteOf } from './quote.ts';

const bulk = object({
  BulkId: id,
  Product: string,
  Items: list(
    object({
      CustomerId: id,
      Name: string,
      Values: { ...string, description: 'The answers that are its own, to be read.' },
      Outcome: { enum: outcomes },
      Reason: orNull(string),
      OrderNumber: orNull(string),
    }),
  ),
  Total: integer,
  Counts: object({ All: integer, Done: integer, Failed: integer, NotEligible: integer, Waiting: integer }),
});
const bulkQuote = object({
  ...quote.properties,
  Each: { ...object({ MonthlyPrice: money, FirstCharge: money }), description: 'For one customer.' },
  Customers: { ...list(object({ CustomerId: id, Name: string })), description: 'Who it is for.' },
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
