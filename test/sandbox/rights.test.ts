import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brandCalls } from '../fixtures/brand-calls.ts';
import { isOfResource } from '../fixtures/declared-resources.ts';
import { ipAccessCalls } from '../fixtures/ip-access-calls.ts';
import { knowledgeCalls } from '../fixtures/knowledge-calls.ts';
import { mailCalls, securityCalls } from '../fixtures/mail-calls.ts';
import { apiKeyCalls } from '../fixtures/manage-api-calls.ts';
import { type Call, everybody, type Person, people, peopleCalls } from '../fixtures/people-calls.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const tokens: Record<string, string> = {};
const sandbox = withSandbox();
setUp(async () => {
  for (const person of everybody) tokens[person] = await sandbox.signIn(people[person]);
});

const as = (person: Person, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[person] ?? '', method, path, body);

// Contoso is organisation 10001, its administrator user 20001 and its end user 20002.
const contact = {
  ContactName: 'Ada Whitfield',
  ContactEmail: 'hello@contoso.test',
  Phone: '',
  Address1: '',
  Address2: '',
  TownCity: '',
  County: '',
  PostCode: '',
};
const newCustomer = { Name: '', Domain: 'x.test', ContactName: 'X', ContactEmail: 'x@x.test', Phone: '' };
const newUser = { FirstName: 'A', LastName: 'B', Email: 'admin@contoso.test', Type: 'endUser' };
const profile = { FirstName: 'Una', LastName: 'Marsh', Phone: '', JobTitle: 'Buyer' };
const details = { OrganisationId: '10001', RecordVersion: -1 };

