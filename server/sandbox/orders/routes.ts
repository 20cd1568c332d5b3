import { permission, readsServices } from '../auth/needs.ts';
import { WithMessage } from '../http/reply.ts';
import { routeAdder } from '../http/route.ts';
import { type App, id, integer, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { orderBody, priceBody, subjectQuery } from './body.ts';
import { countOrders, ordersByCustomer, ordersByCustomerQuery } from './by-customer.ts';
import { checkOrder, priceOrder } from './check.ts';
import { placeOrder } from './place.ts';
import { orderQuote, orderQuoteOf } from './quote.ts';
import { listOrders, orderList, orderSchema, ordersQuery, readOrder } from './read.ts';
import { readSubject } from './subject.ts';

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

/** Adds the routes of ordering: quote an order, place it, list and read orders. */
export function addOrderRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['orders'], needs: permission('addProducts') });

  route('POST /api/orders/quote', { body: orderBody, reply: orderQuote }, async ({ caller, body }) => {
    return await orderQuoteOf(db, await checkOrder(db, caller, body), caller, now());
  });

  route('POST /api/orders/price', { body: priceBody, reply: orderQuote }, async ({ caller, body }) => {
    return await orderQuoteOf(db, await priceOrder(db, caller, body), caller, now());
  });

  route(
    'POST /api/orders',
    { once: true, body: orderBody, made: object({ OrderNumber: string, InstanceId: id }) },
    async ({ trx, caller, body }) => {
      const { OrderNumber, InstanceId } = await placeOrder(trx, caller, body, now());
      return new WithMessage({ OrderNumber, InstanceId }, `The order ${OrderNumber} was placed.`);
    },
  );

  route(
    'GET /api/orders/subject',
    { query: subjectQuery, reply: subject },
    ({ caller, query: { customerId, userId, serviceId, subId, action, instanceId } }) =>
      readSubject(db, caller, {
        CustomerId: customerId,
        Action: action,
        ...(userId !== undefined && { UserId: userId }),
        ...(serviceId !== undefined && { ServiceId: serviceId }),
        ...(subId !== undefined && { SubId: subId }),
        ...(instanceId !== undefined && { InstanceId: instanceId }),
      }),
  );

  route('GET /api/orders', { needs: readsServices, query: ordersQuery, reply: orderList }, ({ caller, query }) =>
    listOrders(db, caller, query),
  );

  route(
    'GET /api/orders/by-customer',
    { needs: readsServices, query: ordersByCustomerQuery, reply: ordersByCustomer },
    ({ caller, query }) => countOrders(db, caller, query.customerIds),
  );

  route(
    'GET /api/orders/:orderNumber',
    { needs: readsServices, reply: orderSchema },
    ({ caller, params: { orderNumber } }) => readOrder(db, caller, orderNumber),
  );
}
