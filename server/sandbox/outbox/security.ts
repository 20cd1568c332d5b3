import { sendHint } from '../notifications/hints.ts';
import type { Write } from '../tables.ts';
import { putMail } from './mail.ts';

/** A notice about a change of how somebody signs in, by mail and in the portal. */
export type SecurityNotice = {
  readonly accountId: number;
  readonly name: string;
  readonly email: string;
  readonly subject: string;
  /** The change, in whole sentences. */
  readonly what: string;
};

/**
 * Tells an account's owner, by mail and in the portal, about a change of how it signs in. Sent only if the transaction
 * commits.
 */
export async function sendSecurityNotice(
  trx: Write,
  { accountId, name, email, subject, what }: SecurityNotice,
  now: Date,
): Promise<void> {
  const body = `Hello ${name},\n\n${what}\n\nIf this was not you, change your password at once and tell your administrator.`;
  await putMail(trx, { recipient: email, subject, body }, now);
  const told = { service_name: 'Sign-in', message: subject, content: what, category: 'warning' as const };
  await trx
    .insertInto('notifications')
    .values({ ...told, account_id: accountId, created: now })
    .execute();
  await sendHint(trx, { account: accountId }, { kind: 'notification' });
}
