import { sql } from 'kysely';
import { type ServiceType, serviceTypes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { readsServices } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import { routesOf } from '../http/route.ts';
import {
  type App,
  date,
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
import { containing, searchKeyOf } from '../search.ts';
import type { Database } from '../tables.ts';
import { listBundles } from './bundles.ts';
import { groupNames, productsOfGroup, readServiceGroups } from './groups.ts';
import { isHeld } from './held.ts';
import { isOfUser, unitCharge } from './holders.ts';

const serviceList = object({
  Items: list(
    object({
      Id: id,
      ServiceId: integer,
      SubId: integer,
      Name: string,
      Icon: string,
      Type: string,
      UserId: orNull(id),
      UserName: orNull(string),
      Status: string,
      StatusGroup: string,
      Reason: orNull(string),
      Quantity: integer,
      MonthlyPrice: money,
      UnitCharge: {
        ...money,
        description: 'In the currency of the reseller: what one of the quantity costs per month.',
      },
      Currency: string,
      Created: date,
      LastChange: date,
    }),
  ),
  Total: integer,
  Counts: object({ All: integer, Active: integer, Changing: integer, Failed: integer }),
});
const groupList = object({
  Items: list(object({ Group: { enum: groupNames }, Services: integer, MonthlyPrice: money, Currency: string })),
  Total: integer,
  MonthlyPrice: money,
});
const bundleList = object({
  Items: list(
    object({
      Id: id,
      Name: string,
      Icon: string,
      Sold: date,
      State: { enum: ['Whole', 'Incomplete'] },
      MonthlyPrice: money,
      Currency: string,
      Parts: list(
        object({
          Position: integer,
          Name: string,
          Icon: string,
          InstanceId: orNull(id),
          Status: { ...string, description: 'That of the service; NotHeld where there is none, or none any more.' },
          Quantity: orNull(integer),
          MonthlyPrice: money,
          Currency: string,
        }),
      ),
    }),
  ),
  Total: integer,
});
const listQuery = pageQuery(
  {
    group: { enum: groupNames },
    status: { enum: ['Active', 'Changing', 'Failed'] },
    type: { enum: ['all', ...serviceTypes], default: 'all' },
    search,
    products: { ...text(400), pattern: '^[\\d,-]+$', description: 'Keys of products, as in "6-1,6-6".' },
    user: { ...text(120), description: 'Id or email address of a user who has them, alone or with others.' },
  },
  1000,
);

/**
 * Adds the routes that list a customer's present services (without deleted and replaced ones): one by one, by group and
 * by bundle.
 */
export function addServiceRoutes(app: App, { db }: Parts): void {
  const route = routesOf(app, db, { tags: ['services'], needs: readsServices });

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
}

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly status?: 'Active' | 'Changing' | 'Failed';
  readonly type: 'all' | ServiceType;
  readonly group?: string;
  readonly search: string;
  readonly products?: string;
  readonly user?: string;
};

async function listServices(db: Database, caller: Caller, key: string, query: ListQuery) {
  const { page, pageSize, status, type, group, search, products, user } = query;
  const customerId = await customerIdOf(db, caller, key);
  const held = db
    .selectFrom('service_instances as i')
    .innerJoin('products as p', join =>
      join.onRef('p.service_id', '=', 'i.service_id').onRef('p.sub_id', '=', 'i.sub_id'),
    )
    .where('i.customer_id', '=', customerId)
    .where(isHeld('i'))
    .$if(type !== 'all', found => found.where('p.type', '=', type as ServiceType))
    .$if(group !== undefined, found =>
      found.where(sql`concat(p.service_id, '-', p.sub_id)`, 'in', productsOfGroup(group!)),
    )
    .$if(products !== undefined, found =>
      found.where(sql`concat(p.service_id, '-', p.sub_id)`, 'in', products!.split(',')),
    )
    .$if(user !== undefined, found =>
      found.where(({ selectFrom }) =>
        selectFrom('users as holder')
          .whereRef('holder.customer_id', '=', 'i.customer_id')
          .where(sql<boolean>`lower(${user}) in (holder.id::text, lower(holder.email))`)
          .where(isOfUser(sql`holder.id`))
          .select(sql<boolean>`true`.as('isTheirs')),
      ),
    )
    .$if(search !== '', found => found.where(searchKeyOf(sql`p.name`), 'like', containing(search)));
  const chosen = held.$if(status !== undefined, found => found.where('i.status_group', '=', status!));
  const Items = await chosen
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .select([
      'i.id as Id',
      'i.service_id as ServiceId',
      'i.sub_id as SubId',
      'p.name as Name',
      'p.icon as Icon',
      'p.type as Type',
      'i.user_id as UserId',
      'u.display_name as UserName',
      'i.status as Status',
      'i.status_group as StatusGroup',
      'i.reason as Reason',
      'i.quantity as Quantity',
      'i.monthly_charge as MonthlyPrice',
      'i.created as Created',
      'i.last_change as LastChange',
      unitCharge.as('UnitCharge'),
    ])
    .orderBy('p.name')
    .orderBy('i.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const count = (group: string) => sql<number>`count(*) filter (where i.status_group = ${group})`;
  const Counts = await held
    .select(({ fn }) => [fn.countAll<number>().as('All'), count('Active').as('Active')])
    .select([count('Changing').as('Changing'), count('Failed').as('Failed')])
    .executeTakeFirstOrThrow();
  const Total = Counts[status ?? 'All'];
  return { Items: Items.map(item => ({ ...item, Currency: caller.currency })), Total, Counts };
}
