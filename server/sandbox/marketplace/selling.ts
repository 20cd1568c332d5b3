import { type Agreement, linkedTo, readAgreements } from '../agreements/read.ts';
import type { Caller } from '../auth/caller.ts';
import { isHeld } from '../services/held.ts';
import type { Database } from '../tables.ts';
import { keyOf, type Product } from './products.ts';

/** Facts that selling a product goes by, beside the product itself. */
export type Selling = {
  /** Customers that have a product, by its key; null for those who see only their own. */
  readonly heldBy: ReadonlyMap<string, number> | null;
  /** The agreements that a product needs, its own first. */
  readonly agreementsOf: (product: Pick<Product, 'agreementServiceId'>) => readonly Agreement[];
};

/** Reads how many customers of the caller have each product, and the agreements that the products need. */
export async function readSelling(db: Database, caller: Caller): Promise<Selling> {
  const agreements = await readAgreements(db, caller);
  return {
    heldBy: caller.customerId === null ? await countHolders(db, caller.resellerId) : null,
    agreementsOf({ agreementServiceId }) {
      const own = agreements.find(({ service_ids }) => service_ids.includes(agreementServiceId));
      return own === undefined ? [] : [own, ...linkedTo(agreements, own)];
    },
  };
}

async function countHolders(db: Database, resellerId: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('service_instances')
    .where('reseller_id', '=', resellerId)
    .where(isHeld('service_instances'))
    .select(['service_id', 'sub_id'])
    .select(({ fn }) => fn.count<number>('customer_id').distinct().as('customers'))
    .groupBy(['service_id', 'sub_id'])
    .execute();
  return new Map(rows.map(row => [keyOf(row.service_id, row.sub_id), row.customers]));
}
