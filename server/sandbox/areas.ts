import { accessRequestsArea } from './access-requests/area.ts';
import { agreementsArea } from './agreements/area.ts';
import { approvalsArea } from './approvals/area.ts';
import type { Area } from './area.ts';
import { authArea } from './auth/area.ts';
import { billingArea } from './billing/area.ts';
import { customersArea } from './customers/area.ts';
import { dashboardArea } from './dashboard/area.ts';
import { domainsArea } from './domains/area.ts';
import { downloadsArea } from './downloads/area.ts';
import { emailSecurityArea } from './email-security/area.ts';
import { formsArea } from './forms/area.ts';
import { hostedExchangeArea } from './hosted-exchange/area.ts';
import { httpArea } from './http/area.ts';
import { identityArea } from './identity/area.ts';
import { integrationArea } from './integration/area.ts';
import { ipAccessArea } from './ip-access/area.ts';
import { jobsArea } from './jobs/area.ts';
import { knowledgeArea } from './knowledge/area.ts';
import { leavingArea } from './leaving/area.ts';
import { limitsArea } from './limits/area.ts';
import { linksArea } from './links/area.ts';
import { mailArea } from './mail/area.ts';
import { apiKeysArea } from './manage-api/area.ts';
import { marketplaceArea } from './marketplace/area.ts';
import { myBusinessArea } from './my-business/area.ts';
import { networkArea } from './network/area.ts';
import { notificationsArea } from './notifications/area.ts';
import { ordersArea } from './orders/area.ts';
import { outboxArea } from './outbox/area.ts';
import { paymentsArea } from './payments/area.ts';
import { policiesArea } from './policies/area.ts';
import { psaArea } from './psa/area.ts';
import { ratingArea } from './rating/area.ts';
import { resellerSettingsArea } from './reseller-settings/area.ts';
import { rolesArea } from './roles/area.ts';
import { servicesArea } from './services/area.ts';
import { signUpArea } from './sign-up/area.ts';
import { sitesArea } from './sites/area.ts';
import { staffArea } from './staff/area.ts';
import { supportArea } from './support/area.ts';
import { usageArea } from './usage/area.ts';
import { usersArea } from './users/area.ts';
import { voiceArea } from './voice/area.ts';
import { whitelabelArea } from './whitelabel/area.ts';

/**
 * All areas. What they seed, and what a day adds, comes in this order: customers before what they hold, what costs
 * something before the invoices, and last what sums the others up.
 */
export const areas: readonly Area[] = [
  authArea,
  identityArea,
  customersArea,
  usersArea,
  staffArea,
  limitsArea,
  notificationsArea,
  linksArea,
  policiesArea,
  voiceArea,
  mailArea,
  domainsArea,
  hostedExchangeArea,
  emailSecurityArea,
  jobsArea,
  psaArea,
  usageArea,
  servicesArea,
  marketplaceArea,
  networkArea,
  paymentsArea,
  ordersArea,
  agreementsArea,
  billingArea,
  outboxArea,
  formsArea,
  rolesArea,
  accessRequestsArea,
  approvalsArea,
  leavingArea,
  ipAccessArea,
  apiKeysArea,
  integrationArea,
  knowledgeArea,
  whitelabelArea,
  myBusinessArea,
  resellerSettingsArea,
  signUpArea,
  supportArea,
  ratingArea,
  sitesArea,
  downloadsArea,
  httpArea,
  dashboardArea,
];
