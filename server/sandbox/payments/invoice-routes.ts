import { findDocument } from '../billing/documents.ts';
import { listPayments } from '../billing/payments.ts';
import { permitReporting, seesBilling } from '../billing/permit.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { pressMissing, refuseConflict, refuseField } from '../http/refusals.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, boolean, id, money, object, orNull, params, string, text } from '../http/schema.ts';
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

const tags = ['payments'];
const config = { needs: seesBilling };

/** Where the billing platform answers, and where the monolith does (document 2, section 7). */
const addresses = [
  { info: '/billing/invoices/:documentId/pay-info', pay: '/billing/card-payments', isReporting: true },
  { info: '/api/billing/GetPayInvoiceInfo/:documentId', pay: '/api/billing/UPGPayment', isReporting: false },
];

/** Adds the routes of paying an invoice: what there is to pay, and paying it with a stored card or out of the credit. */
export function addInvoicePaymentRoutes(app: App, { db, now, cardProvider, portalUrl }: Parts): void {
  const parts = { db, now, provider: cardProvider, portalUrl };
  for (const { info: infoPath, pay: payPath, isReporting } of addresses) {
    app.get(
      infoPath,
      { config, schema: { tags, params: params('documentId'), response: replies(info) } },
      async ({ signedIn, params: { documentId } }) => {
        if (isReporting) await permitReporting(db, signedIn.accountId);
        await permitPayments(db, signedIn);
        const found = await findDocument(db, signedIn, 'Invoice', documentId, now());
        const { left, pending } = await readOwed(db, found.id);
        const { defaultPaymentMethodId: method } = await readSettings(db, signedIn.resellerId);
        const [latest] = await listPayments(db, found.id);
        const debit = await readDirectDebit(db, signedIn.resellerId);
        return succeed({
          InvoiceId: found.Id,
          Amount: writeAmount(left - pending),
          Currency: found.Currency,
          PaymentDate: now().toISOString().slice(0, 10),
          PaymentMethodId: method === null ? null : String(method),
          DefaultName: method === null ? null : nameOf(await findMethod(db, signedIn, String(method))),
          Pending: writeAmount(pending),
          Credit: writeAmount(await balanceOf(db, signedIn.resellerId)),
          NextAttempt: await readNextAttempt(db, signedIn.resellerId, found.id),
          LatestStatus: latest?.Status ?? null,
          LatestReason: latest?.Reason ?? null,
          LatestAmount: latest?.Amount ?? null,
          LatestPaidWith: latest?.PaidWith ?? null,
          // The bank ended what paid, and nothing has been chosen in its place.
          DebitEnded: method === null && debit?.Reason === 'bank',
        });
      },
    );

    // Without a payment method it is the default one.
    const body = {
      ...object({
        ...{ PaymentMethodId: text(20), Amount: text(20), PaymentDate: text(10), Currency: text(3) },
        InvoiceId: text(20),
      }),
      required: ['Amount', 'PaymentDate', 'Currency', 'InvoiceId'],
    } as const;
    const made = object({ Id: id, Status: status });
    app.post(
      payPath,
      { config, schema: { tags, headers: idempotencyKey, body, response: replies(made) } },
      async ({ signedIn, headers, body: asked }) => {
        if (isReporting) await permitReporting(db, signedIn.accountId);
        await permitPayments(db, signedIn);
        const amount = readAmount(asked.Amount);
        if (amount === undefined) throw refuseField('Amount', 'AmountMalformed');
        const distance = Math.abs(Date.parse(asked.PaymentDate) - now().getTime());
        // Midnight may pass while the form is open, or it is another day where the payer is.
        if (!/^\d{4}-\d\d-\d\d$/.test(asked.PaymentDate) || !(distance < 2 * day))
          throw refuseField('PaymentDate', 'PaymentDay');
        const found = await findDocument(db, signedIn, 'Invoice', asked.InvoiceId, now());
        if (asked.Currency !== found.Currency) throw refuseConflict('InvoiceCurrency', { Currency: found.Currency });
        const press = headers['idempotency-key'];
        if (typeof press !== 'string') throw pressMissing();
        if (asked.PaymentMethodId === fromCredit) {
          const paid = await payWithCredit(parts, signedIn, { methodId: '', amount, invoiceId: found.id }, press);
          return succeed({ Id: String(paid.id), Status: paid.status });
        }
        const { defaultPaymentMethodId } = await readSettings(db, signedIn.resellerId);
        const methodId = asked.PaymentMethodId || String(defaultPaymentMethodId ?? '');
        if (methodId === '') throw refuseConflict('MethodMissing');
        const paid = await payWithMethod(parts, signedIn, { methodId, amount, invoiceId: found.id }, press);
        return succeed({ Id: String(paid.id), Status: paid.status });
      },
    );
  }
}
