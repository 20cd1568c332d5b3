import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { conflict, invalid } from '../http/errors.ts';
import { isPhone } from '../http/formats.ts';
import { findProduct } from '../marketplace/products.ts';
import { checkAgreements, checkOrder } from '../orders/check.ts';
import { cents } from '../orders/price.ts';
import type { OrderBody } from '../orders/tables.ts';
import type { Database } from '../tables.ts';
import type { Site, VoiceOrderBody } from './body.ts';
import { type Delivery, type Hardware, readVoiceCatalogue, type VoiceCatalogue, voiceKeys } from './catalogue.ts';
import type { HardwareAddress } from './tables.ts';

const postcode = /^[A-Za-z]{1,2}\d[A-Za-z\d]? ?\d[A-Za-z]{2}$/;
const areaCode = /^0\d{2,5}$/;
const maxBlocks = 100;

type Faults = Record<string, string[]>;

/** An order that may be placed. Money in the caller's currency: a month's for licences, once for the rest. */
export type CheckedVoiceOrder = {
  readonly customerId: string;
  readonly before: { readonly mitel: number; readonly nonMitel: number };
  /** The order of the seats themselves; none for handsets alone. */
  readonly seats: OrderBody | undefined;
  readonly hardware: readonly (Hardware & { readonly Quantity: number })[];
  readonly delivery: Delivery | undefined;
  readonly monthlyPrice: number;
  readonly hardwarePrice: number;
};

/**
 * Checks a voice order by every rule and gives its prices.
 * @throws {CloudError} 404 for what the buyer does not see, 400 by field, 409 with the reason when a rule forbids it
 */
export async function checkVoiceOrder(
  db: Database,
  buyer: Caller,
  organisationId: string,
  body: VoiceOrderBody,
): Promise<CheckedVoiceOrder> {
  const customerId = await customerIdOf(db, buyer, organisationId);
  const [serviceId, subId] = voiceKeys[body.SelectedProduct];
  const product = await findProduct(db, buyer, serviceId, subId);
  const catalogue = await readVoiceCatalogue(db, buyer);
  const faults = faultsOf(body, catalogue);
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const { suspended } = await db
    .selectFrom('customers')
    .select('suspended')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  if (suspended) throw conflict('This customer is suspended.');
  await checkAgreements(db, buyer, product);
  const seats = body.SelectedProduct === 'hosted-voice' ? await seatsOf(db, customerId, body) : undefined;
  const price = seats && (await checkOrder(db, buyer, seats)).price;
  const hardware = body.Hardware.map(({ ProductId, Quantity }) => ({
    ...(catalogue.Hardware.find(({ Id }) => Id === ProductId) as Hardware),
    Quantity,
  }));
  return {
    customerId,
    before: await licencesOf(db, customerId),
    seats,
    hardware,
    delivery: catalogue.Delivery.find(({ Id }) => Id === body.DeliveryOption),
    monthlyPrice: price ? cents(price.unitPrice * (body.MitelLicences + body.NonMitelLicences)) : 0,
    hardwarePrice: cents(hardware.reduce((sum, { Price, Quantity }) => sum + Price * Quantity, 0)),
  };
}

/** As many as the last order left. */
async function licencesOf(db: Database, customerId: string) {
  const last = await db
    .selectFrom('voice_orders')
    .select(['mitel_licences as mitel', 'non_mitel_licences as nonMitel'])
    .where('customer_id', '=', customerId)
    .where('product', '=', 'hosted-voice')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last ?? { mitel: 0, nonMitel: 0 };
}

/** The seats as an order of the service itself: more of what the customer has, or its first. */
async function seatsOf(db: Database, customerId: string, body: VoiceOrderBody): Promise<OrderBody> {
  const [ServiceId, SubId] = voiceKeys['hosted-voice'];
  const held = await db
    .selectFrom('service_instances')
    .select(['id', 'quantity'])
    .where('customer_id', '=', customerId)
    .where('service_id', '=', ServiceId)
    .where('sub_id', '=', SubId)
    .where('user_id', 'is', null)
    .where('status', '=', 'Active')
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    CustomerId: customerId,
    ServiceId,
    SubId,
    ...(held ? { Action: 'Modify', InstanceId: String(held.id) } : { Action: 'Add' }),
    Quantity: (held?.quantity ?? 0) + body.MitelLicences + body.NonMitelLicences,
    TermId: 'monthly',
    BillingId: 'monthly',
    Fields: { AreaCode: body.Sites[0]?.DDIAreaCode ?? '' },
  };
}

