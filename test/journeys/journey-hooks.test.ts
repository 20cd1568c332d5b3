import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { warehouse } from '../fixtures/voice.ts';

const schemas = withEditedSchemas();
const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');

type Body = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: a document that is being edited
type Json = any;

const formId = { formId: { value: 'callback-request' } };
const gate = {
  command: 'product.add',
  with: { customerId: { value: '10001' }, serviceId: 1, subId: 1, mode: { value: 'add' } },
};
/** A journey over the dynamic form of the product: the cloud names its fields. */
const callback = {
  $schema: '../meta/journey.schema.json',
  id: 'callback',
  label: 'support.callbackTitle',
  back: 'voice.back',
  prepare: { form: { operation: 'forms.get', with: formId } },
  steps: [
    { id: 'details', title: 'support.callbackTitle', submit: 'voice.next', delivered: 'data.form.Result' },
    {
      id: 'check',
      title: 'voice.check',
      submit: 'voice.next',
      summary: true,
      quote: { word: { command: 'password.check', body: { Password: 'answers.details.Topic' } } },
      children: [{ type: 'text', path: 'data.word.Result.score', format: 'number' }],
    },
  ],
  place: { operation: 'forms.submit', with: formId, body: 'answers.details' },
  done: [{ do: 'toast', text: 'voice.placed', values: { number: 'answers.details.Name' }, kind: 'ok' }],
};
const journeyFile = 'support/callback-journey.json';
const savedJourney = JSON.stringify(callback);

/** Waits for it to be taken over: else the next edit would take this one's end for its own. */
async function restoreJourney(): Promise<void> {
  const text = await readFile(join(schemas.folder, journeyFile), 'utf8');
  if (text !== savedJourney) await schemas.editLive(portal, journeyFile, () => savedJourney);
}

setUp(async () => {
  await writeFile(join(schemas.folder, journeyFile), savedJourney);
  await schemas.editLive(portal, 'support/callback.json', text => {
    const screen = JSON.parse(text);
    const withoutDelivered = (nodes: Json[]): Json[] =>
      nodes.map(node => {
        if (node.type === 'delivered') return { type: 'steps', id: 'callback', journey: 'callback' };
        return node.children ? { ...node, children: withoutDelivered(node.children) } : node;
      });
    return JSON.stringify({ ...screen, children: withoutDelivered(screen.children) });
  });
  // The journey alone may have been taken over first.
  await eventually(async () => (await step({})).body.Result !== undefined, 'the screen leads the journey');
});

const step = (body: Body, screen = '/support/callback', node = 'callback', given: Body = {}) =>
  reseller.press(screen, node, `command:${node}.step`, { with: given, body });
const typed = { Name: 'Ada', Phone: '01632960123', Topic: 'A call about invoices' };
const sent = (path: RegExp) => proxy.exchanges.filter(({ method, url }) => method === 'POST' && path.test(url));

test('fields that the cloud names at run time are asked, judged by their own rules, and sent', async () => {
  const opened = await step({});
  const names = opened.body.Result.nodes.map(({ propertyName }: Json) => propertyName);
  assert.deepEqual(names, ['Name', 'Phone', 'Topic', 'BestTime']);
  const wrong = await step({ ...typed, Phone: 'x', Extra: 1, $step: 'details' });
  assert.deepEqual(Object.keys(wrong.body.Errors ?? {}), ['Phone', 'Extra']);
  const summary = await step({ ...typed, $step: 'details' });
  assert.equal(summary.body.Result?.step, 'check', summary.text);
  assert.equal(summary.body.Result.facts.details.Topic, typed.Topic);
  const before = sent(/dynamicForm/).length;
  const placed = await step({ ...typed, $step: 'check' });
  assert.match(placed.body.effects?.[0]?.text ?? '', /Ada/, placed.text);
  const [form, ...others] = sent(/dynamicForm/).slice(before);
  assert.deepEqual(JSON.parse(form?.body ?? ''), typed);
  assert.deepEqual(others, []);
});

test('a command quotes a step: what it declares of its reply is shown, and nothing else', async () => {
  const { data } = (await step({ ...typed, $step: 'details' })).body.Result;
  assert.deepEqual(Object.keys(data.word.Result).sort(), ['isStrong', 'named', 'score']);
});

test('every value is judged again at the end: one that was right in no step places nothing', async () => {
  const before = sent(/dynamicForm/).length;
  const forced = await step({ ...typed, Phone: 'x', $step: 'check' });
  assert.deepEqual(Object.keys(forced.body.Errors ?? {}), ['Phone']);
  assert.equal((await step({ ...typed, $step: 'nowhere' })).status, 404);
  assert.equal(sent(/dynamicForm/).length, before);
});

test('what comes before a step is led to when it opens and when it is left; nothing passes it, and one goes on after', async t => {
  t.after(restoreJourney);
  await schemas.editLive(portal, journeyFile, () => {
    const [details, check] = callback.steps;
    return JSON.stringify({ ...callback, steps: [{ ...details, gate }, check] });
  });
  const opened = await step({});
  assert.equal(opened.body.Result?.step, 'details', opened.text);
  assert.ok((opened.body.effects ?? []).length > 0, opened.text);
  const before = sent(/dynamicForm/).length;
  for (const $step of ['details', 'check']) {
    const waiting = await step({ ...typed, $step });
    assert.equal(waiting.body.Result?.waits, true, `${$step}: ${waiting.text}`);
    assert.ok((waiting.body.effects ?? []).length > 0);
  }
  assert.equal(sent(/dynamicForm/).length, before);
  await schemas.editLive(portal, journeyFile, () => JSON.stringify(callback));
  const on = await step({ ...typed, $step: 'details' });
  assert.equal(on.body.Result?.step, 'check', on.text);
});

