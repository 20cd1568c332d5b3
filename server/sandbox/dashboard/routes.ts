import { sql } from 'kysely';
import { readAgreements } from '../agreements/read.ts';
import { agreementList, lineOf, readsAgreements } from '../agreements/shapes.ts';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { renewalList } from '../customers/overview-routes.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, integer, list, money, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { attentionGroups, attentionList, listAttention } from '../services/attention.ts';
import { listRenewalsWithin } from '../services/renewals.ts';
import type { Database } from '../tables.ts';
import { sumMetered } from '../usage/metered.ts';

const summary = object({
  Customers: integer,
  CustomersLastMonth: orNull(integer),
  Users: integer,
  UsersLastMonth: orNull(integer),
  MonthlySpend: money,
  SpendLastMonth: orNull(money),
  MeteredLast7Days: orNull(money),
  MeteredWeekBefore: orNull(money),
  Currency: string,
});
const months = object({ Items: list(object({ Month: string, MonthlySpend: money })) });
const attentionQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { group: { enum: attentionGroups } },
} as const;
/** A renewal that is nearer is one to look at. */
const renewalDays = 30;
const config = { needs: view('home') };
const tags = ['dashboard'];

/**
 * Adds the dashboard's routes: customers, users and spend now and a month ago; the spend of each month; services that
 * have failed or are changing, or renew soon; and agreements that are not signed.
 */
export function addDashboardRoutes(app: App, { db, now }: Parts): void {
  app.get('/api/dashboard/summary', { config, schema: { tags, response: replies(summary) } }, async ({ signedIn }) =>
    succeed(await readSummary(db, signedIn, now())),
  );
  app.get('/api/dashboard/months', { config, schema: { tags, response: replies(months) } }, async ({ signedIn }) =>
    succeed(await listMonths(db, signedIn, now())),
  );
  app.get(
    '/api/dashboard/attention',
    { config, schema: { tags, querystring: attentionQuery, response: replies(attentionList) } },
    async ({ signedIn, query }) => succeed(await listAttention(db, signedIn, query)),
  );
  app.get(
    '/api/dashboard/renewals',
    { config, schema: { tags, response: replies(renewalList) } },
    async ({ signedIn }) => succeed(await listRenewalsWithin(db, signedIn, now(), renewalDays)),
  );
  app.get(
    '/api/dashboard/unsigned-agreements',
    { config: { needs: readsAgreements }, schema: { tags, response: replies(agreementList) } },
    async ({ signedIn }) => {
      const all = await readAgreements(db, signedIn);
      const Items = all.filter(({ signed }) => signed === null).map(agreement => lineOf(agreement, signedIn));
      return succeed({ Items, Total: Items.length });
    },
  );
}

/** How the last eleven months ended, the oldest first, and how the current one stands; a month is its first day. */
async function listMonths(db: Database, caller: Caller, now: Date) {
  const current = startOfMonth(now);
  const ended = await db
    .selectFrom('monthly_figures')
    .where('reseller_id', '=', caller.resellerId)
    .where('month', '<', current)
    .select([sql<string>`month::text`.as('Month'), 'monthly_spend as MonthlySpend'])
    .orderBy('month', 'desc')
    .limit(11)
    .execute();
  const { Month, MonthlySpend } = await db
    .selectFrom('customer_counts')
    .where('reseller_id', '=', caller.resellerId)
    .select([sql<string>`${current}::date::text`.as('Month')])
    .select(sql<number>`coalesce(sum(monthly_spend), 0)`.as('MonthlySpend'))
    .executeTakeFirstOrThrow();
  return { Items: [...ended.reverse(), { Month, MonthlySpend }] };
}

const startOfMonth = (now: Date) => sql<Date>`date_trunc('month', ${now}::timestamptz at time zone 'UTC')`;

const day = 86_400_000;

/** Now, and how the last month ended; null for what was not counted then, or where nothing was metered. */
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
    .where('month', '<', startOfMonth(now))
    .select(['customers', 'users', 'monthly_spend'])
    .orderBy('month', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    ...current,
    CustomersLastMonth: last?.customers ?? null,
    UsersLastMonth: last?.users ?? null,
    SpendLastMonth: last?.monthly_spend ?? null,
    MeteredLast7Days: await sumMetered(db, caller.resellerId, now),
    MeteredWeekBefore: await sumMetered(db, caller.resellerId, new Date(now.getTime() - 7 * day)),
    Currency: caller.currency,
  };
}