const matrix: Call[] = [
  ...[
    ...['users/login-user', 'permissions', 'account-settings/display', 'partner-systems', 'announcement'],
    ...['notifications', 'notifications/new-count', 'notifications/filtered', 'notifications/negotiate'],
    ...['announcement/1', 'Notification/ReloadInterval', 'Notification/GetDropZoneNotifications'],
  ].map((path): Call => [everybody, 'GET', `/api/${path}`]),
  [everybody, 'PATCH', '/api/notifications', { Id: '0', Status: 'read' }],
  [everybody, 'POST', '/api/notifications/read-all'],
  [everybody, 'POST', '/api/account-settings/display', {}],
  [everybody, 'GET', '/api/account-settings/notifications'],
  [everybody, 'PUT', '/api/account-settings/notifications', {}],
  [['reseller'], 'GET', '/api/reseller-settings'],
  [['reseller'], 'PUT', '/api/reseller-settings', { Version: 0 }],
  [['reseller'], 'POST', '/api/reseller-settings/undo', {}],
  [everybody, 'GET', '/api/account-settings/region'],
  [everybody, 'PUT', '/api/account-settings/region', {}],
  [everybody, 'PUT', '/api/account-settings/region/browser', { TimeZone: 'Europe/London' }],
  [['reseller'], 'POST', '/api/account-settings/display/nobody', {}],
  [everybody, 'POST', '/api/announcement/1/RemindLater'],
  [everybody, 'POST', '/api/announcement/1/DoNotShowAgain'],
  [everybody, 'POST', '/api/Notification/CloseNotification', { Id: '0' }],
  [everybody, 'GET', '/api/dynamicForm/callback-request'],
  [everybody, 'POST', '/api/dynamicForm/callback-request', {}],
  [['reseller'], 'GET', '/api/dashboard/summary'],
  [['reseller'], 'GET', '/api/dashboard/attention'],
  [['reseller'], 'GET', '/api/dashboard/months'],
  [['reseller'], 'GET', '/api/dashboard/renewals'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/dashboard/unsigned-agreements'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers/suggestions'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/search?words=contoso'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers/10001'],
  ...['services', 'service-groups', 'bundles'].map(
    (part): Call => [['reseller', 'engineer', 'admin'], 'GET', `/api/customers/10001/${part}`],
  ),
  [['reseller', 'engineer', 'admin'], 'GET', '/api/activity'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers/10001/activity'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers/10001/services/30001/users'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers/10001/services/30001/activity'],
  ...['failures', 'costs', 'renewals', 'agreements'].map(
    (part): Call => [['reseller', 'engineer', 'admin'], 'GET', `/api/customers/10001/${part}`],
  ),
  ...['', '/subscriptions', '/resource-groups'].map(
    (part): Call => [['reseller', 'engineer', 'admin'], 'GET', `/api/customers/10001/usage${part}`],
  ),
  [['reseller'], 'POST', '/api/customers/10001/usage/files'],
  ...['undo', 'load'].map((verb): Call => [['reseller'], 'POST', `/api/customers/10001/usage/files/1/${verb}`]),
  [['reseller'], 'GET', '/api/customers/10001/usage/files/1/subscriptions'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers/10001/users'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/customers/10001/users/20001'],
  [['reseller', 'engineer', 'admin', 'user'], 'GET', '/api/customers/10001/users/20002'],
  ...[
    '/api/marketplace/services',
    '/api/marketplace/services/8/1',
    '/api/marketplace/services/8/1/customers',
    '/api/marketplace/end-user-admin/services',
    '/api/marketplace/listing-id?serviceId=8&subId=1',
    '/api/cloud-office/has-partner-id?customerId=10001',
    '/api/customers/10001/marketplace-services',
    '/api/customers/10001/users/20002/marketplace-services',
  ].map((path): Call => [['reseller', 'engineer', 'admin'], 'GET', path]),
  ...['', '/ids'].map((part): Call => [['reseller'], 'GET', `/api/marketplace/services/8/1/eligibility${part}`]),
  [['reseller'], 'POST', '/api/marketplace/services/8/1/eligibility', {}],
  ...[
    '/api/orders',
    '/api/orders/by-customer?customerIds=10001',
    '/api/orders/ORD-0000001',
    '/api/services/in-use?instanceIds=30001',
    '/api/customers/10001/services/30001',
  ].map((path): Call => [['reseller', 'engineer', 'admin'], 'GET', path]),
  ...[
    '/api/orders',
    '/api/orders/quote',
    '/api/orders/price',
    '/api/orders/bulk',
    '/api/orders/bulk/quote',
    '/api/orders/bulk/1/retry',
    '/api/orders/bulk/1/cancel',
    '/api/customers/10001/services/30001/retry',
    '/api/customers/10001/services/30001/delete',
  ].map((path): Call => [['reseller'], 'POST', path, {}]),
  ...['/api/orders/bulk', '/api/orders/bulk/1'].map((path): Call => [['reseller'], 'GET', path]),
  [['reseller'], 'GET', '/api/orders/subject?customerId=10001&action=Add'],
  ...mailCalls,
  ...securityCalls,
  ...['info', 'confirm', 'start'].map(
    (step): Call => [['reseller', 'admin'], 'POST', `/api/customers/10001/disaster-recovery/${step}`, {}],
  ),
  [['reseller'], 'GET', '/api/voice/catalogue'],
  ...['', '/quote'].map((part): Call => [['reseller'], 'POST', `/api/voice/organisations/10001/orders${part}`, {}]),
  ...['', '/1'].map(
    (part): Call => [['reseller', 'engineer', 'admin'], 'GET', `/api/voice/organisations/10001/orders${part}`],
  ),
  [['reseller', 'admin'], 'GET', '/api/services'],
  [['reseller', 'admin'], 'GET', '/api/services/1/1/customers'],
  ...peopleCalls,
  ...ipAccessCalls,
  ...['', '/information', '/progress', '/definedProducts', '/areasType'].map(
    (part): Call => [['reseller'], 'GET', `/api/companyinfo${part}`],
  ),
  ...['', '/information', '/definedProducts/no', '/areasType/no'].map(
    (part): Call => [['reseller'], 'PUT', `/api/companyinfo${part}`, {}],
  ),
  ...apiKeyCalls,
  ...knowledgeCalls,
  [['reseller'], 'POST', '/api/customers', newCustomer],
  [['reseller'], 'PUT', '/api/customers/10001', contact],
  [['reseller'], 'POST', '/api/customers/10001/name', { NewName: '' }],
  ...['suspend', 'reactivate'].map((verb): Call => [['reseller'], 'POST', `/api/customers/10001/${verb}`]),
  [['reseller'], 'GET', '/api/customers/10001/can-delete'],
  [['reseller'], 'POST', '/api/customers/10001/delete', { Confirmation: 'no name' }],
  [['reseller', 'admin'], 'POST', '/api/customers/10001/users', newUser],
  [['reseller', 'admin'], 'PUT', '/api/customers/10001/users/20001', profile],
  [['reseller', 'admin', 'user'], 'PUT', '/api/customers/10001/users/20002', profile],
  [['reseller', 'admin'], 'POST', '/api/customers/10001/users/1/suspend'],
  [['reseller', 'admin'], 'POST', '/api/customers/10001/users/1/reactivate'],
  [['reseller', 'admin'], 'DELETE', '/api/customers/10001/users/1'],
  [['reseller', 'admin'], 'POST', '/api/customers/10001/user-imports'],
  ...['/template', '/1', '/1/rows', '/1/columns'].map(
    (part): Call => [['reseller', 'admin'], 'GET', `/api/customers/10001/user-imports${part}`],
  ),
  [['reseller', 'admin'], 'POST', '/api/customers/10001/user-imports/1/columns', {}],
  ...['run', 'undo'].map(
    (verb): Call => [['reseller', 'admin'], 'POST', `/api/customers/10001/user-imports/1/${verb}`],
  ),
  [['reseller'], 'POST', '/api/customer-imports'],
  ...['/template', '/1', '/1/rows', '/1/columns'].map(
    (part): Call => [['reseller'], 'GET', `/api/customer-imports${part}`],
  ),
  [['reseller'], 'POST', '/api/customer-imports/1/columns', {}],
  ...['run', 'undo'].map((verb): Call => [['reseller'], 'POST', `/api/customer-imports/1/${verb}`]),
  [['admin', 'user'], 'GET', '/api/end-user/services'],
  [['admin', 'user'], 'GET', '/api/end-user/services/1'],
  [['admin', 'user'], 'GET', '/api/end-user/mailbox'],
  [['admin', 'user'], 'GET', '/api/end-user/activity'],
  [['reseller'], 'GET', '/api/popups/contact-details?organisationId=10001'],
  [['reseller'], 'GET', '/api/popups/contact-details/schema'],
  [['reseller'], 'GET', '/api/popups/contact-details/data/10001'],
  [['reseller'], 'PUT', '/api/popups/contact-details/submit/10001', details],
  [['reseller', 'admin'], 'GET', '/api/popups/mail-forwarding/schema'],
  [['reseller', 'admin'], 'POST', '/api/popups/mail-forwarding/submit/10001', details],
  [everybody, 'GET', '/api/passwordsecurity/validationrules'],
  [everybody, 'POST', '/api/users/reset-password', {}],
  [everybody, 'PUT', '/api/users/admin/nobody/change-password', {}],
  [['reseller'], 'PUT', '/api/users/reseller/reseller%40northwind.test/update-password', {}],
  [everybody, 'POST', '/api/public/sign-ups', {}],
  [everybody, 'POST', '/api/public/sign-ups/confirm', {}],
  ...[
    'IsOutOfHours',
    'SelectSupportAllRecordsByReseller',
    'SelectSupportAllRecordsByReseller/csv',
    'SelectSupportActiveRecordsByReseller',
    'SelectSupportActiveRecordsByReseller/csv',
    ...['GetOrgsSupport', 'GetAdUsersSupport', 'GetProductsSupport', 'GetDefaultOutOfHoursDetails'],
    ...['GetDetailTicket/1', 'GetDetailHistorySupportTicket/1', 'ticket-context', 'waiting-attachments'],
    ...['GetSupportAttachments/1', 'DownloadAttachment/1'],
  ].map((path): Call => [['reseller', 'engineer'], 'GET', `/api/support/${path}`]),
  ...[
    'SubmitTicket',
    'SubmitOutOfHoursTicket',
    'UpdateSupportTicketByReseller',
    'CloseTicketByReseller/1',
    'waiting-attachments/1/remove',
    'UploadFilesSupportTicket?name=x',
  ].map((path): Call => [['reseller', 'engineer'], 'POST', `/api/support/${path}`, {}]),
  ...['GetNetworkStatus', 'NetworkStatus', 'disturbances', 'GetNetworkStatusLink', 'IsUserSubscribed'].map(
    (path): Call => [everybody, 'GET', `/api/network/${path}`],
  ),
  [everybody, 'POST', '/api/network/SubscribeUser?wanted=on', {}],
  [everybody, 'POST', '/api/public/notification-stops', {}],
  [['reseller'], 'GET', '/api/first-steps'],
  [['reseller'], 'PUT', '/api/first-steps', {}],
  [everybody, 'GET', '/api/public/spam-release?messageGuid=nothing&userId=1'],
  [everybody, 'GET', '/api/public/email-archive-access?accessType=search&token=nothing'],
  ...brandCalls.map(([isSetUp, method, path, body]): Call => [isSetUp ? ['reseller'] : everybody, method, path, body]),
  [everybody, 'GET', '/api/footer/buttons'],
  [everybody, 'GET', '/api/footer/policies/nothing'],
  [everybody, 'GET', '/api/footer/opt-outs'],
  [everybody, 'PUT', '/api/footer/opt-outs', {}],
  [['reseller'], 'GET', '/api/quick-links'],
  [['reseller'], 'PUT', '/api/quick-links', {}],
  ...['is-enabled', 'setup', 'verify-user', 'verify-token', 'recovery-codes'].map(
    (name): Call => [everybody, 'POST', `/api/mfa/${name}`, {}],
  ),
  [everybody, 'POST', '/api/comms/logout'],
  [['reseller'], 'POST', '/api/jumps', {}],
  [everybody, 'GET', '/api/agreements/reseller-validity'],
  [everybody, 'GET', '/api/agreements/1'],
  [everybody, 'GET', '/api/agreements/1/download'],
  [everybody, 'GET', '/api/agreements/can-agree'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/agreements'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/agreements/unsigned-services'],
  [['reseller', 'engineer', 'admin'], 'POST', '/api/agreements/get-agreements', { ServiceIds: [8] }],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/agreements/linked?serviceId=8'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/agreements/signed/8'],
  [everybody, 'GET', '/api/agreements/1/info'],
  [['reseller', 'engineer', 'admin'], 'GET', '/api/agreements/inline?serviceId=8'],
  [['reseller'], 'POST', '/api/agreements/begin-sign', { AgreementIds: ['2'] }],
  [['reseller'], 'POST', '/api/agreements/signature-image', { Image: '' }],
  [['reseller'], 'POST', '/api/agreements/sign', { ServiceId: 8, Signatory: 'A', Agreed: false }],
  [['reseller'], 'POST', '/api/agreements/1/sign', { Signatory: 'A', Agreed: false }],
  ...[
    'integration',
    'integration/GetProductMovementDateRange',
    'integration/ProductMovementReportActions/latest',
    'integration/ProductMovementReport/Csv/latest',
    'integration/ReconciliationReportActions',
    'integration/ReconciliationReport/Csv',
    'integration/availableIntegrations',
    'integration/customers',
    'integration/overview',
    'integration/products',
    'integration/psaCustomers',
    'integration/psaOverview',
    'integration/psaProducts',
    'integration/settings',
    'azure-charges/date-range/6',
    'azure-charges/latest',
    'cloud-market/customers',
    'cloud-market/services',
    'data-cache/latest',
    'mapping/customers',
    'mapping/services',
    'psa/contracts',
    'psa/customers',
    'psa/services',
    'product-movement-report/date-range',
    'product-movement-report/latest',
    'product-movement-report/latest/csv',
    'reconciliation-report',
    'reconciliation-report/csv',
    'settings',
  ].map((path): Call => [['reseller'], 'GET', `/api/${path}`]),
  ...[
    'integration/refresh/all',
    'integration/refresh/customers',
    'integration/refresh/services',
    'integration/settings',
    'integration/updateCustomers',
    'integration/updateProducts',
    'integration/UpdateProductMovementReport',
    'integration/UpdateReconciliationReport',
    'product-movement-report',
    'product-movement-report/refresh',
    'reconciliation-report',
    'reconciliation-report/refresh',
    'data-cache/refresh',
    'azure-charges',
    'azure-charges/refresh',
    'azure-charges/latest/refresh',
    'psa/contracts/refresh',
    'mapping/customers',
    'mapping/services',
    'settings',
  ].map((path): Call => [['reseller'], 'POST', `/api/${path}`, {}]),
  ...['settings/ignore-sales-orders', 'integration/ignoreSalesOrders'].map(
    (path): Call => [['reseller'], 'PUT', `/api/${path}`, {}],
  ),
  ...[
    'business',
    'billing/payment-methods',
    'billing/payment-methods/1/default-change',
    'billing/payment-settings',
    'billing/direct-debit/status',
    'billing/ways-to-pay?purpose=invoice',
    'billing/auto-pay-plan',
    'billing/payments/1',
    'billing/payments/1/receipt',
    'billing/credits',
    'billing/AccountPaymentMethod',
    'billing/getCredits',
    'billing/Success/AddCredit/1',
    'billing/Success/PayInvoice/1',
  ].map((path): Call => [['reseller'], 'GET', `/api/${path}`]),
  [['reseller'], 'PUT', '/api/billing/payment-methods', {}],
  ...['hosted-page/card', 'hosted-page/callback', 'payment-methods/cancel', 'credits', 'addCredit', 'PayInvoice'].map(
    (path): Call => [['reseller'], 'POST', `/api/billing/${path}`, {}],
  ),
  [['reseller'], 'POST', '/api/billing/direct-debit/payer-authorisation'],
  ...['/billing', '/api/billing'].flatMap((base): Call[] => [
    ...[
      'invoices',
      'invoices/latest/summary',
      ...[
        '',
        '/lines',
        '/lines/1',
        '/groups',
        '/changes',
        '/changes/customers',
        '/download',
        '/payments',
        '/reconciliation',
        '/reconciliation/csv',
        '/reconciliation/rows/1',
        '/contract-changes',
        '/contract-updates',
      ].map(part => `invoices/FH-1${part}`),
      'creditmemos',
      ...['', '/lines', '/download'].map(part => `creditmemos/CM-1${part}`),
      'history',
      'account-totals',
      'pricing',
      'customers',
      'customers/10001',
      ...['pre-bill', 'post-bill', 'bill-difference'].map(name => `invoices/${name}`),
      ...['v1', 'v2', 'v3'].map(version => `invoices/FH-1/exports/${version}`),
      'product-movement/latest/download',
    ].map((path): Call => [['reseller'], 'GET', `${base}/${path}`]),
    [['reseller'], 'PUT', `${base}/pricing`, { Key: '1-1', Price: '' }],
    [['reseller'], 'DELETE', `${base}/pricing/1-1`],
    [['reseller'], 'POST', `${base}/invoices/FH-1/contract-updates`, { Version: 'x' }],
  ]),
  ...['/billing/invoices/FH-1/pay-info', '/api/billing/GetPayInvoiceInfo/FH-1'].map(
    (path): Call => [['reseller'], 'GET', path],
  ),
  ...['/billing/card-payments', '/api/billing/UPGPayment'].map((path): Call => [['reseller'], 'POST', path, {}]),
  [['reseller'], 'GET', '/billing/invoices/latest'],
  [['reseller'], 'GET', '/api/dashboard/getLatestInvoice'],
  [everybody, 'PUT', '/api/mfa/configure', {}],
  [everybody, 'PUT', '/api/mfa/disable', {}],
];

