import { type Kysely, sql } from 'kysely';
import type { Migration } from '../../database/migrate.ts';
import { accounts } from './migrations/001-accounts.ts';
import { customers } from './migrations/002-customers.ts';
import { services } from './migrations/003-services.ts';
import { messages } from './migrations/004-messages.ts';
import { forms } from './migrations/005-forms.ts';
import { secondFactor } from './migrations/006-second-factor.ts';
import { passwords } from './migrations/007-passwords.ts';
import { signOn } from './migrations/008-sign-on.ts';
import { acting } from './migrations/009-acting.ts';
import { recoveryCodes } from './migrations/010-recovery-codes.ts';
import { links } from './migrations/011-links.ts';
import { shortSearches } from './migrations/012-short-searches.ts';
import { marketplace } from './migrations/013-marketplace.ts';
import { agreements } from './migrations/014-agreements.ts';
import { orders } from './migrations/015-orders.ts';
import { activityDetails } from './migrations/016-activity-details.ts';
import { quickLinks } from './migrations/017-quick-links.ts';
import { usage } from './migrations/018-usage.ts';
import { voice } from './migrations/020-voice.ts';
import { mail } from './migrations/021-mail.ts';
import { seededJobs } from './migrations/022-seeded-jobs.ts';
import { psa } from './migrations/023-psa.ts';
import { psaReports } from './migrations/024-psa-reports.ts';
import { psaContracts } from './migrations/025-psa-contracts.ts';
import { psaCharges } from './migrations/026-psa-charges.ts';
import { activityUsers } from './migrations/027-activity-users.ts';
import { countsInOrder } from './migrations/028-counts-in-order.ts';
import { monthlyCharge } from './migrations/029-monthly-charge.ts';
import { customersOwnFields } from './migrations/030-customers-own-fields.ts';
import { locale } from './migrations/031-locale.ts';
import { userImports } from './migrations/032-user-imports.ts';
import { paidOnce } from './migrations/040-paid-once.ts';
import { bulkQuantities } from './migrations/041-bulk-quantities.ts';
import { notificationSubjects } from './migrations/045-notification-subjects.ts';
import { productAnnouncements } from './migrations/046-product-announcements.ts';
import { committedServices } from './migrations/050-committed-services.ts';
import { activeCharge } from './migrations/051-active-charge.ts';
import { userSearch } from './migrations/052-user-search.ts';
import { serviceTerms } from './migrations/055-service-terms.ts';
import { customerImports } from './migrations/056-customer-imports.ts';
import { bundles } from './migrations/057-bundles.ts';
import { cancelledOrders } from './migrations/060-cancelled-orders.ts';
import { billing } from './migrations/065-billing.ts';
import { payments } from './migrations/080-payments.ts';
import { invoiceMatching } from './migrations/081-invoice-matching.ts';
import { preBills } from './migrations/084-pre-bills.ts';
import { invoicePayments } from './migrations/085-invoice-payments.ts';
import { contractUpdates } from './migrations/086-contract-updates.ts';
import { externalInvoices } from './migrations/090-external-invoices.ts';
import { billingDrafts } from './migrations/092-billing-drafts.ts';
import { longInvoices } from './migrations/093-long-invoices.ts';
import { customerChanges } from './migrations/094-customer-changes.ts';
import { changesOfSums } from './migrations/095-changes-of-sums.ts';
import { voiceCompletion } from './migrations/096-voice-completion.ts';
import { preBillChanges } from './migrations/097-pre-bill-changes.ts';
import { paymentTerms } from './migrations/098-payment-terms.ts';
import { billedAdditions } from './migrations/099-billed-additions.ts';
import { usageSources } from './migrations/100-usage-sources.ts';
import { raisedServices } from './migrations/101-raised-services.ts';
import { termsBegan } from './migrations/110-terms-began.ts';
import { serviceOfUser } from './migrations/111-service-of-user.ts';

/** In order; a released one is never changed, only followed by another. */
export const migrations: Record<string, Migration> = {
  '001-accounts': run(accounts),
  '002-customers': run(customers),
  '003-services': run(services),
  '004-messages': run(messages),
  '005-forms': run(forms),
  '006-second-factor': run(secondFactor),
  '007-passwords': run(passwords),
  '008-sign-on': run(signOn),
  '009-acting': run(acting),
  '010-recovery-codes': run(recoveryCodes),
  '011-links': run(links),
  '012-short-searches': run(shortSearches),
  '013-marketplace': run(marketplace),
  '014-agreements': run(agreements),
  '015-orders': run(orders),
  '016-activity-details': run(activityDetails),
  '017-quick-links': run(quickLinks),
  '018-usage': run(usage),
  '020-voice': run(voice),
  '021-mail': run(mail),
  '022-seeded-jobs': run(seededJobs),
  '023-psa': run(psa),
  '024-psa-reports': run(psaReports),
  '025-psa-contracts': run(psaContracts),
  '026-psa-charges': run(psaCharges),
  '027-activity-users': run(activityUsers),
  '028-counts-in-order': run(countsInOrder),
  '029-monthly-charge': run(monthlyCharge),
  '030-customers-own-fields': run(customersOwnFields),
  '031-locale': run(locale),
  '032-user-imports': run(userImports),
  '040-paid-once': run(paidOnce),
  '041-bulk-quantities': run(bulkQuantities),
  '045-notification-subjects': run(notificationSubjects),
  '046-product-announcements': run(productAnnouncements),
  '050-committed-services': run(committedServices),
  '051-active-charge': run(activeCharge),
  '052-user-search': run(userSearch),
  '055-service-terms': run(serviceTerms),
  '056-customer-imports': run(customerImports),
  '057-bundles': run(bundles),
  '060-cancelled-orders': run(cancelledOrders),
  '065-billing': run(billing),
  '080-payments': run(payments),
  '081-invoice-matching': run(invoiceMatching),
  '084-pre-bills': run(preBills),
  '085-invoice-payments': run(invoicePayments),
  '086-contract-updates': run(contractUpdates),
  '090-external-invoices': run(externalInvoices),
  '092-billing-drafts': run(billingDrafts),
  '093-long-invoices': run(longInvoices),
  '094-customer-changes': run(customerChanges),
  '095-changes-of-sums': run(changesOfSums),
  '096-voice-completion': run(voiceCompletion),
  '097-pre-bill-changes': run(preBillChanges),
  '098-payment-terms': run(paymentTerms),
  '099-billed-additions': run(billedAdditions),
  '100-usage-sources': run(usageSources),
  '101-raised-services': run(raisedServices),
  '110-terms-began': run(termsBegan),
  '111-service-of-user': run(serviceOfUser),
};

function run(statements: string): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(statements).execute(db);
    },
  };
}
