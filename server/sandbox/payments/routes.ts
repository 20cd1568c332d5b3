import { view } from '../auth/needs.ts';
import { refuseConflict } from '../http/refusals.ts';
import { routeAdder } from '../http/route.ts';
import {
  type App,
  boolean,
  date,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  partial,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { authorisePage, storeMethod } from './hosted-pages.ts';
import {
  cancelMethods,
  changeSettings,
  listCards,
  newSettings,
  planDefault,
  readDirectDebit,
  readSettings,
  term,
} from './methods.ts';
import { permitPayments } from './permit.ts';
import { card, directDebit, methodStatuses } from './tables.ts';

const authorisation = object({
  ...{ Signature: string, Token: string, Key: string, TenantId: string, PageId: string, Url: string },
  ZuoraAccountId: string,
});
const cardStatus = { type: 'string', enum: ['Active', 'Closed'] } as const;
const cardRow = object({
  ...{ Id: id, Name: string, PaymentMethodStatus: cardStatus, CreatedDate: date, CardType: string, LastDigits: string },
  State: { type: 'string', enum: ['Active', 'ExpiresSoon', 'Expired', 'Closed'] },
  ...{ Holder: string, ExpirationDate: orNull({ type: 'string', format: 'date' }), IsDefault: boolean },
});
const mandate = object({
  ...{ Id: id, Name: string, Status: { type: 'string', enum: methodStatuses }, CreatedDate: date },
  ...{ Reason: orNull(string), Holder: string, IsDefault: boolean, IsLiving: boolean },
});
const settings = object({
  ...{ autoPay: boolean, paymentTerm: term, paymentMethodType: integer, defaultPaymentMethodId: orNull(id) },
});
const callback = {
  ...object({
    ...{ callbackPath: text(200), tenantId: text(100), pageId: text(100), token: text(100), timestamp: text(20) },
    ...{ errorCode: text(20), passthrough1: text(200), signature: text(2000) },
  }),
} as const;

const base = '/api/billing';

/** Adds the routes of a reseller's payment methods: cards, direct debit, the default one and automatic payment. */
export function addPaymentRoutes(app: App, { db, now, cardProvider, portalUrl }: Parts): void {
  const route = routeAdder(app, db, {
    tags: ['payments'],
    needs: view('billing'),
    permit: ({ caller }) => permitPayments(db, caller),
  });

  const parts = { db, now, provider: cardProvider, portalUrl };

  const businessData = object({ BillingDetails: object({ PreferredPaymentMethod: string, Currency: string }) });
  route('GET /api/business', { reply: businessData }, async ({ caller }) => {
    const { paymentMethodType } = await readSettings(db, caller.resellerId);
    const PreferredPaymentMethod = paymentMethodType === card ? 'Card' : 'DirectDebit';
    return { BillingDetails: { PreferredPaymentMethod, Currency: caller.currency } };
  });

  const currency = object({ Currency: { enum: ['GBP', 'EUR'] } });
  route(
    `POST ${base}/hosted-page/card`,
    { body: currency, reply: authorisation },
    async ({ caller, permitted: { cardTypes }, body }) => {
      if (body.Currency !== caller.currency) throw refuseConflict('AccountCurrency', { Currency: caller.currency });
      return authorisePage(parts, caller, card, cardTypes);
    },
  );
  route(`POST ${base}/direct-debit/payer-authorisation`, { reply: authorisation }, async ({ caller }) => {
    const before = await readDirectDebit(db, caller.resellerId);
    if (before?.IsLiving) throw refuseConflict('DebitExists');
    return authorisePage(parts, caller, directDebit, []);
  });
  route(
    `POST ${base}/hosted-page/callback`,
    { body: callback, reply: object({ Id: id, PaymentMethodType: integer }) },
    async ({ caller, body }) => {
      const { signature, ...signed } = body;
      const stored = await storeMethod(parts, caller, signed, signature);
      return { Id: String(stored.id), PaymentMethodType: stored.kind };
    },
  );

  const cards = object({
    Items: list(cardRow),
    Total: integer,
    Counts: object({ Active: integer, Closed: integer }),
  });
  route(
    [`GET ${base}/payment-methods`, `${base}/AccountPaymentMethod`],
    { query: partial({ status: cardStatus }), reply: cards },
    async ({ caller, query: { status } }) => {
      const all = await listCards(db, caller.resellerId, now());
      const of = (wanted?: string) => all.filter(one => wanted === undefined || one.PaymentMethodStatus === wanted);
      const Items = of(status);
      return {
        Items,
        Total: Items.length,
        Counts: { Active: of('Active').length, Closed: of('Closed').length },
      };
    },
  );

  route(`GET ${base}/direct-debit/status`, { reply: { ...mandate, required: [] } }, async ({ caller }) => {
    return (await readDirectDebit(db, caller.resellerId)) ?? {};
  });

  route(`GET ${base}/payment-settings`, { reply: settings }, async ({ caller }) => {
    const { defaultPaymentMethodId: chosen, ...others } = await readSettings(db, caller.resellerId);
    return { ...others, defaultPaymentMethodId: chosen === null ? null : String(chosen) };
  });
  const planned = object({
    ...{
      Id: id,
      Name: string,
      Kind: { type: 'string', enum: ['Card', 'DirectDebit'] },
      ExpirationDate: orNull({ type: 'string', format: 'date' }),
    },
    After: { type: 'string', enum: ['Default', 'Kept', 'Cancelled'] },
  });
  const taken = object({ InvoiceId: id, Amount: money, Day: { type: 'string', format: 'date' } });
  const defaultChange = object({
    ...{ Items: list(planned), Cancelled: integer, Plan: string },
    Payments: { ...list(taken), description: 'With automatic payment: what is taken with it, and when.' },
  });
  route(
    `GET ${base}/payment-methods/:id/default-change`,
    { reply: defaultChange },
    async ({ caller, params: { id: chosen } }) => {
      return planDefault(db, caller, chosen, now());
    },
  );
  route(`PUT ${base}/payment-methods`, { body: newSettings }, ({ caller, body }) =>
    changeSettings(parts, caller, body),
  );

  const ids = object({ ids: { type: 'array', items: text(20), minItems: 1, maxItems: 100 } });
  route(`POST ${base}/payment-methods/cancel`, { body: ids }, ({ caller, body }) =>
    cancelMethods(parts, caller, body.ids),
  );
}
