import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Containment } from '../contain.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { TypeOf } from '../http/route.ts';
import { boolean, object, orNull, text } from '../http/schema.ts';
import type { Database, Tables, Write } from '../tables.ts';
import { hintPayments, notifyPayers, recordEvent } from './events.ts';
import type { PaymentParts } from './hosted-pages.ts';
import { planAutoPay } from './planned.ts';
import { card, directDebit, type MethodStatus, paymentTerms } from './tables.ts';
import { firstTerm } from './terms.ts';

/** Days before the end of a card from which on it is said that it expires soon. */
const soonDays = 60;
const day = 86_400_000;

/** Of a direct debit, while something may still become of it. */
const livingMandates: readonly MethodStatus[] = ['PendingSubmission', 'Submitted', 'Active'];

/** Reads how a reseller pays (default payment method, automatic payment); defaults where nothing has been chosen. */
export async function readSettings(db: Database, resellerId: number) {
  const row = await db
    .selectFrom('payment_settings')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .executeTakeFirst();
  return {
    autoPay: row?.auto_pay ?? false,
    paymentTerm: row?.payment_term ?? firstTerm,
    paymentMethodType: row?.payment_method_type ?? card,
    defaultPaymentMethodId: row?.default_payment_method_id ?? null,
  };
}

type MethodRow = Omit<Tables['payment_methods'], 'id'> & { readonly id: number };

const brandNames: Readonly<Record<string, string>> = { MasterCard: 'Mastercard', AmericanExpress: 'American Express' };

/** Names a payment method as people do: by the brand of a card, or as a direct debit, and the last digits. */
export const nameOf = ({ brand, last4 }: { readonly brand: string | null; readonly last4: string }): string =>
  `${brand === null ? 'Direct debit' : (brandNames[brand] ?? brand)} •••• ${last4}`;

/** Milliseconds for which a payment method is good; infinite of a direct debit. */
const lifeLeft = ({ expires }: Pick<MethodRow, 'expires'>, now: Date): number =>
  expires === null ? Number.POSITIVE_INFINITY : expires.getTime() + day - now.getTime();

export const isExpired = (method: Pick<MethodRow, 'expires'>, now: Date): boolean => lifeLeft(method, now) <= 0;

/** How good a card still is; of a closed one that it is closed. */
function stateOf(method: MethodRow, now: Date): 'Active' | 'ExpiresSoon' | 'Expired' | 'Closed' {
  if (method.status !== 'Active') return 'Closed';
  if (isExpired(method, now)) return 'Expired';
  return lifeLeft(method, now) < soonDays * day ? 'ExpiresSoon' : 'Active';
}

/** Lists the stored cards of a reseller by status, the newest first. */
export async function listCards(db: Database, resellerId: number, now: Date) {
  const { defaultPaymentMethodId } = await readSettings(db, resellerId);
  const rows = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', card)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return rows.map(row => ({
    Id: String(row.id),
    Name: nameOf(row),
    PaymentMethodStatus: row.status === 'Active' ? ('Active' as const) : ('Closed' as const),
    State: stateOf(row, now),
    CreatedDate: row.created.toISOString(),
    CardType: row.brand ?? '',
    LastDigits: row.last4,
    Holder: row.holder,
    ExpirationDate: row.expires?.toISOString().slice(0, 10) ?? null,
    IsDefault: row.id === defaultPaymentMethodId,
  }));
}

/**
 * Says what would happen if a payment method of a reseller became its only default: other cards are cancelled, and with
 * automatic payment the open invoices are paid with it.
 */
export async function planDefault(db: Database, caller: Caller, id: string, now: Date) {
  const chosen = await findMethod(db, caller, id);
  const cards = (await listCards(db, caller.resellerId, now)).filter(one => one.PaymentMethodStatus === 'Active');
  const mandate = await readDirectDebit(db, caller.resellerId);
  const after = (id: string) => (id === String(chosen.id) ? ('Default' as const) : undefined);
  const Items = [
    ...cards.map(({ Id, Name, ExpirationDate }) => ({
      ...{ Id, Name, ExpirationDate, Kind: 'Card' },
      After: after(Id) ?? 'Cancelled',
    })),
    ...(mandate?.IsLiving
      ? [
          {
            Id: mandate.Id,
            Name: mandate.Name,
            ExpirationDate: null,
            Kind: 'DirectDebit',
            After: after(mandate.Id) ?? 'Kept',
          },
        ]
      : []),
  ];
  // What is kept comes first.
  Items.sort((one, other) => Number(one.After === 'Cancelled') - Number(other.After === 'Cancelled'));
  const cancelled = Items.filter(({ After }) => After === 'Cancelled').map(({ Id }) => Id);
  const { autoPay } = await readSettings(db, caller.resellerId);
  const payments = autoPay ? await planAutoPay(db, caller.resellerId, chosen.id, now) : undefined;
  return {
    Items,
    Cancelled: cancelled.length,
    Payments: payments?.Items ?? [],
    Plan: ['cancel', ...cancelled.sort(), ...(payments ? [payments.Plan] : [])].join(' '),
  };
}

/** Reads a reseller's newest direct debit and the state of its mandate; undefined when there never was one. */
export async function readDirectDebit(db: Database, resellerId: number) {
  const { defaultPaymentMethodId } = await readSettings(db, resellerId);
  const row = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', directDebit)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return (
    row && {
      Id: String(row.id),
      Name: nameOf(row),
      Status: row.status,
      /** "bank" where the bank refused or ended it. */
      Reason: row.reason,
      CreatedDate: row.created.toISOString(),
      Holder: row.holder,
      IsDefault: row.id === defaultPaymentMethodId,
      IsLiving: livingMandates.includes(row.status),
    }
  );
}

