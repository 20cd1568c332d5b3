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

/** Inserts a seeded stored card. @returns its id; undefined where it is there already */
export async function insertCard(
  trx: Write,
  { reseller, brand, last4, holder, age, left, isClosed }: SeededCard,
  currency: string,
  now: Date,
): Promise<number | undefined> {
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
      ...{ currency, reason: null },
      ...(isClosed ? { status: 'Closed', ended: expires } : { status: 'Active', ended: null }),
    })
    .onConflict(known => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  return method?.id;
}

/** Inserts seeded stored cards of two resellers, and the prepaid credit that one of them bought. */
export async function insertPayments(trx: Write, now: Date): Promise<void> {
  const owners = await trx.selectFrom('resellers').select(['id', 'currency']).execute();
  const ids = new Map<string, number>();
  for (const seeded of cards) {
    const owner = owners.find(({ id }) => id === seeded.reseller);
    const method = owner && (await insertCard(trx, seeded, owner.currency, now));
    if (method !== undefined) ids.set(seeded.last4, method);
  }
  // One presses to pay, for the other it is done on the day that an invoice is due.
  for (const [reseller, last4, auto_pay, payment_term] of [
    [1001, '4417', false, 'Days30'],
    [1002, '6010', true, 'Days14'],
  ] as const) {
    const method = ids.get(last4);
    if (method === undefined) continue;
    await trx
      .insertInto('payment_settings')
      .values({ reseller_id: reseller, auto_pay, payment_term, default_payment_method_id: method })
      .onConflict(known => known.doNothing())
      .execute();
  }
  const method = ids.get('4417');
  if (method === undefined) return;
  const username = 'reseller@northwind.test';
  await insertTopUps(trx, { username, method, days: [120, 30], currency: 'GBP' }, now);
}

type TopUps = {
  readonly username: string;
  readonly method: number;
  /** How many days ago each was, the oldest first. */
  readonly days: readonly number[];
  readonly currency: string;
};

/** Inserts seeded purchases of prepaid credit with a card: 250.00 the first time, 250.00 more each further time. */
export async function insertTopUps(
  trx: Write,
  { username, method: method_id, days, currency }: TopUps,
  now: Date,
): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select(['id', 'reseller_id'])
    .where('username', '=', username)
    .executeTakeFirst();
  if (!account) return;
  const { id: account_id, reseller_id } = account;
  let balance = 0;
  for (const [index, ago] of days.entries()) {
    const amount = (index + 1) * 250_00;
    const created = new Date(now.getTime() - ago * day);
    balance += amount;
    const payment = await trx
      .insertInto('payments')
      .values({
        ...{ reseller_id, account_id, method_id, amount, currency, invoice_id: null },
        ...{ press: `seed-${ago}`, status: 'Paid', reason: null, created, settled: created },
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .insertInto('credit_movements')
      .values({ reseller_id, kind: 'TopUp', amount, balance, currency, payment_id: payment.id, created })
      .execute();
  }
}
