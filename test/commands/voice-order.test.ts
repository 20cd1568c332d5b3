import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { StepState } from '../../shared/contract/steps.ts';
import { writeRows } from '../../shared/rules/rows.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { leeds, warehouse } from '../fixtures/voice.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

type Body = Readonly<Record<string, unknown>>;
const run = (command: string, customer: string, body: Body, who = reseller) =>
  who.press('voice-order', 'voice', `command:voice.${command}`, { with: { customer }, body });
const step = (customer: string, body: Body, who = reseller) => run('step', customer, body, who);

async function newCustomer(): Promise<string> {
  const Name = `Voice ${randomUUID().slice(0, 8)}`;
  const body = { Name, Domain: 'voice.test', ContactName: 'V', ContactEmail: 'v@voice.test' };
  return (await sandbox.call(token, 'POST', '/api/customers', body)).body.Result.organisationId;
}
const ordersOf = async (customer: string) =>
  (await sandbox.call(token, 'GET', `/api/voice/organisations/${customer}/orders`)).body.Result.Items;

const typed = {
  product: { SelectedProduct: 'hosted-voice', WithHardware: true },
  sites: writeRows('Sites', [leeds, { ...leeds, SiteName: 'Depot' }]),
  licences: { MitelLicences: 4, NonMitelLicences: 1, BandwidthConfirmed: true },
  hardware: { Quantity_mitel_6905: 2 },
  delivery: { DeliveryOption: 'next-day', ...warehouse },
} as const;

/** Goes through steps, each with what is typed in it; gives the last answer. */
async function walk(customer: string, steps: readonly (keyof typeof typed)[], who = reseller, given: Body = typed) {
  let answer = await step(customer, {}, who);
  for (const $step of steps) {
    const { version } = answer.body.Result?.draft ?? assert.fail(`${$step}: ${answer.text}`);
    answer = await step(customer, { ...(given[$step] as Body), $step, $version: version }, who);
  }
  assert.ok(answer.body.Result, answer.text);
  return answer;
}
const all = ['product', 'sites', 'licences', 'hardware', 'delivery'] as const;
const names = (steps: readonly StepState[]) => steps.map(({ id }) => id);
const open = (steps: readonly StepState[]) => names(steps.filter(({ isOpen }) => isOpen));

test('an order goes through its steps to a summary with its price, and to its number', async () => {
  const customer = await newCustomer();
  const { body, text } = await walk(customer, all);
  const { step: at, data, facts, steps, draft } = body.Result;
  assert.equal(at, 'summary', text);
  assert.deepEqual(names(steps), [...all, 'summary']);
  const { MonthlyPrice, TotalOnce, DeliveryCost } = data.quote.Result;
  assert.deepEqual([MonthlyPrice, TotalOnce, DeliveryCost], ['57.5', '146', '18']);
  assert.deepEqual(
    facts.sites.Sites.map(({ Name }: { Name: string }) => Name),
    ['Site A: Head office', 'Site B: Depot'],
  );
  const press = () => step(customer, { $step: 'summary', $version: draft.version });
  const placed = await Promise.all([press(), press()]);
  const [order, ...others] = await ordersOf(customer);
  assert.equal(others.length, 0);
  assert.deepEqual([order.MitelLicences, order.NonMitelLicences], [4, 1]);
  const [done] = placed.filter(({ body }) => body.effects);
  assert.equal(
    (done?.body.effects?.[0] as { text?: string } | undefined)?.text,
    `Order ${order.OrderNumber} was placed`,
  );
  const after = await press();
  assert.equal(after.body.Resources?.code, 'STEP_OVER');
  assert.equal((await step(customer, {})).body.Result.step, 'product', 'its draft is gone');
  const summary = await reseller.get(`/ui/data/voice.order?organisationId=${customer}&orderId=${order.OrderId}`);
  assert.equal(summary.body.Result.Sites[1].Letter, 'B');
});

test('a price that was not shown is shown, and nothing is ordered', async () => {
  const customer = await newCustomer();
  const { draft } = (await walk(customer, all)).body.Result;
  const more = { Quantity_mitel_6905: 3, $step: 'hardware', $version: draft.version };
  const { version } = (await run('keep', customer, more)).body.Result.draft;
  const again = await step(customer, { $step: 'summary', $version: version });
  assert.equal(again.body.Result?.step, 'summary', again.text);
  assert.equal(again.body.Result.data.quote.Result.TotalOnce, '210');
  assert.deepEqual(await ordersOf(customer), []);
  const placed = await step(customer, { $step: 'summary', $version: again.body.Result.draft.version });
  assert.ok(placed.body.effects, placed.text);
});

