import type { Caller } from '../auth/caller.ts';
import { partiesOf } from '../billing/parties.ts';
import { findReceipt, type Receipt } from '../billing/payments.ts';
import { seesBilling } from '../billing/permit.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, boolean, date, id, list, money, object, orNull, params, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { findMethod, nameOf, readSettings } from './methods.ts';
import { permitPayments } from './permit.ts';
import { planAutoPay } from './planned.ts';
import { printReceipt } from './receipt-pdf.ts';
import { paymentMeans, paymentStatuses } from './tables.ts';
import { listWays } from './ways.ts';

const means = { type: 'string', enum: paymentMeans } as const;
const way = object({
  ...{
    Id: string,
    Kind: { type: 'string', enum: ['Card', 'DirectDebit', 'Credit'] },
    Name: string,
    IsDefault: boolean,
  },
  Left: orNull(money),
});
const ways = object({ Items: list(way), Chosen: { ...way, nullable: true }, Today: string });
const receiptShape = object({
  ...{ Id: id, Number: string, InvoiceId: orNull(string), Created: date, Means: means, PaidWith: orNull(string) },
  ...{ Status: { type: 'string', enum: paymentStatuses }, Reason: orNull(string), IsAutomatic: boolean },
  ...{ Amount: money, Currency: string, Left: orNull(money) },
});
const day = { type: 'string', format: 'date' } as const;
const planShape = object({
  Items: list(object({ InvoiceId: id, Amount: money, Day: day })),
  ...{ Total: money, Plan: string, Method: orNull(string) },
});

const tags = ['payments'];
const config = { needs: seesBilling };
const base = '/api/billing';

/** Adds the routes around a payment: what it can be made with, what is paid automatically, and its receipt. */
export function addReceiptRoutes(app: App, { db, now }: Parts): void {
  const wanted = {
    ...object({ purpose: { enum: ['invoice', 'credit'] }, method: text(20) }),
    required: ['purpose'],
  } as const;
  app.get(
    `${base}/ways-to-pay`,
    { config, schema: { tags, querystring: wanted, response: replies(ways) } },
    async ({ signedIn, query: { purpose, method } }) => {
      await permitPayments(db, signedIn);
      const Items = await listWays(db, signedIn, purpose === 'invoice', now());
      const Chosen = Items.find(({ Id }) => Id === method) ?? Items[0] ?? null;
      return succeed({ Items, Chosen, Today: now().toISOString().slice(0, 10) });
    },
  );

  app.get(`${base}/auto-pay-plan`, { config, schema: { tags, response: replies(planShape) } }, async ({ signedIn }) => {
    await permitPayments(db, signedIn);
    const { defaultPaymentMethodId: method } = await readSettings(db, signedIn.resellerId);
    const plan = await planAutoPay(db, signedIn.resellerId, method, now());
    const Method = method === null ? null : nameOf(await findMethod(db, signedIn, String(method)));
    return succeed({ ...plan, Method });
  });

  async function find(signedIn: Caller, paymentId: string): Promise<Receipt> {
    await permitPayments(db, signedIn);
    const receipt = await findReceipt(db, signedIn.resellerId, idOf(paymentId));
    if (receipt === undefined) throw notFound();
    return receipt;
  }
  app.get(
    `${base}/payments/:paymentId`,
    { config, schema: { tags, params: params('paymentId'), response: replies(receiptShape) } },
    async ({ signedIn, params: { paymentId } }) => succeed(await find(signedIn, paymentId)),
  );
  app.get(
    `${base}/payments/:paymentId/receipt`,
    {
      config,
      schema: {
        tags,
        params: params('paymentId'),
        response: { 200: { content: { 'application/pdf': { schema: string } } } },
      },
    },
    async ({ signedIn, params: { paymentId } }, reply) => {
      const receipt = await find(signedIn, paymentId);
      // A payment that failed has no receipt.
      if (receipt.Status !== 'Paid') throw notFound();
      const pdf = await printReceipt(receipt, partiesOf(signedIn));
      return reply
        .header('content-disposition', `attachment; filename="${receipt.Number}.pdf"`)
        .type('application/pdf')
        .send(Buffer.from(pdf));
    },
  );
}