/** Finds a payment method (card or direct debit) of the caller's reseller by its id. Throws 404 for any other. */
export async function findMethod(db: Database, { resellerId }: Caller, id: string): Promise<MethodRow> {
  const row = await db
    .selectFrom('payment_methods')
    .selectAll()
    .where('id', '=', idOf(id))
    .where('reseller_id', '=', resellerId)
    .executeTakeFirstOrThrow(notFound);
  return row;
}

export const term = { type: 'string', enum: paymentTerms } as const;
export const newSettings = object({
  autoPay: boolean,
  paymentTerm: term,
  paymentMethodType: { type: 'integer', enum: [directDebit, card] },
  defaultPaymentMethodId: orNull(text(20)),
});

/**
 * Changes how a reseller pays. Throws 404 for a payment method of somebody else, 409 for one that cannot pay and for
 * automatic payment without one.
 */
export async function changeSettings(
  { db, now }: PaymentParts,
  caller: Caller,
  given: TypeOf<typeof newSettings>,
): Promise<void> {
  const { resellerId, accountId } = caller;
  const { autoPay, paymentTerm, paymentMethodType, defaultPaymentMethodId } = given;
  const method = defaultPaymentMethodId === null ? undefined : await findMethod(db, caller, defaultPaymentMethodId);
  if (method && (method.status !== 'Active' || method.kind !== paymentMethodType))
    throw refuseConflict('DefaultInactive');
  if (method && isExpired(method, now())) throw refuseConflict('CardExpired');
  if (!method && autoPay) throw refuseConflict('DefaultMissing');
  const row = {
    auto_pay: autoPay,
    payment_term: paymentTerm,
    payment_method_type: paymentMethodType,
    default_payment_method_id: method?.id ?? null,
  };
  await db.transaction().execute(async trx => {
    await trx
      .insertInto('payment_settings')
      .values({ reseller_id: resellerId, ...row })
      .onConflict(known => known.column('reseller_id').doUpdateSet(row))
      .execute();
    await recordEvent(trx, { resellerId, accountId, action: 'settings.changed', outcome: 'done', at: now() });
    await hintPayments(trx, resellerId);
  });
}

/**
 * Cancels payment methods of the caller's reseller, all or none. What is cancelled already stays so. With the default
 * one automatic payment ends, until another default is chosen.
 * @throws {CloudError} 404 for one of somebody else
 */
export async function cancelMethods({ db, provider, now }: PaymentParts, caller: Caller, ids: readonly string[]) {
  const { resellerId, accountId } = caller;
  const methods = await Promise.all(ids.map(id => findMethod(db, caller, id)));
  await db.transaction().execute(async trx => {
    for (const { id, kind } of methods) {
      await dropDefault(trx, id);
      await trx
        .updateTable('payment_methods')
        .set({ status: kind === card ? 'Closed' : 'Cancelled', ended: now() })
        .where('id', '=', id)
        .where('ended', 'is', null)
        .execute();
      await recordEvent(trx, {
        ...{ resellerId, accountId, outcome: 'done' as const, at: now() },
        ...{ action: 'method.cancelled', reason: String(id) },
      });
    }
    await hintPayments(trx, resellerId);
  });
  // Nothing is charged by a payment method that is closed here, whether or not the provider hears of it.
  for (const { provider_id } of methods) await provider.closeMethod(provider_id);
}

/** Leaves a reseller whose default is this payment method without one, and without automatic payment. */
async function dropDefault(trx: Write, methodId: number): Promise<void> {
  await trx
    .updateTable('payment_settings')
    .set({ auto_pay: false, default_payment_method_id: null, payment_method_type: card })
    .where('default_payment_method_id', '=', methodId)
    .execute();
}

const mandateStatuses: Readonly<Record<string, MethodStatus>> = {
  pending_submission: 'PendingSubmission',
  submitted: 'Submitted',
  active: 'Active',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/**
 * Asks the card provider for the state of direct-debit mandates that may still change, and stores what has changed. One
 * that throws holds up no other.
 */
export async function readMandates(parts: PaymentParts, contained: Containment): Promise<void> {
  const { db } = parts;
  const waiting = await db
    .selectFrom('payment_methods')
    .select(['id', 'reseller_id', 'provider_id', 'status'])
    .where('kind', '=', directDebit)
    .where('status', 'in', livingMandates)
    .where(sql<boolean>`id <> all(${contained.waiting()}::bigint[])`)
    .orderBy('id')
    .limit(1000)
    .execute();
  for (const mandate of waiting) await contained.run(mandate.id, () => readMandate(parts, mandate));
}

type Mandate = Pick<MethodRow, 'id' | 'reseller_id' | 'provider_id' | 'status'>;

async function readMandate({ db, provider, now }: PaymentParts, { id, reseller_id, provider_id, status }: Mandate) {
  const next = mandateStatuses[(await provider.mandate(provider_id)) ?? ''];
  if (next === undefined || next === status) return;
  const isOver = next === 'Failed' || next === 'Cancelled';
  await db.transaction().execute(async trx => {
    await trx
      .updateTable('payment_methods')
      .set({ status: next, ...(isOver && { ended: now(), reason: 'bank' }) })
      .where('id', '=', id)
      .where('status', '=', status)
      .execute();
    if (isOver) {
      await dropDefault(trx, id);
      await notifyPayers(trx, reseller_id, now(), {
        message:
          next === 'Failed' ? 'Your bank refused the direct debit' : 'The direct debit was cancelled at your bank',
        content: 'Nothing is debited any more. Set it up again, or choose a card for invoices to come.',
      });
    }
    await hintPayments(trx, reseller_id);
  });
}