test('hidden steps are skipped: handsets alone have no sites, and who wants no handsets is asked for none', async () => {
  const alone = await walk(await newCustomer(), ['product'], reseller, {
    product: { SelectedProduct: 'hosted-voice-hardware' },
  });
  assert.deepEqual(names(alone.body.Result.steps), ['product', 'hardware', 'delivery', 'summary']);
  assert.equal(alone.body.Result.step, 'hardware');
  const without = { ...typed, product: { SelectedProduct: 'hosted-voice' } };
  const seats = await walk(await newCustomer(), ['product', 'sites', 'licences'], reseller, without);
  assert.deepEqual(names(seats.body.Result.steps), ['product', 'sites', 'licences', 'summary']);
  assert.equal(seats.body.Result.step, 'summary');
});

test('one goes back to what is done and forward to the first that is not; what is not right yet is kept as it is', async () => {
  const customer = await newCustomer();
  const { steps, draft } = (await walk(customer, ['product'])).body.Result;
  assert.deepEqual(open(steps), ['product', 'sites']);
  const half = { Sites1: true, Sites1SiteName: 'Half', Sites1Postcode: 'nowhere' };
  const back = await step(customer, { ...half, $step: 'sites', $to: 'product', $version: draft.version });
  assert.equal(back.body.Result.step, 'product', back.text);
  const { version } = back.body.Result.draft;
  for (const [$to, at] of [
    ['summary', 'sites'],
    ['licences', 'sites'],
    ['nonsense', 'sites'],
    ['resume', 'sites'],
  ]) {
    const answer = await step(customer, { $to });
    assert.equal(answer.body.Result.step, at, `${$to}: ${answer.text}`);
    assert.equal(answer.body.Result.values.Sites1Postcode, 'nowhere');
  }
  const forced = await step(customer, { $step: 'summary', $version: version });
  assert.equal(forced.body.Result.step, 'sites', 'a summary that is not reached orders nothing');
});

test('every step is validated: a wrong value is told at its field, what nobody asked for is refused', async () => {
  const customer = await newCustomer();
  const { draft } = (await walk(customer, ['product'])).body.Result;
  for (const [$step, body, name] of [
    ['sites', { ...typed.sites, Sites2Postcode: 'nowhere' }, 'Sites2Postcode'],
    ['sites', { ...typed.sites, Sites1DDIBlocks: 101 }, 'Sites1DDIBlocks'],
    ['sites', { ...typed.sites, Sites3Town: 'York' }, 'Sites3Town'],
    ['sites', {}, 'Sites'],
    ['licences', { ...typed.licences, MitelLicences: 0, NonMitelLicences: 0 }, 'MitelLicences'],
    ['licences', { ...typed.licences, BandwidthConfirmed: false }, 'BandwidthConfirmed'],
    ['hardware', { Quantity_mitel_6905: 0 }, 'Quantity_mitel_6905'],
    ['hardware', { Quantity_gold: 1 }, 'Quantity_gold'],
    ['delivery', { ...typed.delivery, DeliveryOption: 'pigeon' }, 'DeliveryOption'],
    ['delivery', { ...typed.delivery, Telephone: '12' }, 'Telephone'],
    ['product', { SelectedProduct: 'other' }, 'SelectedProduct'],
  ] as const) {
    const answer = await step(customer, { ...body, $step, $version: draft.version });
    assert.equal(answer.status, 422, `${name}: ${answer.text}`);
    assert.ok(answer.body.Errors?.[name], `${name}: ${answer.text}`);
  }
  assert.equal((await step(customer, { $step: 'nothing', $version: draft.version })).status, 404);
});

test('a draft is there for another device, which is asked whether to go on or start again', async () => {
  const customer = await newCustomer();
  const { draft } = (await walk(customer, ['product', 'sites'])).body.Result;
  const kept = await run('keep', customer, { MitelLicences: '7', $step: 'licences', $version: draft.version });
  assert.equal(kept.body.Result.draft.version, draft.version + 1, kept.text);
  const device = await portal.signIn('reseller@northwind.test');
  const found = (await step(customer, {}, device)).body.Result;
  assert.equal(found.step, 'resume');
  assert.ok(Date.parse(found.draft.at));
  const on = await step(customer, { $step: 'resume', Resume: 'on', $version: found.draft.version }, device);
  assert.deepEqual([on.body.Result.step, on.body.Result.values.MitelLicences], ['licences', 7]);
  const again = await step(customer, { $step: 'resume', Resume: 'again', $version: found.draft.version }, device);
  assert.deepEqual([again.body.Result.step, again.body.Result.values], ['product', {}]);
});

