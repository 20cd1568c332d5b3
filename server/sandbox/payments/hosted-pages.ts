import type { Caller } from '../auth/caller.ts';
import { CloudError } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { Database, Write } from '../tables.ts';
import type { Callback } from './callback-text.ts';
import { hintPayments, recordEvent } from './events.ts';
import type { Authorisation, ProviderClient, StoredMethod } from './provider-client.ts';
import { card, directDebit, type MethodKind } from './tables.ts';

/** Milliseconds after which a callback is too old (Payment Pages 2.0). */
const callbackLife = 5 * 60_000;
const pageIds: Readonly<Record<MethodKind, string>> = { [directDebit]: 'direct-debit-page', [card]: 'card-page' };

export type PaymentParts = {
  readonly db: Database;
  readonly provider: ProviderClient;
  readonly now: () => Date;
  /** Address of the portal, for the links in mails; without a path. */
  readonly portalUrl: string;
};

/** Makes the 503 for a card provider that does not answer: nothing was done, and it may be tried again. */
export const providerDown = () =>
  new CloudError(503, 'ProviderDown', [
    'The card provider does not answer. Nothing was stored or charged. Try again later.',
  ]);

/**
 * Has the card provider authorise a hosted page, where the caller enters a card or direct debit.
 * @throws {CloudError} 503 where the provider gives none
 */
export async function authorisePage(
  { db, provider, now }: PaymentParts,
  { resellerId, accountId, currency }: Caller,
  kind: MethodKind,
  cardTypes: readonly string[],
): Promise<Authorisation> {
  const authorisation = await provider.authorise({
    ...{ pageId: pageIds[kind], accountId: String(resellerId), currency },
    cardTypes: kind === card ? cardTypes : [],
  });
  if (!authorisation) throw providerDown();
  await db
    .insertInto('payment_pages')
    .values({
      ...{ token: authorisation.Token, reseller_id: resellerId, account_id: accountId, kind, currency },
      ...{ issued: now(), used: null },
    })
    .execute();
  return authorisation;
}

type Page = { readonly kind: MethodKind; readonly currency: string; readonly used: Date | null };

type CallbackFault = keyof typeof refusals;

/** Why a callback is not believed; undefined where it is. */
function refusalOf(
  { provider, now }: PaymentParts,
  page: Page | undefined,
  callback: Callback,
  signature: string,
): CallbackFault | undefined {
  if (!provider.isSigned(callback, signature)) return 'signature';
  if (!page || callback.pageId !== pageIds[page.kind]) return 'unknown';
  const age = now().getTime() - Number(callback.timestamp);
  if (!(age < callbackLife && age > -callbackLife)) return 'old';
  if (page.used) return 'replayed';
  return callback.errorCode === '' ? undefined : 'failed';
}

const refusals = {
  signature: 'CallbackForged',
  unknown: 'CallbackUnknown',
  old: 'CallbackOld',
  replayed: 'CallbackUsed',
  failed: 'CallbackFailed',
} as const;

/**
 * Stores the payment method entered on a hosted page, once: the callback must be signed by the card provider, new, and
 * of a page that this caller opened. The method's data come from the provider. Refusals are recorded.
 * @throws {CloudError} 409 for a callback that is not believed, 503 where the provider does not say what was stored
 */
export async function storeMethod(
  parts: PaymentParts,
  caller: Caller,
  callback: Callback,
  signature: string,
): Promise<{ readonly id: number; readonly kind: MethodKind }> {
  const { db, provider, now } = parts;
  const { resellerId, accountId } = caller;
  const page = await db
    .selectFrom('payment_pages')
    .selectAll()
    .where('token', '=', callback.token)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const refuse = async (reason: CallbackFault): Promise<never> => {
    const action = 'hosted-page.callback';
    await recordEvent(db, { resellerId, accountId, action, outcome: 'refused', reason, at: now() });
    throw refuseConflict(refusals[reason]);
  };
  const refused = refusalOf(parts, page, callback, signature);
  if (refused !== undefined || !page) return refuse(refused ?? 'unknown');
  const stored = await provider.methodOf(callback.token);
  if (!stored) throw providerDown();
  const id = await db.transaction().execute(async trx => {
    const used = await trx
      .updateTable('payment_pages')
      .set({ used: now() })
      .where('token', '=', callback.token)
      .where('used', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows === 0n ? undefined : await insertMethod(trx, caller, page, stored, now());
  });
  return id === undefined ? refuse('replayed') : { id, kind: page.kind };
}

async function insertMethod(
  trx: Write,
  { resellerId, accountId }: Caller,
  { kind, currency }: Page,
  stored: StoredMethod,
  created: Date,
): Promise<number> {
  const { brand, last4, holder, expires } = stored;
  const { id } = await trx
    .insertInto('payment_methods')
    .values({
      ...{ reseller_id: resellerId, kind, provider_id: stored.id, brand, last4, holder, currency, created },
      expires: expires === null ? null : new Date(`${expires}T00:00:00Z`),
      status: kind === card ? 'Active' : 'PendingSubmission',
      ...{ reason: null, ended: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('payment_settings')
    .values({ reseller_id: resellerId, default_payment_method_id: null })
    .onConflict(known => known.doNothing())
    .execute();
  // The first card is the default until somebody chooses another one.
  if (kind === card)
    await trx
      .updateTable('payment_settings')
      .set({ default_payment_method_id: id, payment_method_type: card })
      .where('reseller_id', '=', resellerId)
      .where('default_payment_method_id', 'is', null)
      .execute();
  const action = kind === card ? 'card.stored' : 'direct-debit.authorised';
  await recordEvent(trx, { resellerId, accountId, action, outcome: 'done', at: created });
  await hintPayments(trx, resellerId);
  return id;
}
