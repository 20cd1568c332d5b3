import type { App } from './schema.ts';

/** Further addresses of calls (document 2, section 7): the same handler, shape and rights as at ours. */
const otherAddresses: Readonly<Record<string, readonly string[]>> = {
  'GET /api/billing/payment-methods': ['/api/billing/AccountPaymentMethod'],
  'GET /api/billing/credits': ['/api/billing/getCredits'],
  'POST /api/billing/credits': ['/api/billing/addCredit'],
  'POST /api/billing/UPGPayment': ['/api/billing/PayInvoice'],
  'GET /api/billing/payments/:paymentId': [
    '/api/billing/Success/AddCredit/:paymentId',
    '/api/billing/Success/PayInvoice/:paymentId',
  ],
  'GET /api/product-movement-report/:date/csv': ['/billing/product-movement/:date/download'],
  'GET /api/integration/ProductMovementReport/Csv/:date': ['/api/billing/product-movement/:date/download'],
};

/** Adds each route of `app` that has further addresses at these too; to be called before any route is added. */
export function addOtherAddresses(app: App): void {
  app.addHook('onRoute', route => {
    for (const url of otherAddresses[`${route.method} ${route.url}`] ?? [])
      app.route({ ...route, url, exposeHeadRoute: false });
  });
}
