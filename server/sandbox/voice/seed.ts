import { findCustomer } from '../customers/seed.ts';
import { dayMilliseconds } from '../seed/context.ts';
import type { Write } from '../tables.ts';
import type { Site } from './body.ts';
import { insertParts } from './place.ts';
import type { HardwareAddress } from './tables.ts';

const hardware = [
  ['mitel-6905', 'Mitel 6905', 'A desk telephone for two lines, for corridors and shared desks.', 64, 500],
  ['mitel-6920', 'Mitel 6920', 'A desk telephone with a colour display, for every office.', 118, 500],
  ['mitel-6940', 'Mitel 6940', 'A desk telephone with a touch display and a wireless handset.', 236, 200],
  ['yealink-w73', 'Yealink W73P', 'A cordless telephone with its base station.', 96, 200],
  ['poly-edge-b10', 'Poly Edge B10', 'A desk telephone for other systems, with eight lines.', 72, 500],
  ['poly-trio-c60', 'Poly Trio C60', 'A conference telephone for up to twenty people.', 489, 50],
] as const;

const deliveries = [
  ['standard', 'Standard delivery', 'Within five working days, by parcel post.', 9.5, 7],
  ['next-day', 'Next working day', 'Ordered before noon, delivered by the evening of the next working day.', 18, 2],
  ['installed', 'Delivered and installed', 'An engineer brings, connects and tests every handset.', 145, 10],
] as const;

const euro = (pounds: number) => Math.round(pounds * 120) / 100;

/** Brings handsets and deliveries up to this version's catalogue. */
export async function insertVoiceCatalogue(trx: Write): Promise<void> {
  await trx
    .insertInto('voice_hardware')
    .values(
      hardware.map(([id, name, description, price, max_quantity], position) => ({
        id,
        position,
        name,
        description,
        price,
        price_eur: euro(price),
        max_quantity,
      })),
    )
    .onConflict(known =>
      known.column('id').doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        name: ref('excluded.name'),
        description: ref('excluded.description'),
        price: ref('excluded.price'),
        price_eur: ref('excluded.price_eur'),
        max_quantity: ref('excluded.max_quantity'),
      })),
    )
    .execute();
  await trx
    .insertInto('voice_delivery_options')
    .values(
      deliveries.map(([id, name, description, cost, days], position) => ({
        id,
        position,
        name,
        description,
        cost,
        cost_eur: euro(cost),
        days,
      })),
    )
    .onConflict(known =>
      known.column('id').doUpdateSet(({ ref }) => ({
        position: ref('excluded.position'),
        name: ref('excluded.name'),
        description: ref('excluded.description'),
        cost: ref('excluded.cost'),
        cost_eur: ref('excluded.cost_eur'),
        days: ref('excluded.days'),
      })),
    )
    .execute();
}

const site = (
  SiteName: string,
  Address1: string,
  Town: string,
  County: string,
  Postcode: string,
  code: string,
): Site => ({
  SiteName,
  Address1,
  Address2: '',
  Town,
  County,
  Postcode,
  DDIBlocks: 2,
  DDIAreaCode: code,
  PropertyType: 'Commercial',
});

const sites: readonly Site[] = [
  site('Head office', '12 Canal Wharf', 'Leeds', 'West Yorkshire', 'LS1 4AP', '0113'),
  site('Northern depot', 'Unit 4, Mill Lane', 'Manchester', 'Greater Manchester', 'M2 5DB', '0161'),
  {
    ...site('Night desk', '7 Church Walk', 'Bristol', 'Avon', 'BS1 6QA', '0117'),
    DDIBlocks: 0,
    PropertyType: 'Residential',
  },
];

const address: HardwareAddress = {
  Address1: '12 Canal Wharf',
  Address2: '',
  Address3: '',
  TownCity: 'Leeds',
  County: 'West Yorkshire',
  PostCode: 'LS1 4AP',
  Telephone: '0113 496 0101',
};

type Seeded = {
  readonly customer: string;
  readonly reference: string;
  readonly orderType: 0 | 1 | 4;
  readonly daysAgo: number;
  readonly licences: readonly [mitel: number, nonMitel: number];
  readonly sites: readonly Site[];
  readonly hardware: readonly { readonly Id: string; readonly Quantity: number; readonly Price: number }[];
};

const none = { licences: [0, 0], sites: [], hardware: [] } as const;
const seeded: readonly Seeded[] = [
  {
    customer: 'Contoso',
    reference: '5f0c7a52-6d0e-4b39-9f3c-2f6f1f0a0001',
    orderType: 0,
    daysAgo: 61,
    licences: [24, 6],
    sites,
    hardware: [{ Id: 'mitel-6920', Quantity: 24, Price: 118 }],
  },
  {
    customer: 'Contoso',
    reference: '5f0c7a52-6d0e-4b39-9f3c-2f6f1f0a0002',
    orderType: 1,
    daysAgo: 33,
    ...none,
    hardware: [{ Id: 'poly-trio-c60', Quantity: 2, Price: 489 }],
  },
  { customer: 'Contoso', reference: '5f0c7a52-6d0e-4b39-9f3c-2f6f1f0a0003', orderType: 4, daysAgo: 12, ...none },
  {
    customer: 'Zephyr Cycles',
    reference: '5f0c7a52-6d0e-4b39-9f3c-2f6f1f0a0004',
    orderType: 0,
    daysAgo: 20,
    licences: [3, 1],
    sites: sites.slice(0, 1),
    hardware: [],
  },
];

/** Inserts seeded voice orders of the past, all completed. */
export async function insertVoiceOrders(trx: Write, now: Date): Promise<void> {
  for (const { customer: name, reference, orderType, daysAgo, licences, sites, hardware } of seeded) {
    const customer = await findCustomer(trx, name);
    if (!customer) continue;
    const created = new Date(now.getTime() - daysAgo * dayMilliseconds);
    const [mitel, nonMitel] = licences;
    const isDelivered = hardware.length > 0;
    const order = await trx
      .insertInto('voice_orders')
      .values({
        reference,
        customer_id: customer.id,
        account_id: null,
        created_by: 'Priya Raman',
        created,
        product: orderType === 0 ? 'hosted-voice' : 'hosted-voice-hardware',
        order_type: orderType,
        mitel_licences: mitel,
        mitel_change: mitel,
        non_mitel_licences: nonMitel,
        non_mitel_change: nonMitel,
        call_reporting_address: '',
        order_id: null,
        delivery_option: isDelivered ? 'standard' : null,
        delivery_cost: isDelivered ? 9.5 : 0,
        hardware_address: isDelivered ? JSON.stringify(address) : null,
        status: 'Completed',
        due: created,
        estimated_completion: new Date(created.getTime() + (orderType === 0 ? 14 : 7) * dayMilliseconds),
      })
      .onConflict(known => known.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (order) await insertParts(trx, order.id, { Sites: sites }, hardware);
  }
}
