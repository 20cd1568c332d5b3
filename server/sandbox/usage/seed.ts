import { randomUUID } from 'node:crypto';
import { findAccountManager } from '../customers/account-manager.ts';
import { recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { findCustomer } from '../customers/seed.ts';
import { productNamed } from '../marketplace/seed.ts';
import { dayMilliseconds } from '../seed/context.ts';
import { createRandom, type Random } from '../seed/random.ts';
import { isHeld } from '../services/held.ts';
import type { Write } from '../tables.ts';
import { addFile, sumStaged, writeSums } from './files.ts';
import { replaceByStaged, type Staged, stageCharges } from './load.ts';

/** Days of usage, the last of which is yesterday. */
const days = 60;

/** Meters of a kind of resource: service, meter, unit, amount a day and price of one. */
const meters = {
  vm: [
    ['Virtual Machines', 'D4s v5', 'Hours', 24, '0.1536'],
    ['Storage', 'P10 LRS Disk', 'GB', 128, '0.0042'],
    ['Bandwidth', 'Standard Data Transfer Out', 'GB', 3, '0.0684'],
  ],
  sql: [
    ['Azure SQL Database', 'General Purpose vCore', 'Hours', 24, '0.2172'],
    ['Azure SQL Database', 'Data Stored', 'GB', 80, '0.0037'],
  ],
  st: [
    ['Storage', 'Hot LRS Data Stored', 'GB', 640, '0.00051'],
    ['Storage', 'Hot Write Operations', '10K Operations', 12, '0.0432'],
  ],
  log: [['Azure Monitor', 'Log Data Ingested', 'GB', 2, '2.0992']],
} as const;
type Kind = keyof typeof meters;

/** By customer: subscription, its groups, and the kinds and names of what is in them. */
const platforms: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>> = {
  Contoso: {
    Production: {
      'rg-web': ['vm-web-1', 'vm-web-2', 'st-web-assets'],
      'rg-data': ['sql-orders', 'sql-stock', 'st-backup'],
      'rg-shared': ['log-central', 'vm-jump'],
    },
    Development: { 'rg-dev': ['vm-build', 'sql-dev', 'st-artifacts'] },
  },
  'Dunmore Logistics': { 'Tracking platform': { 'rg-tracking': ['vm-tracker', 'sql-parcels', 'log-tracking'] } },
  'Sandpiper Holidays': { Bookings: { 'rg-bookings': ['vm-bookings', 'sql-bookings'] } },
};

/** Inserts seeded usage of the cloud platform for some customers. */
export async function insertUsage(trx: Write, now: Date): Promise<void> {
  const random = createRandom(60_606);
  const today = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds;
  for (const [name, subscriptions] of Object.entries(platforms)) {
    const customer = await findCustomer(trx, name);
    if (!customer || (await hasUsage(trx, customer.id))) continue;
    const upload = randomUUID();
    for (const [subscription, groups] of Object.entries(subscriptions)) {
      const subscription_id = random.uuid();
      for (const [group, resources] of Object.entries(groups)) {
        const place = { source: '', subscription_id, subscription_name: subscription, group_name: group };
        await stageCharges(
          trx,
          upload,
          resources.flatMap(resource => makeCharges(random, place, resource, today)),
        );
      }
    }
    const { rows, first_day, last_day } = await sumStaged(trx, upload);
    const sent = { customer_id: customer.id, name: 'usage.csv', sent: now, sent_by: 'Cloud', loaded: now };
    const file = await addFile(trx, { ...sent, rows, first_day, last_day });
    await writeSums(trx, file, await replaceByStaged(trx, customer.id, upload, file));
  }
}

/**
 * Gives each seeded customer with usage the product Cloud Platform, one for each subscription, since before the first
 * day of usage.
 */
export async function insertPlatforms(trx: Write, now: Date): Promise<void> {
  const { service_id, sub_id, monthly_price } = productNamed('Cloud Platform');
  for (const [name, subscriptions] of Object.entries(platforms)) {
    const customer = await findCustomer(trx, name);
    if (!customer || !(await hasUsage(trx, customer.id))) continue;
    const quantity = Object.keys(subscriptions).length;
    const held = await trx
      .selectFrom('service_instances')
      .select('id')
      .where('customer_id', '=', customer.id)
      .where('service_id', '=', service_id)
      .where('sub_id', '=', sub_id)
      .where(isHeld('service_instances'))
      .executeTakeFirst();
    if (held) continue;
    const created = new Date(now.getTime() - (days + 1) * dayMilliseconds);
    await trx
      .insertInto('service_instances')
      .values({
        ...{ reseller_id: customer.reseller_id, customer_id: customer.id, service_id, sub_id },
        ...{ status: 'Active', quantity, monthly_price, created, last_change: created },
        ...{ term_id: 'monthly', billing_id: 'monthly' },
      })
      .execute();
    const ordered = { action: 'Service ordered', target: 'Cloud Platform', after: `${quantity} in total` } as const;
    const manager = await findAccountManager(trx, customer.reseller_id, '');
    await recordActivity(trx, customer.id, manager, created, ordered);
    const activated = { action: 'Service activated', target: 'Cloud Platform' } as const;
    await recordActivity(trx, customer.id, undefined, new Date(created.getTime() + 240_000), {
      ...activated,
      ...{ before: 'Activating', after: 'Active' },
    });
    await refreshCustomer(trx, customer.id, customer.last_change);
  }
}

async function hasUsage(trx: Write, customerId: string): Promise<boolean> {
  const known = trx.selectFrom('usage_subscriptions').select('id').where('customer_id', '=', customerId);
  return (await known.executeTakeFirst()) !== undefined;
}

type SubscriptionGroup = Pick<Staged, 'source' | 'subscription_id' | 'subscription_name' | 'group_name'>;

function makeCharges(random: Random, place: SubscriptionGroup, resource: string, today: number): Staged[] {
  // So many cores, disks or copies.
  const size = random.between(1, 5);
  const resource_id = `/subscriptions/${place.subscription_id}/resourceGroups/${place.group_name}/${resource}`;
  return meters[resource.split('-')[0] as Kind].flatMap(([service, meter, unit, amount, price]) =>
    Array.from({ length: days }, (_, index) => {
      const date = new Date(today - (days - index) * dayMilliseconds);
      const isWeekend = date.getUTCDay() % 6 === 0;
      const share = amount === 24 ? 24 : amount * (isWeekend ? 0.6 : 1) * (0.8 + 0.4 * random.next());
      const quantity = (share * size).toFixed(3);
      return {
        ...place,
        resource_id,
        resource_name: resource,
        service,
        meter,
        unit,
        day: date.toISOString().slice(0, 10),
        quantity,
        cost: (Number(quantity) * Number(price)).toFixed(8),
      };
    }),
  );
}
