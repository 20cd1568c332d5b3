import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
const reseller = withClient(portal, 'reseller@northwind.test');
const rival = withClient(portal, 'rival@southridge.test');
const engineer = withClient(portal, 'engineer@northwind.test');

type CardRow = { Id: string; Name: string; IsDefault: boolean; PaymentMethodStatus: string };
const cardsOf = async (client: Client, status = 'Active'): Promise<CardRow[]> =>
  (await client.get(`/ui/data/payments.cards?status=${status}`)).body.Result.Items;
const planOf = async (client: Client, id: string): Promise<string> =>
  (await client.get(`/ui/data/payments.defaultChange?id=${id}`)).body.Result?.Plan;
const makeDefault = async (client: Client, id: string, plan?: string) =>
  client.press('make-default', 'make-default', 'command:payments.make-default', {
    with: { id, plan: plan ?? (await planOf(client, id)) ?? 'cancel' },
  });
/** What the cloud was asked to change, in order. */
const changes = () => proxy.exchanges.filter(({ method, url }) => method !== 'GET' && url.includes('/payment-methods'));

const setFlag = async (name: string, enabled: boolean) => {
  await sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', name).execute();
};
const screens = ['/billing/payment-options', '/billing/credit', '/hosted-page/{ticket}'];
const routeAdder = async (username: string): Promise<string[]> =>
  (await (await portal.signIn(username)).get('/ui/boot')).body.routes.map(([pattern]: [string]) => pattern);

test('a refused change of settings cancels no card', async () => {
  const [newest] = notEmpty(await cardsOf(reseller));
  assert.equal(newest?.IsDefault, false);
  proxy.intercept(
    ({ method, url }, response) =>
      method === 'PUT' &&
      url.endsWith('/payment-methods') &&
      answerJson(response, 409, { Succeed: false, Messages: ['Not now.'] }),
  );
  const before = await cardsOf(reseller);
  proxy.exchanges.length = 0;
  const { body } = await makeDefault(reseller, newest?.Id ?? '');
  proxy.intercept(undefined);
  assert.deepEqual([body.Succeed, body.Messages], [false, ['Not now.']]);
  assert.deepEqual(
    changes().map(({ method }) => method),
    ['PUT'],
  );
  assert.deepEqual(await cardsOf(reseller), before);
});

