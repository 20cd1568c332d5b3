import type { Write } from '../tables.ts';

export type Mail = { readonly recipient: string; readonly subject: string; readonly body: string };

/** Puts a mail into the outbox; it is sent only if the transaction commits. */
export async function putMail(trx: Write, mail: Mail, now: Date): Promise<void> {
  await trx
    .insertInto('outbox')
    .values({ ...mail, created: now, next_attempt: null, failure: null })
    .execute();
}
