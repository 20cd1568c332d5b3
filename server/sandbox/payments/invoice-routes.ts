import { findDocument } from '../billing/documents.ts';
import { listPayments } from '../billing/payments.ts';
import { permitReporting, seesBilling } from '../billing/permit.ts';
import { pressMissing, refuseConflict, refuseField } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, id, money, object, orNull, partial, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { readAmount, writeAmount } from './amount.ts';
import { balanceOf } from './credit.ts';
import { findMethod, nameOf, readDirectDebit, readSettings } from './methods.ts';
import { readOwed } from './owed.ts';
import { payWithCredit, payWithMethod } from './pay.ts';
import { permitPayments } from './permit.ts';
import { readNextAttempt } from './planned.ts';
import { paymentStatuses } from './tables.ts';
import { fromCredit } from './ways.ts';

const status = { type: 'string', enum: paymentStatuses } as const;
const day = 86_400_000;

/** The fields are those that a payment is made of (document 2, section 3), filled in with what is left to pay. */
const info = object({
  ...{ InvoiceId: id, Amount: money, Currency: string, PaymentDate: string, PaymentMethodId: orNull(id) },
  DefaultName: orNull(string),
  ...{ Pending: money, Credit: money, NextAttempt: orNull(string) },
  ...{ LatestStatus: orNull(status), LatestReason: orNull(string), LatestAmount: orNull(money) },
  LatestPaidWith: orNull(string),
  DebitEnded: boolean,
});
/** Without a payment method it is the default one. */
const payment = partial(
  {
    PaymentMethodId: text(20),
    Amount: text(20),
    PaymentDate: text(10),
    Currency: text(3),
    InvoiceId: text(20),
  },
  'Amount',
  'PaymentDate',
  'Currency',
  'InvoiceId',
);

/** Adds the routes of paying an invoice: what there is to pay, and paying it with a stored card or out of the credit. */
export function addInvoicePaymentRoutes(app: App, { db, now, cardProvider, portalUrl }: Parts): void {
  const parts = { db, now, provider: cardProvider, portalUrl };
  const route = routeAdder(app, db, {
    tags: ['payments'],
    needs: seesBilling,
    async permit({ caller, isPlatform }) {
      if (isPlatform) await permitReporting(db, caller.accountId);
      await permitPayments(db, caller);
    },
  });

  route(
    ['GET /billing/invoices/:documentId/pay-info', '/api/billing/GetPayInvoiceInfo/:documentId'],
    { reply: info },
    async ({ caller, params: { documentId } }) => {
      const found = await findDocument(db, caller, 'Invoice', documentId, now());
      const { left, pending } = await readOwed(db, found.id);
      const { defaultPaymentMethodId: method } = await readSettings(db, caller.resellerId);
      const [latest] = await listPayments(db, found.id);
      const debit = await readDirectDebit(db, caller.resellerId);
      return {
        InvoiceId: found.Id,
        Amount: writeAmount(left - pending),
        Currency: found.Currency,
        PaymentDate: now().toISOString().slice(0, 10),
        PaymentMethodId: method === null ? null : String(method),
        DefaultName: method === null ? null : nameOf(await findMethod(db, caller, String(method))),
        Pending: writeAmount(pending),
        Credit: writeAmount(await balanceOf(db, caller.resellerId)),
        NextAttempt: await readNextAttempt(db, caller.resellerId, found.id),
        LatestStatus: latest?.Status ?? null,
        LatestReason: latest?.Reason ?? null,
        LatestAmount: latest?.Amount ?? null,
        LatestPaidWith: latest?.PaidWith ?? null,
        // The bank ended what paid, and nothing has been chosen in its place.
        DebitEnded: method === null && debit?.Reason === 'bank',
      };
    },
  );

  route(
    ['POST /billing/card-payments', '/api/billing/UPGPayment', '/api/billing/PayInvoice'],
    { body: payment, reply: object({ Id: id, Status: status }), takesPress: true },
    async ({ caller, press, body: { Amount, PaymentDate, Currency, InvoiceId, PaymentMethodId } }) => {
      const amount = readAmount(Amount);
      if (amount === undefined) throw refuseField('Amount', 'AmountMalformed');
      const distance = Math.abs(Date.parse(PaymentDate) - now().getTime());
      // Midnight may pass while the form is open, or it is another day where the payer is.
      if (!/^\d{4}-\d\d-\d\d$/.test(PaymentDate) || !(distance < 2 * day))
        throw refuseField('PaymentDate', 'PaymentDay');
      const found = await findDocument(db, caller, 'Invoice', InvoiceId, now());
      if (Currency !== found.Currency) throw refuseConflict('InvoiceCurrency', { Currency: found.Currency });
      if (press === undefined) throw pressMissing();
      if (PaymentMethodId === fromCredit) {
        const paid = await payWithCredit(parts, caller, { methodId: '', amount, invoiceId: found.id }, press);
        return { Id: String(paid.id), Status: paid.status };
      }
      const { defaultPaymentMethodId } = await readSettings(db, caller.resellerId);
      const methodId = PaymentMethodId || String(defaultPaymentMethodId ?? '');
      if (methodId === '') throw refuseConflict('MethodMissing');
      const paid = await payWithMethod(parts, caller, { methodId, amount, invoiceId: found.id }, press);
      return { Id: String(paid.id), Status: paid.status };
    },
  );
}
