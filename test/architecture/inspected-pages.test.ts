import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { InspectedPage } from '../fixtures/inspect.ts';
import { inspectedPages } from '../fixtures/inspected-pages.ts';
import { publicPages } from '../fixtures/public-pages.ts';

const root = join(import.meta.dirname, '../..');

/** Screens and popups that only a flow leads to, and the story of that flow, which looks at them with axe. */
const inStories: Readonly<Record<string, string>> = {
  '/access-denied/{mark}': 'access-requests.test.ts',
  '/account-setting/access-requests': 'access-requests.test.ts',
  '/account-setting/manage-access/approvals': 'approvals.test.ts',
  '/account-setting/manage-access/{user}/customers': 'manage-access.test.ts',
  '/account-setting/manage-access/{user}/permissions/{type}': 'role-editor.test.ts',
  '/account-setting/manage-access/{user}/rolesEditor': 'role-editor.test.ts',
  '/account-setting/own-requests': 'access-requests.test.ts',
  '/account-setting/roles': 'role-editor.test.ts',
  '/account-setting/roles/new': 'role-editor.test.ts',
  '/account-setting/roles/{roleId}': 'role-editor.test.ts',
  '/account-setting/who-can': 'role-editor.test.ts',
  '/approvals': 'approvals.test.ts',
  '/approvals/{approvalId}': 'approvals.test.ts',
  '/billing/invoices/invoice-detail/{id}/compare': 'psa.test.ts',
  '/billing/invoices/invoice-detail/{id}/compare/update': 'psa.test.ts',
  '/billing/invoices/invoice-detail/{id}/compare/{rowId}': 'psa.test.ts',
  '/customers/customer/{customer}/add-service/hosted-voice': 'voice.test.ts',
  '/customers/customer/{customer}/upgrade-service/{route}/{instance}': 'changed-services.test.ts',
  '/customers/customer/{customer}/manage-service/email-security/{domain}/rule-files/{file}': 'email-security.test.ts',
  '/customers/customer/{orgId}/deleted-users': 'deleted-users.test.ts',
  '/customers/customer/{orgId}/import-users/{importId}': 'user-imports.test.ts',
  '/customers/customer/{orgId}/usage-files/{fileId}': 'usage.test.ts',
  '/customers/import/{importId}': 'customer-imports.test.ts',
  '/customers/user-rights': 'role-editor.test.ts',
  '/hosted-page/{ticket}': 'payments.test.ts',
  '/other-organisation': 'public-links.test.ts',
  '/services/bulk/{bulkId}': 'bulk-orders.test.ts',
  '/sign-in': 'other-pages.test.ts',
  '/live-chat/{ticket}': 'live-chat.test.ts',
  '/community/sign-on': 'sites.test.ts',
  '/spam-release/{MID}/{UID}': 'public-links.test.ts',
  '/support/ticket-detail/{ticketId}': 'support.test.ts',
  '/switch-mailbox-confirmation': 'other-pages.test.ts',
  '/unsubscribe/{token}': 'unsubscribe.test.ts',
  'add-allowed': 'email-security.test.ts',
  'add-domain': 'domains.test.ts',
  'add-city-rule': 'ip-access.test.ts',
  'add-country-rule': 'ip-access.test.ts',
  'add-mobile-network-rule': 'ip-access.test.ts',
  'add-own-alias': 'own-aliases.test.ts',
  'api-key': 'api-access.test.ts',
  'ask-for-access': 'access-requests.test.ts',
  'attach-file': 'support.test.ts',
  'change-demand': 'approvals.test.ts',
  'change-ip-rule': 'ip-access.test.ts',
  'change-place-rule': 'ip-access.test.ts',
  'confirm-payment': 'payments.test.ts',
  'configure-mfa': 'second-factor.test.ts',
  'configure-mfa-verification-code': 'second-factor.test.ts',
  'delete-mail-contact': 'distribution-groups.test.ts',
  'disaster-recovery': 'mailboxes.test.ts',
  'edit-mail-contact': 'distribution-groups.test.ts',
  'edit-room-mailbox': 'distribution-groups.test.ts',
  'edit-shared-mailbox': 'distribution-groups.test.ts',
  'give-role': 'role-editor.test.ts',
  'group-members': 'mailboxes.test.ts',
  'knowledge-panel': 'knowledge.test.ts',
  'make-default': 'payments.test.ts',
  'rate-it': 'rating.test.ts',
  'recovery-codes': 'profile.test.ts',
  receipt: 'payments.test.ts',
  'refuse-approval': 'approvals.test.ts',
  'reply-ticket': 'support.test.ts',
  'refuse-request': 'access-requests.test.ts',
  'pause-ip-access': 'ip-access.test.ts',
  'reset-mfa': 'profile.test.ts',
  'choose-time-zone': 'profile.test.ts',
  'resize-service': 'selling.test.ts',
  'restore-user': 'deleted-users.test.ts',
  'save-ip-access': 'ip-access.test.ts',
  'sso-failed': 'other-pages.test.ts',
  'sso-other-organisation': 'sso.test.ts',
  'sso-required': 'sso.test.ts',
  'switch-user': 'switch.test.ts',
  'take-role': 'role-editor.test.ts',
  'top-up': 'payments.test.ts',
};

