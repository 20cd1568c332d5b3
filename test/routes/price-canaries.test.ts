import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { sql } from 'kysely';
import { io, type Socket } from 'socket.io-client';
import { canaryPrice, undeclared, withCanaryCloud } from '../fixtures/canary-cloud.ts';
import { changeServices, placeBulkOrder, placeOrder, placeVoiceOrder } from '../fixtures/place-orders.ts';
import { withPortal } from '../fixtures/portal.ts';
import { type Listener, listenTo, readEverything, readOperations, type Walk } from '../fixtures/read-everything.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { untilConnected } from '../fixtures/wait.ts';
import { readWorkbook } from '../fixtures/workbook.ts';

/** All have every view and permission that their kind of caller can have, so that prices alone are missing. */
const withoutPrices = ['engineer@northwind.test', 'link@northwind.test', 'admin@contoso.test', 'user@contoso.test'];
const withPrices = ['reseller@northwind.test', 'rival@southridge.test', 'buyer@zephyrcycles.test'];
/** Asks the monolith for what concerns business systems; of all else it gets what another engineer does. */
const ofMonolith = 'link@northwind.test';
const isNoBusiness = (name: string): boolean => !/psa|connectwise|integration|mapping/i.test(name);
const customers: Readonly<Record<string, string>> = {
  'engineer@northwind.test': '10003',
  'reseller@northwind.test': '10005',
  'rival@southridge.test': '10041',
  'buyer@zephyrcycles.test': '10027',
};

let passed = 0;
const sandbox = withSandbox({ phaseMilliseconds: 0, now: () => new Date(Date.now() + passed) });
const cloud = withCanaryCloud(sandbox);
const portal = withPortal(cloud);

const callers = new Map<string, Listener>();
const walks = new Map<string, Walk>();
const frames = new Map<string, string[]>();
const sockets: Socket[] = [];
/** Fields of money that the cloud answered with while callers without prices asked. */
let servedWithoutPrices: ReadonlySet<string>;
let token: string;

setUp(
  async () => {
    await giveRights();
    await setPrices();
    token = await sandbox.signIn('reseller@northwind.test');
    await payAPart();
    await updateContracts();
    await keepAct();
    for (const username of [...withoutPrices, ...withPrices])
      callers.set(username, listenTo(await portal.signIn(username)));
    callers.set('public', listenTo(portal.client()));
    for (const username of withoutPrices) await hear(username);
    const operations = await readOperations();
    const order = ['public', ...withoutPrices, ...withPrices];
    for (const username of order) {
      if (username === withPrices[0]) servedWithoutPrices = new Set(cloud.served);
      const caller = listenerOf(username);
      const customer = customers[username] ?? '10001';
      if (['engineer@northwind.test', 'admin@contoso.test', 'reseller@northwind.test'].includes(username))
        await placeOrders(username, customer);
      const isKnown = username === ofMonolith ? isNoBusiness : undefined;
      walks.set(username, await readEverything(caller, operations, await valuesOf(username, customer), isKnown));
    }
    await changeServices(sandbox, token, '10005');
  },
  () => {
    for (const socket of sockets) socket.disconnect();
  },
);

const listenerOf = (username: string): Listener => callers.get(username) ?? assert.fail(username);

async function giveRights(): Promise<void> {
  await sql`
    update account_permissions set views = array_remove(model.views, 'switchUser'), permissions = model.permissions
    from accounts, account_permissions as model join accounts as holder on holder.id = model.account_id
    where account_permissions.account_id = accounts.id and holder.username = 'reseller@northwind.test'
      and accounts.username = any(${[...withoutPrices, 'buyer@zephyrcycles.test']}) and accounts.user_type <> 'endUser'`.execute(
    sandbox.db,
  );
  await sql`
    update accounts set hide_pricing = username <> 'buyer@zephyrcycles.test'
    where username = any(${[...withoutPrices, 'buyer@zephyrcycles.test']})`.execute(sandbox.db);
  await sql`
    insert into feature_overrides (account_id, feature_name, enabled)
    select id, 'UseNewPSAService', false from accounts where username = ${ofMonolith}`.execute(sandbox.db);
}

