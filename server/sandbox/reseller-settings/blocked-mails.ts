import type { Database } from '../tables.ts';

/** Kinds of mails to people of customers that a reseller may block. What is about signing in is none of them. */
export const mailKinds = ['Welcome', 'HeldBack', 'Notification'] as const;
export type MailKind = (typeof mailKinds)[number];

/** A mail to somebody of a customer that their reseller may have blocked. */
export type Blockable = { readonly kind: MailKind; readonly resellerId: number; readonly customerId: string };

/** True where a reseller has its customers not get mails of a kind. */
export async function isBlocked(db: Database, { kind, resellerId }: Blockable): Promise<boolean> {
  const rows = db.selectFrom('reseller_settings').select('blocked_mails').where('reseller_id', '=', resellerId);
  return (await rows.executeTakeFirst())?.blocked_mails.includes(kind) ?? false;
}
