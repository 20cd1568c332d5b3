import { sendSecurityNotice } from '../outbox/security.ts';
import type { Write } from '../tables.ts';
import { type RecoveryCodes, storeRecoveryCodes } from './recovery-codes.ts';

export type Owner = { readonly id: number; readonly email: string; readonly display_name: string };

/** Keeps the recovery codes of an app that was set up at sign-in, and tells its owner that it was. */
export async function keepSetUp(
  trx: Write,
  { id: accountId, display_name: name, email }: Owner,
  codes: RecoveryCodes,
  now: Date,
): Promise<void> {
  await storeRecoveryCodes(trx, accountId, codes);
  const what = 'An authenticator app was set up for your account.';
  await sendSecurityNotice(trx, { accountId, name, email, subject: 'Authenticator app set up', what }, now);
}
