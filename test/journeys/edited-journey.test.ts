import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const schemas = withEditedSchemas();
const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

type Body = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: a document that is being edited
type Json = any;

const run = (command: string, customer: string, body: Body, who = reseller) =>
  who.press('voice-order', 'voice', `command:voice.${command}`, { with: { customer }, body });

async function newCustomer(): Promise<string> {
  const Name = `Journey ${randomUUID().slice(0, 8)}`;
  const body = { Name, Domain: 'journey.test', ContactName: 'J', ContactEmail: 'j@journey.test' };
  return (await sandbox.call(token, 'POST', '/api/customers', body)).body.Result.organisationId;
}

/** Saves an edit of the journey while the portal runs, and puts the journey back when the test ends. */
async function edit(t: { after(done: () => Promise<void>): void }, change: (journey: Json) => void): Promise<void> {
  let original = '';
  await schemas.editLive(portal, 'voice/voice.json', text => {
    original = text;
    const journey = JSON.parse(text);
    change(journey);
    return JSON.stringify(journey);
  });
  t.after(() => schemas.editLive(portal, 'voice/voice.json', () => original));
}

const stepOf = ({ steps }: Json, id: string): Json => steps.find((step: Json) => step.id === id);
/** The body of the quote, which is that of the order as well. */
const bodyOf = (journey: Json): Json => stepOf(journey, 'summary').quote.quote.body;
/** Takes a field away that is sent already. */
function withoutReports(journey: Json): void {
  const licences = stepOf(journey, 'licences');
  licences.children = licences.children.filter(({ propertyName }: Json) => propertyName !== 'CallReportingAddress');
}
const email = (propertyName: string, more: Body = {}) => ({
  type: 'field',
  propertyName,
  kind: 'email',
  label: 'voice.callReporting',
  ...more,
});
const reports = (more: Body = {}) => ({
  id: 'reports',
  title: 'voice.callReporting',
  submit: 'voice.next',
  children: [email('ReportTo', { mandatory: true })],
  ...more,
});

/** Goes through an order of two handsets alone, and through further steps before its summary. */
async function walk(customer: string, more: readonly (readonly [step: string, body: Body])[] = []) {
  const steps = [
    ['product', { SelectedProduct: 'hosted-voice-hardware' }],
    ['hardware', { Quantity_mitel_6905: 2 }],
    [
      'delivery',
      {
        DeliveryOption: 'standard',
        ...{ Address1: 'Unit 4', TownCity: 'Leeds', PostCode: 'LS1 4AP', Telephone: '01614960101' },
      },
    ],
    ...more,
  ] as const;
  let answer = await run('step', customer, {});
  for (const [$step, body] of steps) {
    const { draft } = answer.body.Result ?? assert.fail(`${$step}: ${answer.text}`);
    answer = await run('step', customer, { ...body, $step, $version: draft.version });
  }
  return answer;
}
const sentTo = (path: RegExp) =>
  proxy.exchanges.filter(({ method, url }) => method === 'POST' && path.test(url)).map(({ body }) => JSON.parse(body));
const names = (steps: readonly { readonly id: string }[]) => steps.map(({ id }) => id);

test('an operator adds a step to the running portal: it is asked, judged, and its value arrives at the cloud', async t => {
  const customer = await newCustomer();
  const before = (await walk(customer)).body.Result;
  assert.equal(before.step, 'summary');
  await edit(t, journey => {
    const delivery = stepOf(journey, 'delivery');
    const telephone = delivery.children.pop();
    journey.steps.splice(-1, 0, { ...reports({ id: 'driver', when: delivery.when }), children: [telephone] });
    bodyOf(journey).HardwareAddress.use.Telephone = 'answers.driver.Telephone';
  });
  const stopped = await run('step', customer, { $step: 'summary', $version: before.draft.version });
  assert.equal(stopped.body.Result?.step, 'driver', stopped.text);
  const { draft } = stopped.body.Result;
  const wrong = await run('step', customer, { $step: 'driver', Telephone: 'nobody', $version: draft.version });
  assert.ok(wrong.body.Errors?.Telephone, wrong.text);
  const right = { $step: 'driver', Telephone: '01132960202', $version: draft.version };
  const summary = await run('step', customer, right);
  assert.equal(summary.body.Result?.step, 'summary', summary.text);
  assert.match(JSON.stringify(summary.body.Result.facts.driver), /01132960202/);
  const placed = await run('step', customer, { $step: 'summary', $version: summary.body.Result.draft.version });
  assert.ok(placed.body.effects, placed.text);
  assert.equal(sentTo(/\/orders$/).at(-1).HardwareAddress.Telephone, '01132960202');
});

test('what the cloud does not take is refused in its words, at the step before', async t => {
  await edit(t, journey => {
    journey.steps.splice(-1, 0, reports());
    bodyOf(journey).Favourite = 'answers.reports.ReportTo';
  });
  const refused = await walk(await newCustomer(), [['reports', { ReportTo: 'calls@journey.test' }]]);
  assert.equal(refused.body.Succeed, false);
  assert.match(refused.text, /Favourite/);
  assert.deepEqual(
    sentTo(/\/orders$/).filter(({ Favourite }) => Favourite),
    [],
  );
});

