import { permission, readsServices } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, date, id, integer, list, money, object, string } from '../http/schema.ts';
import { cents } from '../orders/price.ts';
import type { Parts } from '../parts.ts';
import { voiceOrderBody } from './body.ts';
import { readVoiceCatalogue } from './catalogue.ts';
import { checkVoiceOrder } from './check.ts';
import { completionOf, placeVoiceOrder } from './place.ts';
import { hardwareLine, listVoiceOrders, readVoiceOrder, voiceOrder, voiceOrderList } from './read.ts';

const catalogue = object({
  Products: list(object({ Id: string, Name: string, Summary: string, Price: money })),
  Hardware: list(object({ Id: string, Name: string, Description: string, Price: money, MaxQuantity: integer })),
  Delivery: list(object({ Id: string, Name: string, Description: string, Cost: money, Days: integer })),
  Currency: string,
});

const quote = object({
  MonthlyPrice: money,
  HardwarePrice: money,
  DeliveryCost: money,
  TotalOnce: money,
  Currency: string,
  Hardware: list(hardwareLine),
  EstimatedCompletionDate: date,
});

const base = '/api/voice/organisations/:organisationId/orders';

/** Adds the routes of hosted voice: the catalogue, a quote, placing an order, listing and reading orders. */
export function addVoiceRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['voice'], needs: permission('addProducts') });

  route('GET /api/voice/catalogue', { reply: catalogue }, ({ caller }) => readVoiceCatalogue(db, caller));

  route(
    `POST ${base}/quote`,
    { body: voiceOrderBody, reply: quote },
    async ({ caller, params: { organisationId }, body }) => {
      const checked = await checkVoiceOrder(db, caller, organisationId, body);
      const { monthlyPrice, hardwarePrice, delivery, hardware } = checked;
      const DeliveryCost = delivery?.Cost ?? 0;
      return {
        MonthlyPrice: monthlyPrice,
        HardwarePrice: hardwarePrice,
        DeliveryCost,
        TotalOnce: cents(hardwarePrice + DeliveryCost),
        Currency: caller.currency,
        Hardware: hardware.map(({ Id, Name, Quantity, Price }) => ({ ProductId: Id, Name, Quantity, Price })),
        EstimatedCompletionDate: completionOf(checked, now()),
      };
    },
  );

  route(
    `POST ${base}`,
    { once: true, body: voiceOrderBody, made: object({ OrderId: id, OrderNumber: string }) },
    async ({ trx, caller, params, body }) => {
      const { organisationId } = params;
      return await placeVoiceOrder(trx, caller, organisationId, body, now());
    },
  );

  route(`GET ${base}`, { needs: readsServices, reply: voiceOrderList }, ({ caller, params: { organisationId } }) =>
    listVoiceOrders(db, caller, organisationId),
  );

  route(
    `GET ${base}/:orderId`,
    { needs: readsServices, reply: voiceOrder },
    ({ caller, params: { organisationId, orderId } }) => readVoiceOrder(db, caller, organisationId, orderId),
  );
}