/** Of all that is sold, so that a text of the sandbox with a price can be recognised. */
async function setPrices(): Promise<void> {
  await sql`update products set monthly_price = ${canaryPrice}, monthly_price_eur = ${canaryPrice}`.execute(sandbox.db);
  await sql`update voice_hardware set price = ${canaryPrice}, price_eur = ${canaryPrice}`.execute(sandbox.db);
  await sql`update voice_delivery_options set cost = ${canaryPrice}, cost_eur = ${canaryPrice}`.execute(sandbox.db);
}

async function placeOrders(username: string, customer: string): Promise<void> {
  const caller = listenerOf(username);
  await placeOrder(caller, customer);
  await placeVoiceOrder(caller, customer);
  if (username !== 'admin@contoso.test') await placeBulkOrder(caller, [customer, '10007']);
  for (let phase = 0; phase < 6; phase++) await sandbox.tickOnce();
}

/** Pays a part of the newest invoice, so that it has a payment; one that is paid already has. */
async function payAPart(): Promise<void> {
  const { Id, Status } = (await sandbox.call(token, 'GET', '/api/billing/invoices')).body.Result.Items[0];
  if (Status === 'Paid') return;
  const PaymentDate = new Date(Date.now() + passed).toISOString().slice(0, 10);
  const body = { InvoiceId: Id, Amount: '1.00', PaymentDate, Currency: 'GBP' };
  const paid = await sandbox.call(token, 'POST', '/api/billing/UPGPayment', body, { 'idempotency-key': 'a-part' });
  assert.equal(paid.body.Result.Status, 'Paid');
}

/** Updates the contracts of the business system, so that there is a result, and makes them differ again. */
async function updateContracts(): Promise<void> {
  const invoice = `/billing/invoices/${(await sandbox.call(token, 'GET', '/billing/invoices/latest')).body.Result.Id}`;
  const { Version } = (await sandbox.call(token, 'GET', `${invoice}/contract-changes`)).body.Result;
  const press = { 'idempotency-key': 'an-update' };
  const updated = await sandbox.call(token, 'POST', `${invoice}/contract-updates`, { Version }, press);
  assert.equal(updated.status, 200, JSON.stringify(updated.body));
  await sandbox.db
    .updateTable('psa_stand_in_lines')
    .set(({ eb }) => ({ quantity: eb('quantity', '+', 1) }))
    .execute();
}

/** Keeps an order that waits for another person. */
async function keepAct(): Promise<void> {
  const price = { monthly: Number(canaryPrice), first: Number(canaryPrice), currency: 'GBP' };
  const act = { kind: 'BulkOrder', target: 'Hosted Exchange', count: 2, names: [], before: '', after: '', price };
  await sql`
    insert into approvals (reseller_id, kind, state, fingerprint, act, asker_id, asker, asker_grant, created, expires)
    select reseller_id, 'BulkOrder', 'Waiting', 'kept', ${JSON.stringify(act)}::jsonb, id, display_name,
      gen_random_uuid(), now(), now() + interval '7 days'
    from accounts where username = 'engineer@northwind.test'`.execute(sandbox.db);
}

/** Ids of what a customer has. */
async function valuesOf(username: string, customer: string): Promise<Record<string, string>> {
  const owner = username.startsWith('rival') ? await sandbox.signIn(username) : token;
  const first = async (path: string, key: string): Promise<string> => {
    const { body } = await sandbox.call(owner, 'GET', path);
    return String(body.Result?.Items?.[0]?.[key] ?? 'none');
  };
  const of = `/api/customers/${customer}`;
  const user = username.startsWith('user') ? '20003' : await first(`${of}/users`, 'UserId');
  const instance = await first(`${of}/services`, 'Id');
  const invoice = await first('/api/billing/invoices', 'Id');
  return {
    ...{ customer, customerId: customer, orgId: customer, organisationId: customer, bulkId: '50001' },
    ...{ user, userId: user, instance, instanceId: instance },
    ...{ documentId: invoice, id: invoice },
    lineId: await first(`/api/billing/invoices/${invoice}/lines?service=Production`, 'Id'),
    approvalId: await first('/api/approvals', 'ApprovalId'),
    rowId: await first(`/api/billing/invoices/${invoice}/reconciliation?class=Quantity`, 'Id'),
    memoId: await first('/api/billing/creditmemos', 'Id'),
    mailbox: await first(`${of}/users`, 'Email'),
    groupId: await first(`${of}/distribution-groups`, 'GroupId'),
    orderId: await first(`/api/voice/organisations/${customer}/orders`, 'OrderId'),
  };
}

