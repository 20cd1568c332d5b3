import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { signTogether } from '../fixtures/signing.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortal(sandbox);

type Body = Readonly<Record<string, unknown>>;
const step = async (who: Client, body: Body, key?: string, product = { serviceId: 9, subId: 1 }) =>
  who.post(
    '/ui/command/order.bulk-step',
    { node: 'bulk', layout: await who.hashOf('bulk-order'), with: product, body },
    key ? { 'idempotency-key': key } : {},
  );
const details = { TermId: 'monthly', BillingId: 'monthly' };
const typed = (values: Readonly<Record<string, Body>>) => ({ Values: JSON.stringify(Object.entries(values)) });
/** Makes customers of the reseller, who have nothing yet. */
const customers = async (count: number, reseller = 'reseller@northwind.test') => {
  const token = await sandbox.signIn(reseller);
  const made = [];
  for (let at = 0; at < count; at++) {
    const Name = `Many ${at} ${randomUUID().slice(0, 8)}`;
    const body = { Name, Domain: `many-${at}.test`, ContactName: 'M', ContactEmail: `ada@many-${at}.test` };
    const { Result } = (await sandbox.call(token, 'POST', '/api/customers', body)).body;
    made.push({ id: Result.organisationId as string, name: Name });
  }
  return made;
};
const suspend = (id: string, suspended = true) =>
  sandbox.db.updateTable('customers').set({ suspended }).where('organisation_id', '=', Number(id)).execute();
type Made = { readonly id: string; readonly name: string };
/** Whose orders there are of some customers, and with which values. */
const ordersOf = async (...ids: string[]) => {
  const rows = await sandbox.db
    .selectFrom('orders as o')
    .innerJoin('customers as c', 'c.id', 'o.customer_id')
    .where('c.organisation_id', 'in', ids.map(Number))
    .select(['c.organisation_id', 'o.fields'])
    .orderBy('o.id')
    .execute();
  return rows.map(({ organisation_id, fields }) => [String(organisation_id), fields]);
};
const bulks = async () =>
  (await sandbox.db.selectFrom('bulk_orders').select('id').execute()).map(({ id }) => Number(id));

test('all customers that match and can have the product are named at once, those of others never', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const all = async (search?: string, who = reseller) =>
    (
      await who.post('/ui/command/order.bulk-all', {
        node: 'customers',
        layout: await who.hashOf('bulk-order'),
        with: { serviceId: 9, subId: 1, search: search ?? null },
      })
    ).body.Result.keys as string[];
  const first = (await reseller.get(`/ui/data/orders.eligibility?serviceId=9&subId=1&pageSize=100`)).body.Result;
  assert.equal(first.Counts.All, 40);
  const can = first.Items.filter(({ Obstacle }: { Obstacle: string | null }) => Obstacle === null);
  assert.ok(can.length > 0 && can.length < 40);
  assert.deepEqual(
    await all(),
    can.map(({ CustomerId }: { CustomerId: string }) => CustomerId),
  );
  assert.deepEqual(await all('contoso'), ['10001']);
  assert.deepEqual(await all('contoso', await portal.signIn('rival@southridge.test')), []);
});

