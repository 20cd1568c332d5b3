import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { contactWrites, groupWrites, sharedMailboxWrites } from '../fixtures/group-writes.ts';
import { mailSettingDeletions, mailSettingWrites } from '../fixtures/mail-setting-calls.ts';
import { atContoso, mailboxWrites, type Written } from '../fixtures/mailbox-writes.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { securityWrites, sendRuleFile } from '../fixtures/security-writes.ts';
import { setUp } from '../fixtures/set-up.ts';
import { handsets } from '../fixtures/voice.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

type Row = Readonly<Record<'Id' | 'Action' | 'Actor' | 'RealActor' | 'Before' | 'After', string>>;
const rowsOf = async (customer: string): Promise<Row[]> =>
  (await sandbox.call(token, 'GET', `/api/customers/${customer}/activity?pageSize=1000`)).body.Result.Items;

const contact = {
  ContactName: 'Ada Whitfield',
  ContactEmail: 'ada@contoso.test',
  Phone: '',
  Address1: '1 New Street',
  Address2: '',
  TownCity: 'Leeds',
  County: '',
  PostCode: '',
};
const details = { CustomerId: '10006', ServiceId: 2, SubId: 1, TermId: 'monthly', BillingId: 'monthly' };
const order = { ...details, Action: 'Add', Quantity: 13, Fields: { Domain: 'contoso.test' } };

/** YYYY-MM-DD, so many days ago */
const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().replace(/\.\d+/, '');

const writes: Written[] = [
  ['PUT /api/customers/{customerId}', '10001', '/api/customers/10001', contact],
  ['POST /api/customers/{customerId}/name', '10001', '/api/customers/10001/name', { NewName: 'Contoso & Sons' }],
  ['POST /api/customers/{customerId}/suspend', '10005', '/api/customers/10005/suspend'],
  ['POST /api/customers/{customerId}/reactivate', '10005', '/api/customers/10005/reactivate'],
  [
    'POST /api/customers/{customerId}/users',
    '10001',
    '/api/customers/10001/users',
    { FirstName: 'Noor', LastName: 'Hale', Email: 'noor@contoso.test', Type: 'endUser' },
  ],
  [
    'PUT /api/customers/{customerId}/users/{userId}',
    '10001',
    '/api/customers/10001/users/{userId}',
    { FirstName: 'Noor', LastName: 'Hale', Phone: '', JobTitle: 'Buyer' },
  ],
  [
    'PUT /api/permissions/{userName}',
    '10001',
    '/api/permissions/noor@contoso.test',
    { views: ['home'], permissions: [] },
  ],
  atContoso('POST', 'users/{userId}/suspend'),
  atContoso('POST', 'users/{userId}/reactivate'),
  ...(['make', 'revert'] as const).map((verb): Written => {
    const path = `/users/{userId}/${verb}-administrator`;
    return [`POST /api/customers/{customerId}${path}`, '10001', `/api/customers/10001${path}`];
  }),
  ['DELETE /api/customers/{customerId}/users/{userId}', '10001', '/api/customers/10001/users/{userId}'],
  atContoso('POST', 'deleted-users/{userId}/restore'),
  ...(
    [
      [
        'PUT',
        'contact-details',
        { ContactName: 'Bea', ContactEmail: 'bea@contoso.test', ByPhone: false, InvoiceToContact: true, Employees: 12 },
      ],
      ['DELETE', 'close-account-note', { Confirmation: 'DELETE' }],
    ] as const
  ).map(
    ([method, popup, values]): Written => [
      `${method} /api/popups/{popupId}/submit/{organisationId}`,
      '10002',
      `/api/popups/${popup}/submit/10002`,
      { OrganisationId: '10002', RecordVersion: 1, ...values },
    ],
  ),
  ['POST /api/orders', '10006', '/api/orders', order],
  [
    'POST /api/customers/{customerId}/services/{instanceId}/retry',
    '10006',
    '/api/customers/10006/services/{instanceId}/retry',
    { Fields: { Domain: 'fabrikam.test' } },
  ],
  [
    'POST /api/customers/{customerId}/services/{instanceId}/delete',
    '10006',
    '/api/customers/10006/services/{instanceId}/delete',
    { Confirmation: 'Team Sites' },
  ],
  [
    'POST /api/orders/bulk',
    '10004',
    '/api/orders/bulk',
    {
      Customers: [{ CustomerId: '10004', Fields: order.Fields }],
      ServiceId: 2,
      SubId: 1,
      TermId: 'monthly',
      BillingId: 'monthly',
      Quantity: 13,
      Fields: {},
    },
  ],
  ...groupWrites,
  ...contactWrites,
  ['POST /api/customers/{customerId}/domains', '10001', '/api/customers/10001/domains', { Name: 'activity.test' }],
  ['DELETE /api/customers/{customerId}/domains/{domainId}', '10001', '/api/customers/10001/domains/{domainId}'],
  ...mailSettingWrites,
  ...securityWrites,
  ...sharedMailboxWrites,
  [
    'POST /api/customers/{customerId}/disaster-recovery/start',
    '10001',
    '/api/customers/10001/disaster-recovery/start',
    {
      Address: 'user@contoso.test',
      StartDate: dayBefore(3),
      EndDate: dayBefore(1),
      Deliver: 'mail.contoso.test',
      Password: seedPassword,
    },
  ],
  ['POST /api/orders/bulk/{bulkId}/retry', '10004', '/api/orders/bulk/{bulkId}/retry'],
  [
    'POST /api/voice/organisations/{organisationId}/orders',
    '10006',
    '/api/voice/organisations/10006/orders',
    handsets(),
  ],
  ...mailboxWrites,
];