/** Keeps every frame that a caller's socket gets, as it is on the wire. */
async function hear(username: string): Promise<void> {
  const socket = io(portal.url, {
    path: '/ui/socket',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: { cookie: listenerOf(username).cookie, origin: portal.url },
  });
  sockets.push(socket);
  const own: string[] = [];
  frames.set(username, own);
  socket.onAny((...event) => void own.push(JSON.stringify(event)));
  await untilConnected(socket);
}

/** Amounts of money in what a caller was sent, each with what the caller had asked for. */
const amountsSentTo = (username: string): string[] =>
  listenerOf(username).received.flatMap(({ asked, text }) =>
    cloud.moneyIn(text).map(field => `${field} by ${asked.slice(0, 200)}`),
  );

for (const username of ['public', ...withoutPrices])
  test(`${username} is sent no amount of money by any screen, read, file, press or order`, () => {
    const { screens, reads, presses } = walks.get(username) ?? assert.fail();
    assert.ok(
      screens > (username === ofMonolith ? 3 : 10) && reads > 2 && presses > 2,
      `${screens} screens, ${reads} reads, ${presses} presses`,
    );
    assert.deepEqual(amountsSentTo(username), []);
  });

test('the cloud had answered callers without prices with most of its money, on all ways', () => {
  const served = [...servedWithoutPrices];
  assert.ok(served.length > 40, served.join('\n'));
  for (const call of ['POST /api/orders/quote', 'GET /api/customers', 'GET /api/integration/products'])
    assert.ok(
      served.some(field => field.startsWith(`${call} `)),
      call,
    );
});

test('callers with prices are sent each amount but those that no layout reads', () => {
  const seen = new Set(
    withPrices.flatMap(name => listenerOf(name).received.flatMap(({ text }) => cloud.moneyIn(text))),
  );
  // The monolith describes billing as the reporting does, and few ask it.
  const offered = cloud.described.filter(field => !field.includes(' /api/billing/'));
  assert.deepEqual(offered.filter(field => !seen.has(field)).sort(), unread);
  assert.ok(seen.has('an amount in a file'));
});

