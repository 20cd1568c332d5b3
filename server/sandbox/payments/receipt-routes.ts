import type { Caller } from '../auth/caller.ts';
import { partiesOf } from '../billing/parties.ts';
import { findReceipt, type Receipt } from '../billing/payments.ts';
import { seesBilling } from '../billing/permit.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, date, id, list, money, object, orNull, partial, string, text } from '../http/schema.ts';
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

const base = '/api/billing';

/** Adds the routes around a payment: what it can be made with, what is paid automatically, and its receipt. */
export function addReceiptRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, {
    tags: ['payments'],
    needs: seesBilling,
    permit: ({ caller }) => permitPayments(db, caller),
  });

  const wanted = partial({ purpose: { enum: ['invoice', 'credit'] }, method: text(20) }, 'purpose');
  route(`GET ${base}/ways-to-pay`, { query: wanted, reply: ways }, async ({ caller, query: { purpose, method } }) => {
    const Items = await listWays(db, caller, purpose === 'invoice', now());
    const Chosen = Items.find(({ Id }) => Id === method) ?? Items[0] ?? null;
    return { Items, Chosen, Today: now().toISOString().slice(0, 10) };
  });

  route(`GET ${base}/auto-pay-plan`, { reply: planShape }, async ({ caller }) => {
    const { defaultPaymentMethodId: method } = await readSettings(db, caller.resellerId);
    const plan = await planAutoPay(db, caller.resellerId, method, now());
    const Method = method === null ? null : nameOf(await findMethod(db, caller, String(method)));
    return { ...plan, Method };
  });

  async function find({ resellerId }: Caller, paymentId: string): Promise<Receipt> {
    const receipt = await findReceipt(db, resellerId, idOf(paymentId));
    if (receipt === undefined) throw notFound();
    return receipt;
  }
  const paths = [
    `GET ${base}/payments/:paymentId`,
    `${base}/Success/AddCredit/:paymentId`,
    `${base}/Success/PayInvoice/:paymentId`,
  ] as const;
  route(paths, { reply: receiptShape }, ({ caller, params }) => find(caller, params.paymentId));
  route(`GET ${base}/payments/:paymentId/receipt`, { file: 'application/pdf' }, async ({ caller, params }) => {
    const receipt = await find(caller, params.paymentId);
    // A payment that failed has no receipt.
    if (receipt.Status !== 'Paid') throw notFound();
    const parties = await partiesOf(db, caller, receipt.Created.slice(0, 10));
    return { name: receipt.Number, content: await printReceipt(receipt, parties) };
  });
}
