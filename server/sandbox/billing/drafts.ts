import { sql } from 'kysely';
import type { Write } from '../tables.ts';
import { addUsage, chargesOf, creditsOf, type Period } from './charges.ts';
import type { DraftKind } from './tables.ts';
import { taxRate } from './tax.ts';

/** Customers whose charges are computed in one transaction. They stay in the database, so memory is bounded by these. */
const customersPerPage = 1000;

/** An invoice or pre-bill of a reseller and month that is being computed. */
export type Draft = {
  readonly id: number;
  readonly resellerId: number;
  readonly currency: string;
  readonly period: Period;
};

/**
 * Takes the billing lock and holds it until the transaction ends, waiting for another process that has it: only one at
 * a time computes, writes or settles invoices and credit memos.
 */
export async function waitForTurn(trx: Write): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('billing ' || current_schema()))`.execute(trx);
}

/**
 * Adds the charges of the next page of customers to the draft of an invoice or pre-bill, and begins the draft where
 * there is none. The caller holds the billing lock (`waitForTurn`).
 * @returns the draft once every customer is in it, to be written and deleted in the same transaction; undefined before
 */
export async function addNextPage(
  trx: Write,
  kind: DraftKind,
  resellerId: number,
  period: Period,
): Promise<Draft | undefined> {
  await trx
    .insertInto('billing_drafts')
    .values({ kind, reseller_id: resellerId, period: period.start })
    .onConflict(on => on.doNothing())
    .execute();
  const { id, reached, currency } = await trx
    .selectFrom('billing_drafts')
    .innerJoin('resellers', 'resellers.id', 'reseller_id')
    .select(['billing_drafts.id', 'reached', 'currency'])
    .where('kind', '=', kind)
    .where('reseller_id', '=', resellerId)
    .where('period', '=', sql<Date>`${period.start}::date`)
    .executeTakeFirstOrThrow();
  const customers = await trx
    .selectFrom('customers')
    .select(['id', 'organisation_id'])
    .where('reseller_id', '=', resellerId)
    .where('organisation_id', '>', reached)
    .orderBy('organisation_id')
    .limit(customersPerPage)
    .execute();
  const last = customers.at(-1);
  if (last !== undefined) {
    const page = { resellerId, customers: customers.map(customer => customer.id) };
    await addUsage(trx, page, id, period);
    const charges = chargesOf(page, id, period);
    const lines = kind === 'PreBill' ? charges : sql`(${charges}) union all (${creditsOf(page, period)})`;
    await sql`
      insert into billing_draft_lines (draft_id, key, kind, customer_id, organisation_id, customer, service, instance_id,
        order_id, starts, ends, quantity, unit_price, days, month_days, exact, against, rate)
      select ${id}::bigint, key, kind, customer_id, organisation_id, customer, service, instance_id, order_id, starts, ends,
        quantity, unit_price, days, month_days, exact, against, ${taxRate(currency)}
      from (${lines}) l`.execute(trx);
    await trx.updateTable('billing_drafts').set({ reached: last.organisation_id }).where('id', '=', id).execute();
  }
  return customers.length < customersPerPage ? { id, resellerId, currency, period } : undefined;
}

/** Deletes the draft of an invoice or pre-bill once that is written. */
export async function deleteDraft(trx: Write, { id }: Draft): Promise<void> {
  await trx.deleteFrom('billing_drafts').where('id', '=', id).execute();
}