/** Writes that change nothing of a customer, and why. */
const others: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['whitelist', 'blacklist'].map(list => [
      `POST /api/customers/{customerId}/email-security/domains/{filteredId}/${list}/rule-file`,
      'judges a file, and adds nothing',
    ]),
  ),
  'POST /api/customers': 'it makes the customer whose activity begins with it; see below',
  'POST /api/customers/{customerId}/delete':
    'its activity goes with the customer; the reseller’s tells of the deletion; see below',
  'POST /api/popups/{popupId}/submit/{organisationId}': 'mail forwarding is for administrators; see below',
  'POST /api/end-user/mailbox/aliases': 'is for end users; see sandbox/own-aliases',
  'DELETE /api/end-user/mailbox/aliases/{alias}': 'is for end users; see sandbox/own-aliases',
  'POST /api/orders/quote': 'asks for a price',
  'PUT /api/customers/{customerId}/users/{userId}/sign-in-name': 'is for accounts; see sandbox/sign-in-names',
  'POST /api/customers/{customerId}/users/{userId}/end-sign-ins': 'is for accounts; see sandbox/staff',
  ...Object.fromEntries(
    ['leave', 'leave/undo'].map(verb => [
      `POST /api/customers/{customerId}/users/{userId}/${verb}`,
      'goes by a check that was read before; see sandbox/leaving',
    ]),
  ),
  ...mailSettingDeletions,
  'POST /api/customers/{customerId}/domains/{domainId}/check':
    'records a domain that it activates; see sandbox/domain-checks',
  'POST /api/customers/{customerId}/disaster-recovery/info': 'reads',
  'POST /api/customers/{customerId}/disaster-recovery/confirm': 'says what would be done',
  'POST /api/orders/bulk/quote': 'asks for a price',
  'POST /api/orders/price': 'asks for a price',
  'POST /api/orders/bulk/{bulkId}/cancel': 'records each service that it takes back; see sandbox/bulk',
  'POST /api/announcement/{id}/DoNotShowAgain': 'is about what the caller is shown',
  'POST /api/announcement/{id}/RemindLater': 'is about what the caller is shown',
  'POST /api/marketplace/services/{serviceId}/{subId}/eligibility': 'reads',
  'POST /api/voice/organisations/{organisationId}/orders/quote': 'asks for a price',
  'POST /api/customers/{customerId}/usage/files': 'records what it loads; see sandbox/usage-files',
  'POST /api/customers/{customerId}/usage/files/{fileId}/load': 'records what it loads; see sandbox/usage-files',
  'POST /api/customers/{customerId}/usage/files/{fileId}/undo': 'records what it takes back; see sandbox/usage-files',
  'POST /api/customers/{customerId}/user-imports': 'checks a file',
  'POST /api/customers/{customerId}/user-imports/{importId}/columns': 'checks a file',
  'POST /api/customers/{customerId}/user-imports/{importId}/run': 'records each user that it creates',
  'POST /api/customers/{customerId}/user-imports/{importId}/undo': 'records each user that it deletes',
  'POST /api/customer-imports': 'checks a file',
  'POST /api/customer-imports/{importId}/columns': 'checks a file',
  'POST /api/customer-imports/{importId}/run': 'creates customers whose activity begins with it',
  'POST /api/customer-imports/{importId}/undo': 'deletes customers with their activity',
  'POST /api/customers/{customerId}/administrator-invitations': 'records whom it invites; see sandbox/staff',
  'POST /api/agreements/get-agreements': 'reads',
  'POST /api/customer-limits/count': 'reads',
  'PUT /api/first-steps': 'is about where the caller lands',
  'PUT /api/quick-links': 'is about the dashboard of the caller',
  ...Object.fromEntries(
    ['own-access-requests', 'own-access-requests/{requestId}/withdraw', 'access-requests/{requestId}/refuse'].map(
      path => [`POST /api/${path}`, 'stands in the activity of whoever asks; see sandbox/access-requests'],
    ),
  ),
  ...Object.fromEntries(
    ['POST /api/roles', 'PUT /api/roles/{roleId}', 'DELETE /api/roles/{roleId}'].map(route => [
      route,
      'is about the reseller: it stands in the activity of access; see sandbox/roles',
    ]),
  ),
};
const elsewhere =
  /^\w+ \/api\/(?:agreements|billing|mapping|integration|product-movement-report|azure-charges|psa|reconciliation-report|settings|data-cache|mfa|notifications|Notification|comms|jumps|footer|users|public|dynamicForm|passwordsecurity|PasswordSecurity|staff|role-based-access|approvals|approval-demands|IpLockdown|ManageApi|account-settings|whitelabel|companyinfo|reseller-settings|support|network|knowledge-base|rating|Download)\b/;

