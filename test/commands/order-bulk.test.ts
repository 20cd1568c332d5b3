import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signatureImage } from '../fixtures/png.ts';
import { type Client, type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

let sandbox: StartedSandbox;
let portal: StartedPortal;
before(async () => {
  sandbox = await startSandbox({ stepMilliseconds: 0 });
  portal = await startPortal({ cloudUrl: sandbox.url });
});
after(async () => {
  await portal?.close();
  await sandbox?.close();
});

type Body = Readonly<Record<string, unknown>>;
const step = async (who: Client, body: Body, key?: string, product = { serviceId: 9, subId: 1 }) =>
  who.post(
    '/ui/command/order.bulk-step',
    { node: 'bulk', layout: await who.hashOf('bulk-order'), with: product, body },
    key ? { 'idempotency-key': key } : {},
  );
const details = { Quantity: 2, TermId: 'monthly', BillingId: 'monthly', AdminEmail: 'backup@northwind.test' };
const bulks = async () =>
  (await sandbox.db.selectFrom('bulk_orders').select('id').execute()).map(({ id }) => Number(id));

test('all customers that match are named at once, those of others never', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const all = async (search?: string, who = reseller) =>
    (
      await who.post('/ui/command/order.bulk-all', {
        node: 'customers',
        layout: await who.hashOf('bulk-order'),
        with: { search: search ?? null },
      })
    ).body.Result.keys as string[];
  assert.equal((await all()).length, 40);
  assert.deepEqual(await all('contoso'), ['10001']);
  assert.deepEqual(await all('contoso', await portal.signIn('rival@southridge.test')), []);
});

test('the summary has the price for all that were chosen, and its order is placed once', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  assert.deepEqual((await step(reseller, {})).body.Result, { step: 'customers', title: 'Cloud Backup', values: {} });
  const chosen = { Customers: '10001\n10002', ...details };
  const checked = await step(reseller, { ...chosen, $step: 'details' });
  const { $customers, $UnitPrice, $MonthlyPrice, $FirstCharge, $price } = checked.body.Result.values;
  assert.deepEqual([$customers, $UnitPrice, $MonthlyPrice, $FirstCharge], [2, 4.75, 19, 19]);
  assert.deepEqual(await bulks(), []);

  const changed = await step(reseller, { ...chosen, $price: 'another', $step: 'check' }, 'an-old-price');
  assert.equal(changed.body.Result?.step, 'check', 'a price that was not shown is shown');
  const placing = () => step(reseller, { ...chosen, $price, $step: 'check' }, 'one-press');
  for (const { body, text } of await Promise.all([placing(), placing()]))
    assert.match(body.effects?.[0]?.to ?? text, /^\/services\/bulk\/\d+$/);
  assert.equal((await bulks()).length, 1);
});

test('nobody chosen, and what is no list, go no further', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  for (const Customers of ['', '\n', undefined])
    assert.equal((await step(reseller, { Customers, $step: 'customers' })).status, 422);
  assert.equal((await step(reseller, { Customers: { All: true }, $step: 'customers' })).status, 422);
  assert.equal(
    (await step(reseller, { Customers: '10001', Customer10002: true, ...details, $step: 'details' })).status,
    422,
  );
});

test('more than ten thousand are too many for one order, which is said where they are chosen', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const ids = Array.from({ length: 10_001 }, (_, at) => String(1_000_000 + at));
  const many = await step(reseller, { Customers: ids.join('\n'), $step: 'customers' });
  assert.deepEqual([many.status, many.body.Error], [422, 'Please choose at most 10,000 customers.']);
  const most = await step(reseller, { Customers: ids.slice(1).join('\n'), $step: 'customers' });
  assert.equal(most.body.Result?.step, 'details');
});

test('an order for many asks for agreements as one for one does; the wizard waits, and goes on once all are signed', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const suite = { serviceId: 8, subId: 1 };
  const opened = await step(reseller, {}, undefined, suite);
  assert.equal(opened.body.Result?.step, 'customers', opened.text);
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  let popup: any = opened.body.effects?.[0];
  assert.deepEqual([popup.popup, popup.with.mayAgree, popup.with.resume.value], ['terms', true, '/8-1/many/']);
  const chosen = await step(reseller, { Customers: '10001', $step: 'customers' }, undefined, suite);
  assert.deepEqual(chosen.body.Result, { step: 'customers', values: {}, waits: true });
  assert.deepEqual(chosen.body.effects, opened.body.effects);
  for (let rounds = 0; popup.do === 'open-popup'; rounds += 1) {
    assert.ok(rounds < 5);
    const { agreementId, resume } = popup.with;
    const signed = await reseller.press(
      'terms-conditions',
      'sign-service-agreement',
      'command:agreement.sign-service',
      {
        with: { agreementId: agreementId.value, resume: resume.value },
        body: { Signatory: 'Mara Brook', Agreed: true, Image: signatureImage },
      },
    );
    popup = signed.body.effects?.[0];
  }
  assert.deepEqual(popup, { do: 'navigate', to: '/services/8/1/add-to-many' });
  assert.equal(
    (await step(reseller, { Customers: '10001', $step: 'customers' }, undefined, suite)).body.Result?.step,
    'details',
  );
});

test('who may not sign hears it before an order for many', async () => {
  const seller = await portal.signIn('seller@millbrook.test');
  const layout = await seller.hashOf('bulk-order');
  const request = { node: 'bulk', layout, with: { serviceId: 6, subId: 1 }, body: {} };
  const { body } = await seller.post('/ui/command/order.bulk-step', request);
  assert.equal(body.effects?.[0]?.popup, 'terms');
  assert.equal(body.effects?.[0]?.with.mayAgree, false);
});

test('of those who see no prices no price, nor anything made from one, is in the bytes', async () => {
  const account = sandbox.db.updateTable('accounts').where('username', '=', 'seller@millbrook.test');
  await account.set({ hide_pricing: true }).execute();
  const engineer = await portal.signIn('seller@millbrook.test');
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const { body } = await reseller.press('add-customer', 'add-customer', 'call:customers.create', {
    body: { Name: 'Brookside', Domain: 'brookside.test', ContactName: 'B', ContactEmail: 'b@brookside.test' },
  });
  const { organisationId } = body.Result as { organisationId: string };
  const stamps = [];
  for (const Quantity of [1, 7]) {
    const values = { Customers: organisationId, ...details, Quantity, $step: 'details' };
    const { status, text, body: reply } = await step(engineer, values);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /UnitPrice|MonthlyPrice|FirstCharge"|£|4\.75|33\.25/);
    stamps.push(reply.Result.values.$price);
  }
  assert.equal(stamps[0], stamps[1]);
});
