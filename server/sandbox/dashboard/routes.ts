import { sql } from 'kysely';
import { readAgreements } from '../agreements/read.ts';
import { agreementList, lineOf, readsAgreements } from '../agreements/shapes.ts';
import type { Caller } from '../auth/caller.ts';
import { view } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, integer, list, money, object, orNull, partial, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { attentionGroups, attentionList, listAttention } from '../services/attention.ts';
import { listRenewalsWithin, renewalList } from '../services/renewals.ts';
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
const attentionQuery = partial({ group: { enum: attentionGroups } });
/** A renewal that is nearer is one to look at. */
const renewalDays = 30;

/**
 * Adds the dashboard's routes: customers, users and spend now and a month ago; the spend of each month; services that
 * have failed or are changing, or renew soon; and agreements that are not signed.
 */
export function addDashboardRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['dashboard'], needs: view('home') });

  route('GET /api/dashboard/summary', { reply: summary }, ({ caller }) => readSummary(db, caller, now()));
  route('GET /api/dashboard/months', { reply: months }, ({ caller }) => listMonths(db, caller, now()));
  route('GET /api/dashboard/attention', { query: attentionQuery, reply: attentionList }, ({ caller, query }) =>
    listAttention(db, caller, query),
  );
  route('GET /api/dashboard/renewals', { reply: renewalList }, ({ caller }) =>
    listRenewalsWithin(db, caller, now(), renewalDays),
  );
  route(
    'GET /api/dashboard/unsigned-agreements',
    { needs: readsAgreements, reply: agreementList },
    async ({ caller }) => {
      const all = await readAgreements(db, caller);
      const Items = all.filter(({ signed }) => signed === null).map(agreement => lineOf(agreement, caller));
      return { Items, Total: Items.length };
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
