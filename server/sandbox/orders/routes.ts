import { permission, readsServices } from '../auth/needs.ts';
import { once } from '../http/idempotency.ts';
import { created, replies, succeed } from '../http/reply.ts';
import {
  type App,
  date,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  params,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { orderBody, orderHeaders, priceBody, subjectQuery } from './body.ts';
import { checkOrder, priceOrder } from './check.ts';
import { placeOrder } from './place.ts';
import { charges, orderQuote, orderQuoteOf } from './quote.ts';
import { listOrders, orderSorts, orderStates, readOrder } from './read.ts';
import { readSubject } from './subject.ts';

const order = object({
  OrderNumber: string,
  CustomerId: id,
  CustomerName: string,
  UserId: orNull(id),
  InstanceId: orNull(id),
  Action: string,
  ServiceId: integer,
  SubId: integer,
  Name: string,
  Icon: string,
  Quantity: integer,
  TermId: string,
  BillingId: string,
  UnitPrice: money,
  MonthlyPrice: money,
  ...charges,
  Status: { enum: orderStates },
  Reason: { ...orNull(string), description: 'Why it failed.' },
  OrderedBy: string,
  Created: date,
});
const subject = object({
  Customer: object({ Id: id, Name: string, Domain: string, Status: string }),
  User: { ...object({ Id: id, Name: string }), nullable: true },
  Product: { ...object({ ServiceId: integer, SubId: integer, Key: string, Name: string }), nullable: true },
  InstanceId: { ...orNull(id), description: 'What is changed; or what is held already, where nothing can be added.' },
  Held: { ...orNull(integer), description: 'How many are held in the service that more would raise.' },
  Fields: {
    type: 'object',
    additionalProperties: string,
    description: "What the customer's record proposes for the product's own fields.",
  },
  Refusal: { ...orNull(string), description: 'Why the order would be refused, whatever else it asks for.' },
});
const tags = ['orders'];
const orders = { needs: permission('addProducts') };

/** Adds the routes of ordering: quote an order, place it, list and read orders. */
export function addOrderRoutes(app: App, { db, now }: Parts): void {
  app.post(
    '/api/orders/quote',
    { config: orders, schema: { tags, body: orderBody, response: replies(orderQuote) } },
    async ({ signedIn, body }) => {
      return succeed(await orderQuoteOf(db, await checkOrder(db, signedIn, body), signedIn, now()));
    },
  );

  app.post(
    '/api/orders/price',
    { config: orders, schema: { tags, body: priceBody, response: replies(orderQuote) } },
    async ({ signedIn, body }) => {
      return succeed(await orderQuoteOf(db, await priceOrder(db, signedIn, body), signedIn, now()));
    },
  );

  app.post(
    '/api/orders',
    {
      config: orders,
      schema: {
        tags,
        headers: orderHeaders,
        body: orderBody,
        response: created(object({ OrderNumber: string, InstanceId: id })),
      },
    },
    async (request, reply) => {
      reply.code(201);
      return await once(db, request, async trx => {
        const { OrderNumber, InstanceId } = await placeOrder(trx, request.signedIn, request.body, now());
        return succeed({ OrderNumber, InstanceId }, `The order ${OrderNumber} was placed.`);
      });
    },
  );

  app.get(
    '/api/orders/subject',
    { config: orders, schema: { tags, querystring: subjectQuery, response: replies(subject) } },
    async ({ signedIn, query: { customerId, userId, serviceId, subId, action, instanceId } }) =>
      succeed(
        await readSubject(db, signedIn, {
          CustomerId: customerId,
          Action: action,
          ...(userId !== undefined && { UserId: userId }),
          ...(serviceId !== undefined && { ServiceId: serviceId }),
          ...(subId !== undefined && { SubId: subId }),
          ...(instanceId !== undefined && { InstanceId: instanceId }),
        }),
      ),
  );

  app.get(
    '/api/orders',
    {
      config: { needs: readsServices },
      schema: {
        tags,
        querystring: pageQuery({
          customerId: text(40),
          status: { enum: orderStates },
          search: { ...text(200), default: '' },
          sort: { enum: orderSorts, default: '-Created' },
        }),
        response: replies(
          object({
            Items: list(order),
            Total: integer,
            Counts: object({ All: integer, Placed: integer, Done: integer, Failed: integer, Cancelled: integer }),
            Customer: { ...orNull(string), description: 'Whose orders they are, of one customer.' },
          }),
        ),
      },
    },
    async ({ signedIn, query }) => succeed(await listOrders(db, signedIn, query)),
  );

  app.get(
    '/api/orders/:orderNumber',
    { config: { needs: readsServices }, schema: { tags, params: params('orderNumber'), response: replies(order) } },
    async ({ signedIn, params: { orderNumber } }) => succeed(await readOrder(db, signedIn, orderNumber)),
  );
}
