import { addAgreementRoutes } from './agreements/routes.ts';
import { addAccountRoutes } from './auth/account-routes.ts';
import { addJumpRoutes } from './auth/jump-routes.ts';
import { addMfaRoutes } from './auth/mfa-routes.ts';
import { addOwnPasswordRoute, addPasswordRoutes } from './auth/password-routes.ts';
import { addRightsRoutes } from './auth/rights-routes.ts';
import { addSignOutRoute } from './auth/sign-out-route.ts';
import { addTokenRoutes } from './auth/token-routes.ts';
import { addBillingRoutes } from './billing/routes.ts';
import { addCustomerOverviewRoutes } from './customers/overview-routes.ts';
import { addCustomerRoutes } from './customers/routes.ts';
import { addSearchRoutes } from './customers/search-routes.ts';
import { addQuickLinkRoutes } from './dashboard/quick-link-routes.ts';
import { addDashboardRoutes } from './dashboard/routes.ts';
import { addFormRoutes } from './forms/form-routes.ts';
import { addPopupRoutes } from './forms/popup-routes.ts';
import { addLinkRoute } from './identity/link-route.ts';
import { addLinkRoutes } from './links/routes.ts';
import { addMailRoutes, addRecoveryRoutes } from './mail/routes.ts';
import { addMarketplaceRoutes } from './marketplace/routes.ts';
import { addAnnouncementRoutes } from './notifications/announcement-routes.ts';
import { addDropZoneRoutes } from './notifications/drop-zone-routes.ts';
import { addNegotiateRoute } from './notifications/negotiate-routes.ts';
import { addNotificationRoutes } from './notifications/routes.ts';
import { addBulkRoutes } from './orders/bulk-routes.ts';
import { addOrderRoutes } from './orders/routes.ts';
import { addOutboxRoutes } from './outbox/routes.ts';
import type { AddRoutes } from './parts.ts';
import { addCreditRoutes } from './payments/credit-routes.ts';
import { addInvoicePaymentRoutes } from './payments/invoice-routes.ts';
import { addReceiptRoutes } from './payments/receipt-routes.ts';
import { addPaymentRoutes } from './payments/routes.ts';
import { addOptOutRoutes } from './policies/opt-out-routes.ts';
import { addPolicyRoutes } from './policies/routes.ts';
import { addPsaChargeRoutes } from './psa/charge-routes.ts';
import { addContractUpdateRoutes } from './psa/contract-routes.ts';
import { addInvoiceComparisonRoutes } from './psa/invoice-routes.ts';
import { addPsaReportRoutes } from './psa/report-routes.ts';
import { addPsaRoutes } from './psa/routes.ts';
import { addAutotaskRoutes } from './psa/stand-in/autotask-routes.ts';
import { addConnectWiseRoutes } from './psa/stand-in/connectwise-routes.ts';
import { addEndUserRoutes } from './services/end-user-routes.ts';
import { addInstanceRoutes } from './services/instance-routes.ts';
import { addMyServicesRoutes } from './services/mine-routes.ts';
import { addServiceRoutes } from './services/routes.ts';
import { addUsageRoutes } from './usage/routes.ts';
import { addUserRoutes } from './users/routes.ts';
import { addVoiceRoutes } from './voice/routes.ts';

/** For everyone: what pages without a sign-in need, and the stand-ins of business systems, which know their own callers. */
export const openRoutes: readonly AddRoutes[] = [
  addOutboxRoutes,
  addPasswordRoutes,
  addLinkRoutes,
  addPolicyRoutes,
  addConnectWiseRoutes,
  addAutotaskRoutes,
];

/** How a session with the cloud begins and ends; their bodies are forms. */
export const tokenRoutes: readonly AddRoutes[] = [addTokenRoutes, addLinkRoute, addSignOutRoute];

/** For callers with an access token; each says what it needs. */
export const guardedRoutes: readonly AddRoutes[] = [
  addAccountRoutes,
  addRightsRoutes,
  addMfaRoutes,
  addOwnPasswordRoute,
  addJumpRoutes,
  addAgreementRoutes,
  addBillingRoutes,
  addDashboardRoutes,
  addQuickLinkRoutes,
  addCustomerRoutes,
  addCustomerOverviewRoutes,
  addSearchRoutes,
  addUserRoutes,
  addMarketplaceRoutes,
  addServiceRoutes,
  addInstanceRoutes,
  addMyServicesRoutes,
  addUsageRoutes,
  addOrderRoutes,
  addBulkRoutes,
  addVoiceRoutes,
  addMailRoutes,
  addRecoveryRoutes,
  addPsaRoutes,
  addInvoiceComparisonRoutes,
  addContractUpdateRoutes,
  addPsaReportRoutes,
  addPsaChargeRoutes,
  addPaymentRoutes,
  addCreditRoutes,
  addInvoicePaymentRoutes,
  addReceiptRoutes,
  addEndUserRoutes,
  addNotificationRoutes,
  addAnnouncementRoutes,
  addDropZoneRoutes,
  addNegotiateRoute,
  addOptOutRoutes,
  addFormRoutes,
  addPopupRoutes,
];
