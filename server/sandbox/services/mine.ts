import { sql } from 'kysely';
import { findProduct, type ProductCode, serviceTypes } from '../../../shared/catalogue/codes.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Caller } from '../auth/caller.ts';
import { currencyOf, isVisibleTo } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { TypeOf } from '../http/route.ts';
import {
  boolean,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  partial,
  search,
  string,
} from '../http/schema.ts';
import { keyOf, visibleProducts } from '../marketplace/products.ts';
import { computed, fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { isHeld } from './held.ts';

const status = { enum: ['Active', 'Changing', 'Failed'] } as const;
export const mineQuery = partial({
  status,
  type: { enum: ['all', ...serviceTypes], default: 'all' },
  search,
  sort: { enum: ['Name', '-Name', 'Customers', '-Customers', 'MonthlySpend', '-MonthlySpend'], default: 'Name' },
});

/** Builds a query for the services that exist now of the customers that the caller sees. */
function heldServices(db: Database, { customerId, resellerId }: Caller) {
  return db
    .selectFrom('service_instances as i')
    .where(on => (customerId === null ? on('i.reseller_id', '=', resellerId) : on('i.customer_id', '=', customerId)))
    .where(isHeld('i'));
}

type Held = Readonly<Record<'Customers' | 'Active' | 'Changing' | 'Failed' | 'MonthlySpend', number>> & {
  readonly Id: string;
  readonly code: ProductCode;
  readonly journey: string;
  readonly caller: Caller;
};
/** A product with what the customers have of it. */
const held = computed<Held>([
  { name: 'Id', of: ({ Id }) => Id },
  { name: 'ServiceId', shape: integer, of: ({ code }) => code.serviceId },
  { name: 'SubId', shape: integer, of: ({ code }) => code.subId },
  { name: 'CloudMarketId', shape: integer, of: ({ code }) => code.marketplaceServiceId },
  { name: 'Name', of: ({ code }) => code.name },
  { name: 'Icon', of: ({ code }) => code.icon },
  { name: 'GroupId', shape: orNull(integer), of: ({ code }) => code.groupId },
  { name: 'NewJourney', shape: boolean, of: ({ journey }) => journey === 'new' },
  { name: 'JourneyType', of: ({ journey }) => journey },
  { name: 'ListingId', shape: orNull(string), of: ({ code }) => code.listingId },
  { name: 'Type', of: ({ code }) => code.type },
  { name: 'Customers', shape: integer, of: ({ Customers }) => Customers },
  { name: 'Active', shape: integer, of: ({ Active }) => Active },
  { name: 'Changing', shape: integer, of: ({ Changing }) => Changing },
  { name: 'Failed', shape: integer, of: ({ Failed }) => Failed },
  { name: 'MonthlySpend', shape: money, of: ({ MonthlySpend }) => MonthlySpend },
  { name: 'Currency', of: ({ caller }) => caller.currency },
]);
export const mine = object({ Items: list(object(held.shapes)), Total: integer });

/**
 * Lists each product that a customer of the caller has: number of customers, services in each state, monthly spend.
 * `status` keeps products with at least one service in that state.
 */
export async function listMine(db: Database, caller: Caller, { status, type, search, sort }: TypeOf<typeof mineQuery>) {
  const counted = await heldServices(db, caller)
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
  const found = counted.flatMap(({ service_id, sub_id, ...figures }) => {
    const code = findProduct(service_id, sub_id);
    if (code === undefined) return [];
    if (!searchKey(code.name).includes(wanted) || (type !== 'all' && code.type !== type)) return [];
    if (status !== undefined && figures[status] === 0) return [];
    const Id = keyOf(service_id, sub_id);
    return [{ ...figures, Id, Name: code.name, code, journey: journeys.get(Id) ?? code.journey, caller }];
  });
  const column = sort.replace('-', '') as 'Name' | 'Customers' | 'MonthlySpend';
  const direction = sort.startsWith('-') ? -1 : 1;
  const order = (one: string | number, other: string | number) =>
    typeof one === 'string' ? one.localeCompare(String(other), 'en') : one - Number(other);
  found.sort((one, other) => direction * order(one[column], other[column]) || order(one.Name, other.Name));
  return { Items: found.map(held.write), Total: found.length };
}

export const holdersQuery = pageQuery({ search, status }, 1000);
const holder = fields('i', [
  { name: 'CustomerId', shape: id, column: sql`c.organisation_id` },
  { name: 'Name', column: sql`c.name` },
  { name: 'UserName', shape: orNull(string), column: sql`u.display_name` },
  { name: 'Status' },
  { name: 'StatusGroup' },
  { name: 'Reason', shape: orNull(string) },
  { name: 'Quantity', shape: integer },
  { name: 'MonthlyPrice', shape: money, column: 'monthly_charge', isNumber: true },
  { name: 'Currency', column: currencyOf('i') },
  { name: 'InstanceId', shape: id, column: 'id' },
]);
export const holders = object({
  Product: object({ ServiceId: integer, SubId: integer, Name: string, Icon: string }),
  Items: list(holder.schema),
  Total: integer,
});

/**
 * Lists a page of the customers and users that have a product, by the customer's name; `status` keeps those whose service
 * is in that state.
 * @throws {CloudError} 404 for a product that the caller neither has nor may see
 */
export async function listHolders(
  db: Database,
  caller: Caller,
  { serviceId, subId }: { serviceId: string; subId: string },
  query: TypeOf<typeof holdersQuery>,
) {
  const [service, sub] = [idOf(serviceId), idOf(subId)];
  const product = findProduct(service, sub);
  const ofProduct = heldServices(db, caller).where('i.service_id', '=', service).where('i.sub_id', '=', sub);
  const isSold = async () => (await visibleProducts(db, caller)).some(({ key }) => key === keyOf(service, sub));
  const isOwned = async () => (await ofProduct.select('i.id').limit(1).executeTakeFirst()) !== undefined;
  if (product === undefined || !((await isOwned()) || (await isSold()))) throw notFound();
  const Product = { ServiceId: service, SubId: sub, Name: product.name, Icon: product.icon };
  const page = await listPage(db, query, {
    fields: holder,
    from: sql`service_instances i join customers c on c.id = i.customer_id left join users u on u.id = i.user_id`,
    where: sql`i.reseller_id = ${caller.resellerId} and ${isVisibleTo(caller)} and ${isHeld('i')}
      and i.service_id = ${service} and i.sub_id = ${sub}`,
    filters: {
      search: words => sql`c.search_text like ${containing(words)}`,
      status: status => sql`i.status_group = ${status}`,
    },
    order: sql`c.name, i.id`,
  });
  return { Product, ...page };
}
