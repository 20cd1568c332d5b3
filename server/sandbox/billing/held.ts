import { sql } from 'kysely';

/**
 * Gives SQL for how much of an invoice payments without an answer hold, in minor units, since it may have been taken.
 * @param invoice table or alias of the invoice in the query
 */
export const heldOf = (invoice: string) => sql`coalesce((
  select sum(p.amount) from payments p where p.invoice_id = ${sql.ref(`${invoice}.id`)} and p.status = 'Pending'), 0)`;
