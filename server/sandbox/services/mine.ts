import { findProduct } from '../../../shared/catalogue/codes.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { keyOf, visibleProducts } from '../marketplace/products.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { isHeld } from './held.ts';

export type MineQuery = {
  readonly status?: string;
  readonly type: string;
  readonly search: string;
  readonly sort: string;
};

/** Builds a query for the services that exist now of the customers that the caller sees. */
function held(db: Database, { customerId, resellerId }: Caller) {
  return db
    .selectFrom('service_instances as i')
    .where(on => (customerId === null ? on('i.reseller_id', '=', resellerId) : on('i.customer_id', '=', customerId)))
    .where(isHeld('i'));
}

/**
 * Lists each product that a customer of the caller has: number of customers, services in each state, monthly spend.
 * `status` keeps products with at least one service in that state.
 */
export async function listMine(db: Database, caller: Caller, { status, type, search, sort }: MineQuery) {
  const counted = await held(db, caller)
    .select(['i.service_id', 'i.sub_id'])
    .select(({ fn }) => [
      fn.count<number>('i.customer_id').distinct().as('Customers'),
      fn.countAll<number>().filterWhere('i.status_group', '=', 'Active').as('Active'),
      fn.countAll<number>().filterWhere('i.status_group', '=', 'Changing').as('Changing'),
      fn.countAll<number>().filterWhere('i.status_group', '=', 'Failed').as('Failed'),
      fn.sum<number>('i.monthly_charge').as('MonthlySpend'),
    ])
    .groupBy(['i.service_id', 'i.sub_id'])
    .execute();
  const journeys = new Map((await visibleProducts(db, caller)).map(({ key, journey }) => [key, journey]));
  const wanted = searchKey(search.trim());
  const Items = counted.flatMap(({ service_id, sub_id, ...figures }) => {
    const code = findProduct(service_id, sub_id);
    if (code === undefined) return [];
    if (!searchKey(code.name).includes(wanted) || (type !== 'all' && code.type !== type)) return [];
    if (status !== undefined && figures[status as 'Active'] === 0) return [];
    const Id = keyOf(service_id, sub_id);
    const JourneyType = journeys.get(Id) ?? code.journey;
    const item = {
      Id,
      ServiceId: service_id,
      SubId: sub_id,
      CloudMarketId: code.marketplaceServiceId,
      Name: code.name,
      Icon: code.icon,
      GroupId: code.groupId,
      NewJourney: JourneyType === 'new',
      JourneyType,
      ListingId: code.listingId,
      Type: code.type,
      ...figures,
      Currency: caller.currency,
    };
    return [item];
  });
  const column = sort.replace('-', '') as 'Name' | 'Customers' | 'MonthlySpend';
  const direction = sort.startsWith('-') ? -1 : 1;
  const order = (one: string | number, other: string | number) =>
    typeof one === 'string' ? one.localeCompare(String(other), 'en') : one - Number(other);
  Items.sort((one, other) => direction * order(one[column], other[column]) || order(one.Name, other.Name));
  return { Items, Total: Items.length };
}

export type HoldersQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly status?: string;
};

/**
 * Lists a page of the customers and users that have a product, by the customer's name; `status` keeps those whose service
 * is in that state.
 * @throws {CloudError} 404 for a product that the caller neither has nor may see
 */
export async function listHolders(
  db: Database,
  caller: Caller,
  { serviceId, subId }: { serviceId: string; subId: string },
  { page, pageSize, search, status }: HoldersQuery,
) {
  const [service, sub] = [idOf(serviceId), idOf(subId)];
  const product = findProduct(service, sub);
  const ofProduct = held(db, caller).where('i.service_id', '=', service).where('i.sub_id', '=', sub);
  const isSold = async () => (await visibleProducts(db, caller)).some(({ key }) => key === keyOf(service, sub));
  const isHeld = async () => (await ofProduct.select('i.id').limit(1).executeTakeFirst()) !== undefined;
  if (product === undefined || !((await isHeld()) || (await isSold()))) throw notFound();
  const found = ofProduct
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .$if(search !== '', query => query.where('c.search_text', 'like', containing(search)))
    .$if(status !== undefined, query => query.where('i.status_group', '=', status as 'Active'));
  const Items = await found
    .select(['c.organisation_id as CustomerId', 'c.name as Name', 'u.display_name as UserName'])
    .select(['i.status as Status', 'i.status_group as StatusGroup', 'i.reason as Reason', 'i.quantity as Quantity'])
    .select(['i.id as InstanceId', 'i.monthly_charge as MonthlyPrice'])
    .orderBy('c.name')
    .orderBy('i.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { Total } = await found.select(({ fn }) => fn.countAll<number>().as('Total')).executeTakeFirstOrThrow();
  const Product = { ServiceId: service, SubId: sub, Name: product.name, Icon: product.icon };
  return { Product, Items: Items.map(item => ({ ...item, Currency: caller.currency })), Total };
}
