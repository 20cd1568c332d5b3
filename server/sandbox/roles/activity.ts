import type { Caller } from '../auth/caller.ts';
import { differences, type Event, isSame, recordActivity, type State } from '../customers/activity.ts';
import type { Write } from '../tables.ts';

type Changed = Pick<Event, 'action' | 'target' | 'detail'> & { readonly before?: State; readonly after?: State };
/** The account that it happened to, where that is one of a customer. */
type Subject = { readonly customer_id: string | null; readonly user_id: number | null };

/**
 * Records what was done to people and roles of a reseller, in the transaction that did it, with the values that differ;
 * nothing where none does. Without a caller the cloud itself did it. What happens to an account of a customer stands in
 * the activity of that customer too.
 */
export async function recordAccess(
  trx: Write,
  { resellerId, caller, now }: { readonly resellerId: number; readonly caller?: Caller; readonly now: Date },
  { before, after, ...event }: Changed,
  subject?: Subject,
): Promise<void> {
  const told = differences(before ?? {}, after ?? {});
  if ((before || after) && isSame(told)) return;
  await trx
    .insertInto('access_activity')
    .values({
      reseller_id: resellerId,
      at: now,
      actor: caller?.displayName ?? 'Cloud',
      actor_type: caller?.userType ?? 'system',
      real_actor: caller?.actorName ?? '',
      ...event,
      ...told,
    })
    .execute();
  if (!subject || subject.customer_id === null) return;
  const users = subject.user_id === null ? [] : [subject.user_id];
  await recordActivity(trx, subject.customer_id, caller, now, { ...event, ...told, users });
}