/** Fields of money that the cloud offers and no layout shows, or no operation asks for. */
const unread = [
  'GET /api/customers/{customerId}/costs MeteredLast7Days',
  'GET /api/customers/{customerId}/costs Recurring',
  'GET /api/customers/{customerId}/marketplace-services Items.Price',
  'GET /api/customers/{customerId}/renewals Items.NextTerm',
  'GET /api/customers/{customerId}/services/{instanceId} Upgrades.Price',
  // No file of usage is loaded here, and the list shows the change alone.
  'GET /api/customers/{customerId}/usage/files Items.After',
  'GET /api/customers/{customerId}/usage/files Items.Before',
  'GET /api/customers/{customerId}/usage/files/{fileId} After',
  'GET /api/customers/{customerId}/usage/files/{fileId} Before',
  'GET /api/customers/{customerId}/usage/files/{fileId} Change',
  'GET /api/customers/{customerId}/usage/files/{fileId}/subscriptions Items.After',
  'GET /api/customers/{customerId}/usage/files/{fileId}/subscriptions Items.Before',
  'GET /api/customers/{customerId}/usage/files/{fileId}/subscriptions Items.Change',
  'GET /api/customers/{customerId}/users/{userId}/marketplace-services Items.Price',
  'GET /api/dashboard/getLatestInvoice Left',
  'GET /api/dashboard/getLatestInvoice Paid',
  'GET /api/dashboard/getLatestInvoice Prepaid',
  'GET /api/dashboard/renewals Items.NextTerm',
  'GET /api/integration/customers response.price',
  'GET /api/integration/psaCustomers response.price',
  'GET /api/integration/psaProducts response.price',
  'GET /api/mapping/customers response.price',
  'GET /api/messagelabs/{org}/orders/{orderNumber} FirstCharge',
  'GET /api/messagelabs/{org}/orders/{orderNumber} MonthlyPrice',
  'GET /api/messagelabs/{org}/orders/{orderNumber} UnitPrice',
  'GET /api/orders Items.FirstCharge',
  'GET /api/orders Items.UnitPrice',
  'GET /api/orders/{orderNumber} FirstCharge',
  'GET /api/orders/{orderNumber} MonthlyPrice',
  'GET /api/orders/{orderNumber} UnitPrice',
  'GET /api/psa/customers response.price',
  'GET /api/psa/services response.price',
  'GET /api/voice/organisations/{organisationId}/orders/{orderId} DeliveryCost',
  'GET /api/voice/organisations/{organisationId}/orders/{orderId} Hardware.Price',
  'GET /billing/creditmemos Items.Net',
  'GET /billing/creditmemos Items.Paid',
  'GET /billing/creditmemos Items.Prepaid',
  'GET /billing/creditmemos Items.Tax',
  'GET /billing/creditmemos/{memoId} Groups.Amount',
  'GET /billing/creditmemos/{memoId} Groups.Change',
  // Nothing pays a credit memo: it is used.
  'GET /billing/creditmemos/{memoId} Paid',
  'GET /billing/invoices Items.Net',
  'GET /billing/invoices Items.Paid',
  'GET /billing/invoices Items.Prepaid',
  'GET /billing/invoices Items.Tax',
  'GET /billing/invoices/bill-difference PostNet',
  'GET /billing/invoices/bill-difference PostTax',
  'GET /billing/invoices/bill-difference PreNet',
  'GET /billing/invoices/bill-difference PreTax',
  'GET /billing/invoices/latest Left',
  'GET /billing/invoices/latest Paid',
  'GET /billing/invoices/latest Prepaid',
  'GET /billing/invoices/latest/summary Items.Gross',
  'GET /billing/invoices/latest/summary Items.Net',
  'GET /billing/invoices/latest/summary Items.Paid',
  'GET /billing/invoices/latest/summary Items.Prepaid',
  'GET /billing/invoices/latest/summary Items.Tax',
  'GET /billing/invoices/post-bill Gross',
  'GET /billing/invoices/post-bill Tax',
  'GET /billing/invoices/pre-bill Gross',
  'GET /billing/invoices/pre-bill Tax',
  'GET /billing/invoices/{documentId} Groups.Amount',
  'GET /billing/invoices/{documentId} Groups.Change',
  'GET /billing/invoices/{documentId}/changes BeforeNet',
  'GET /billing/invoices/{documentId}/changes Net',
  'GET /billing/invoices/{documentId}/pay-info Credit',
  'GET /billing/invoices/{documentId}/pay-info Pending',
  'POST /api/customers/{customerId}/usage/files Change',
  'POST /api/customers/{customerId}/usage/files Spend',
  'POST /api/orders/bulk/quote Commitment',
  'POST /api/orders/bulk/quote Lines.Amount',
  // Nobody changes a service on these ways.
  'POST /api/orders/price Before.MonthlyPrice',
  'POST /api/orders/price Before.UnitPrice',
  'POST /api/orders/price Lines.Amount',
  'POST /api/orders/quote Before.MonthlyPrice',
  'POST /api/orders/quote Before.UnitPrice',
  'POST /api/orders/quote Lines.Amount',
  'POST /api/voice/organisations/{organisationId}/orders/quote HardwarePrice',
];

test('a field that no contract declares is sent to nobody, in a reply or in a refusal', () => {
  assert.ok(cloud.undeclaredFields > 500, `${cloud.undeclaredFields} were added to what the cloud answered`);
  for (const [username, { received }] of callers)
    assert.deepEqual(
      received.filter(({ text }) => text.includes(undeclared)).map(({ asked }) => `${asked} of ${username}`),
      [],
    );
});

