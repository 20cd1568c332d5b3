import { type Insertable, sql } from 'kysely';
import type { Tables, Write } from '../tables.ts';
import { mailNote } from './digest.ts';
import { sendHintToAccounts } from './hints.ts';
import { seesOrganisation } from './sees.ts';

/** A notification, whoever it is for. */
export type Note = Omit<Insertable<Tables['notifications']>, 'id' | 'account_id' | 'created' | 'status'>;

/**
 * Tells accounts something, each in the ways that it has chosen for the category: in the bell, with a hint to its
 * browsers, unless that was turned off; by mail at once; in the digest of the day. Nothing is mailed about a customer that
 * the account does not see.
 */
export async function notify(trx: Write, accounts: readonly number[], note: Note, now: Date): Promise<void> {
  if (accounts.length === 0) return;
  const told = await trx
    .selectFrom('accounts as a')
    .leftJoin('notification_ways as w', join =>
      join.onRef('w.account_id', '=', 'a.id').on('w.category', '=', note.category),
    )
    .where('a.id', 'in', accounts)
    .select(['a.id', 'a.email', 'a.display_name as name', 'w.mail', 'w.digest'])
    .select(['a.reseller_id as resellerId', 'a.customer_id as customerId'])
    .select([
      sql<boolean>`coalesce(w.bell, true)`.as('bell'),
      sql<boolean>`a.enabled and ${seesOrganisation(sql`${note.organisation_id ?? null}::bigint`)}`.as('sees'),
    ])
    .orderBy('a.id')
    .execute();

  const rung = told.filter(({ bell }) => bell).map(({ id }) => id);
  if (rung.length > 0) {
    const rows = rung.map(account_id => ({ ...note, account_id, created: now }));
    await trx.insertInto('notifications').values(rows).execute();
    await sendHintToAccounts(trx, rung, { kind: 'notification' });
  }
  for (const { id, email, name, mail, sees, ...of } of told)
    if (mail && sees) await mailNote(trx, { id, email, name, of }, note, now);
  const kept = told.filter(({ digest, sees }) => digest && sees);
  if (kept.length > 0) {
    const row = { created: now, message: note.content, organisation_id: note.organisation_id ?? null };
    await trx
      .insertInto('notification_digests')
      .values(kept.map(({ id }) => ({ ...row, account_id: id })))
      .execute();
  }
}

/** Notifies every staff account of a reseller, and `alsoAccount` if that is an account of one of its customers. */
export async function notifyReseller(
  trx: Write,
  resellerId: number,
  now: Date,
  note: Note,
  alsoAccount: number | null = null,
): Promise<void> {
  const accounts = await trx
    .selectFrom('accounts')
    .select('id')
    .where('reseller_id', '=', resellerId)
    .where(({ or, eb }) => or([eb('customer_id', 'is', null), eb('id', '=', alsoAccount)]))
    .execute();
  const ids = accounts.map(({ id }) => id);
  await notify(trx, ids, note, now);
}
