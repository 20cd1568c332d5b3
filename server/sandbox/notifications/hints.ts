import { sql } from 'kysely';
import type { Database } from '../tables.ts';

/** A message of the hub. It only hints that something is worth reading again. */
export type Hint =
  | { readonly kind: 'notification' }
  | { readonly kind: 'service-changed'; readonly organisationId: string }
  | { readonly kind: 'permissions-changed' }
  | { readonly kind: 'payments-changed' }
  | { readonly kind: 'psa-synchronised' }
  | { readonly kind: 'integrations-changed' }
  | { readonly kind: 'tickets-changed' }
  | { readonly kind: 'network-changed' };

/** One account; one sign-in; the reseller's people together with those of one of its customers; or all that are signed in. */
export type Audience =
  | { readonly account: number }
  | { readonly grant: string }
  | { readonly reseller: number; readonly customer: string }
  | { readonly everyone: true };

/** `end`: the connections of this audience are closed. */
export type HubMessage = { readonly to: Audience; readonly hint: Hint | 'end' };

/** SQL for the channel of hints, whichever schema the connection looks into first. */
export const hintsChannel = sql<string>`replace(current_schema(), '_limited', '') || '_hints'`;

/**
 * Sends a hint to the browsers of an audience, through every sandbox process on this database, when the transaction
 * commits.
 */
export async function sendHint(db: Database, to: Audience, hint: HubMessage['hint']): Promise<void> {
  const message: HubMessage = { to, hint };
  await sql`select pg_notify(${hintsChannel}, ${JSON.stringify(message)})`.execute(db);
}

/** Sends a hint to the browsers of each of these accounts, as `sendHint` does, in one query. */
export async function sendHintToAccounts(db: Database, accountIds: readonly number[], hint: Hint): Promise<void> {
  await sql`
    select pg_notify(${hintsChannel}, json_build_object(
      'to', json_build_object('account', id), 'hint', ${JSON.stringify(hint)}::json)::text)
    from unnest(${[...accountIds]}::bigint[]) as t (id)`.execute(db);
}
