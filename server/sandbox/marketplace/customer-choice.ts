import type { Caller } from '../auth/caller.ts';
import { matching, withMatched } from '../customers/matching.ts';
import { countUpTo, exactTo } from '../search.ts';
import { isHeld } from '../services/held.ts';
import type { Database } from '../tables.ts';
import { heldByReseller, worstStatus } from './holdings.ts';
import type { Product } from './products.ts';

/** As many as the drop-down shows. */
const most = 50;

/**
 * Gives the first customers, by name, that match a search, each with its status of the product; the status of a
 * suspended customer is `Suspended`. `AllowedToAdd`, one for all customers, is false when the product can be had once
 * per reseller and the reseller has it.
 */
export async function chooseCustomers(db: Database, caller: Caller, product: Product, search: string) {
  const few = search === '' ? exactTo : await countUpTo(db, matching(db, caller, search).select('c.id'));
  const rows = await withMatched(db, caller, search, few < exactTo)
    .with('first', on => on.selectFrom('matched').select('id').orderBy('name').orderBy('id').limit(most))
    .selectFrom('first')
    .innerJoin('customers as c', 'c.id', 'first.id')
    .select(({ selectFrom }) => [
      'c.organisation_id as Id',
      'c.name as Name',
      'c.domain as Domain',
      'c.suspended',
      selectFrom('service_instances as i')
        .whereRef('i.customer_id', '=', 'c.id')
        .where('i.user_id', 'is', null)
        .where('i.service_id', '=', product.serviceId)
        .where('i.sub_id', '=', product.subId)
        .where(isHeld('i'))
        .groupBy('i.customer_id')
        .select(worstStatus.as('status'))
        .as('status'),
    ])
    .orderBy('c.name')
    .orderBy('c.id')
    .execute();
  const isTaken =
    product.orderLimit === 'OncePerReseller' && (await heldByReseller(db, caller.resellerId, product)) !== undefined;
  const Customers = rows.map(({ Id, Name, Domain, suspended, status }) => ({
    Id,
    Name,
    Domain,
    Status: suspended ? 'Suspended' : status,
  }));
  return { Customers, AllowedToAdd: !isTaken, OrderLimit: product.orderLimit };
}
