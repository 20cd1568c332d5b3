import type { Insertable } from 'kysely';
import type { Tables, Write } from '../tables.ts';
import { sendHint } from './hints.ts';

type NotificationText = Pick<
  Insertable<Tables['notifications']>,
  'service_name' | 'message' | 'content' | 'category' | 'organisation_id' | 'instance_id'
>;

/**
 * Inserts a notification for every staff account of a reseller, and for `alsoAccount` if that is an account of one of
 * its customers; sends each account's browser a hint to read it.
 */
export async function notifyReseller(
  trx: Write,
  resellerId: number,
  now: Date,
  told: NotificationText,
  alsoAccount: number | null = null,
): Promise<void> {
  const accounts = await trx
    .selectFrom('accounts')
    .select('id')
    .where('reseller_id', '=', resellerId)
    .where(({ or, eb }) => or([eb('customer_id', 'is', null), eb('id', '=', alsoAccount)]))
    .orderBy('id')
    .execute();
  if (accounts.length === 0) return;
  const rows = accounts.map(({ id }) => ({ ...told, account_id: id, created: now }));
  await trx.insertInto('notifications').values(rows).execute();
  for (const { id } of accounts) await sendHint(trx, { account: id }, { kind: 'notification' });
}
