import { sql } from 'kysely';
import { recordActivity } from '../customers/activity.ts';
import { type Blockable, isBlocked } from '../reseller-settings/blocked-mails.ts';
import type { Write } from '../tables.ts';

export type Mail = {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
  /** Address that stops mails of this kind, for mail programs that offer that (RFC 8058). */
  readonly unsubscribe?: string;
};

/**
 * Puts a mail into the outbox; it is sent only if the transaction commits. It shows the brand of the reseller whose
 * account has the recipient's address as its name. A mail that the reseller has blocked (`about`) stays in the outbox, and
 * the activity of the customer says so.
 */
export async function putMail(trx: Write, mail: Mail, now: Date, about?: Blockable): Promise<void> {
  const blocked = about !== undefined && (await isBlocked(trx, about));
  const account = await trx
    .selectFrom('accounts')
    .select('reseller_id')
    .where(sql`lower(username)`, '=', mail.recipient.toLowerCase())
    .executeTakeFirst();
  const reseller_id = account?.reseller_id ?? null;
  await trx
    .insertInto('outbox')
    .values({
      ...mail,
      created: now,
      next_attempt: null,
      failure: null,
      reseller_id,
      ...(blocked && { state: 'blocked' }),
    })
    .execute();
  if (!blocked) return;
  const event = { action: 'Email blocked', target: mail.recipient, detail: mail.subject, views: ['settings'] as const };
  await recordActivity(trx, about.customerId, undefined, now, event);
}
