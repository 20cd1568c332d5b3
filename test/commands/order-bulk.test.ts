import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
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
const step = async (who: Client, body: Body, key?: string) =>
  who.post(
    '/ui/command/order.bulk-step',
    { node: 'bulk', layout: await who.hashOf('bulk-order'), with: { serviceId: 9, subId: 1 }, body },
    key ? { 'idempotency-key': key } : {},
  );
const details = { Quantity: 2, TermId: 'monthly', BillingId: 'monthly', AdminEmail: 'backup@northwind.test' };
const bulks = async () =>
  (await sandbox.db.selectFrom('bulk_orders').select('id').execute()).map(({ id }) => Number(id));

test('one box ticks all customers; the summary has the price for all that were ticked, and its order is placed once', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const { Result } = (await step(reseller, {})).body;
  const [all, ...ticks] = Result.children;
  assert.equal(all.type, 'tick-all');
  assert.deepEqual(
    all.fields,
    ticks.map(({ propertyName }: { propertyName: string }) => propertyName),
  );
  assert.equal(ticks.length, 40);

  const chosen = { Customer10001: true, Customer10002: true, Customer10003: false, ...details };
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
    const values = { [`Customer${organisationId}`]: true, ...details, Quantity, $step: 'details' };
    const { status, text, body: reply } = await step(engineer, values);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /UnitPrice|MonthlyPrice|FirstCharge"|£|4\.75|33\.25/);
    stamps.push(reply.Result.values.$price);
  }
  assert.equal(stamps[0], stamps[1]);
});
