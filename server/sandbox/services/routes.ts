import { sql } from 'kysely';
import { serviceTypes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { readsServices } from '../auth/needs.ts';
import { currencyOf, customerIdOf } from '../customers/scope.ts';
import { routeAdder, type TypeOf } from '../http/route.ts';
import {
  type App,
  date,
  described,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  search,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { fields } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database } from '../tables.ts';
import { bundleList, listBundles } from './bundles.ts';
import { groupNames, productsOfGroup, readServiceGroups } from './groups.ts';
import { isHeld, joinProduct } from './held.ts';
import { isOfUser, unitCharge } from './holders.ts';
import { countInUse, inUseList, inUseQuery } from './in-use.ts';

const service = fields('i', [
  { name: 'Id', shape: id },
  { name: 'ServiceId', shape: integer },
  { name: 'SubId', shape: integer },
  { name: 'Name', column: sql`p.name` },
  { name: 'Icon', column: sql`p.icon` },
  { name: 'Type', column: sql`p.type` },
  { name: 'UserId', shape: orNull(id) },
  { name: 'UserName', shape: orNull(string), column: sql`u.display_name` },
  { name: 'Status' },
  { name: 'StatusGroup' },
  { name: 'Reason', shape: orNull(string) },
  { name: 'Quantity', shape: integer },
  { name: 'MonthlyPrice', shape: money, column: 'monthly_charge', isNumber: true },
  {
    name: 'UnitCharge',
    shape: described(money, 'In the currency of the reseller: what one of the quantity costs per month.'),
    column: unitCharge,
    isNumber: true,
  },
  { name: 'Currency', column: currencyOf('i') },
  { name: 'Created', shape: date },
  { name: 'LastChange', shape: date },
]);
const statuses = ['Active', 'Changing', 'Failed'] as const;
const serviceList = object({
  Items: list(service.schema),
  Total: integer,
  Counts: object({ All: integer, Active: integer, Changing: integer, Failed: integer }),
});
const groupList = object({
  Items: list(object({ Group: { enum: groupNames }, Services: integer, MonthlyPrice: money, Currency: string })),
  Total: integer,
  MonthlyPrice: money,
});
const listQuery = pageQuery(
  {
    group: { enum: groupNames },
    status: { enum: statuses },
    type: { enum: ['all', ...serviceTypes], default: 'all' },
    search,
    products: { ...text(400), pattern: '^[\\d,-]+$', description: 'Keys of products, as in "6-1,6-6".' },
    user: { ...text(120), description: 'Id or email address of a user who has them, alone or with others.' },
  },
  1000,
);

/**
 * Adds the routes that list a customer's present services (without deleted and replaced ones): one by one, by group and
 * by bundle; and how much of some services is in use.
 */
export function addServiceRoutes(app: App, { db }: Parts): void {
  const route = routeAdder(app, db, { tags: ['services'], needs: readsServices });

  route(
    'GET /api/customers/:customerId/services',
    { query: listQuery, reply: serviceList },
    ({ caller, params: { customerId }, query }) => listServices(db, caller, customerId, query),
  );

  route('GET /api/customers/:customerId/service-groups', { reply: groupList }, ({ caller, params: { customerId } }) =>
    readServiceGroups(db, caller, customerId),
  );

  route('GET /api/customers/:customerId/bundles', { reply: bundleList }, ({ caller, params: { customerId } }) =>
    listBundles(db, caller, customerId),
  );

  route('GET /api/services/in-use', { query: inUseQuery, reply: inUseList }, ({ caller, query }) =>
    countInUse(db, caller, query.instanceIds),
  );
}

async function listServices(db: Database, caller: Caller, key: string, query: TypeOf<typeof listQuery>) {
  const customerId = await customerIdOf(db, caller, key);
  const isOneOf = (keys: readonly string[]) => sql`concat(p.service_id, '-', p.sub_id) = any(${keys}::text[])`;
  return await listPage(db, query, {
    fields: service,
    from: sql`service_instances i ${joinProduct('i')} left join users u on u.id = i.user_id`,
    where: sql`i.customer_id = ${customerId} and ${isHeld('i')}`,
    filters: {
      type: type => (type === 'all' ? sql`true` : sql`p.type = ${type}`),
      group: group => isOneOf(productsOfGroup(group)),
      products: keys => isOneOf(keys.split(',')),
      user: user => sql`exists (select from users holder where holder.customer_id = i.customer_id
        and lower(${user}) in (holder.id::text, lower(holder.email)) and ${isOfUser(sql`holder.id`)})`,
      search: words => sql`${searchKeyOf(sql`p.name`)} like ${containing(words)}`,
      status: status => sql`i.status_group = ${status}`,
    },
    counts: { filter: 'status', values: statuses },
    order: sql`p.name, i.id`,
  });
}
