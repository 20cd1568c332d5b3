import { sql } from 'kysely';
import type { Write } from '../tables.ts';

export type Mail = { readonly recipient: string; readonly subject: string; readonly body: string };

/**
 * Puts a mail into the outbox; it is sent only if the transaction commits. It shows the brand of the reseller whose
 * account has the recipient's address as its name.
 */
export async function putMail(trx: Write, mail: Mail, now: Date): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('reseller_id')
    .where(sql`lower(username)`, '=', mail.recipient.toLowerCase())
    .executeTakeFirst();
  const reseller_id = account?.reseller_id ?? null;
  await trx
    .insertInto('outbox')
    .values({ ...mail, created: now, next_attempt: null, failure: null, reseller_id })
    .execute();
}
