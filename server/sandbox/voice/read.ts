import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { visibleCustomer } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { date, described, id, integer, list, money, object, orNull, string } from '../http/schema.ts';
import { fields } from '../resource/fields.ts';
import type { Database } from '../tables.ts';
import { site } from './body.ts';

/** An order, as the list shows it. */
const order = fields('v', [
  { name: 'OrderId', shape: id, column: 'id' },
  { name: 'OrderNumber', column: sql`'HV-' || lpad(v.id::text, greatest(7, length(v.id::text)), '0')` },
  { name: 'OrderType', shape: described(integer, '0 seats change; of 1 and 4 only the status is shown') },
  { name: 'MitelLicences', shape: integer },
  { name: 'MitelLicencesChange', shape: integer, column: 'mitel_change' },
  { name: 'NonMitelLicences', shape: integer },
  { name: 'NonMitelLicencesChange', shape: integer, column: 'non_mitel_change' },
  { name: 'OrderCreatedOn', shape: date, column: 'created' },
  { name: 'OrderCreatedBy', column: 'created_by' },
  { name: 'OrderStatus', shape: described(string, 'Submitted, In progress or Completed'), column: 'status' },
  {
    name: 'EstimatedCompletionDate',
    shape: described(date, 'Of a completed order: when it was completed'),
    column: 'estimated_completion',
  },
]);
export const voiceOrderList = object({ OrganisationName: string, Items: list(order.schema), Total: integer });
/** A handset of a quote or an order. */
export const hardwareLine = object({ ProductId: string, Name: string, Quantity: integer, Price: money });
export const voiceOrder = object({
  ...order.shapes,
  OrganisationName: string,
  Sites: list(object({ Letter: string, ...site.properties })),
  Hardware: list(hardwareLine),
  DeliveryOption: orNull(string),
  DeliveryCost: money,
});

async function ordersOf(db: Database, caller: Caller, organisationId: string) {
  const customer = await visibleCustomer(db, caller, organisationId)
    .select(['c.id', 'c.name'])
    .executeTakeFirstOrThrow(notFound);
  const orders = db.selectFrom('voice_orders as v').where('v.customer_id', '=', customer.id).select(order.columns);
  return { customer, orders };
}

/**
 * Lists the voice orders of a customer, at most 200, the newest first.
 * @throws {CloudError} 404 for a customer that the caller does not see
 */
export async function listVoiceOrders(db: Database, caller: Caller, organisationId: string) {
  const { customer, orders } = await ordersOf(db, caller, organisationId);
  const Items = await orders.orderBy('v.id', 'desc').limit(200).execute();
  return { OrganisationName: customer.name, Items, Total: Items.length };
}

/**
 * Reads a voice order with its hardware and sites; the sites have the letters A, B, C … in their order (document 2,
 * section 3).
 * @throws {CloudError} 404 for a customer that the caller does not see, and for an order of another customer
 */
export async function readVoiceOrder(db: Database, caller: Caller, organisationId: string, orderId: string) {
  const { customer, orders } = await ordersOf(db, caller, organisationId);
  const id = idOf(orderId);
  const found = await orders
    .where('v.id', '=', id)
    .select(['v.delivery_cost as DeliveryCost'])
    .leftJoin('voice_delivery_options as d', 'd.id', 'v.delivery_option')
    .select('d.name as DeliveryOption')
    .executeTakeFirstOrThrow(notFound);
  const sites = await db
    .selectFrom('voice_sites')
    .where('voice_order_id', '=', id)
    .orderBy('position')
    .select([
      'site_name as SiteName',
      'address1 as Address1',
      'address2 as Address2',
      'town as Town',
      'county as County',
      'postcode as Postcode',
      'ddi_blocks as DDIBlocks',
      'ddi_area_code as DDIAreaCode',
      'property_type as PropertyType',
    ])
    .execute();
  const Hardware = await db
    .selectFrom('voice_order_hardware as line')
    .innerJoin('voice_hardware as h', 'h.id', 'line.hardware_id')
    .where('line.voice_order_id', '=', id)
    .orderBy('h.position')
    .select(['h.id as ProductId', 'h.name as Name', 'line.quantity as Quantity', 'line.price as Price'])
    .execute();
  return {
    ...found,
    OrganisationName: customer.name,
    Sites: sites.map((site, index) => ({ Letter: String.fromCharCode(65 + index), ...site })),
    Hardware,
  };
}
