import type { Caller } from '../auth/caller.ts';
import { exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import { matching } from './matching.ts';
import type { CustomerStatus, StatusGroup } from './tables.ts';

/** A group as the statuses in it: these the indexes know. */
export const statusesOf: Readonly<Record<StatusGroup, readonly CustomerStatus[]>> = {
  Active: ['Active'],
  Changing: ['Activating', 'Deleting'],
  Failed: ['ActivationFailed', 'DeletionFailed'],
  Suspended: ['Suspended'],
};
export const statusGroups = Object.keys(statusesOf) as StatusGroup[];

/** Without a spend where there are more customers than were counted. */
export type StatusCount = { status: StatusGroup; customers: number; monthlySpend: number | null };

/**
 * Counts the customers and their monthly spend by status group. Without a search and for a whole reseller it reads the
 * stored counters, exact whatever their size; else it counts up to `exactTo` in a group, and `monthlySpend` is null
 * beyond.
 */
export async function countGroups(db: Database, caller: Caller, search: string): Promise<StatusCount[]> {
  if (search === '' && caller.customerId === null) {
    return await db
      .selectFrom('customer_counts')
      .where('reseller_id', '=', caller.resellerId)
      .select(['status_group as status', 'customers', 'monthly_spend as monthlySpend'])
      .execute();
  }
  const found = matching(db, caller, search);
  const groups = await countMatches(db, found);
  if (addUp(groups).customers <= exactTo) return groups;
  const each = await Promise.all(
    statusGroups.map(name => countMatches(db, found.where('c.status', 'in', statusesOf[name]))),
  );
  return each.flat().map(group => (group.customers > exactTo ? { ...group, monthlySpend: null } : group));
}

/** Counts by status group, stopping at one more than `exactTo` in all. */
async function countMatches(db: Database, found: ReturnType<typeof matching>): Promise<StatusCount[]> {
  const counted = found.select(['c.status_group', 'c.monthly_spend']).limit(exactTo + 1);
  return await db
    .selectFrom(counted.as('c'))
    .select(({ fn }) => [
      'c.status_group as status',
      fn.countAll<number>().as('customers'),
      fn.sum<number>('c.monthly_spend').as('monthlySpend'),
    ])
    .groupBy('c.status_group')
    .execute();
}

/**
 * Adds up the counts of all status groups, or of the group `only`. `isExact` is false, and `monthlySpend` null, when a
 * group has more customers than were counted.
 */
export function addUp(groups: readonly StatusCount[], only?: StatusGroup) {
  const added = groups.filter(({ status }) => only === undefined || status === only);
  const isPart = added.some(group => group.monthlySpend === null);
  const spend = added.reduce((sum, group) => sum + (group.monthlySpend ?? 0), 0);
  return {
    customers: added.reduce((sum, group) => sum + group.customers, 0),
    isExact: !isPart,
    monthlySpend: isPart ? null : Math.round(spend * 100) / 100,
  };
}
