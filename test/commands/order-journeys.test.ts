import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let seeded = 0;
const sandbox = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');
setUp(async () => {
  seeded = await countOrders();
});

type Body = Readonly<Record<string, unknown>>;
/** The journey that a screen draws. */
const journeys: Readonly<Record<string, string>> = {
  'modify-service': 'order-change',
  'upgrade-service': 'order-upgrade',
  'mend-service': 'order-fix',
};
const step = async (screen: string, given: Body, body: Body, key?: string, who = reseller) =>
  who.post(
    `/ui/command/${journeys[screen] ?? 'order-add'}.step`,
    { node: 'order', layout: await who.hashOf(screen), with: given, body },
    key ? { 'idempotency-key': key } : {},
  );
/** Those beside what the sandbox starts with. */
const orders = async () => (await countOrders()) - seeded;
const countOrders = async () => {
  const { count } = await sandbox.db
    .selectFrom('orders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};
const classic = { customer: '10003', route: 'share-point' };
const details = { Quantity: 3, TermId: 'monthly', BillingId: 'monthly', Domain: 'contoso.test' };
type Delivered = { readonly propertyName?: string };
const namesOf = (nodes: readonly Delivered[]) => nodes.flatMap(({ propertyName = [] }) => propertyName);

test('an order goes from what is asked to a summary to its number, and once however often it is sent', async () => {
  const opened = await step('add-service', classic, {});
  assert.equal(opened.status, 200, opened.text);
  assert.equal(opened.body.Result.step, 'details');
  const names = namesOf(opened.body.Result.nodes);
  assert.deepEqual(names, ['Quantity', 'TermId', 'BillingId', 'Domain']);

  const checked = await step('add-service', classic, { ...details, $step: 'details' });
  assert.equal(checked.body.Result?.step, 'check', checked.text);
  assert.equal(checked.body.Result.data.quote.Result.MonthlyPrice, '8.25');
  assert.equal(await orders(), 0);

  const placing = () => step('add-service', classic, { ...details, $step: 'check' }, 'a-key-of-the-press');
  const [one, two] = await Promise.all([placing(), placing()]);
  for (const reply of [one, two, await placing()]) {
    assert.match(reply.body.effects?.[0]?.text ?? reply.text, /^Order ORD-\d+ was placed$/);
    assert.match(reply.body.effects[1].to, /^\/customers\/customer\/10003\/services\/\d+$/);
  }
  assert.equal(await orders(), 1);
});

test('a price that was not shown is shown, and nothing is ordered', async () => {
  const before = await orders();
  const reply = await step(
    'add-service',
    { ...classic, customer: '10004' },
    { ...details, $step: 'check' },
    'another-press',
  );
  assert.equal(reply.body.Result?.step, 'check', reply.text);
  assert.equal(await orders(), before);
});

test('every step is validated anew: a wrong value is told at its field, one that nobody asked for is refused', async () => {
  for (const [wrong, name] of [
    [{ Quantity: 0 }, 'Quantity'],
    [{ Quantity: 1.5 }, 'Quantity'],
    [{ Quantity: 'many' }, 'Quantity'],
    [{ Domain: 'no domain' }, 'Domain'],
    [{ TermId: 'for ever' }, 'TermId'],
    [{ Surprise: 'x' }, 'Surprise'],
  ] as const)
    for (const $step of ['details', 'check']) {
      const reply = await step('add-service', classic, { ...details, ...wrong, $step }, 'some-other-press');
      assert.equal(reply.status, 422, JSON.stringify(wrong));
      assert.ok(reply.body.Errors[name], JSON.stringify(reply.body));
    }
});

test('a product asks for an address, a colour and a customer id, and each is told what it is', async () => {
  const said = {
    address: 'Must be an IPv4 address, such as 192.0.2.17',
    colour: 'Must be a colour as # and 6 digits, such as #1a2b3c',
    customerId: 'Must be a customer id, such as mex00001234-00005678',
  };
  const products = [
    ['add-listing', { listing: 'cloud-server' }, 'AdminAddress', '192.0.2.256', said.address, '192.0.2.17'],
    ['add-service', { route: 'cloudtalk' }, 'ChatColour', 'red', said.colour, '#1a2b3c'],
    ['add-listing', { listing: 'mail-migration' }, 'SourceCustomer', '10001', said.customerId, 'mex00010001-00000007'],
  ] as const;
  for (const [screen, given, name, wrong, message, right] of products) {
    const opened = await step(screen, { customer: '10003', ...given }, {});
    const asked = opened.body.Result.nodes.map(({ propertyName }: Delivered) => propertyName);
    assert.ok(asked.includes(name), `${name} of ${asked}`);
    const errorsOf = async (value: string) =>
      (await step(screen, { customer: '10003', ...given }, { [name]: value, $step: 'details' })).body.Errors[name];
    assert.deepEqual(await errorsOf(wrong), [message]);
    assert.equal(await errorsOf(right), undefined);
  }
});

test('every route name and listing of the catalogue opens the form of its product', async () => {
  const { productCodes } = await import('../../shared/catalogue/codes.ts');
  for (const { route, listingId, hidden, feature, name } of productCodes) {
    if (hidden || feature !== null) continue;
    for (const [screen, given] of [
      ['add-service', { route }],
      ['add-listing', { listing: listingId }],
    ] as const) {
      if (Object.values(given)[0] === null) continue;
      const { body, text } = await step(screen, { customer: '10003', ...given }, {});
      assert.equal(body.Result?.data.order.Result.Product.Name, name, text);
    }
  }
});

test('a commercial licence is sold for a term at its listing and month by month at its route name, and not else', async () => {
  const termsAt = async (screen: string, given: Body) => {
    const { body } = await step(screen, { customer: '10003', ...given }, {});
    const field = body.Result.nodes.find(({ propertyName }: Delivered) => propertyName === 'TermId');
    return field.options.map(({ value }: { value: string }) => value);
  };
  assert.deepEqual(await termsAt('add-listing', { listing: 'business-analytics' }), ['annual', 'triennial']);
  assert.deepEqual(await termsAt('add-service', { route: 'power-bi' }), ['monthly']);
  const values = { ...details, TermId: 'annual', $step: 'details' };
  const refused = await step('add-service', { customer: '10003', route: 'power-bi' }, values);
  assert.equal(refused.status, 422, refused.text);
  assert.ok(refused.body.Errors.TermId);
});

test('what leads to no product is not found, and somebody else’s customer neither', async () => {
  assert.equal((await step('add-service', { customer: '10003', route: 'nothing' }, {})).status, 404);
  const other = await step('add-service', { ...classic, customer: '99999' }, { ...details, $step: 'details' });
  assert.equal(other.status, 404);
});

test('an administrator of a customer orders for their own; no price, nor anything made from one, is in the bytes', async () => {
  const administrator = await portal.signIn('buyer@zephyrcycles.test');
  const customer = (await administrator.get('/ui/boot')).body.principal.organisationId;
  const quoted = async (Quantity: number) => {
    const given = { ...details, Quantity, $step: 'details' };
    const own = { ...classic, customer };
    const { status, text, body } = await step('add-service', own, given, undefined, administrator);
    assert.equal(status, 200, text);
    assert.doesNotMatch(text, /MonthlyPrice|UnitPrice|FirstCharge"/);
    return body.Result;
  };
  const [three, nine] = [await quoted(3), await quoted(9)];
  assert.deepEqual([three.facts.details.Quantity, nine.facts.details.Quantity], [3, 9]);
  assert.deepEqual(three.data.order, nine.data.order);
  assert.equal(three.data.order.Result.PricesHidden, true, 'who orders without prices is told so');
  const shown = ['Before', 'Beside', 'CancelFreeUntil', 'FirstChargeDate', 'Quantity', 'TermEnds'];
  assert.deepEqual(Object.keys(three.data.quote.Result).sort(), shown);
  const placed = await step(
    'add-service',
    { ...classic, customer },
    { ...details, $step: 'check' },
    'the-press-of-a-buyer',
    administrator,
  );
  assert.match(placed.body.effects?.[0]?.text ?? placed.text, /^Order ORD-\d+ was placed$/, 'no price is compared');
});

test('what was ordered shows its steps; changed, it starts from what it has', async () => {
  const rows = await sandbox.db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .select('i.id')
    .where('i.order_id', 'is not', null)
    .where('c.organisation_id', '=', 10003)
    .where('i.service_id', '=', 2)
    .execute();
  const id = String(rows[0]?.id);
  const { body } = await reseller.get(`/ui/data/instances.get?customerId=10003&instanceId=${id}`);
  assert.equal(body.Result.Status, 'Activating');
  assert.ok(body.Result.Steps.length > 1);
  const changed = await step('modify-service', { customer: '10003', instance: id }, {});
  assert.equal(changed.body.Result?.values.Quantity, 3, changed.text);
  assert.equal(changed.body.Result.values.Domain, 'contoso.test');
});

test('an upgrade asks for the product first, and then what that product asks', async () => {
  const given = { customer: '10007', listing: 'office-suite' };
  const values = { Quantity: 2, TermId: 'annual', BillingId: 'monthly', Domain: 'up.test', AdminEmail: 'up@up.test' };
  await step('add-listing', given, { ...values, $step: 'details' });
  const placed = await step('add-listing', given, { ...values, $step: 'check' }, 'what-is-upgraded-later');
  const instance = placed.body.effects?.[1]?.to.split('/').at(-1) ?? assert.fail(placed.text);
  for (let phase = 0; phase < 4; phase++) await sandbox.tickOnce();

  const held = { customer: '10007', instance };
  const opened = (await step('upgrade-service', held, {})).body.Result;
  const [choice] = opened.nodes;
  assert.deepEqual([opened.step, opened.title, choice.propertyName], ['product', 'Office Suite Business', 'Product']);
  const { value: Product, text: Name } = choice.options[0];
  assert.equal(opened.values.Product, Product);
  const other = await step('upgrade-service', held, { Product: '1-1', $step: 'product' });
  assert.deepEqual([other.status, Object.keys(other.body.Errors ?? {})], [422, ['Product']]);

  const details = (await step('upgrade-service', held, { Product, $step: 'product' })).body.Result;
  assert.deepEqual([details.step, details.title, details.values.Quantity], ['details', Name, 2]);
  const names = namesOf(details.nodes);
  assert.deepEqual(names.slice(0, 3), ['Quantity', 'TermId', 'BillingId']);
  const typed = { Product, ...details.values, Quantity: 4 };
  const check = await step('upgrade-service', held, { ...typed, $step: 'details' });
  assert.equal(check.body.Result?.step, 'check', check.text);
  assert.equal(check.body.Result.data.order.Result.Product.Name, Name);
  const done = () => step('upgrade-service', held, { ...typed, $step: 'check' }, 'the-press-of-an-upgrade');
  for (const reply of [await done(), await done()])
    assert.match(reply.body.effects?.[0]?.text ?? reply.text, /^Order ORD-\d+ was placed$/);
});

test('an activation that fails is tried again and succeeds; deleting it takes its name', async () => {
  const given = { customer: '10005', route: 'share-point' };
  const values = { ...details, Quantity: 13 };
  const checked = await step('add-service', given, { ...values, $step: 'details' });
  assert.equal(checked.body.Result?.step, 'check', checked.text);
  const placed = await step('add-service', given, { ...values, $step: 'check' }, 'thirteen-of-them');
  const instanceId = placed.body.effects[1].to.split('/').at(-1);
  const read = async () =>
    (await reseller.get(`/ui/data/instances.get?customerId=10005&instanceId=${instanceId}`)).body.Result;
  await sandbox.tickOnce();
  const failed = await read();
  assert.deepEqual([failed.Status, failed.CanRetry], ['ActivationFailed', true]);
  const press = (node: string, what: string, body?: Body) =>
    reseller.press(node === 'retry' ? 'service-instance' : 'delete-service', node, what, {
      with: { customerId: '10005', instanceId },
      ...(body && { body }),
    });
  assert.equal((await press('retry', 'call:instances.retry')).status, 200);
  await sandbox.tickOnce();
  assert.equal((await read()).Status, 'Active');
  assert.equal((await press('delete-service', 'call:instances.delete', { Confirmation: 'Team' })).status, 422);
  assert.equal((await press('delete-service', 'call:instances.delete', { Confirmation: 'Team Sites' })).status, 200);
  assert.equal((await read()).Status, 'Deleting');
});

test('what an order names wrongly is mended where it failed, and then it succeeds', async () => {
  const given = { customer: '10006', route: 'share-point' };
  const values = { ...details, Domain: 'fail.test' };
  const checked = await step('add-service', given, { ...values, $step: 'details' });
  assert.equal(checked.body.Result?.step, 'check', checked.text);
  const placed = await step('add-service', given, { ...values, $step: 'check' }, 'one-that-will-fail');
  const instance = placed.body.effects[1].to.split('/').at(-1);
  const read = async () =>
    (await reseller.get(`/ui/data/instances.get?customerId=10006&instanceId=${instance}`)).body.Result.Status;
  await sandbox.tickOnce();
  assert.equal(await read(), 'ActivationFailed');
  const mend = { customer: '10006', instance };
  const opened = await step('mend-service', mend, {});
  assert.deepEqual(opened.body.Result.values.Domain, 'fail.test');
  assert.equal(opened.body.Result.nodes.length, 1);
  const mended = await step('mend-service', mend, { Domain: 'contoso.test', $step: 'mend' }, 'now-it-is-right');
  assert.match(mended.body.effects?.[0]?.to ?? mended.text, new RegExp(`/services/${instance}$`));
  await sandbox.tickOnce();
  assert.equal(await read(), 'Active');
});

test('who holds the product is asked what becomes of it, before the check, and is told there', async () => {
  const given = { customer: '10001', route: 'acronis-backup' };
  const typed = { Quantity: 10, TermId: 'monthly', BillingId: 'monthly', AdminEmail: 'o@contoso.test' };
  const asked = await step('add-service', given, { ...typed, $step: 'details' });
  assert.equal(asked.body.Result?.step, 'held', asked.text);
  const { Holds } = asked.body.Result.data.order.Result;
  const unanswered = await step('add-service', given, { ...typed, $step: 'held' });
  assert.deepEqual([unanswered.status, Object.keys(unanswered.body.Errors ?? {})], [422, ['IfHeld']]);
  const quoteFor = async (IfHeld: string) => {
    const { body, text } = await step('add-service', given, { ...typed, IfHeld, $step: 'held' });
    assert.equal(body.Result?.step, 'check', text);
    const { Quantity, Beside = null, Before } = body.Result.data.quote.Result;
    return [Quantity, Beside, Before?.Quantity ?? null];
  };
  assert.deepEqual(await quoteFor('Raise'), [Holds + 10, null, Holds]);
  assert.deepEqual(await quoteFor('Second'), [10, Holds, null]);
});
