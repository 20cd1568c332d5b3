import { test } from 'node:test';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { type InspectedPage, inspectPages } from '../fixtures/inspect.ts';

const contoso = '/customers/customer/10001';

const portal = withBrowserPortal();

const places: readonly InspectedPage[] = [
  { name: 'dashboard', path: '/dashboard', ready: 'months-chart-plot' },
  { name: 'customers', path: '/customers', ready: 'customers-table' },
  { name: 'customers-failed', path: '/customers?status=Failed', ready: 'customers-table' },
  { name: 'customers-none', path: '/customers?search=nobodyhere', ready: 'customers-table' },
  { name: 'add-customer', path: '/customers/add', ready: 'add-customer-form' },
  { name: 'customer', path: contoso, ready: 'costs-table' },
  { name: 'customer-users', path: `${contoso}?tab=users`, ready: 'users-table' },
  { name: 'customer-services', path: `${contoso}?tab=services`, ready: 'services-table' },
  { name: 'customer-activity', path: `${contoso}?tab=activity`, ready: 'activity-timeline' },
  {
    name: 'customer-usage',
    path: `${contoso}?tab=usage&by=resource&days=28`,
    ready: 'usage-chart-plot',
  },
  { name: 'user-details', path: '/customers/user-details?organisation=10001&user=20003', ready: 'user-facts' },
  { name: 'configure-quick-links', path: '/configure-quick-links', ready: 'quick-links-form' },
  { name: 'callback', path: '/support/callback', ready: 'callback-form' },
  { name: 'profile', path: '/account-setting/profile', ready: 'profile-facts' },
  { name: 'profile-security', path: '/account-setting/profile?tab=security', ready: 'set-up-mfa' },
  { name: 'profile-sessions', path: '/account-setting/profile?tab=sessions', ready: 'sessions-table' },
  { name: 'profile-log', path: '/account-setting/profile?tab=log', ready: 'log-table' },
  { name: 'services', path: '/services', ready: 'my-services-table' },
  { name: 'service-customers', path: '/services/1/1', ready: 'holders-table' },
  { name: 'add-to-many', path: '/services/9/1/add-to-many', ready: 'customers-10001' },
  { name: 'marketplace', path: '/marketplace', ready: 'products' },
  { name: 'marketplace-product', path: '/marketplace/8/1', ready: 'product-add' },
  { name: 'add-service', path: `${contoso}/add-service/share-point`, ready: 'order-details' },
  { name: 'delete-service', path: `${contoso}/delete-service`, ready: 'all-services' },
  { name: 'nce-question', path: `${contoso}/nce-question?serviceRouteName=power-bi`, ready: 'nce-no-classic' },
  { name: 'notifications', path: '/notifications?status=all', ready: 'notifications-table' },
  {
    name: 'agreements-signed',
    path: '/account-setting/service-agreements/signed?agreements=2,3',
    ready: 'signed-table',
  },
  { name: 'service-agreements', path: '/account-setting/service-agreements', ready: 'agreements-table' },
  { name: 'agreement', path: '/account-setting/terms-conditions/2/false/false', ready: 'agreement-signed' },
  { name: 'psa-overview', path: '/billing/psa/overview', ready: 'psa-customers-counts' },
  { name: 'psa-customers', path: '/billing/psa/match', ready: 'psa-customers-accept-all' },
  { name: 'psa-services', path: '/billing/psa/match?tab=services', ready: 'psa-services-accept-all' },
  { name: 'psa-movement', path: '/billing/psa/report', ready: 'psa-movement' },
  { name: 'psa-reconciliation', path: '/billing/psa/report?tab=reconciliation', ready: 'psa-reconciliation' },
  { name: 'psa-charges', path: '/billing/psa/report?tab=charges', ready: 'psa-charges' },
  { name: 'psa-contracts', path: '/billing/psa/report?tab=contracts', ready: 'psa-contracts' },
  { name: 'not-found', path: '/nothing', ready: 'go-home' },
];

test('the pages of a reseller are accessible and fit, light and dark, wide and on a phone', t =>
  inspectPages(t, portal, 'reseller@northwind.test', places));