test('the summary has the price for all that were chosen, and its order is placed once', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  assert.deepEqual((await step(reseller, {})).body.Result, { step: 'customers', values: {} });
  const asked = { ...typed({ 10001: { Quantity: 2 }, 10002: { Quantity: 2 } }), $step: 'details' };
  const unanswered = await step(reseller, { Customers: '10001\n10002', ...details, ...asked });
  const faults = Object.keys(unanswered.body.Errors ?? {});
  assert.ok(faults.length > 0, unanswered.text);
  assertEvery(faults, name => /^Values\.1000[12]\.IfHeld$/.test(name));
  const two = typed({ 10001: { Quantity: 2, IfHeld: 'Second' }, 10002: { Quantity: 2, IfHeld: 'Second' } });
  const seeded = await bulks();
  const chosen = { Customers: '10001\n10002', ...details, ...two };
  const checked = await step(reseller, { ...chosen, $step: 'details' });
  const { $customers, $UnitPrice, $MonthlyPrice, $FirstCharge, $price, $ordered } = checked.body.Result.values;
  assert.deepEqual([$customers, $UnitPrice, $MonthlyPrice, $FirstCharge], [2, '4.75', '19', '19']);
  assert.deepEqual(await bulks(), seeded);

  const changed = await step(reseller, { ...chosen, $ordered, $price: 'another', $step: 'check' }, 'an-old-price');
  assert.equal(changed.body.Result?.step, 'check', 'a price that was not shown is shown');
  const placing = () => step(reseller, { ...chosen, $ordered, $price, $step: 'check' }, 'one-press');
  for (const { body, text } of await Promise.all([placing(), placing()]))
    assert.match(body.effects?.[0]?.to ?? text, /^\/services\/bulk\/\d+$/);
  assert.equal((await bulks()).length, seeded.length + 1);
  // The press is repeated once the customers have it already: its answer is the same.
  await sandbox.tickOnce();
  assert.match((await placing()).body.effects?.[0]?.to, /^\/services\/bulk\/\d+$/);
  assert.equal((await bulks()).length, seeded.length + 1);
});

test('who cannot have it is left out with the reason, is in no figure and is not ordered for', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const [one, two, gone] = (await customers(3)) as [Made, Made, Made];
  await suspend(gone.id);
  const Customers = [one.id, gone.id, two.id].join('\n');
  const chosen = await step(reseller, { Customers, $step: 'customers' });
  assert.deepEqual(chosen.body.effects, [{ do: 'set', path: 'state.chosen', value: 2 }]);
  assert.deepEqual(
    chosen.body.Result.values.$rows.map(({ CustomerId, Fields }: Body) => [CustomerId, Fields]),
    [
      [one.id, { Quantity: 1, AdminEmail: 'ada@many-0.test' }],
      [two.id, { Quantity: 1, AdminEmail: 'ada@many-1.test' }],
    ],
  );
  const leftOut = [{ CustomerId: gone.id, Name: gone.name, Reason: 'This customer is suspended.' }];
  const told = ({ body }: { body: { Result: { values: { $leftOut: Body[] } } } }) =>
    body.Result.values.$leftOut.map(({ CustomerId, Name, Reason }) => ({ CustomerId, Name, Reason }));
  assert.deepEqual(told(chosen), leftOut);

  const answers = { Customers, ...details };
  const checked = await step(reseller, { ...answers, $step: 'details' });
  const { $customers, $MonthlyPrice, $price, $ordered, $rows } = checked.body.Result.values;
  assert.deepEqual([$customers, $MonthlyPrice, $ordered], [2, '9.5', `${one.id}\n${two.id}`]);
  assert.deepEqual(
    $rows.map(({ Name }: Body) => Name),
    [one.name, two.name],
  );
  assert.deepEqual(told(checked), leftOut);

  // Whoever is left out stays so, whatever the browser says was shown.
  const before = await bulks();
  const forged = await step(reseller, { ...answers, $price, $ordered: Customers, $step: 'check' }, 'forged-press');
  assert.equal(forged.body.Result?.step, 'check');
  // One of them cannot have it any more once it is pressed: nothing is ordered, and the check is shown anew.
  await suspend(two.id);
  const late = await step(reseller, { ...answers, $price, $ordered, $step: 'check' }, 'late-press');
  assert.deepEqual([late.body.Result?.step, late.body.Result?.values.$customers], ['check', 1]);
  assert.equal(late.body.Result.values.$leftOut.length, 2);
  assert.deepEqual(await bulks(), before);

  await suspend(two.id, false);
  const placed = await step(reseller, { ...answers, $price, $ordered, $step: 'check' }, 'in-time-press');
  assert.match(placed.body.effects?.[0]?.to ?? placed.text, /^\/services\/bulk\/\d+$/);
  await sandbox.tickOnce();
  const own = await ordersOf(one.id, two.id, gone.id);
  assert.deepEqual(own, [
    [one.id, { AdminEmail: 'ada@many-0.test' }],
    [two.id, { AdminEmail: 'ada@many-1.test' }],
  ]);
});

