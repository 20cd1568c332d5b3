import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { customerIdOf } from '../customers/scope.ts';
import { placeOrder } from '../orders/place.ts';
import type { Database, Write } from '../tables.ts';
import type { Site, VoiceOrderBody } from './body.ts';
import { type CheckedVoiceOrder, checkVoiceOrder } from './check.ts';

const day = 86_400_000;
/** Days until numbers are ported and seats are there. */
const seatDays = 14;

/** Writes a voice order's id as its number: "HV-0060001". */
export const voiceOrderNumber = (id: number): string => `HV-${String(id).padStart(7, '0')}`;

/** Gives the date at which a voice order is expected to be done: when both licences and handsets have come. */
export function completionOf({ seats, delivery }: Pick<CheckedVoiceOrder, 'seats' | 'delivery'>, now: Date): Date {
  return new Date(now.getTime() + Math.max(seats ? seatDays : 0, delivery?.Days ?? 0) * day);
}

/**
 * Places a voice order. The same reference sent again gives the order that was placed first, whatever the rest of the
 * body says.
 * @throws {CloudError} as `checkVoiceOrder`
 */
export async function placeVoiceOrder(
  trx: Write,
  buyer: Caller,
  organisationId: string,
  body: VoiceOrderBody,
  now: Date,
) {
  const known = await findPlaced(trx, buyer, organisationId, body.Reference);
  if (known) return known;
  const checked = await checkVoiceOrder(trx, buyer, organisationId, body);
  const { customerId, before, seats, hardware, delivery } = checked;
  const placed = seats && (await placeOrder(trx, buyer, seats, now));
  const { id } = await trx
    .insertInto('voice_orders')
    .values({
      reference: body.Reference,
      customer_id: customerId,
      account_id: buyer.accountId,
      created_by: buyer.displayName,
      created: now,
      product: body.SelectedProduct,
      order_type: seats ? 0 : 1,
      mitel_licences: before.mitel + body.MitelLicences,
      mitel_change: body.MitelLicences,
      non_mitel_licences: before.nonMitel + body.NonMitelLicences,
      non_mitel_change: body.NonMitelLicences,
      call_reporting_address: body.CallReportingAddress,
      order_id: placed?.OrderId ?? null,
      delivery_option: delivery?.Id ?? null,
      delivery_cost: delivery?.Cost ?? 0,
      hardware_address: body.HardwareAddress && JSON.stringify(body.HardwareAddress),
      due: now,
      estimated_completion: completionOf(checked, now),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertParts(trx, id, body, hardware);
  if (!seats) {
    await recordActivity(trx, customerId, buyer, now, {
      action: 'Service ordered',
      target: 'Voice Handsets',
      detail: voiceOrderNumber(id),
      after: hardware.map(({ Name, Quantity }) => `${Name}: ${Quantity}`).join('; '),
    });
  }
  return { OrderId: String(id), OrderNumber: voiceOrderNumber(id) };
}

async function findPlaced(trx: Write, buyer: Caller, organisationId: string, reference: string) {
  const customerId = await customerIdOf(trx, buyer, organisationId);
  const found = await trx
    .selectFrom('voice_orders')
    .select('id')
    .where('customer_id', '=', customerId)
    .where('reference', '=', reference)
    .executeTakeFirst();
  return found && { OrderId: String(found.id), OrderNumber: voiceOrderNumber(found.id) };
}

/** Inserts the sites and handsets of a voice order. */
export async function insertParts(
  trx: Write,
  voice_order_id: number,
  { Sites }: { readonly Sites: readonly Site[] },
  hardware: readonly { readonly Id: string; readonly Quantity: number; readonly Price: number }[],
): Promise<void> {
  const sites = Sites.map((site, position) => ({
    voice_order_id,
    position,
    site_name: site.SiteName,
    address1: site.Address1,
    address2: site.Address2,
    town: site.Town,
    county: site.County,
    postcode: site.Postcode,
    property_type: site.PropertyType,
    ddi_blocks: site.DDIBlocks,
    ddi_area_code: site.DDIAreaCode,
  }));
  const lines = hardware.map(({ Id, Quantity, Price }) => ({
    voice_order_id,
    hardware_id: Id,
    quantity: Quantity,
    price: Price,
  }));
  if (sites.length > 0) await trx.insertInto('voice_sites').values(sites).execute();
  if (lines.length > 0) await trx.insertInto('voice_order_hardware').values(lines).execute();
}

/**
 * Moves each voice order that is due on to its next status, and notes when it was completed; one whose licences are not
 * set up yet stays.
 * @param pause milliseconds until it is due again
 */
export async function advanceVoiceOrders(db: Database, now: Date, pause: number): Promise<void> {
  await sql`
    update voice_orders v set
      status = case v.status when 'Submitted' then 'In progress' else 'Completed' end,
      estimated_completion = case v.status when 'Submitted' then v.estimated_completion else ${now} end,
      due = ${new Date(now.getTime() + pause)}
    where v.status <> 'Completed' and v.due <= ${now}
      and (v.status = 'Submitted'
        or not exists (select from orders o where o.id = v.order_id and o.status <> 'Done'))`.execute(db);
}
