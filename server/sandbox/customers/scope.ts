import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import type { Database } from '../tables.ts';

/**
 * Builds the SQL condition, over a row `c` of `customers`, for the customers that the caller may see: all of its
 * reseller, or only its own organisation.
 */
export const isVisibleTo = ({ customerId, resellerId }: Caller) =>
  customerId === null ? sql<boolean>`c.reseller_id = ${resellerId}` : sql<boolean>`c.id = ${customerId}`;

/** Builds SQL for the currency of a row's reseller. */
export const currencyOf = (alias: string) =>
  sql<string>`(select currency from resellers where id = ${sql.ref(`${alias}.reseller_id`)})`;

/**
 * Builds a query for a customer by its CustomerId (guid) or OrganisationId (digits); it finds nothing when the caller
 * may not see the customer.
 * @throws {CloudError} 404 when the key has neither form
 */
export function visibleCustomer(db: Database, caller: Caller, key: string) {
  const query = db.selectFrom('customers as c').where(isVisibleTo(caller));
  if (/^\d{1,15}$/.test(key)) return query.where('c.organisation_id', '=', Number(key));
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key)) return query.where('c.id', '=', key);
  throw notFound();
}

/**
 * Finds the CustomerId (guid) behind a CustomerId or OrganisationId. Inside a transaction it locks the customer's row.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function customerIdOf(db: Database, caller: Caller, key: string): Promise<string> {
  const query = visibleCustomer(db, caller, key).select('c.id');
  const { id } = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirstOrThrow(notFound);
  return id;
}