test('an order for nobody who can have it goes no further', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const [gone] = (await customers(1)) as [Made];
  await suspend(gone.id);
  for (const $step of ['customers', 'details', 'check']) {
    const { status, body } = await step(reseller, {
      Customers: gone.id,
      ...($step !== 'customers' && details),
      ...($step === 'check' && { $price: 'forged', $ordered: gone.id }),
      $step,
    });
    assert.deepEqual([status, body.Error], [422, 'None of the customers that you chose can have this product now.']);
  }
});

test('what belongs to one customer is typed for it, validated at its row, and ordered for it alone', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const [one, two] = (await customers(2)) as [Made, Made];
  const suite = { serviceId: 17, subId: 1 };
  const Customers = `${one.id}\n${two.id}`;
  const answers = { Customers, ...details };
  const send = (more: Body, $step = 'details', key?: string) =>
    step(reseller, { ...answers, ...more, $step }, key, suite);
  const { children } = (await send({}, 'customers')).body.Result;
  const grid = children.find(({ type }: Body) => type === 'grid');
  assert.deepEqual(
    grid.fields.map(({ propertyName }: Body) => propertyName),
    ['Quantity', 'Domain', 'Price'],
  );
  // While values are typed only those rows count that are right.
  const Values = JSON.stringify([
    [one.id, { Quantity: '3' }],
    [two.id, { Quantity: 'many' }],
  ]);
  const { facts } = (await send({ Values, $estimate: true })).body.Result;
  assert.deepEqual(
    [facts.Ready, Number(facts.MonthlyPrice), facts.prices],
    [1, 2.55, { [one.id]: { Price: '£2.55' } }],
  );
  assert.equal(
    children.some(({ propertyName }: Body) => propertyName === 'Domain'),
    false,
    'never one value for all',
  );
  for (const forAll of [{ Domain: 'one-for-all.test' }, { Quantity: 4 }])
    assert.equal((await send(forAll)).status, 422);

  const wrong = await send(typed({ [two.id]: { Domain: 'not a domain' } }));
  assert.equal(wrong.status, 422);
  assert.deepEqual(wrong.body.Errors, { [`Values.${two.id}.Domain`]: ['Must be a domain, for example contoso.com'] });
  for (const values of [typed({ [two.id]: { Fax: '1' } }), typed({ 10003: { Domain: 'x.test' } }), { Values: '{}' }])
    assert.equal((await send(values)).status, 422);
  // What is wrong in a record, and was not typed, is told at the row too.
  const customer = sandbox.db.updateTable('customers').where('organisation_id', '=', Number(one.id));
  await customer.set({ domain: 'a.b.c.d.e.f.test' }).execute();
  const record = await send({});
  assert.deepEqual([record.status, Object.keys(record.body.Errors)], [422, [`Values.${one.id}.Domain`]]);

  const own = typed({ [one.id]: { Quantity: 3, Domain: 'typed.test' } });
  const checked = await send(own);
  const { $price, $ordered, $rows } = checked.body.Result.values;
  assert.deepEqual(
    $rows.map(({ Fields }: Body) => Fields),
    [
      { Quantity: 3, Domain: 'typed.test', Price: '£2.55' },
      { Quantity: 1, Domain: 'many-1.test', Price: '£0.85' },
    ],
  );
  const changed = await send(
    { ...typed({ [one.id]: { Domain: 'other.test' } }), $price, $ordered },
    'check',
    'changed-press',
  );
  assert.equal(changed.body.Result?.step, 'check', 'values that were not shown are shown');
  const placed = await send({ ...own, $price, $ordered }, 'check', 'typed-press');
  assert.match(placed.body.effects?.[0]?.to ?? placed.text, /^\/services\/bulk\/\d+$/);
  await sandbox.tickOnce();
  assert.deepEqual(await ordersOf(one.id, two.id), [
    [one.id, { Domain: 'typed.test' }],
    [two.id, { Domain: 'many-1.test' }],
  ]);
});

