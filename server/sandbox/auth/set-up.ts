import { sendSecurityNotice } from '../outbox/security.ts';
import type { Write } from '../tables.ts';
import { type RecoveryCodes, storeRecoveryCodes } from './recovery-codes.ts';

export type Owner = { readonly id: number; readonly email: string; readonly display_name: string };

/** Stores the recovery codes of an authenticator app that was set up during sign-in, and mails the account's owner. */
export async function completeAppSetUp(
  trx: Write,
  { id: accountId, display_name: name, email }: Owner,
  codes: RecoveryCodes,
  now: Date,
): Promise<void> {
  await storeRecoveryCodes(trx, accountId, codes);
  const what = 'An authenticator app was set up for your account.';
  await sendSecurityNotice(trx, { accountId, name, email, subject: 'Authenticator app set up', what }, now);
}