for (const [allowed, method, path, body] of matrix) {
  test(`${method} ${path} is for ${allowed === everybody ? 'everybody' : allowed.join(', ')}`, async () => {
    for (const person of everybody) {
      const reply = await as(person, method, path, body);
      const isRefused = reply.status === 403 && reply.body.Error === 'NotPermitted';
      assert.equal(isRefused, !allowed.includes(person), `${person}: ${reply.status}`);
      assert.ok(reply.status < 500);
    }
  });
}

test('every call of the API is in the table above or of a declared resource, and says in the OpenAPI document what it needs', async () => {
  const document = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { description?: string }>>;
  };
  const known = matrix.map(([, method, path]) => `${method} ${path.split('?')[0]}`);
  const paths = Object.entries(document.paths).filter(([path]) => /^\/(?:api|billing)\//.test(path));
  assert.ok(paths.length > 100, `${paths.length} paths`);
  for (const [path, methods] of paths) {
    const pattern = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`);
    for (const [method, { description }] of notEmpty(Object.entries(methods))) {
      const isPopup = path.includes('/submit/');
      const isKnown = known.some(call => {
        const [knownMethod, knownPath = ''] = call.split(' ');
        return pattern.test(knownPath) && (isPopup || knownMethod === method.toUpperCase());
      });
      assert.ok(isKnown || isOfResource(path), `${method} ${path}`);
      assert.match(description ?? '', /^Needs: /);
    }
  }
});
