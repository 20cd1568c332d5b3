import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import type { Database, Tables } from '../tables.ts';

type Customers = Tables & { c: Tables['customers'] };

/**
 * Builds the SQL condition, over a row `c` of `customers`, for the customers that the caller may see: all of its
 * reseller, or only its own organisation.
 */
export function isVisibleTo(caller: Caller) {
  return (on: ExpressionBuilder<Customers, 'c'>): Expression<SqlBool> =>
    caller.customerId === null ? on('c.reseller_id', '=', caller.resellerId) : on('c.id', '=', caller.customerId);
}

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
  const row = await (db.isTransaction ? query.forUpdate() : query).executeTakeFirst();
  if (row === undefined) throw notFound();
  return row.id;
}
