import type { Database } from '../../tables.ts';

/** How far a mandate is, in the words of GoCardless. */
export type Mandate = 'pending_submission' | 'submitted' | 'active' | 'failed' | 'cancelled';

/** Milliseconds after which a mandate is submitted, and active; a bank takes days. */
const submittedAfter = 5000;
const activeAfter = 10_000;
/** … and cancelled at the bank, of an account for tests. */
const cancelledAfter = 20_000;

/** Gives the state of a direct-debit mandate, which follows from its age; undefined for an unknown one. */
export async function mandateStatus(db: Database, id: string, now: Date): Promise<Mandate | undefined> {
  const method = await db
    .selectFrom('card_provider_methods')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'directDebit')
    .executeTakeFirst();
  if (!method) return undefined;
  const age = now.getTime() - method.created.getTime();
  if (method.closed) return 'cancelled';
  if (age < submittedAfter) return 'pending_submission';
  if (method.behaviour === 'refused') return 'failed';
  if (age < activeAfter) return 'submitted';
  return method.behaviour === 'cancelled' && age >= cancelledAfter ? 'cancelled' : 'active';
}
