import type { Write } from '../tables.ts';
import { card } from './tables.ts';

const day = 86_400_000;

type SeededCard = {
  readonly reseller: number;
  readonly brand: string;
  readonly last4: string;
  readonly holder: string;
  /** Days before today on which it was stored. */
  readonly age: number;
  /** Days until it ends, on the last day of that month. */
  readonly left: number;
  readonly isClosed?: true;
};

const cards: readonly SeededCard[] = [
  { reseller: 1001, brand: 'Visa', last4: '1881', holder: 'Northwind IT Ltd', age: 900, left: -200, isClosed: true },
  { reseller: 1001, brand: 'Visa', last4: '4417', holder: 'Northwind IT Ltd', age: 600, left: 10 },
  { reseller: 1001, brand: 'MasterCard', last4: '8802', holder: 'Priya Raman', age: 5, left: 700 },
  { reseller: 1002, brand: 'Visa', last4: '6010', holder: 'Southridge Ltd', age: 300, left: 400 },
];

const endOfMonth = (moment: number): Date => {
  const at = new Date(moment);
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0));
};

/** Stored cards of two resellers, and what one of them bought of credit. */
export async function insertPayments(trx: Write, now: Date): Promise<void> {
  const owners = await trx.selectFrom('resellers').select(['id', 'currency']).execute();
  const ids = new Map<string, number>();
  for (const { reseller, brand, last4, holder, age, left, isClosed } of cards) {
    const owner = owners.find(({ id }) => id === reseller);
    if (!owner) continue;
    const created = new Date(now.getTime() - age * day);
    const provider_id = `pm_seed_${reseller}_${last4}`;
    const expires = endOfMonth(now.getTime() + left * day);
    await trx
      .insertInto('card_provider_methods')
      .values({
        ...{ id: provider_id, token: provider_id, kind: 'card', brand, last4, holder, expires, created },
        ...{ behaviour: null, closed: isClosed ? created : null },
      })
      .onConflict(known => known.doNothing())
      .execute();
    const method = await trx
      .insertInto('payment_methods')
      .values({
        ...{ reseller_id: reseller, kind: card, provider_id, brand, last4, holder, expires, created },
        ...{ currency: owner.currency, reason: null },
        ...(isClosed ? { status: 'Closed', ended: expires } : { status: 'Active', ended: null }),
      })
      .onConflict(known => known.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (method) ids.set(last4, method.id);
  }
  // One presses to pay, for the other it is done on the day of the term.
  for (const [reseller, last4, auto_pay] of [
    [1001, '4417', false],
    [1002, '6010', true],
  ] as const) {
    const method = ids.get(last4);
    if (method === undefined) continue;
    await trx
      .insertInto('payment_settings')
      .values({ reseller_id: reseller, auto_pay, payment_term: 'Days14', default_payment_method_id: method })
      .onConflict(known => known.doNothing())
      .execute();
  }
  await insertCredit(trx, ids.get('4417'), now);
}

/** Credit that was bought with a card, twice. */
async function insertCredit(trx: Write, method_id: number | undefined, now: Date): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'reseller@northwind.test')
    .executeTakeFirst();
  if (method_id === undefined || !account) return;
  let balance = 0;
  for (const [days, amount] of [
    [120, 250_00],
    [30, 500_00],
  ] as const) {
    const created = new Date(now.getTime() - days * day);
    balance += amount;
    const payment = await trx
      .insertInto('payments')
      .values({
        ...{ reseller_id: 1001, account_id: account.id, method_id, amount, currency: 'GBP', invoice_id: null },
        ...{ press: `seed-${days}`, status: 'Paid', reason: null, created, settled: created },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('credit_movements')
      .values({
        ...{ reseller_id: 1001, kind: 'TopUp', amount, balance, currency: 'GBP' },
        ...{ payment_id: payment.id, created },
      })
      .execute();
  }
}
