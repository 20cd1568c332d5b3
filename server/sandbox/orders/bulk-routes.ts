import { permission } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, id, integer, list, money, object, orNull, pageQuery, string } from '../http/schema.ts';
import { obstacles } from '../marketplace/eligibility.ts';
import type { Parts } from '../parts.ts';
import { bulkBody, bulkBytes, bulkQuoteBody } from './body.ts';
import { listBulks, outcomes, readBulk, resultQuery, retryBulk, startBulk } from './bulk.ts';
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

/**
 * Adds the routes of orders for many customers: quote, place, read the outcome for each customer, retry the failed
 * ones.
 */
export function addBulkRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['orders'], needs: permission('addProducts') });

  route(
    'POST /api/orders/bulk/quote',
    { body: bulkQuoteBody, reply: bulkQuote, bodyLimit: bulkBytes },
    async ({ caller, body }) => {
      const { total, ...who } = await quoteBulk(db, caller, body);
      return { ...quoteOf(total, caller, now()), ...who };
    },
  );

  route(
    'POST /api/orders/bulk',
    { once: true, mayWait: true, body: bulkBody, made: object({ BulkId: id }), bodyLimit: bulkBytes },
    ({ trx, caller, body }) => startBulk(trx, caller, body, now()),
  );

  route('GET /api/orders/bulk', { query: pageQuery({}), reply: bulkList }, ({ caller, query }) =>
    listBulks(db, caller, query),
  );

  route('GET /api/orders/bulk/:bulkId', { query: resultQuery, reply: bulk }, ({ caller, params: { bulkId }, query }) =>
    readBulk(db, caller, bulkId, query, now()),
  );

  route(
    'POST /api/orders/bulk/:bulkId/retry',
    { once: true, reply: object({ Retried: integer }) },
    async ({ trx, caller, params }) => ({ Retried: await retryBulk(trx, caller, params.bulkId, now()) }),
  );

  route(
    'POST /api/orders/bulk/:bulkId/cancel',
    { once: true, reply: object({ Cancelled: integer, Kept: integer }) },
    ({ trx, caller, params }) => cancelBulk(trx, caller, params.bulkId, now()),
  );
}
