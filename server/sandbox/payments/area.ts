import type { Area } from '../area.ts';
import { addCreditRoutes } from './credit-routes.ts';
import { addInvoicePaymentRoutes } from './invoice-routes.ts';
import { payments } from './migrations/080-payments.ts';
import { invoicePayments } from './migrations/085-invoice-payments.ts';
import { paymentTerms } from './migrations/098-payment-terms.ts';
import { addReceiptRoutes } from './receipt-routes.ts';
import { addPaymentRoutes } from './routes.ts';
import { insertPayments } from './seed.ts';
import { createPayTick } from './tick.ts';
import './tables.ts';

/** Cards, direct debits, credit, and what is paid with them. */
export const paymentsArea: Area = {
  name: 'payments',
  migrations: { '080-payments': payments, '085-invoice-payments': invoicePayments, '098-payment-terms': paymentTerms },
  seed: [{ name: 'payment methods', insert: (trx, { now }) => insertPayments(trx, now) }],
  routes: [addPaymentRoutes, addCreditRoutes, addInvoicePaymentRoutes, addReceiptRoutes],
  tick: createPayTick,
};