test('the record of each customer proposes its quantity: one for each user of what is sold to users', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const [one, two] = (await customers(2)) as [Made, Made];
  await sandbox.db.updateTable('customers').set({ users: 23 }).where('organisation_id', '=', Number(one.id)).execute();
  const proposed = async (product: { serviceId: number; subId: number }) => {
    const Customers = `${one.id}\n${two.id}`;
    const { body } = await step(reseller, { Customers, $step: 'customers' }, undefined, product);
    return body.Result.values.$rows.map(({ Fields }: { Fields: Body }) => Fields.Quantity);
  };
  assert.deepEqual(await proposed({ serviceId: 5, subId: 1 }), [23, 1], 'sold by the user');
  assert.deepEqual(await proposed({ serviceId: 6, subId: 1 }), [1, 1], 'sold by the subscription');
});

test('the customers that the address names are chosen when it opens, but for those that cannot have it', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const [one, gone, two] = (await customers(3)) as [Made, Made, Made];
  await suspend(gone.id);
  const named = { serviceId: 9, subId: 1, customers: [two.id, gone.id, one.id, one.id].join(',') };
  const { body, text } = await step(reseller, {}, undefined, named as never);
  assert.equal(body.Result?.values.Customers, `${one.id}\n${two.id}`, text);
  assert.deepEqual(
    body.Result.values.$leftOut.map(({ CustomerId }: Body) => CustomerId),
    [gone.id],
  );
  assert.deepEqual(body.effects, [{ do: 'set', path: 'state.chosen', value: 2 }]);
  const foreign = await step(reseller, {}, undefined, { ...named, customers: '99999' } as never);
  assert.equal(foreign.status, 404);
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
});

test('an order for many asks for agreements as one for one does; the wizard waits, and goes on once all are signed', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const suite = { serviceId: 8, subId: 1 };
  const opened = await step(reseller, {}, undefined, suite);
  assert.equal(opened.body.Result?.step, 'customers', opened.text);
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  const [popup, named]: any = opened.body.effects;
  // The list of steps names the agreements while there are some to sign.
  assert.deepEqual(named, { do: 'set', path: 'state.toSign', value: 2 });
  assert.deepEqual([popup.popup, popup.with.mayAgree, popup.with.resume.value], ['terms', true, '/8-1/many/']);
  const chosen = await step(reseller, { Customers: '10001', $step: 'customers' }, undefined, suite);
  assert.deepEqual(chosen.body.Result, { step: 'customers', values: {}, waits: true });
  assert.deepEqual(chosen.body.effects, [popup]);
  const signed = await signTogether(reseller, { resume: popup.with.resume.value });
  assert.equal(signed.status, 200, signed.text);
  const [own] = (await customers(1, 'unsigned@millbrook.test')) as [Made];
  const next = await step(reseller, { Customers: own.id, $step: 'customers' }, undefined, suite);
  assert.equal(next.body.Result?.step, 'details');
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
  for (const TermId of ['monthly', 'annual']) {
    const values = { Customers: organisationId, ...details, TermId, $step: 'details' };
    const { status, text, body: reply } = await step(engineer, values);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /UnitPrice|MonthlyPrice|FirstCharge"|£|(?<!\d)4\.(75|28)(?!\d)/);
    stamps.push(reply.Result.values.$price);
  }
  assert.equal(stamps[0], stamps[1]);
});