test('the sockets of callers without prices hear that something changed, and no amount', () => {
  for (const username of withoutPrices) {
    const heard = notEmpty(frames.get(username) ?? []);
    assert.deepEqual(
      heard.flatMap(frame => cloud.moneyIn(frame)),
      [],
      username,
    );
  }
});

test('who sees no prices cannot sort by them either', async () => {
  const sorted = (username: string, by: string) => listenerOf(username).get(`/ui/data/customers.list?sort=${by}`);
  for (const by of ['MonthlySpend', '-MonthlySpend']) {
    assert.equal((await sorted('reseller@northwind.test', by)).status, 200);
    assert.equal((await sorted('engineer@northwind.test', by)).status, 400);
  }
  assert.equal((await sorted('engineer@northwind.test', 'Name')).status, 200);
});

test('a printed agreement has no amount in it', async () => {
  const engineer = listenerOf('engineer@northwind.test');
  const link = await engineer.linkTo('/ui/downloads/agreements.download?agreementId=2');
  const reply = await fetch(`${portal.url}${link}`, { headers: { cookie: engineer.cookie } });
  const text = textOfPdf(Buffer.from(await reply.arrayBuffer()));
  assert.match(text, /Version \d/);
  assert.deepEqual(cloud.moneyIn(text), []);
});

test('a workbook has no amount in it', async () => {
  const path = '/ui/files/none/customers.xlsx?path=/customers';
  const xmlFor = async (username: string): Promise<string> => {
    const reply = await fetch(`${portal.url}${path}`, { headers: { cookie: listenerOf(username).cookie } });
    assert.equal(reply.status, 200);
    return readWorkbook(Buffer.from(await reply.arrayBuffer())).xml;
  };
  assert.notDeepEqual(cloud.moneyIn(await xmlFor('reseller@northwind.test')), []);
  assert.deepEqual(cloud.moneyIn(await xmlFor('engineer@northwind.test')), []);
});

/** The words of a PDF whose text stands in hexadecimal, in compressed streams. */
function textOfPdf(bytes: Buffer): string {
  const streams = bytes.toString('latin1').matchAll(/stream\r?\n(.*?)\r?\nendstream/gs);
  return [...streams]
    .map(([, stream = '']) => {
      try {
        return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
      } catch {
        return '';
      }
    })
    .join('\n')
    .replace(/\[([^\]]*)\] TJ/g, (_, parts: string) =>
      [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''),
    );
}

// The last, as the month that goes by ends all sessions.
test('no text of the cloud has an amount in it: activity, notifications, mails, whatever happens to services', async () => {
  assert.deepEqual([...cloud.inTexts], []);
  const before = await textsOfSandbox();
  // Renewals, new services and the days of a month.
  passed = 32 * 86_400_000;
  await sandbox.tickOnce();
  const texts = await textsOfSandbox();
  assert.ok(texts.length > before.length);
  for (const table of ['activity', 'notifications', 'outbox'])
    assert.ok(
      texts.some(text => text.startsWith(table)),
      table,
    );
  assert.match(texts.join('\n'), /Service activation failed/);
  assert.match(texts.join('\n'), /Service deleted/);
  // Mailed to those alone who see billing.
  const isOfBilling = (text: string): boolean => /^outbox (?:Receipt R-\d+|Invoice FH-\d+):/.test(text);
  assert.deepEqual(
    texts.filter(text => !isOfBilling(text) && (cloud.moneyIn(text).length > 0 || cloud.readsAsMoney(text))),
    [],
  );
});

/** What the sandbox has written to people, each with the name of its table. */
async function textsOfSandbox(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select concat_ws(' ', 'activity', action, target, detail, before, after) as text from activity
    union all select concat_ws(' ', 'notifications', message, content) from notifications
    union all select concat_ws(' ', 'announcements', content) from announcements
    union all select concat_ws(' ', 'outbox', subject, body) from outbox`.execute(sandbox.db);
  return rows.map(({ text }) => text);
}
