import { sql } from 'kysely';
import { findProduct } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { cents } from '../orders/price.ts';
import { isHeld, isProductOf } from '../services/held.ts';
import type { Database } from '../tables.ts';
import { readMetered } from '../usage/metered.ts';
import { customerIdOf } from './scope.ts';

export type CostKind = 'recurring' | 'metered' | 'one-off' | 'not-charged';

type Cost = {
  readonly Id: string;
  /** The service that it is for; null for an order of telephones. */
  readonly InstanceId: number | null;
  readonly Kind: CostKind;
  readonly Name: string;
  readonly Icon: string;
  readonly Quantity: number | null;
  readonly Status: string | null;
  /** Null for what is not charged. */
  readonly Cost: number | null;
};

/**
 * Reads what each service of a customer costs: a month of what recurs, seven whole days of what is metered, and what was
 * bought once in this calendar month (UTC). The three are never added up to one figure.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function readCosts(db: Database, caller: Caller, key: string, now: Date) {
  const customerId = await customerIdOf(db, caller, key);
  const held = await listHeld(db, customerId);
  const metered = await readMetered(db, customerId, now);
  const platform = held.find(({ ServiceId }) => ServiceId === meteredServiceId);
  const recurring = held
    .filter(({ ServiceId, SubId }) => !isBoughtOnce(ServiceId, SubId))
    .map(({ charge, ...row }) => costOf(row, charge > 0 ? 'recurring' : 'not-charged', charge));
  const isCharged = ({ Kind }: Cost) => Kind !== 'not-charged';
  const oneOff = await listOneOff(db, customerId, now);
  const meteredRows: Cost[] =
    metered === null
      ? []
      : [
          {
            Id: 'metered',
            InstanceId: platform?.Id ?? null,
            Kind: 'metered',
            Name: platform?.Name ?? 'Cloud Platform',
            Icon: platform?.Icon ?? 'cloud',
            Quantity: null,
            Status: platform?.Status ?? null,
            Cost: metered,
          },
        ];
  const sum = (rows: readonly Cost[]) => cents(rows.reduce((total, { Cost: cost }) => total + (cost ?? 0), 0));
  return {
    Recurring: sum(recurring),
    RecurringServices: recurring.filter(isCharged).length,
    NotCharged: recurring.length - recurring.filter(isCharged).length,
    MeteredLast7Days: metered,
    OneOff: sum(oneOff),
    Currency: caller.currency,
    Items: [...recurring.filter(isCharged), ...meteredRows, ...oneOff, ...recurring.filter(row => !isCharged(row))].map(
      row => ({ ...row, Currency: caller.currency }),
    ),
  };
}

/** Product whose use the usage report tells (document 2, section 9). */
const meteredServiceId = 6;

const isBoughtOnce = (serviceId: number, subId: number): boolean =>
  findProduct(serviceId, subId)?.chargingModel === 'OneTime';

type Held = Awaited<ReturnType<typeof listHeld>>[number];

function costOf({ Id, Name, Icon, Quantity, Status }: Omit<Held, 'charge'>, Kind: CostKind, charge: number): Cost {
  const cost = Kind === 'not-charged' ? null : charge;
  return { Id: String(Id), InstanceId: Id, Kind, Name, Icon, Quantity, Status, Cost: cost };
}

/** Lists the services that the customer holds, the dearest first. */
async function listHeld(db: Database, customerId: string) {
  return await db
    .selectFrom('service_instances as i')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .where('i.customer_id', '=', customerId)
    .where(isHeld('i'))
    .select(['i.id as Id', 'i.service_id as ServiceId', 'i.sub_id as SubId', 'p.name as Name', 'p.icon as Icon'])
    .select(['i.quantity as Quantity', 'i.status as Status', 'i.monthly_charge as charge'])
    .orderBy('i.monthly_charge', 'desc')
    .orderBy('p.name')
    .orderBy('i.id')
    .execute();
}

/** Lists one-time purchases of this month that have not failed: products, and telephones of voice orders. */
async function listOneOff(db: Database, customerId: string, now: Date): Promise<Cost[]> {
  const start = sql`date_trunc('month', ${now}::timestamptz at time zone 'UTC') at time zone 'UTC'`;
  const { rows: bought } = await sql<Held & { readonly instance: number | null }>`
    select o.id as "Id", o.instance_id as instance, o.service_id as "ServiceId", o.sub_id as "SubId", p.name as "Name",
      p.icon as "Icon", o.quantity as "Quantity", i.status as "Status", o.first_charge as charge
    from orders o join products p on p.service_id = o.service_id and p.sub_id = o.sub_id
    left join service_instances i on i.id = o.instance_id
    where o.customer_id = ${customerId} and o.created >= ${start} and o.status <> 'Failed'
    order by o.created desc, o.id`.execute(db);
  const { rows: telephones } = await sql<{ readonly Id: number; readonly Name: string; readonly charge: number }>`
    select v.id as "Id", v.reference as "Name",
      v.delivery_cost + coalesce((select sum(h.quantity * h.price) from voice_order_hardware h
        where h.voice_order_id = v.id), 0) as charge
    from voice_orders v where v.customer_id = ${customerId} and v.created >= ${start}
    order by v.created desc, v.id`.execute(db);
  return [
    ...bought
      .filter(({ ServiceId, SubId }) => isBoughtOnce(ServiceId, SubId))
      .map(row => ({ ...costOf(row, 'one-off', row.charge), Id: `order-${row.Id}`, InstanceId: row.instance })),
    ...telephones
      .filter(({ charge }) => charge > 0)
      .map(({ Id, Name, charge }) => ({
        ...{ Id: `voice-${Id}`, InstanceId: null, Kind: 'one-off' as const, Name, Icon: 'phone' },
        ...{ Quantity: null, Status: null, Cost: charge },
      })),
  ];
}
