import type { Running } from '../area.ts';
import type { Work } from '../every.ts';
import { payDueInvoices } from './autopay.ts';
import { readMandates } from './methods.ts';
import { settlePending } from './pay.ts';

/** Asks the provider how payments and mandates stand, and pays what is due by itself. */
export function createPayTick({ db, now, cardProvider: provider, portalUrl, contain }: Running): Work {
  const payments = { db, now, provider, portalUrl };
  const [paymentsApart, mandatesApart, invoicesApart] = [
    contain('paymentId'),
    contain('paymentMethodId'),
    contain('invoiceId'),
  ];
  return {
    async run() {
      await settlePending(payments, paymentsApart);
      await readMandates(payments, mandatesApart);
      await payDueInvoices(payments, invoicesApart);
    },
  };
}