/** Everything that is wrong with what was typed, by the names of the fields; of sites and the address with their place. */
function faultsOf(body: VoiceOrderBody, { Hardware: offered, Delivery: ways }: VoiceCatalogue): Faults {
  const faults: Faults = {};
  const isVoice = body.SelectedProduct === 'hosted-voice';
  const licences = body.MitelLicences + body.NonMitelLicences;
  const isReporting = body.CallReportingAddress !== '';
  if (isVoice && body.Sites.length === 0) faults.Sites = ['At least one site is required'];
  if (isVoice && licences === 0) faults.MitelLicences = ['At least one licence is required'];
  if (isVoice && !body.BandwidthConfirmed) faults.BandwidthConfirmed = ['The bandwidth must be confirmed'];
  if (!isVoice && (body.Sites.length > 0 || licences > 0 || isReporting || body.BandwidthConfirmed))
    faults.SelectedProduct = ['Handsets alone have neither sites nor licences'];
  for (const [index, site] of body.Sites.entries()) note(faults, `Sites.${index}`, faultsOfSite(site));
  if (!isVoice && body.Hardware.length === 0) faults.Hardware = ['At least one handset is required'];
  for (const [index, { ProductId, Quantity }] of body.Hardware.entries()) {
    const product = offered.find(({ Id }) => Id === ProductId);
    const isTwice = body.Hardware.findIndex(line => line.ProductId === ProductId) !== index;
    if (!product || isTwice) faults[`Hardware.${index}.ProductId`] = ['Must be one of what is offered, once each'];
    else if (Quantity > product.MaxQuantity)
      faults[`Hardware.${index}.Quantity`] = [`Must be at most ${product.MaxQuantity}`];
  }
  const isDelivered = body.Hardware.length > 0;
  if (isDelivered !== ways.some(({ Id }) => Id === body.DeliveryOption) || (!isDelivered && body.DeliveryOption !== ''))
    faults.DeliveryOption = [isDelivered ? 'Must be one of what is offered' : 'Nothing is delivered'];
  if (isDelivered !== (body.HardwareAddress !== null))
    faults.HardwareAddress = [isDelivered ? 'An address is required' : 'Nothing is delivered'];
  if (body.HardwareAddress) note(faults, 'HardwareAddress', faultsOfAddress(body.HardwareAddress));
  return faults;
}

function note(faults: Faults, place: string, found: Readonly<Record<string, string | false>>): void {
  for (const [name, fault] of Object.entries(found)) if (fault) faults[`${place}.${name}`] = [fault];
}

const missing = (value: string) => value.trim() === '' && 'This is a mandatory field';
const unlike = (value: string, pattern: RegExp) => !pattern.test(value) && 'Must be the correct format';

const faultsOfSite = (site: Site) => ({
  SiteName: missing(site.SiteName),
  Address1: missing(site.Address1),
  Town: missing(site.Town),
  Postcode: unlike(site.Postcode, postcode),
  DDIAreaCode: unlike(site.DDIAreaCode, areaCode),
  DDIBlocks: (site.DDIBlocks < 0 || site.DDIBlocks > maxBlocks) && `Must be from 0 to ${maxBlocks}`,
  PropertyType: unlike(site.PropertyType, /^(?:Residential|Commercial)$/),
});

const faultsOfAddress = (address: HardwareAddress) => ({
  Address1: missing(address.Address1),
  TownCity: missing(address.TownCity),
  PostCode: unlike(address.PostCode, postcode),
  Telephone: missing(address.Telephone) || (!isPhone(address.Telephone) && 'Must be the correct format'),
});
