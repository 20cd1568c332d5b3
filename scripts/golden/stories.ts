import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, password, type Stage, type Visitor } from './stage.ts';
import { codeAt, data, getAll, linksTo, peek, signIn, until, writeExchange } from './wire.ts';

/** Opens a visitor whose requests are noted from now on; without an account a stranger. */
type Open = (account?: string) => Promise<Visitor>;
type Story = (open: Open, stage: Stage) => Promise<unknown>;

const classic = { customer: '10003', route: 'share-point' };
const details = { Quantity: 3, TermId: 'monthly', BillingId: 'monthly', Domain: 'contoso.test' };
const site = {
  SiteName: 'Depot',
  Address1: '12 Canal Wharf',
  Address2: '',
  Town: 'Leeds',
  County: 'West Yorkshire',
  Postcode: 'LS1 4AP',
  DDIBlocks: 2,
  DDIAreaCode: '0113',
  PropertyType: 'Commercial',
};
const delivery = {
  Address1: 'Unit 4',
  Address2: '',
  Address3: '',
  TownCity: 'Leeds',
  County: '',
  PostCode: 'LS1 4AP',
  Telephone: '01614960101',
};

const stories: Readonly<Record<string, Story>> = {
  async 'sign in and out'(open) {
    const visitor = await open();
    await getAll(
      visitor,
      '/',
      '/login',
      '/customers?page=2',
      '/nothing',
      '/ui/boot',
      '/ui/data/customers.list',
      '/health',
    );
    await visitor.press('/login', 'login', 'command:auth.login', { body: { Username: 'nobody@nowhere.test' } });
    await visitor.press('/login', 'login', 'command:auth.login', { body: { Username: 'reseller@northwind.test' } });
    await signIn(visitor, 'reseller@northwind.test', 'wrong');
    for (const name of ['disabled', 'norecord', 'noaccess', 'reset', 'mustsign'])
      await signIn(await open(), `${name}@northwind.test`);
    await signIn(visitor, 'reseller@northwind.test', password, { return: '/customers?page=2' });
    await getAll(
      visitor,
      '/ui/boot',
      '/',
      '/customers',
      '/ui/screen?path=/customers',
      '/ui/screen?path=/nothing',
      '/customers/add',
    );
    await visitor.ask('POST', '/auth/sign-out');
    await data(visitor, 'customers.list');
  },
  async 'second factor'(open, stage) {
    const visitor = await open();
    const enter = (Code: string) =>
      visitor.press('configure-mfa-verification-code', 'verify-code', 'command:auth.second-factor', { body: { Code } });
    await signIn(visitor, 'mfa@northwind.test');
    await enter('000000');
    await enter(codeAt('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', stage.now()));
    await data(visitor, 'customers.list?pageSize=1');
  },
  async 'single sign-on and switching'(open) {
    await (await open()).press('/login', 'login', 'command:auth.login', { body: { Username: 'sso@northwind.test' } });
    const visitor = await open();
    await signIn(visitor, 'switcher@contoso.test');
    await visitor.press('switch-user', 'choose-admin', 'command:auth.switch-user', { body: { MasterControl: false } });
    await getAll(visitor, '/ui/boot', '/customers/customer/10001', '/end-user');
  },
  async passwords(open, stage) {
    const visitor = await open('user@contoso.test');
    const change = (ExistingPassword: string, NewPassword: string) =>
      visitor.press('change-password', 'change-password', 'command:password.update', {
        body: { ExistingPassword, NewPassword, NewPasswordAgain: NewPassword },
      });
    await change('wrong', 'Harbour-lantern-84');
    await change(password, 'weak');
    await change(password, 'Harbour-lantern-84');
    const stranger = await open();
    await stranger.press('/reset-password', 'reset-password', 'command:auth.reset-password', {
      body: { UserName: ' ' },
    });
    await stranger.press('/reset-password', 'reset-password', 'command:auth.reset-password', {
      body: { UserName: 'user@contoso.test' },
    });
    const [path = ''] = await linksTo(stage, 'user@contoso.test', 'change-password');
    const [userType, userName, key] = path.split('/').slice(2).map(decodeURIComponent);
    const body = { NewPassword: password, NewPasswordAgain: password };
    const follow = () =>
      stranger.press(
        '/change-password/{usertype}/{username}/{key}',
        'new-password',
        'command:auth.change-password-by-link',
        { with: { userType, userName, key }, body },
      );
    await follow();
    await follow();
  },
  async lists(open) {
    for (const account of [
      'reseller@northwind.test',
      'engineer@northwind.test',
      'admin@contoso.test',
      'user@contoso.test',
    ]) {
      const visitor = await open(account);
      const queries = [
        '',
        '?sort=-Name&pageSize=5',
        '?sort=-MonthlySpend&pageSize=5',
        '?search=con&pageSize=5',
        '?page=3&pageSize=10',
        '?status=Failed',
        '?pageSize=x',
        '?page=1&page=2',
        '?other=1',
      ];
      await data(
        visitor,
        ...queries.map(query => `customers.list${query}`),
        'customers.get?customerId=10001',
        'customers.get?customerId=10041',
        'users.list?customerId=10001&pageSize=5',
        'nothing.list',
        'dashboard.summary',
      );
    }
  },
  async order(open) {
    const visitor = await open('reseller@northwind.test');
    const step = (body: Json, given: Json = classic) =>
      visitor.press('add-service', 'order', 'command:order-add.step', { with: given, body });
    await step({});
    await step({ ...details, Quantity: 0, Surprise: 'x', $step: 'details' });
    await step({ ...details, Quantity: 4, $step: 'check' });
    await step({ ...details, $step: 'details' });
    const placed = await step({ ...details, $step: 'check' });
    const instanceId = placed.body.effects[1].to.split('/').at(-1);
    const read = `/ui/data/instances.get?customerId=10003&instanceId=${instanceId}`;
    await until(async () => (await peek(visitor, read)).Result.Status === 'Active');
    await getAll(
      visitor,
      read,
      '/ui/data/notifications.list?status=new&pageSize=1',
      '/ui/screen?path=/customers/customer/10003?tab=activity',
    );
    await step({}, { ...classic, route: 'nothing' });
    const remove = (Confirmation: string) =>
      visitor.press('delete-service', 'delete-service', 'call:instances.delete', {
        with: { customerId: '10003', instanceId },
        body: { Confirmation },
      });
    await remove('Team');
    await remove('Team Sites');
    await until(async () => (await peek(visitor, read)).Result?.Status !== 'Deleting');
    const bulk = (body: Json) =>
      visitor.press('bulk-order', 'bulk', 'command:order.bulk-step', { with: { serviceId: 9, subId: 1 }, body });
    await bulk({});
    await bulk({ Customers: '10001\n10002', Quantity: 2, TermId: 'monthly', BillingId: 'monthly', $step: 'details' });
  },
  async 'forms and popups'(open) {
    const visitor = await open('reseller@northwind.test');
    const popup = { popupId: 'contact-details', organisationId: '10004' };
    const contact = (verb: string, body?: Json) =>
      visitor.press('contact-details', 'contact-details', `command:delivered.${verb}`, {
        with: popup,
        ...(body && { body }),
      });
    const { stamp, values } = (await contact('open')).body.Result;
    await contact('submit', { ...values, ContactName: '', ContactEmail: 'x', $stamp: stamp });
    await contact('submit', {
      ContactName: 'Ann',
      ContactEmail: 'ann@once.test',
      ByPhone: false,
      InvoiceToContact: true,
      Employees: 25,
      $stamp: stamp,
    });
    const callback = (body: Json) =>
      visitor.press('/support/callback', 'callback', 'command:delivered.submit', {
        with: { formId: 'callback-request' },
        body,
      });
    await callback({});
    await callback({ Name: 'Ann', Phone: '01632960123', Topic: 'Orders' });
    const add = (body: Json) => visitor.press('/customers/add', 'add-customer', 'call:customers.create', { body });
    const customer = {
      Name: 'Once Only',
      Domain: 'once-only.test',
      ContactName: 'Ann',
      ContactEmail: 'ann@once-only.test',
      Phone: '',
    };
    await add({ ...customer, Name: '' });
    await add({ ...customer, Surprise: 1 });
    await add(customer);
    const rename = (NewName: string) =>
      visitor.press('rename-customer', 'rename', 'call:customers.rename', {
        with: { customerId: '10005' },
        body: { NewName },
      });
    await rename('');
    await rename('Renamed Ltd');
    await visitor.press('nowhere', 'rename', 'call:customers.rename', {
      with: { customerId: '10005' },
      body: { NewName: 'Late' },
    });
    await visitor.ask('POST', '/ui/call/customers.rename', { node: 'rename' }, { 'x-portal': '0' });
    await (await open('engineer@northwind.test')).press('rename-customer', 'rename', 'call:customers.rename', {
      with: { customerId: '10005' },
      body: { NewName: 'Mine' },
    });
    const signatory = await open('unsigned@millbrook.test');
    await signatory.press('sign-agreements', 'sign', 'command:agreement-signing.step', {
      with: { agreements: '4' },
      body: { Accepted_4_1: true, Signatory: 'Mara Brook', $step: 'sign' },
    });
  },
  async bell(open) {
    const visitor = await open('reseller@northwind.test');
    await data(visitor, 'notifications.newCount', 'notifications.list?status=new&pageSize=2');
    const [first] = (await peek(visitor, '/ui/data/notifications.list?status=new&pageSize=1')).Result;
    await visitor.press('navigation', 'bell', 'call:notifications.update', {
      body: { Id: first?.Id ?? '1', Status: 'read' },
    });
    await visitor.press('navigation', 'bell', 'call:notifications.readAll');
    await data(visitor, 'notifications.newCount');
  },
  async files(open) {
    for (const account of ['reseller@northwind.test', 'engineer@northwind.test']) {
      const visitor = await open(account);
      const file = (path: string, table: string) => `/ui/files/none/${table}.csv?path=${encodeURIComponent(path)}`;
      await getAll(
        visitor,
        file('/customers?status=Active', 'customers'),
        file('/customers/customer/10001?tab=activity', 'activity'),
        file('/customers', 'nothing'),
        '/ui/downloads/agreements.download?agreementId=2',
      );
    }
  },
  async 'public links'(open, stage) {
    const visitor = await open();
    const [spam = '', archive = ''] = (
      await Promise.all(
        ['spam-release', 'verify-email-archive-access'].map(word => linksTo(stage, 'user@contoso.test', word)),
      )
    ).map(([path]) => path);
    const [mid, uid, accessType, token] = [spam, archive].flatMap(path =>
      path.split('/').slice(2).map(decodeURIComponent),
    );
    await getAll(
      visitor,
      spam,
      archive,
      '/redirect?redirectUrl=https%3A%2F%2Fevil.test',
      '/policies/company',
      '/opt-out',
    );
    for (const given of [
      { mid, uid },
      { mid, uid },
      { mid: 'wrong', uid },
    ])
      await visitor.press('spam-release', 'release', 'command:links.release-spam', { with: given });
    for (const given of [
      { accessType, token },
      { accessType, token: 'wrong' },
    ])
      await visitor.press('verify-email-archive-access', 'verify', 'command:links.verify-archive-access', {
        with: given,
      });
    await visitor.press('redirect', 'look-up', 'command:redirect.open', { with: { redirectUrl: '/customers' } });
  },
  async 'business systems'(open) {
    const visitor = await open('reseller@northwind.test');
    await visitor.press('psa-overview', 'refresh', 'call:psa.refresh');
    await until(async () => !JSON.stringify(await peek(visitor, '/ui/data/psa.overview')).includes('in progress'));
    const { response, version } = (await peek(visitor, '/ui/data/psa.customerMatches')).Result;
    const match = (over: Json, changes: Json) =>
      visitor.press('psa-match', 'customers', 'command:psa.match', {
        with: { kind: 'customers', version: over },
        body: { Changes: JSON.stringify(changes) },
      });
    await match(version, [['x', 1]]);
    await match(version, [[response[0].id, null, true]]);
    await match(version, [[response[1].id, null, true]]);
    await visitor.press('psa-settings', 'settings', 'call:psa.ignoreSalesOrders', { body: { ignore: true } });
    await data(visitor, 'psa.overview', 'psa.movementMonths');
  },
  async voice(open) {
    const visitor = await open('reseller@northwind.test');
    const contact = { Domain: 'voice.test', ContactName: 'Ann', ContactEmail: 'ann@voice.test' };
    const added = await visitor.press('/customers/add', 'add-customer', 'call:customers.create', {
      body: { Name: 'Voice Ltd', ...contact },
    });
    const customer = added.body.Result.organisationId;
    const step = async (body: Json): Promise<Json> =>
      (await visitor.press('voice-order', 'voice', 'command:voice.step', { with: { customer }, body })).body.Result;
    const typed: readonly (readonly [string, Json])[] = [
      ['product', { SelectedProduct: 'hosted-voice', WithHardware: true }],
      [
        'sites',
        { Sites1: true, ...Object.fromEntries(Object.entries(site).map(([name, value]) => [`Sites1${name}`, value])) },
      ],
      ['licences', { MitelLicences: 4, NonMitelLicences: 1, BandwidthConfirmed: true }],
      ['hardware', { Quantity_mitel_6905: 2 }],
      ['delivery', { DeliveryOption: 'next-day', ...delivery }],
    ];
    let last = await step({});
    for (const [$step, body] of typed) last = await step({ ...body, $step, $version: last?.draft?.version });
    await step({ $step: 'summary', $price: last?.values?.$price, $version: last?.draft?.version });
  },
};

/** Plays each story (a scripted visit over HTTP) and records its requests and replies, by the story's name. */
export async function recordStories(stage: Stage): Promise<Record<string, Json>> {
  const record: Record<string, Json> = {};
  const reseller = await stage.signIn('reseller@northwind.test');
  let last = '';
  // Until all that was due is done.
  await until(async () => {
    const seen = JSON.stringify([
      (await reseller.ask('GET', '/ui/data/customers.list?pageSize=1')).body.Result.Counts,
      (await reseller.ask('GET', '/ui/data/notifications.newCount')).body,
    ]);
    const isSettled = seen === last;
    last = seen;
    await sleep(3000);
    return isSettled;
  });
  for (const [name, tell] of Object.entries(stories)) {
    const wire: Json[] = [];
    const open: Open = async account => {
      const visitor = account === undefined ? stage.visitor() : await stage.signIn(account);
      visitor.note = (...exchange) =>
        void wire.push({ name: `${wire.length + 1} ${exchange[0]} ${exchange[1]}`, ...writeExchange(...exchange) });
      return visitor;
    };
    await tell(open, stage);
    record[name] = wire;
  }
  return record;
}