test('a card that was added since the payer looked is not cancelled unseen, nor any by who was shown nothing', async () => {
  const [newest] = notEmpty(await cardsOf(reseller));
  const seen = await planOf(reseller, newest?.Id ?? '');
  const { id } = await sandbox.db
    .insertInto('payment_methods')
    .values({
      ...{ reseller_id: 1001, kind: 1, provider_id: 'pm_between', brand: 'Visa', last4: '0001', holder: 'Priya Raman' },
      ...{ expires: null, currency: 'GBP', status: 'Active', reason: null, created: new Date(0), ended: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const before = await cardsOf(reseller);
  proxy.exchanges.length = 0;
  for (const plan of [seen, 'cancel', ''])
    assert.equal((await makeDefault(reseller, newest?.Id ?? '', plan)).body.Succeed, false, plan);
  assert.deepEqual(changes(), []);
  assert.deepEqual(await cardsOf(reseller), before);
  assert.match(await planOf(reseller, newest?.Id ?? ''), new RegExp(`\\b${id}\\b`));
});

test('the settings come first, and only then the other cards are cancelled', async () => {
  const [newest, ...others] = notEmpty(await cardsOf(reseller));
  proxy.exchanges.length = 0;
  assert.equal((await makeDefault(reseller, newest?.Id ?? '')).body.Succeed, true);
  assert.deepEqual(
    changes().map(({ method, url }) => `${method} ${url}`),
    ['PUT /api/billing/payment-methods', 'POST /api/billing/payment-methods/cancel'],
  );
  const sent = JSON.parse(changes()[0]?.body ?? '{}');
  assert.deepEqual(Object.keys(sent).sort(), ['autoPay', 'defaultPaymentMethodId', 'paymentMethodType', 'paymentTerm']);
  const left = await cardsOf(reseller);
  assert.deepEqual(
    left.map(({ Id, IsDefault }) => [Id, IsDefault]),
    [[newest?.Id, true]],
  );
  const closed = (await cardsOf(reseller, 'Closed')).map(({ Id }) => Id);
  assertEvery(others, ({ Id }) => closed.includes(Id));
});

test('automatic payment is switched on for what was shown alone, and off at once', async () => {
  const setAutoPay = (on: boolean, plan?: string) =>
    reseller.press('auto-pay-plan', 'switch-auto-pay-on', 'command:payments.set-auto-pay', { with: { on, plan } });
  const planOfNow = async (): Promise<string> => (await reseller.get('/ui/data/payments.autoPayPlan')).body.Result.Plan;
  const isOn = async () => (await reseller.get('/ui/data/payments.settings')).body.Result.autoPay;
  const before = await planOfNow();
  await openInvoice(reseller);
  for (const plan of [before, '', undefined]) assert.equal((await setAutoPay(true, plan)).body.Succeed, false, plan);
  assert.equal(await isOn(), false);
  assert.equal((await setAutoPay(true, await planOfNow())).body.Succeed, true);
  assert.equal(await isOn(), true);
  const [chosen] = (await cardsOf(reseller)).filter(({ IsDefault }) => IsDefault);
  const { Payments } = (await reseller.get(`/ui/data/payments.defaultChange?id=${chosen?.Id}`)).body.Result;
  assert.ok(Payments.length > 0, 'who chooses a default is shown what is taken with it');
  const off = await reseller.press('/billing/payment-options', 'auto-pay-off', 'command:payments.set-auto-pay', {
    with: { on: false },
  });
  assert.equal(off.body.Succeed, true);
  assert.equal(await isOn(), false);
});

test('a card of another reseller is not there', async () => {
  const [own] = notEmpty(await cardsOf(reseller));
  assert.equal((await makeDefault(rival, own?.Id ?? '')).status, 404);
  const cancelled = await rival.press('/billing/payment-options', 'remove-card', 'command:payments.cancel-method', {
    with: { id: own?.Id },
  });
  assert.equal(cancelled.body.Succeed, false);
  assert.equal((await rival.get(`/ui/data/payments.defaultChange?id=${own?.Id}`)).body.Succeed, false);
  assert.equal((await cardsOf(reseller)).length, 1);
});

test('who sees no prices, or no billing, has no screen of payments and may call nothing of it', async () => {
  const routes = await routeAdder('engineer@northwind.test');
  assert.deepEqual(
    notEmpty(routes).filter(route => screens.includes(route)),
    [],
  );
  for (const read of ['cards', 'directDebit', 'settings', 'business', 'credit', 'payInfo', 'ofInvoice'])
    assert.equal((await engineer.get(`/ui/data/payments.${read}`)).status, 403, read);
});

test('without BillingPlatformPayment nothing of payments is there, without credit only its screen is gone', async () => {
  const ofPayments = async () =>
    (await routeAdder('euro@westhaven.test')).filter(route => screens.includes(route)).sort();
  assert.deepEqual(await ofPayments(), [...screens].sort());
  await setFlag('BillingDisableAddCredit', true);
  assert.deepEqual(await ofPayments(), ['/billing/payment-options', '/hosted-page/{ticket}']);
  await setFlag('BillingDisableAddCredit', false);
  await setFlag('BillingPlatformPayment', false);
  assert.deepEqual(await ofPayments(), []);
  await setFlag('BillingPlatformPayment', true);
});

test('American Express is named to those alone who have its flag', async () => {
  const textOf = async () =>
    (await (await portal.signIn('euro@westhaven.test')).page('/billing/payment-options')).screen;
  assert.match(JSON.stringify(await textOf()), /American Express/);
  await setFlag('BillingPlatformAmex', false);
  assert.doesNotMatch(JSON.stringify(await textOf()), /American Express/);
  await setFlag('BillingPlatformAmex', true);
});

test('a top-up goes to the cloud once for each press, and a declined one changes nothing', async () => {
  const topUp = (Amount: string, headers = {}) =>
    reseller
      .hashOf('confirm-top-up')
      .then(layout =>
        reseller.post(
          '/ui/call/payments.addCredit',
          { node: 'confirm-payment', layout, body: { Amount, Currency: 'GBP', PaymentMethodId: '' } },
          headers,
        ),
      );
  const balance = async () => (await reseller.get('/ui/data/payments.credit')).body.Result.Balance;
  const before = Number(await balance());
  for (const amount of ['0', '-1', '1.001', 'x']) assert.equal((await topUp(amount)).status, 422, amount);
  const key = { 'idempotency-key': 'press-of-a-top-up' };
  for (const reply of [await topUp('20.10', key), await topUp('20.10', key)]) assert.equal(reply.body.Succeed, true);
  assert.equal(await balance(), (before + 20.1).toFixed(2));
});

const openInvoice = async (client: Client): Promise<string> => {
  const { Id } = (await client.get('/ui/data/billing.latest')).body.Result;
  await sandbox.db
    .deleteFrom('payments')
    .where('invoice_id', 'in', on =>
      on
        .selectFrom('invoices')
        .select('id')
        .where('number', '=', Number(String(Id).slice(3)))
        .where('kind', '=', 'Invoice'),
    )
    .execute();
  await sandbox.db
    .updateTable('invoices')
    .set({ gross: '100.00', prepaid: '0', paid: '0', paid_on: null })
    .where('number', '=', Number(String(Id).slice(3)))
    .where('kind', '=', 'Invoice')
    .execute();
  return Id;
};

test('an invoice is paid once for a press, by one of two at once, and never with what is no amount of it', async () => {
  const id = await openInvoice(reseller);
  const bookkeeper = await portal.signIn('bookkeeper@northwind.test');
  const PaymentDate = new Date().toISOString().slice(0, 10);
  const pay = async (client: Client, body: object, headers = {}) =>
    client.post(
      '/ui/call/payments.payInvoice',
      {
        node: 'confirm-payment',
        layout: await client.hashOf('confirm-payment'),
        body: { Amount: '60.00', PaymentMethodId: '', PaymentDate, InvoiceId: id, Currency: 'GBP', ...body },
      },
      headers,
    );
  for (const Amount of ['0', '0.00', '-1', '1.001', '1e2', '1,50', '']) {
    const { status, body } = await pay(reseller, { Amount });
    assert.deepEqual([status, body.Errors?.Amount?.length], [422, 1], Amount);
  }
  const tooMuch = await pay(reseller, { Amount: '100.01' });
  assert.match(tooMuch.body.Errors.Amount[0], /^Only £100\.00 is left to pay/);
  const otherDay = await pay(reseller, { PaymentDate: '2020-01-01' });
  assert.deepEqual(otherDay.body.Messages, otherDay.body.Errors.PaymentDate, 'the field is hidden');
  assert.match(otherDay.body.Messages[0], /^This form was opened on another day/);
  assert.deepEqual((await pay(reseller, { Currency: 'EUR' })).body.Messages, [
    'This invoice is in GBP. Reload the page and pay it in that currency.',
  ]);
  const theirs = (await rival.get('/ui/data/billing.latest')).body.Result.Id;
  assert.equal((await pay(reseller, { InvoiceId: theirs })).status, 404);
  assert.equal((await pay(engineer, {}).catch(() => ({ status: 403 }))).status, 403);

  const key = { 'idempotency-key': 'press-of-a-payment' };
  for (const { body } of await Promise.all([1, 2].map(() => pay(reseller, {}, key))))
    assert.equal(body.Succeed, true, JSON.stringify(body));
  const people = await Promise.all([reseller, bookkeeper].map(client => pay(client, { Amount: '40' })));
  const [refused, ...others] = people.filter(({ body }) => !body.Succeed);
  assert.equal(others.length, 0);
  assert.match(refused?.body.Messages[0], /paid already|waits for the answer/);
  const { Items } = (await reseller.get(`/ui/data/payments.ofInvoice?documentId=${id}`)).body.Result;
  assert.deepEqual(
    Items.map((one: { Amount: string; Status: string }) => `${one.Amount} ${one.Status}`),
    ['40.00 Paid', '60.00 Paid'],
  );
});