test('every write of the API at a customer is tried here, or changes none', async () => {
  const { paths } = (await (await fetch(`${sandbox.url}/openapi.json`)).json()) as { paths: Record<string, object> };
  const known = new Set([...writes.map(([route]) => route), ...Object.keys(others)]);
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  );
  const unknown = all.filter(
    route => / \/api\//.test(route) && !/^(?:GET|HEAD)/.test(route) && !known.has(route) && !elsewhere.test(route),
  );
  assert.deepEqual(unknown, []);
});

test('every write at a customer is in its activity, with who did it and what was before and after', async () => {
  const made: Record<string, string> = { address: 'admin@contoso.test', ...(await sendRuleFile(sandbox, token)) };
  for (const [route, customer, path, body] of writes) {
    const before = new Set((await rowsOf(customer)).map(({ Id }) => Id));
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? '');
    const [method = ''] = route.split(' ');
    const reply = await sandbox.call(token, method, address, body, {
      'idempotency-key': `key-of-${route.length}-${address.slice(-60)}`,
    });
    assert.ok(reply.status < 300, `${route}: ${JSON.stringify(reply.body)}`);
    const { userId, domainId, filteredId, groupId, contactId, mailboxId, InstanceId, BulkId, ChangeId } =
      reply.body.Result ?? {};
    Object.assign(
      made,
      userId && { userId },
      domainId && { domainId },
      groupId && { groupId },
      contactId && { contactId },
      filteredId && { filteredId },
      mailboxId && { mailboxId },
      InstanceId && { instanceId: InstanceId },
      BulkId && { bulkId: BulkId },
      ChangeId && { changeId: ChangeId },
    );
    await sandbox.tickOnce();
    const all = (await rowsOf(customer)).filter(({ Id }) => !before.has(Id));
    assert.equal(all.at(-1)?.Actor, 'Priya Raman', route);
    for (const row of all) assert.ok(row.Before !== '' || row.After !== '', `${route}: ${JSON.stringify(row)}`);
  }
});

test('what was mended, and what an administrator sets, is told by the names of its fields', async () => {
  const [retried] = (await rowsOf('10006')).filter(({ Action }) => Action === 'Service retried');
  assert.equal(retried?.Before, 'Activation failed; Domain: contoso.test');
  assert.equal(retried?.After, 'Activating; Domain: fabrikam.test');
  const administrator = await sandbox.signIn('admin@contoso.test');
  const forward = {
    OrganisationId: '10001',
    RecordVersion: 1,
    Enabled: true,
    ForwardTo: 'a@b.test',
    KeepCopy: true,
    Note: '',
  };
  const path = '/api/popups/mail-forwarding/submit/10001';
  assert.equal((await sandbox.call(administrator, 'POST', path, forward)).status, 200);
  const [forwarded] = await rowsOf('10001');
  assert.deepEqual(
    [forwarded?.Action, forwarded?.Before, forwarded?.After],
    [
      'Mail forwarding changed',
      'Forward mail of the whole domain: No; Forward to: None',
      'Forward mail of the whole domain: Yes; Forward to: a@b.test',
    ],
  );
  const same = { ...forward, RecordVersion: 2 };
  assert.equal((await sandbox.call(administrator, 'POST', path, same)).status, 200);
  assert.equal((await rowsOf('10001'))[0]?.Id, forwarded?.Id, 'what changes nothing is not told');
});

test('a customer begins with what it was made of, and every seeded row says what changed', async () => {
  const { ContactName, ContactEmail } = contact;
  const body = { Name: 'Harbour Cafe', Domain: 'Harbour.test', ContactName, ContactEmail };
  const { body: created } = await sandbox.call(token, 'POST', '/api/customers', body, { 'idempotency-key': 'new-one' });
  const [row] = await rowsOf(created.Result.organisationId);
  assert.match(
    String(row?.After),
    /^Domain: harbour\.test; Contact name: Ada Whitfield; Contact email: ada@contoso\.test/,
  );
  const empty = await sandbox.db
    .selectFrom('activity')
    .select('action')
    .where('before', '=', '')
    .where('after', '=', '')
    .execute();
  assert.deepEqual(empty, []);
});

