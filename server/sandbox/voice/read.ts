import type { Caller } from '../auth/caller.ts';
import { visibleCustomer } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { Database } from '../tables.ts';
import { voiceOrderNumber } from './place.ts';

async function ordersOf(db: Database, caller: Caller, organisationId: string) {
  const customer = await visibleCustomer(db, caller, organisationId)
    .select(['c.id', 'c.name'])
    .executeTakeFirstOrThrow(notFound);
  const orders = db
    .selectFrom('voice_orders as v')
    .where('v.customer_id', '=', customer.id)
    .select([
      'v.id as OrderId',
      'v.order_type as OrderType',
      'v.mitel_licences as MitelLicences',
      'v.mitel_change as MitelLicencesChange',
      'v.non_mitel_licences as NonMitelLicences',
      'v.non_mitel_change as NonMitelLicencesChange',
      'v.created as OrderCreatedOn',
      'v.created_by as OrderCreatedBy',
      'v.status as OrderStatus',
      'v.estimated_completion as EstimatedCompletionDate',
    ]);
  return { customer, orders };
}

const numbered = <R extends { OrderId: number }>(row: R) => ({ ...row, OrderNumber: voiceOrderNumber(row.OrderId) });

/**
 * Lists the voice orders of a customer, at most 200, the newest first.
 * @throws {CloudError} 404 for a customer that the caller does not see
 */
export async function listVoiceOrders(db: Database, caller: Caller, organisationId: string) {
  const { customer, orders } = await ordersOf(db, caller, organisationId);
  const Items = (await orders.orderBy('v.id', 'desc').limit(200).execute()).map(numbered);
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
  const order = await orders
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
    ...numbered(order),
    OrganisationName: customer.name,
    Sites: sites.map((site, index) => ({ Letter: String.fromCharCode(65 + index), ...site })),
    Hardware,
  };
}
