import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, date, id, integer, list, money, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Database } from '../tables.ts';
import { sumMetered } from '../usage/metered.ts';

const summary = object({
  Customers: integer,
  CustomersLastMonth: integer,
  Users: integer,
  UsersLastMonth: integer,
  MonthlySpend: money,
  SpendLastMonth: money,
  MeteredLast7Days: money,
  Currency: string,
});
const attention = object({
  Items: list(
    object({
      Id: id,
      OrganisationId: id,
      CustomerName: string,
      ServiceName: string,
      Icon: string,
      Status: string,
      StatusGroup: string,
      Reason: orNull(string),
      LastChange: date,
    }),
  ),
  Total: integer,
});
const months = object({ Items: list(object({ Month: string, MonthlySpend: money })) });
const config = { needs: view('home') };
const tags = ['dashboard'];

/**
 * Adds the dashboard's routes: customers, users and spend now and a month ago; the spend of each month; and the
 * services that have failed or are changing.
 */
export function addDashboardRoutes(app: App, { db, now }: Parts): void {
  app.get('/api/dashboard/summary', { config, schema: { tags, response: replies(summary) } }, async ({ signedIn }) =>
    succeed(await readSummary(db, signedIn, now())),
  );
  app.get('/api/dashboard/months', { config, schema: { tags, response: replies(months) } }, async ({ signedIn }) =>
    succeed(await listMonths(db, signedIn)),
  );
  app.get(
    '/api/dashboard/attention',
    { config, schema: { tags, response: replies(attention) } },
    async ({ signedIn }) => succeed(await listAttention(db, signedIn)),
  );
}

/** How the last six months ended, the oldest first; a month is its first day. */
async function listMonths(db: Database, caller: Caller) {
  const Items = await db
    .selectFrom('monthly_figures')
    .where('reseller_id', '=', caller.resellerId)
    .select([sql<string>`month::text`.as('Month'), 'monthly_spend as MonthlySpend'])
    .orderBy('month', 'desc')
    .limit(6)
    .execute();
  return { Items: Items.reverse() };
}

/** Now, and how the last month ended. */
async function readSummary(db: Database, caller: Caller, now: Date) {
  const current = await db
    .selectFrom('customer_counts')
    .where('reseller_id', '=', caller.resellerId)
    .select([
      sql<number>`coalesce(sum(customers), 0)`.as('Customers'),
      sql<number>`coalesce(sum(users), 0)`.as('Users'),
      sql<number>`coalesce(sum(monthly_spend), 0)`.as('MonthlySpend'),
    ])
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('monthly_figures')
    .where('reseller_id', '=', caller.resellerId)
    .where('month', '<', sql<Date>`date_trunc('month', ${now}::timestamptz at time zone 'UTC')`)
    .select(['customers', 'users', 'monthly_spend'])
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...current,
    CustomersLastMonth: last?.customers ?? 0,
    UsersLastMonth: last?.users ?? 0,
    SpendLastMonth: last?.monthly_spend ?? 0,
    MeteredLast7Days: await sumMetered(db, caller.resellerId, now),
    Currency: caller.currency,
  };
}

/** The 50 changing and failed services to look at first: failed before changing, newest before older. */
async function listAttention(db: Database, caller: Caller) {
  const restless = db
    .selectFrom('service_instances as i')
    .where('i.reseller_id', '=', caller.resellerId)
    .where('i.status_group', 'in', ['Failed', 'Changing']);
  const Items = await restless
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join =>
      join.onRef('p.service_id', '=', 'i.service_id').onRef('p.sub_id', '=', 'i.sub_id'),
    )
    .select([
      'i.id as Id',
      'c.organisation_id as OrganisationId',
      'c.name as CustomerName',
      'p.name as ServiceName',
      'p.icon as Icon',
      'i.status as Status',
      'i.status_group as StatusGroup',
      'i.reason as Reason',
      'i.last_change as LastChange',
    ])
    .orderBy('i.status_group', 'desc')
    .orderBy('i.last_change', 'desc')
    .orderBy('i.id')
    .limit(50)
    .execute();
  const { Total } = await restless.select(({ fn }) => fn.countAll<number>().as('Total')).executeTakeFirstOrThrow();
  return { Items, Total };
}