type Line = Row &
  Readonly<Record<'At' | 'Target' | 'Outcome', string>> &
  Readonly<Record<'CustomerName', string | null>>;
const everywhere = async (query: string, by = token) =>
  (await sandbox.call(by, 'GET', `/api/activity?${query}`)).body.Result as {
    readonly Items: readonly Line[];
    readonly Total: number;
    readonly Customer: string | null;
    readonly Actors: readonly { readonly Name: string }[];
    readonly Actions: readonly { readonly Name: string }[];
  };

test('the activity of a reseller is that of all its customers, the newest first, and of nobody else', async () => {
  const { Items, Total } = await everywhere('pageSize=1000');
  const { own } = await sandbox.db
    .selectFrom('activity as a')
    .innerJoin('customers as c', 'c.id', 'a.customer_id')
    .where('c.reseller_id', '=', 1001)
    .where(sql<boolean>`a.views = '{}'`)
    .select(({ fn }) => fn.countAll<number>().as('own'))
    .executeTakeFirstOrThrow();
  assert.equal(Total, own);
  assert.deepEqual(
    Items.map(({ At }) => At),
    Items.map(({ At }) => At).toSorted((one, other) => other.localeCompare(one)),
  );
  const names = new Set(Items.map(({ CustomerName }) => CustomerName));
  assert.ok(names.size > 20, [...names].join());
  const rival = await sandbox.signIn('rival@southridge.test');
  const theirs = await everywhere('pageSize=1000', rival);
  const ids = new Set(Items.map(({ Id }) => Id));
  assert.deepEqual(
    theirs.Items.filter(({ Id }) => ids.has(Id)),
    [],
  );
  const administrator = await sandbox.signIn('admin@contoso.test');
  const ownOnly = await everywhere('pageSize=1000', administrator);
  assert.equal(new Set(ownOnly.Items.map(({ CustomerName }) => CustomerName)).size, 1);
});

test('activity is narrowed by customer, person, action, words, days, to what failed, what is mine and to yesterday', async () => {
  const { Items: all, Actors, Actions } = await everywhere('pageSize=1000');
  const names = (of: 'Actor' | 'Action') => [...new Set(all.map(line => line[of]))].toSorted();
  assert.deepEqual(Actors.map(({ Name }) => Name).toSorted(), names('Actor'));
  assert.deepEqual(Actions.map(({ Name }) => Name).toSorted(), names('Action'));
  const narrowed = async (query: string, keep: (line: Line) => boolean) =>
    assert.deepEqual(
      (await everywhere(`pageSize=1000&${query}`)).Items.map(({ Id }) => Id),
      all.filter(keep).map(({ Id }) => Id),
      query,
    );
  await narrowed('actor=Ewan+Fraser', ({ Actor }) => Actor === 'Ewan Fraser');
  await narrowed('show=ByMe', ({ Actor }) => Actor === 'Priya Raman');
  await narrowed('action=Service+ordered', ({ Action }) => Action === 'Service ordered');
  await narrowed('show=Failed', ({ Outcome }) => Outcome === 'failed');
  await narrowed('search=TEAM+sites', ({ Target }) => Target.includes('Team Sites'));
  await narrowed('search=a', () => true);
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await narrowed('show=Yesterday', ({ At }) => At.startsWith(yesterday));
  await narrowed(`from=${today}`, ({ At }) => At.startsWith(today));
  const { Customer } = await everywhere('customer=10001');
  await narrowed('customer=10001', ({ CustomerName }) => CustomerName === Customer);
  assert.equal((await sandbox.call(token, 'GET', '/api/activity?customer=99999')).status, 404);
  const rival = await sandbox.signIn('rival@southridge.test');
  assert.equal((await sandbox.call(rival, 'GET', '/api/activity?customer=10001')).status, 404);
});

test('that a customer was deleted is told where its own activity is gone', async () => {
  const body = {
    Name: 'Short Lived',
    Domain: 'shortlived.test',
    ContactName: 'Ada',
    ContactEmail: 'a@shortlived.test',
  };
  const { body: created } = await sandbox.call(token, 'POST', '/api/customers', body, { 'idempotency-key': 'short' });
  const address = `/api/customers/${created.Result.organisationId}/delete`;
  assert.equal((await sandbox.call(token, 'POST', address, { Confirmation: 'Short Lived' })).status, 200);
  const { Items } = await everywhere('search=short+lived');
  assert.deepEqual(
    Items.map(({ Action, Actor, CustomerName }) => [Action, Actor, CustomerName]),
    [['Customer deleted', 'Priya Raman', null]],
  );
});