test('of two devices the one that was overtaken is told, and what it typed goes in only when it says so', async () => {
  const customer = await newCustomer();
  const { draft } = (await walk(customer, ['product', 'sites'])).body.Result;
  const keep = (MitelLicences: number, more: Body) =>
    run('keep', customer, { MitelLicences, $step: 'licences', ...more });
  const both = await Promise.all([1, 2].map(count => keep(count, { $version: draft.version })));
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
  const late = both.find(({ status }) => status === 409)!;
  assert.equal(late.body.Resources?.code, 'RECORD_CHANGED');
  const pressed = await step(customer, { ...typed.licences, $step: 'licences', $version: draft.version });
  assert.equal(pressed.status, 409);
  const before = (await step(customer, { $to: 'licences' })).body.Result.values.MitelLicences;
  assert.ok(before === 1 || before === 2);
  assert.equal((await keep(9, {})).status, 200);
  assert.equal((await step(customer, { $to: 'licences' })).body.Result.values.MitelLicences, 9);
  assert.equal((await keep(3, { $version: 'nine' })).status, 400);
});

test('a draft is the account’s own, and one too large is refused', async () => {
  const customer = await newCustomer();
  const { draft } = (await walk(customer, ['product'])).body.Result;
  const other = await portal.signIn('single@northwind.test');
  assert.equal((await step(customer, {}, other)).body.Result.step, 'product');
  const lost = await run('keep', '99999', { $step: 'product', $version: 1 });
  assert.equal(lost.body.Resources?.code, 'STEP_OVER');
  const long = writeRows(
    'Sites',
    Array.from({ length: 26 }, () => ({ SiteName: 'é'.repeat(9000) })),
  );
  const refused = await run('keep', customer, { ...long, $step: 'sites', $version: draft.version });
  assert.equal(refused.status, 413);
  assert.equal((await step(customer, { $to: 'sites' })).body.Result.draft.version, draft.version);
});

test('somebody else’s customer is not found; who may not order has neither wizard nor prices', async () => {
  assert.equal((await step('99999', {})).status, 404);
  const engineer = await portal.signIn('engineer@northwind.test');
  await assert.rejects(step('10001', {}, engineer));
  const list = await engineer.get('/ui/data/voice.orders?organisationId=10001');
  const first = list.body.Result.Items.at(-1);
  assert.equal(first.OrderType, 0);
  const summary = await engineer.get(`/ui/data/voice.order?organisationId=10001&orderId=${first.OrderId}`);
  assert.equal(summary.body.Result.Sites[0].SiteName, 'Head office');
  assert.doesNotMatch(summary.text, /Canal Wharf|LS1 4AP|Leeds|Address1|Postcode|Price|Cost/);
  const own = await reseller.get(`/ui/data/voice.order?organisationId=10001&orderId=${first.OrderId}`);
  assert.match(own.text, /12 Canal Wharf/);
});

test('an administrator of a customer orders for their own; no price, nor anything made from one, is in the bytes', async () => {
  const administrator = await portal.signIn('buyer@zephyrcycles.test');
  const shown = ['product', 'sites', 'licences', 'hardware', 'delivery'] as const;
  const bytes: string[] = [];
  for (const Quantity_mitel_6905 of [2, 3]) {
    const given = { ...typed, hardware: { Quantity_mitel_6905 } };
    let answer = await step('10001', { $step: 'resume', Resume: 'again' }, administrator);
    for (const $step of shown) {
      bytes.push(answer.text);
      answer = await step(
        '10001',
        { ...given[$step], $step, $version: answer.body.Result.draft.version },
        administrator,
      );
    }
    bytes.push(answer.text);
    assert.equal(answer.body.Result?.step, 'summary', answer.text);
  }
  assert.doesNotMatch(bytes.join(), /£|Price"|Cost"|TotalOnce|\b(?:64|118|11\.5|146)(?:\.00)?\b/);
  const layout = await administrator.get(`/ui/layout/${await administrator.hashOf('voice-order')}`);
  assert.doesNotMatch(layout.text, /MonthlyPrice|TotalOnce|LicencePrice|DeliveryCost|row\.Price/);
  const mine = (await administrator.get('/ui/data/voice.orders')).body.Result;
  assert.equal(mine.OrganisationName, 'Zephyr Cycles');
});
