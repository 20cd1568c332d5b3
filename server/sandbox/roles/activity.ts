import type { Caller } from '../auth/caller.ts';
import { differences, type Event, isSame, recordActivity, type State } from '../customers/activity.ts';
import type { Write } from '../tables.ts';

type Changed = Pick<Event, 'action' | 'target' | 'detail'> & { readonly before?: State; readonly after?: State };
/** The account that it happened to, where that is one of a customer. */
type Subject = { readonly customer_id: string | null; readonly user_id: number | null };

/**
 * Records what was done to people and roles of a reseller, in the transaction that did it, with the values that differ;
 * nothing where none does. Without a caller the cloud itself did it. It stands in the activity of the customer whose
 * account it happened to, or else in that of the reseller, for those who manage people.
 */
export async function recordAccess(
  trx: Write,
  { resellerId, caller, now }: { readonly resellerId: number; readonly caller?: Caller; readonly now: Date },
  { before, after, ...event }: Changed,
  subject?: Subject,
): Promise<void> {
  const told = differences(before ?? {}, after ?? {});
  if ((before || after) && isSame(told)) return;
  const customerId = subject?.customer_id ?? null;
  const users = customerId === null || !subject?.user_id ? [] : [subject.user_id];
  const views: Event['views'] = customerId === null ? ['manageUsers'] : [];
  await recordActivity(trx, customerId ?? { resellerId }, caller, now, { ...event, ...told, users, views });
}
