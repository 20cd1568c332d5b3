import { view } from '../auth/needs.ts';
import { refuseConflict } from '../http/refusals.ts';
import { done, replies, succeed } from '../http/reply.ts';
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
  params,
  string,
  text,
} from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import type { Callback } from './callback-text.ts';
import { authorisePage, storeMethod } from './hosted-pages.ts';
import {
  cancelMethods,
  changeSettings,
  listCards,
  type NewSettings,
  planDefault,
  readDirectDebit,
  readSettings,
} from './methods.ts';
import { permitPayments } from './permit.ts';
import { card, directDebit, methodStatuses, paymentTerms } from './tables.ts';

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
const term = { type: 'string', enum: paymentTerms } as const;
const methodType = { type: 'integer', enum: [directDebit, card] } as const;
const settings = object({
  ...{ autoPay: boolean, paymentTerm: term, paymentMethodType: integer, defaultPaymentMethodId: orNull(id) },
});
const callback = {
  ...object({
    ...{ callbackPath: text(200), tenantId: text(100), pageId: text(100), token: text(100), timestamp: text(20) },
    ...{ errorCode: text(20), passthrough1: text(200), signature: text(2000) },
  }),
} as const;

const tags = ['payments'];
const config = { needs: view('billing') };
const base = '/api/billing';

/** Adds the routes of a reseller's payment methods: cards, direct debit, the default one and automatic payment. */
export function addPaymentRoutes(app: App, { db, now, cardProvider, portalUrl }: Parts): void {
  const parts = { db, now, provider: cardProvider, portalUrl };

  const businessData = object({ BillingDetails: object({ PreferredPaymentMethod: string, Currency: string }) });
  app.get('/api/business', { config, schema: { tags, response: replies(businessData) } }, async ({ signedIn }) => {
    await permitPayments(db, signedIn);
    const { paymentMethodType } = await readSettings(db, signedIn.resellerId);
    const PreferredPaymentMethod = paymentMethodType === card ? 'Card' : 'DirectDebit';
    return succeed({ BillingDetails: { PreferredPaymentMethod, Currency: signedIn.currency } });
  });

  const currency = { ...object({ Currency: { enum: ['GBP', 'EUR'] } }) } as const;
  app.post(
    `${base}/hosted-page/card`,
    { config, schema: { tags, body: currency, response: replies(authorisation) } },
    async ({ signedIn, body }) => {
      const { cardTypes } = await permitPayments(db, signedIn);
      if (body.Currency !== signedIn.currency) throw refuseConflict('AccountCurrency', { Currency: signedIn.currency });
      return succeed(await authorisePage(parts, signedIn, card, cardTypes));
    },
  );
  app.post(
    `${base}/direct-debit/payer-authorisation`,
    { config, schema: { tags, response: replies(authorisation) } },
    async ({ signedIn }) => {
      await permitPayments(db, signedIn);
      const before = await readDirectDebit(db, signedIn.resellerId);
      if (before?.IsLiving) throw refuseConflict('DebitExists');
      return succeed(await authorisePage(parts, signedIn, directDebit, []));
    },
  );
  app.post(
    `${base}/hosted-page/callback`,
    {
      config,
      schema: { tags, body: callback, response: replies(object({ Id: id, PaymentMethodType: integer })) },
    },
    async ({ signedIn, body }) => {
      await permitPayments(db, signedIn);
      const { signature, ...signed } = body as Callback & { signature: string };
      const stored = await storeMethod(parts, signedIn, signed, signature);
      return succeed({ Id: String(stored.id), PaymentMethodType: stored.kind });
    },
  );

  const cards = object({
    ...{ Items: list(cardRow), Total: integer, Counts: object({ Active: integer, Closed: integer }) },
  });
  const byStatus = { type: 'object', additionalProperties: false, properties: { status: cardStatus } } as const;
  app.get(
    `${base}/payment-methods`,
    { config, schema: { tags, querystring: byStatus, response: replies(cards) } },
    async ({ signedIn, query: { status } }) => {
      await permitPayments(db, signedIn);
      const all = await listCards(db, signedIn.resellerId, now());
      const of = (wanted?: string) => all.filter(one => wanted === undefined || one.PaymentMethodStatus === wanted);
      const Items = of(status);
      return succeed({
        Items,
        Total: Items.length,
        Counts: { Active: of('Active').length, Closed: of('Closed').length },
      });
    },
  );

  app.get(
    `${base}/direct-debit/status`,
    { config, schema: { tags, response: replies({ ...mandate, required: [] }) } },
    async ({ signedIn }) => {
      await permitPayments(db, signedIn);
      return succeed((await readDirectDebit(db, signedIn.resellerId)) ?? {});
    },
  );

  app.get(
    `${base}/payment-settings`,
    { config, schema: { tags, response: replies(settings) } },
    async ({ signedIn }) => {
      await permitPayments(db, signedIn);
      const { defaultPaymentMethodId: chosen, ...others } = await readSettings(db, signedIn.resellerId);
      return succeed({ ...others, defaultPaymentMethodId: chosen === null ? null : String(chosen) });
    },
  );
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
  app.get(
    `${base}/payment-methods/:id/default-change`,
    {
      config,
      schema: {
        tags,
        params: params('id'),
        response: replies(defaultChange),
      },
    },
    async ({ signedIn, params: { id: chosen } }) => {
      await permitPayments(db, signedIn);
      return succeed(await planDefault(db, signedIn, chosen, now()));
    },
  );
  const change = object({
    ...{ autoPay: boolean, paymentTerm: term, paymentMethodType: methodType },
    defaultPaymentMethodId: orNull(text(20)),
  });
  app.put(
    `${base}/payment-methods`,
    { config, schema: { tags, body: change, response: replies() } },
    async ({ signedIn, body }) => {
      await permitPayments(db, signedIn);
      await changeSettings(parts, signedIn, body as unknown as NewSettings);
      return done();
    },
  );

  const ids = object({ ids: { type: 'array', items: text(20), minItems: 1, maxItems: 100 } });
  app.post(
    `${base}/payment-methods/cancel`,
    { config, schema: { tags, body: ids, response: replies() } },
    async ({ signedIn, body }) => {
      await permitPayments(db, signedIn);
      await cancelMethods(parts, signedIn, body.ids);
      return done();
    },
  );
}
