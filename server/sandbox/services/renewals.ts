import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import type { Database } from '../tables.ts';
import { monthsOfTerm, nextEndOfTerm, ofTerm } from './term.ts';

/** Days before a renewal until which it can be stopped. */
const noticeDays = 7;
/** Renewals that are listed at most. */
const mostRows = 50;

/**
 * Lists the next renewals of a customer's active services, the first one first. A service renews when its committed term
 * ends; one that is ordered by the month does not renew.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function listCustomerRenewals(db: Database, caller: Caller, key: string, now: Date) {
  const customerId = await customerIdOf(db, caller, key);
  return await listRenewals(db, caller, now, sql`i.customer_id = ${customerId}`, null);
}

/** Lists the renewals of all customers of the caller's reseller in the days to come, the first one first. */
export async function listRenewalsWithin(db: Database, caller: Caller, now: Date, days: number) {
  return await listRenewals(db, caller, now, sql`i.reseller_id = ${caller.resellerId}`, days);
}

type Renewal = {
  readonly Id: number;
  readonly OrganisationId: number;
  readonly CustomerName: string;
  readonly Name: string;
  readonly Icon: string;
  readonly Term: string;
  /** Days, YYYY-MM-DD. */
  readonly RenewsOn: string;
  readonly StopUntil: string;
  readonly NextTerm: number;
};

async function listRenewals(
  db: Database,
  caller: Caller,
  now: Date,
  whose: RawBuilder<unknown>,
  days: number | null,
): Promise<{ Items: (Renewal & { Currency: string })[]; Total: number }> {
  const { rows } = await sql<Renewal & { readonly total: number }>`
    with committed as (
      select i.*, c.organisation_id, c.name as customer, p.name, p.icon, ${ofTerm('Name')} as term,
        ${monthsOfTerm} as months
      from service_instances i
      join customers c on c.id = i.customer_id
      join products p on p.service_id = i.service_id and p.sub_id = i.sub_id
      where ${whose} and i.status = 'Active' and i.term_id not in ('monthly', 'once')
        and not c.suspended
    ), renewing as (
      select i.*, ${nextEndOfTerm(sql`months`, now)} as renews from committed i where months > 1
    )
    select id as "Id", organisation_id as "OrganisationId", customer as "CustomerName", name as "Name", icon as "Icon",
      term as "Term", (renews at time zone 'UTC')::date::text as "RenewsOn",
      ((renews at time zone 'UTC')::date - ${noticeDays}::int)::text as "StopUntil",
      monthly_charge * months as "NextTerm", count(*) over () as total
    from renewing
    where ${days}::int is null or renews < ${now}::timestamptz + ${days}::int * interval '1 day'
    order by renews, id limit ${mostRows}`.execute(db);
  return {
    Items: rows.map(({ total, ...row }) => ({ ...row, Currency: caller.currency })),
    Total: rows[0]?.total ?? 0,
  };
}
