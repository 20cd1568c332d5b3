import { sql } from 'kysely';
import { view } from '../auth/needs.ts';
import { idOfDocument } from '../billing/documents.ts';
import { notPermitted } from '../http/errors.ts';
import { pressMissing, refuseConflict, refuseField } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  date,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  partial,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { readAmount, writeAmount } from './amount.ts';
import { balanceOf } from './credit.ts';
import { nameOf, readSettings } from './methods.ts';
import { payWithMethod } from './pay.ts';
import { permitPayments } from './permit.ts';
import { paymentStatuses } from './tables.ts';

const status = { type: 'string', enum: paymentStatuses } as const;
const movement = object({
  ...{ Id: id, Created: date, Kind: { type: 'string', enum: ['TopUp', 'Used'] }, Amount: money, Balance: money },
  ...{ Currency: string, PaidWith: orNull(string), PaymentId: orNull(id), InvoiceId: orNull(string) },
});
const payment = object({
  ...{ Id: id, Created: date, Amount: money, Currency: string, Status: status, Reason: orNull(string) },
  ...{ PaidWith: string },
});

const path = '/api/billing/credits';
/** Without a payment method it is the default one. */
const topUp = partial({ PaymentMethodId: text(20), Amount: text(20), Currency: text(3) }, 'Amount', 'Currency');
/** The most that is taken by one press, in minor units. */
const mostAtOnce = 1_000_000_00;

/** Adds the routes of a reseller's prepaid credit: its balance, its movements, and topping it up with a stored card. */
export function addCreditRoutes(app: App, { db, now, cardProvider, portalUrl }: Parts): void {
  const route = routeAdder(app, db, {
    tags: ['payments'],
    needs: view('billing'),
    async permit({ caller }) {
      const { canAddCredit } = await permitPayments(db, caller);
      if (!canAddCredit) throw notPermitted();
    },
  });

  const parts = { db, now, provider: cardProvider, portalUrl };
  const credit = object({
    ...{ Balance: money, Currency: string, Items: list(movement), Total: integer },
    Latest: { ...payment, nullable: true },
  });
  route(
    [`GET ${path}`, '/api/billing/getCredits'],
    { query: pageQuery({}), reply: credit },
    async ({ caller: { resellerId, currency }, query: { page, pageSize } }) => {
      const rows = await db
        .selectFrom('credit_movements as c')
        .leftJoin('payments as p', 'p.id', 'c.payment_id')
        .leftJoin('payment_methods as m', 'm.id', 'p.method_id')
        .leftJoin('invoices as i', 'i.id', 'p.invoice_id')
        .where('c.reseller_id', '=', resellerId)
        .select(sql<string | null>`${idOfDocument('i')}`.as('invoice'))
        .select([
          'c.payment_id',
          'c.id',
          'c.created',
          'c.kind',
          'c.amount',
          'c.balance',
          'c.currency',
          'm.brand',
          'm.last4',
        ])
        .orderBy('c.id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      const { total } = await db
        .selectFrom('credit_movements')
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .where('reseller_id', '=', resellerId)
        .executeTakeFirstOrThrow();
      const latest = await db
        .selectFrom('payments as p')
        .innerJoin('payment_methods as m', 'm.id', 'p.method_id')
        .where('p.reseller_id', '=', resellerId)
        .where('p.invoice_id', 'is', null)
        .select(['p.id', 'p.created', 'p.amount', 'p.currency', 'p.status', 'p.reason', 'm.brand', 'm.last4'])
        .orderBy('p.id', 'desc')
        .executeTakeFirst();
      return {
        Balance: writeAmount(await balanceOf(db, resellerId)),
        Currency: currency,
        Items: rows.map(row => ({
          ...{ Id: String(row.id), Created: row.created.toISOString(), Kind: row.kind, Currency: row.currency },
          ...{ Amount: writeAmount(row.amount), Balance: writeAmount(row.balance) },
          PaidWith: row.last4 === null ? null : nameOf({ brand: row.brand, last4: row.last4 }),
          PaymentId: row.payment_id === null ? null : String(row.payment_id),
          InvoiceId: row.invoice,
        })),
        Total: total,
        Latest: latest
          ? {
              ...{ Id: String(latest.id), Created: latest.created.toISOString(), Amount: writeAmount(latest.amount) },
              ...{ Currency: latest.currency, Status: latest.status, Reason: latest.reason },
              PaidWith: nameOf(latest),
            }
          : null,
      };
    },
  );

  const made = object({ Id: id, Status: status });
  route(
    [`POST ${path}`, '/api/billing/addCredit'],
    { body: topUp, reply: made, takesPress: true },
    async ({ caller, press, body }) => {
      const { PaymentMethodId, Amount, Currency } = body;
      const amount = readAmount(Amount);
      if (amount === undefined) throw refuseField('Amount', 'AmountMalformed');
      if (amount > mostAtOnce)
        throw refuseField('Amount', 'AmountAboveMost', { Most: writeAmount(mostAtOnce), Currency: caller.currency });
      if (Currency !== caller.currency) throw refuseConflict('CreditCurrency', { Currency: caller.currency });
      if (press === undefined) throw pressMissing();
      const { defaultPaymentMethodId } = await readSettings(db, caller.resellerId);
      const methodId = PaymentMethodId || String(defaultPaymentMethodId ?? '');
      if (methodId === '') throw refuseConflict('MethodMissing');
      const paid = await payWithMethod(parts, caller, { methodId, amount, invoiceId: null }, press);
      return { Id: String(paid.id), Status: paid.status };
    },
  );
}
