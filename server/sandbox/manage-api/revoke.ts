import type { Caller } from '../auth/caller.ts';
import { recordActivity } from '../customers/activity.ts';
import { hintKeys } from '../integration/hints.ts';
import { notify } from '../notifications/store.ts';
import { putMail } from '../outbox/mail.ts';
import type { Write } from '../tables.ts';

/**
 * Ends keys of other people at once and for good, with the sign-ins that they opened; whoever made them is told in the
 * portal and by mail, and it stands in the activity of the reseller.
 */
export async function revokeKeys(trx: Write, caller: Caller, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  const keys = await trx
    .selectFrom('api_keys as k')
    .innerJoin('accounts as a', 'a.id', 'k.account_id')
    .where('k.id', 'in', ids)
    .select(['k.id', 'k.name', 'a.id as owner', 'a.email', 'a.display_name', 'a.reseller_id'])
    .orderBy('k.id')
    .execute();
  await trx.deleteFrom('api_keys').where('id', 'in', ids).execute();
  for (const { name, owner, email, display_name, reseller_id } of keys) {
    await recordActivity(trx, { resellerId: reseller_id }, caller, now, {
      ...{ action: 'API key revoked', target: name, detail: `Of ${display_name}` },
      views: ['settings'],
    });
    const content = `${caller.displayName} has revoked your API key ${name}. Programs that use it are refused from now on.`;
    const note = { service_name: 'API access', message: 'API key revoked', content, category: 'warning' as const };
    await notify(trx, [owner], note, now);
    const body = `Hello ${display_name},\n\n${content}\n\n${caller.resellerName}`;
    await putMail(trx, { recipient: email, subject: 'Your API key was revoked', body }, now);
    await hintKeys(trx, owner);
  }
}