/** Screens and popups that nothing looks at yet: a name may only go. */
const left: readonly string[] = [
  'auto-pay-plan',
  'confirm-top-up',
  '/change-password',
  '/customers/customer/{customer}/services/{instance}/mend',
  '/end-user/services/{instanceId}',
  '/handle-ext-auth',
  '/permission-error',
  '/services/exclaimer',
  'data-protection-statement',
  'delete-service',
  'new-recovery-codes',
  'no-permission-to-agree',
  'office-suite-partner',
  'select-bulk-product',
  'sign-agreement',
  'start-adding',
  'voice-order-summary',
];

type Kind = 'screen' | 'popup';
type Document = { readonly kind: Kind; readonly name: string };

/** Screens by their route, popups by their id. */
function readDocuments(): readonly Document[] {
  return readdirSync(join(root, 'schemas'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.json') && !file.startsWith('meta/'))
    .flatMap(file => {
      const document = JSON.parse(readFileSync(join(root, 'schemas', file), 'utf8'));
      const kind = /meta\/(screen|popup)\.schema\.json$/.exec(document.$schema ?? '')?.[1] as Kind | undefined;
      return kind ? [{ kind, name: kind === 'screen' ? document.route : basename(file, '.json') }] : [];
    });
}

const pages: readonly InspectedPage[] = [
  ...Object.values(inspectedPages).flatMap(group => Object.values(group).flat()),
  ...publicPages,
];

function isInspected({ kind, name }: Document): boolean {
  if (kind === 'popup') return pages.some(({ popups = [] }) => popups.some(({ popup }) => popup === name));
  const pattern = new RegExp(`^${name.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return pages.some(({ path, screen }) => (screen === undefined ? pattern.test(path.split('?')[0]!) : screen === name));
}

test('every screen and popup is inspected as a page, or looked at by the story of its flow', () => {
  const documents = readDocuments();
  assert.ok(documents.length > 100, `${documents.length} documents`);
  assert.deepEqual(
    documents
      .filter(document => !isInspected(document))
      .map(({ name }) => name)
      .sort(),
    [...Object.keys(inStories), ...left].sort(),
  );
});

test('the stories that look at a screen or popup in place of a page test do so', () => {
  const idle = Object.values(inStories).filter(
    file => !/\b(axe|inspect)\(/.test(readFileSync(join(root, 'test/e2e', file), 'utf8')),
  );
  assert.deepEqual(idle, []);
});

test('no two inspected pages or popups have one name', () => {
  const names = pages.flatMap(({ name, popups = [] }) => [name, ...popups.map(popup => popup.name)]);
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  );
});
