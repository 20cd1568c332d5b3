import type { Blockable } from '../reseller-settings/blocked-mails.ts';
import type { Write } from '../tables.ts';
import { putMail } from './mail.ts';

export type Welcome = {
  readonly name: string;
  readonly email: string;
  readonly company: string;
  readonly hasPassword: boolean;
} & Pick<Blockable, 'resellerId' | 'customerId'>;

/** Puts the welcome mail of a new user into the outbox; it is sent only if the transaction commits. */
export async function sendWelcome(trx: Write, { name, email, company, hasPassword, ...of }: Welcome, now: Date) {
  const password = hasPassword
    ? 'Your administrator will tell you your password.'
    : 'To choose your password, use "Forgot password" on the sign-in page.';
  const body = `Hello ${name},\n\nyou can now sign in with ${email}. ${password}\n\n${company}`;
  const subject = `Welcome to ${company}`;
  await putMail(trx, { recipient: email, subject, body }, now, { kind: 'Welcome', ...of });
}
