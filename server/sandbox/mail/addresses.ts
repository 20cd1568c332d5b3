import { type RawBuilder, sql } from 'kysely';
import type { Write } from '../tables.ts';

/** SQL for the address that a mailbox writes from; `mailbox` is its id. */
export const primaryOf = (mailbox: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(select pa.address from mail_addresses pa where pa.mailbox_id = ${mailbox} and pa.is_primary)`;

/** SQL for the primary address of a user's mailbox, null without one; `user` is the id of the user. */
export const addressOfUser = (user: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`(select pa.address from mailboxes pm
    join mail_addresses pa on pa.mailbox_id = pm.id and pa.is_primary where pm.user_id = ${user})`;

type NewMailbox = {
  readonly customerId: string;
  readonly userId: number;
  readonly address: string;
  readonly quotaMb: number;
  readonly usedMb?: number;
  readonly created: Date;
};

/**
 * Makes the mailbox of a user who has none yet. Where the address is somebody else's it gets the next one that is free:
 * "ada.2@contoso.test".
 */
export async function createMailbox(trx: Write, made: NewMailbox): Promise<void> {
  const { customerId: customer_id, userId: user_id, address, quotaMb: quota_mb, usedMb: used_mb = 0, created } = made;
  const mailbox = await trx
    .insertInto('mailboxes')
    .values({ customer_id, user_id, quota_mb, used_mb, created })
    .onConflict(known => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!mailbox) return;
  for (let number = 1; ; number++) {
    const tried = number === 1 ? address : address.replace('@', `.${number}@`);
    const { numInsertedOrUpdatedRows = 0n } = await trx
      .insertInto('mail_addresses')
      .values({ customer_id, mailbox_id: mailbox.id, address: tried, is_primary: true, created })
      .onConflict(known => known.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows > 0n) return;
  }
}
