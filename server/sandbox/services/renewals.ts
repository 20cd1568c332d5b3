import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { currencyOf, customerIdOf } from '../customers/scope.ts';
import { day, id, integer, list, money, object } from '../http/schema.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
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
  return await listRenewals(db, now, sql`i.customer_id = ${customerId}`, null);
}

/** Lists the renewals of all customers of the caller's reseller in the days to come, the first one first. */
export async function listRenewalsWithin(db: Database, caller: Caller, now: Date, days: number) {
  return await listRenewals(db, now, sql`i.reseller_id = ${caller.resellerId}`, days);
}

const renewal = fields('r', [
  { name: 'Id', shape: id },
  { name: 'OrganisationId', shape: id },
  { name: 'CustomerName', column: 'customer' },
  { name: 'Name' },
  { name: 'Icon' },
  { name: 'Term' },
  { name: 'RenewsOn', shape: day, column: sql`(r.renews at time zone 'UTC')::date` },
  { name: 'StopUntil', shape: day, column: sql`(r.renews at time zone 'UTC')::date - ${noticeDays}::int` },
  { name: 'NextTerm', shape: money, column: sql`r.monthly_charge * r.months`, isNumber: true },
  { name: 'Currency', column: currencyOf('r') },
]);
/** Renewals, the first one first. */
export const renewalList = object({ Items: list(renewal.schema), Total: integer });

async function listRenewals(db: Database, now: Date, whose: RawBuilder<unknown>, days: number | null) {
  const { rows } = await sql<RowOf<typeof renewal> & { readonly total: number }>`
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
    select ${selected(renewal)}, count(*) over () as total
    from renewing r
    where ${days}::int is null or r.renews < ${now}::timestamptz + ${days}::int * interval '1 day'
    order by r.renews, r.id limit ${mostRows}`.execute(db);
  return { Items: rows, Total: rows[0]?.total ?? 0 };
}
