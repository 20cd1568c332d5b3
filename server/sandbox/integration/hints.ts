import { sendHint } from '../notifications/hints.ts';
import type { Database } from '../tables.ts';

const hint = { kind: 'integrations-changed' } as const;

/** Tells the pages of all of a reseller's own people that one of its integrations is worth reading again. */
export const hintIntegrations = (db: Database, reseller: number): Promise<void> =>
  sendHint(db, { reseller, customer: '' }, hint);

/** Tells the pages of an account that its keys are worth reading again. */
export const hintKeys = (db: Database, account: number): Promise<void> => sendHint(db, { account }, hint);

/** Does so for all people of the reseller that an account belongs to. */
export async function hintIntegrationsOf(db: Database, account: number): Promise<void> {
  const found = await db.selectFrom('accounts').select('reseller_id').where('id', '=', account).executeTakeFirst();
  if (found) await hintIntegrations(db, found.reseller_id);
}
