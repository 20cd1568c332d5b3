import { productCodes, serviceGroups } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { cents } from '../orders/price.ts';
import type { Database } from '../tables.ts';
import { isHeld } from './held.ts';

/** Groups of services: those of the catalogue, and `other` for products without any. */
export const groupNames = [...Object.keys(serviceGroups), 'other'];

const groupOf = ({ groupId }: { readonly groupId: number | null }): string =>
  Object.keys(serviceGroups).find(name => serviceGroups[name] === groupId) ?? 'other';

const keyOf = (serviceId: number, subId: number): string => `${serviceId}-${subId}`;
const groups = new Map(productCodes.map(code => [keyOf(code.serviceId, code.subId), groupOf(code)]));

/** Lists the keys ("6-1") of the products in a service group. */
export const productsOfGroup = (group: string): readonly string[] =>
  [...groups.keys()].filter(key => groups.get(key) === group);

/**
 * Counts the services of a customer by group and sums what they cost per month, in the order of the catalogue; groups
 * without any are left out.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function readServiceGroups(db: Database, caller: Caller, key: string) {
  const held = await db
    .selectFrom('service_instances')
    .select(['service_id', 'sub_id', 'monthly_charge'])
    .where('customer_id', '=', await customerIdOf(db, caller, key))
    .where(isHeld('service_instances'))
    .execute();
  const Items = groupNames.flatMap(Group => {
    const own = held.filter(({ service_id, sub_id }) => (groups.get(keyOf(service_id, sub_id)) ?? 'other') === Group);
    const MonthlyPrice = cents(own.reduce((sum, { monthly_charge }) => sum + monthly_charge, 0));
    return own.length === 0 ? [] : [{ Group, Services: own.length, MonthlyPrice, Currency: caller.currency }];
  });
  const MonthlyPrice = cents(Items.reduce((sum, item) => sum + item.MonthlyPrice, 0));
  return { Items, Total: Items.length, MonthlyPrice };
}
