import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import type { Product } from './products.ts';

/** A service that a customer as a whole holds of a product, and that more of it could raise. */
export type Raisable = {
  readonly customer_id: string;
  readonly id: number;
  readonly quantity: number;
  /** Of one. */
  readonly monthly_price: number;
  readonly term_id: string | null;
  readonly billing_id: string | null;
};

/**
 * Reads of each customer the service that more of a product would raise in place of a second subscription: its oldest
 * active one. None of what is bought once, or held once at most: that is
 * refused with its reason.
 */
export async function listRaisable(
  db: Database,
  customerIds: readonly string[],
  { serviceId, subId, chargingModel, offer, orderLimit }: Product,
): Promise<ReadonlyMap<string, Raisable>> {
  if (chargingModel === 'OneTime' || orderLimit !== 'MultiplePerCustomer' || offer.MaxQuantity <= 1) return new Map();
  const { rows } = await sql<Raisable>`
    select distinct on (customer_id) customer_id, id, quantity, monthly_price, term_id,
      billing_id
    from service_instances
    where customer_id = any(${customerIds}::uuid[]) and service_id = ${serviceId} and sub_id = ${subId}
      and user_id is null and status = 'Active'
    order by customer_id, id`.execute(db);
  return new Map(rows.map(row => [row.customer_id, row]));
}
