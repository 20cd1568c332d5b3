import { permission, readsServices } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, replies, succeed } from '../http/reply.ts';
import { type App, date, id, integer, list, money, object, orNull, params, string } from '../http/schema.ts';
import { cents } from '../orders/price.ts';
import type { Parts } from '../parts.ts';
import { site, type VoiceOrderBody, voiceOrderBody } from './body.ts';
import { readVoiceCatalogue } from './catalogue.ts';
import { checkVoiceOrder } from './check.ts';
import { completionOf, placeVoiceOrder } from './place.ts';
import { listVoiceOrders, readVoiceOrder } from './read.ts';

const catalogue = object({
  Products: list(object({ Id: string, Name: string, Summary: string, Price: money })),
  Hardware: list(object({ Id: string, Name: string, Description: string, Price: money, MaxQuantity: integer })),
  Delivery: list(object({ Id: string, Name: string, Description: string, Cost: money, Days: integer })),
  Currency: string,
});

const line = { ProductId: string, Name: string, Quantity: integer, Price: money } as const;

const quote = object({
  MonthlyPrice: money,
  HardwarePrice: money,
  DeliveryCost: money,
  TotalOnce: money,
  Currency: string,
  Hardware: list(object(line)),
  EstimatedCompletionDate: date,
});

const order = {
  OrderId: id,
  OrderNumber: string,
  OrderType: { ...integer, description: '0 seats change; of 1 and 4 only the status is shown' },
  MitelLicences: integer,
  MitelLicencesChange: integer,
  NonMitelLicences: integer,
  NonMitelLicencesChange: integer,
  OrderCreatedOn: date,
  OrderCreatedBy: string,
  OrderStatus: { ...string, description: 'Submitted, In progress or Completed' },
  EstimatedCompletionDate: { ...date, description: 'Of a completed order: when it was completed' },
} as const;

const summary = object({
  ...order,
  OrganisationName: string,
  Sites: list(object({ Letter: string, ...site.properties })),
  Hardware: list(object(line)),
  DeliveryOption: orNull(string),
  DeliveryCost: money,
});

const tags = ['voice'];
const buys = { needs: permission('addProducts') };
const base = '/api/voice/organisations/:organisationId/orders';

/** Adds the routes of hosted voice: the catalogue, a quote, placing an order, listing and reading orders. */
export function addVoiceRoutes(app: App, { db, now }: Parts): void {
  app.get(
    '/api/voice/catalogue',
    { config: buys, schema: { tags, response: replies(catalogue) } },
    async ({ signedIn }) => succeed(await readVoiceCatalogue(db, signedIn)),
  );

  app.post(
    `${base}/quote`,
    {
      config: buys,
      schema: { tags, params: params('organisationId'), body: voiceOrderBody, response: replies(quote) },
    },
    async ({ signedIn, params: { organisationId }, body }) => {
      const checked = await checkVoiceOrder(db, signedIn, organisationId, body as VoiceOrderBody);
      const { monthlyPrice, hardwarePrice, delivery, hardware } = checked;
      const DeliveryCost = delivery?.Cost ?? 0;
      return succeed({
        MonthlyPrice: monthlyPrice,
        HardwarePrice: hardwarePrice,
        DeliveryCost,
        TotalOnce: cents(hardwarePrice + DeliveryCost),
        Currency: signedIn.currency,
        Hardware: hardware.map(({ Id, Name, Quantity, Price }) => ({ ProductId: Id, Name, Quantity, Price })),
        EstimatedCompletionDate: completionOf(checked, now()),
      });
    },
  );

  app.post(
    base,
    {
      config: buys,
      schema: {
        tags,
        headers: idempotencyKey,
        params: params('organisationId'),
        body: voiceOrderBody,
        response: created(object({ OrderId: id, OrderNumber: string })),
      },
    },
    async (request, reply) => {
      reply.code(201);
      const { organisationId } = request.params;
      return await once(db, request, async trx =>
        succeed(await placeVoiceOrder(trx, request.signedIn, organisationId, request.body as VoiceOrderBody, now())),
      );
    },
  );

  app.get(
    base,
    {
      config: { needs: readsServices },
      schema: {
        tags,
        params: params('organisationId'),
        response: replies(object({ OrganisationName: string, Items: list(object(order)), Total: integer })),
      },
    },
    async ({ signedIn, params: { organisationId } }) => succeed(await listVoiceOrders(db, signedIn, organisationId)),
  );

  app.get(
    `${base}/:orderId`,
    {
      config: { needs: readsServices },
      schema: { tags, params: params('organisationId', 'orderId'), response: replies(summary) },
    },
    async ({ signedIn, params: { organisationId, orderId } }) =>
      succeed(await readVoiceOrder(db, signedIn, organisationId, orderId)),
  );
}