test('an answer that goes nowhere is refused when the journey is saved, and the portal goes on as it was', async () => {
  const file = 'voice/voice.json';
  let original = '';
  await schemas.edit(file, text => {
    original = text;
    const journey = JSON.parse(text);
    journey.steps.splice(-1, 0, reports());
    return JSON.stringify(journey);
  });
  try {
    const { steps } = (await run('step', await newCustomer(), {})).body.Result;
    assert.ok(!names(steps).includes('reports'));
  } finally {
    await schemas.edit(file, () => original);
  }
});

test('a draft of an earlier version goes on: a field that is gone is left out and said, a new one stops at its step', async t => {
  const customer = await newCustomer();
  const seats = [
    ['product', { SelectedProduct: 'hosted-voice' }],
    ['sites', { Sites1: true }],
  ] as const;
  let answer = await run('step', customer, {});
  for (const [$step, body] of seats) {
    const { version } = answer.body.Result.draft;
    answer = await run('step', customer, { ...body, $step, $to: 'licences', $version: version });
  }
  const typed = { CallReportingAddress: 'old@journey.test', MitelLicences: 3 };
  await run('keep', customer, { $step: 'licences', ...typed, $version: answer.body.Result.draft.version });
  await edit(t, journey => {
    withoutReports(journey);
    bodyOf(journey).CallReportingAddress = { path: 'answers.product.Contact', default: '' };
    stepOf(journey, 'product').children.push(email('Contact', { mandatory: true }));
  });
  const device = await portal.signIn('reseller@northwind.test');
  const found = (await run('step', customer, {}, device)).body.Result;
  assert.equal(found.step, 'resume');
  const on = await run('step', customer, { $step: 'resume', Resume: 'on', $version: found.draft.version }, device);
  assert.equal(on.body.Result?.step, 'product', on.text);
  assert.match(on.text, /not asked any more and was left out: Call reports go to/);
  assert.equal(on.body.Result.values.SelectedProduct, 'hosted-voice', 'nothing else is lost');
  const { version } = on.body.Result.draft;
  const kept = await run('step', customer, { $to: 'licences', $version: version }, device);
  assert.equal(kept.body.Result.step, 'product', 'one stops at the step with the new field');
});

test('what a step needs besides is asked once those before it are answered, with a draft too', async t => {
  await edit(t, journey => {
    stepOf(journey, 'hardware').prepare = { catalogue: journey.prepare.catalogue };
  });
  const countAsked = () => proxy.exchanges.filter(({ url }) => /catalogue/.test(url)).length;
  const customer = await newCustomer();
  const before = countAsked();
  const { draft } = (await run('step', customer, {})).body.Result;
  assert.equal(countAsked() - before, 1, 'the journey alone is prepared');
  const chosen = { SelectedProduct: 'hosted-voice-hardware', $step: 'product', $version: draft.version };
  const hardware = await run('step', customer, chosen);
  assert.equal(hardware.body.Result?.step, 'hardware', hardware.text);
  assert.equal(countAsked() - before, 3, 'and then the step, once');
  const names = hardware.body.Result.nodes.map(({ propertyName }: Json) => propertyName);
  assert.ok(names.includes('Quantity_mitel_6905'), names.join());
  assert.equal((await walk(await newCustomer())).body.Result?.step, 'summary');
});

test('a step and a field that the caller’s requirements exclude are not there, and their values are refused', async t => {
  await edit(t, journey => {
    journey.steps.splice(-1, 0, { ...reports(), requires: 'sees-prices' });
    stepOf(journey, 'product').children.push(email('Contact', { requires: 'sees-prices' }));
    withoutReports(journey);
    bodyOf(journey).CallReportingAddress = {
      when: { path: 'answers.reports.ReportTo', empty: false },
      use: 'answers.reports.ReportTo',
      else: { path: 'answers.product.Contact', default: '' },
    };
  });
  const buyer = await portal.signIn('buyer@zephyrcycles.test');
  const opened = (await run('step', '10001', { $step: 'resume', Resume: 'again' }, buyer)).body.Result;
  assert.ok(!names(opened.steps).includes('reports'));
  const layout = await buyer.get(`/ui/layout/${await buyer.hashOf('voice-order')}`);
  assert.doesNotMatch(layout.text, /ReportTo|"Contact"|"reports"/);
  const { version } = opened.draft;
  const body = { SelectedProduct: 'hosted-voice', Contact: 'x@journey.test', $step: 'product', $version: version };
  const refused = await run('step', '10001', body, buyer);
  assert.deepEqual([refused.status, Object.keys(refused.body.Errors ?? {})], [422, ['Contact']]);
  const other = await run('step', '10001', { ReportTo: 'x@journey.test', $step: 'reports', $version: version }, buyer);
  assert.equal(other.status, 404);
  const { steps } = (await walk(await newCustomer())).body.Result;
  assert.ok(names(steps).includes('reports'));
});
