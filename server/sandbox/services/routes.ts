import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { customerIdOf } from '../customers/scope.ts';
import type { Database } from '../database/connect.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, date, id, integer, list, money, object, orNull, pageQuery, params, string } from '../http/schema.ts';

const serviceList = object({
  Items: list(
    object({
      Id: id,
      ServiceId: integer,
      SubId: integer,
      Name: string,
      Icon: string,
      Status: string,
      StatusGroup: string,
      Reason: orNull(string),
      Quantity: integer,
      MonthlyPrice: money,
      Currency: string,
      Created: date,
      LastChange: date,
    }),
  ),
  Total: integer,
});

/** The services of a customer, as they are now: deleted and replaced ones are history. */
export function addServiceRoutes(app: App, db: Database): void {
  app.get(
    '/api/customers/:customerId/services',
    {
      config: { needs: view('customers') },
      schema: {
        tags: ['services'],
        params: params('customerId'),
        querystring: pageQuery({}),
        response: replies(serviceList),
      },
    },
    async ({ signedIn, params: { customerId }, query }) => succeed(await listServices(db, signedIn, customerId, query)),
  );
}

type Page = { readonly page: number; readonly pageSize: number };

async function listServices(db: Database, caller: Caller, key: string, { page, pageSize }: Page) {
  const customerId = await customerIdOf(db, caller, key);
  const held = db
    .selectFrom('service_instances as i')
    .innerJoin('products as p', join =>
      join.onRef('p.service_id', '=', 'i.service_id').onRef('p.sub_id', '=', 'i.sub_id'),
    )
    .where('i.customer_id', '=', customerId)
    .where('i.status', 'not in', ['Deleted', 'Upgraded']);
  const Items = await held
    .select([
      'i.id as Id',
      'i.service_id as ServiceId',
      'i.sub_id as SubId',
      'p.name as Name',
      'p.icon as Icon',
      'i.status as Status',
      'i.status_group as StatusGroup',
      'i.reason as Reason',
      'i.quantity as Quantity',
      sql<number>`i.quantity * i.monthly_price`.as('MonthlyPrice'),
      'i.created as Created',
      'i.last_change as LastChange',
    ])
    .orderBy('p.name')
    .orderBy('i.id')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { Total } = await held.select(({ fn }) => fn.countAll<number>().as('Total')).executeTakeFirstOrThrow();
  return { Items: Items.map(item => ({ ...item, Currency: caller.currency })), Total };
}