test('a press that is repeated meets what it has placed, whatever has come before the steps since', async t => {
  t.after(restoreJourney);
  const layout = await reseller.hashOf('/support/callback');
  const press = (key: string, body: Body = typed) =>
    reseller.post(
      '/ui/command/callback.step',
      { node: 'callback', layout, with: {}, body: { ...body, $step: 'check' } },
      { 'idempotency-key': key },
    );
  const key = randomUUID();
  assert.match((await press(key)).body.effects?.[0]?.text ?? '', /Ada/);
  await schemas.editLive(portal, journeyFile, () => {
    const [details, check] = callback.steps;
    return JSON.stringify({ ...callback, steps: [{ ...details, gate }, check] });
  });
  const again = await press(key);
  assert.match(again.body.effects?.[0]?.text ?? '', /Ada/, again.text);
  assert.equal((await press(randomUUID())).body.Result?.waits, true);
  const other = await press(key, { ...typed, Topic: 'Another call, about the same invoices' });
  assert.equal(other.body.Result?.waits, true, 'the same key does not bring anything else past it');
});

test('delivered answers that have a name are read together, and what is said of one is shown at its field', async t => {
  t.after(restoreJourney);
  await schemas.editLive(portal, journeyFile, () => {
    const [details, check] = callback.steps;
    const named = {
      ...details,
      deliveredAs: 'Fields',
      children: [{ type: 'field', propertyName: 'Urgent', kind: 'checkbox', label: 'voice.check' }],
    };
    const body = {
      Name: 'answers.details.Fields.Name',
      Phone: 'answers.details.Fields.Phone',
      Fields: 'answers.details.Fields',
    };
    const done = [{ ...callback.done[0], values: { number: 'answers.details.Fields.Name' } }];
    const word = { command: 'password.check', body: { Password: 'answers.details.Fields.Topic' } };
    const shown = { ...check, quote: { word }, when: { path: 'answers.details.Urgent', is: true } };
    return JSON.stringify({ ...callback, steps: [named, shown], place: { ...callback.place, body }, done });
  });
  const { nodes } = (await step({})).body.Result;
  const names = nodes.map(({ propertyName }: Json) => propertyName);
  assert.deepEqual(names, ['Urgent', 'Name', 'Phone', 'Topic', 'BestTime'], 'they come after those of the step');
  proxy.intercept(({ method, url }, response) => {
    if (method !== 'POST' || !/dynamicForm/.test(url)) return false;
    const Errors = { 'Fields.Topic': ['Not today'], Phone: ['No such line'] };
    response.writeHead(422, { 'content-type': 'application/json' }).end(JSON.stringify({ Succeed: false, Errors }));
    return true;
  });
  t.after(() => proxy.intercept(undefined));
  const before = sent(/dynamicForm/).length;
  const refused = await step({ ...typed, $step: 'details' });
  assert.deepEqual(refused.body.Errors, { Topic: ['Not today'], Phone: ['No such line'] }, refused.text);
  const [form] = sent(/dynamicForm/).slice(before);
  assert.deepEqual(JSON.parse(form?.body ?? ''), { Name: typed.Name, Phone: typed.Phone, Fields: typed });
});

test('without a draft too a price is placed only once it was shown, for exactly what was answered', async t => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const Name = `Price ${randomUUID().slice(0, 8)}`;
  const more = { Domain: 'price.test', ContactName: 'P', ContactEmail: 'p@price.test' };
  const customer = (await sandbox.call(token, 'POST', '/api/customers', { Name, ...more })).body.Result.organisationId;
  let original = '';
  await schemas.editLive(portal, 'voice/voice.json', text => {
    original = text;
    const { draft: _, ...journey } = JSON.parse(text);
    const steps = journey.steps.filter(({ resume }: Json) => !resume);
    // What the last step asks is typed after the price was shown.
    const summary = steps.at(-1);
    summary.children.push(steps.find(({ id }: Json) => id === 'delivery').children.pop());
    const quoted = summary.quote.quote.body;
    const address = quoted.HardwareAddress;
    const placed = { ...address.use, Telephone: 'answers.summary.Telephone' };
    const body = { ...quoted, HardwareAddress: { ...address, use: placed } };
    address.use = { ...address.use, Telephone: { value: warehouse.Telephone } };
    return JSON.stringify({ ...journey, steps, place: { ...journey.place, body } });
  });
  t.after(() => schemas.editLive(portal, 'voice/voice.json', () => original));
  const order = (Quantity_mitel_6905: number) =>
    step(
      {
        SelectedProduct: 'hosted-voice-hardware',
        DeliveryOption: 'standard',
        ...{ ...warehouse, Quantity_mitel_6905, $step: 'summary' },
      },
      'voice-order',
      'voice',
      { customer },
    );
  const ordered = async () =>
    (await sandbox.call(token, 'GET', `/api/voice/organisations/${customer}/orders`)).body.Result.Total;
  const shown = await order(2);
  assert.equal(shown.body.Result?.step, 'summary', shown.text);
  const other = await order(3);
  assert.equal(other.body.Result?.step, 'summary', other.text);
  assert.equal(await ordered(), 0);
  const placed = await order(2);
  assert.ok(placed.body.effects, placed.text);
  assert.equal(await ordered(), 1);
});
