import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const schemas = withEditedSchemas();
const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');

type Body = Readonly<Record<string, unknown>>;
// biome-ignore lint/suspicious/noExplicitAny: a document that is being edited
type Json = any;

const given = { customer: '10003', route: 'share-point' };
const details = { Quantity: 3, TermId: 'monthly', BillingId: 'monthly', Domain: 'contoso.test' };
const step = (body: Body, journey = 'order-add', screen = 'add-service', parameters: Body = given) =>
  reseller.press(screen, 'order', `command:${journey}.step`, { with: parameters, body });
const sentTo = (path: RegExp) =>
  proxy.exchanges.filter(({ method, url }) => method === 'POST' && path.test(url)).map(({ body }) => JSON.parse(body));

/** Saves an edit of a document while the portal runs, and puts the document back when the test ends. */
async function edit(
  t: { after(done: () => Promise<void>): void },
  file: string,
  change: (document: Json) => void,
): Promise<void> {
  let original = '';
  await schemas.editLive(portal, file, text => {
    original = text;
    const document = JSON.parse(text);
    change(document);
    return JSON.stringify(document);
  });
  t.after(() => schemas.editLive(portal, file, () => original));
}

test('an operator adds a step to the order in the running portal: it is asked, judged, and its value is ordered', async t => {
  const part = JSON.parse(await readFile(join(schemas.folder, 'selling/order-fields.json'), 'utf8'));
  const [quantity, ...others] = part.children;
  await edit(t, 'selling/order-add.json', journey => {
    const [first, ...later] = journey.steps;
    const check = later.at(-1);
    first.children = others;
    // What is estimated beside the step needs the quantity.
    for (const name of ['estimate', 'aside', 'bar']) delete first[name];
    const amount = { id: 'amount', title: 'selling.quantity', submit: 'selling.continue', children: [quantity] };
    journey.steps = [first, amount, ...later];
    check.quote.quote.body.Quantity = 'answers.amount.Quantity';
  });
  const { Quantity, ...rest } = details;
  const asked = await step({ ...rest, $step: 'details' });
  assert.equal(asked.body.Result?.step, 'amount', asked.text);
  assert.deepEqual(
    asked.body.Result.nodes.map(({ propertyName, max }: Json) => [propertyName, max]),
    [['Quantity', 1000]],
  );
  const skipped = await step({ ...rest, $step: 'check' });
  assert.deepEqual([skipped.status, Object.keys(skipped.body.Errors ?? {})], [422, ['Quantity']]);
  const wrong = await step({ ...rest, Quantity: 1001, $step: 'amount' });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.Errors ?? {})], [422, ['Quantity']]);
  const checked = await step({ ...rest, Quantity, $step: 'amount' });
  assert.equal(checked.body.Result?.step, 'check', checked.text);
  const placed = await step({ ...rest, Quantity, $step: 'check' });
  assert.match(placed.body.effects?.[0]?.text ?? placed.text, /^Order ORD-\d+ was placed$/);
  assert.deepEqual(sentTo(/\/orders$/).at(-1), {
    ...{ CustomerId: '10003', ServiceId: 2, SubId: 1, Action: 'Add' },
    ...{ Quantity: 3, TermId: 'monthly', BillingId: 'monthly', Fields: { Domain: 'contoso.test' } },
  });
});

test('an edit of the part that the orders share is an edit of all of them', async t => {
  await edit(t, 'selling/order-fields.json', part => {
    const [quantity] = part.children;
    quantity.toolTip = 'selling.continue';
  });
  const fields: Json[] = (await step({})).body.Result.nodes;
  assert.equal(fields.find(({ propertyName }) => propertyName === 'Quantity')?.toolTip, 'Continue');
  const order = (body: Body) => step(body, 'order-add', 'add-service', { ...given, customer: '10004' });
  await order({ ...details, $step: 'details' });
  const placed = await order({ ...details, $step: 'check' });
  const instance = placed.body.effects?.[1]?.to.split('/').at(-1) ?? assert.fail(placed.text);
  const parameters = { customer: '10004', instance };
  const changed = await step({}, 'order-change', 'modify-service', parameters);
  const nodes: Json[] = changed.body.Result?.nodes ?? assert.fail(changed.text);
  const other = nodes.find(({ propertyName }) => propertyName === 'Quantity');
  assert.deepEqual([other.propertyName, other.toolTip], ['Quantity', 'Continue']);
});

test('an order is recorded with its customer and action, whether or not the cloud takes it', async t => {
  proxy.intercept(({ method, url }, response) => {
    if (method !== 'POST' || url !== '/api/orders') return false;
    response.writeHead(409, { 'content-type': 'application/json' }).end('{"Succeed":false,"Error":"Not now"}');
    return true;
  });
  t.after(() => proxy.intercept(undefined));
  const order = (body: Body) => step(body, 'order-add', 'add-service', { ...given, customer: '10005' });
  await order({ ...details, $step: 'details' });
  const refused = await order({ ...details, $step: 'check' });
  assert.equal(refused.body.Error, 'Not now', refused.text);
  const records = () =>
    portal.store.run(db =>
      db.selectFrom('audit').select(['outcome', 'detail']).where('action', '=', 'order.placed').orderBy('id').execute(),
    );
  const detailOf = async () => {
    const last = (await records()).at(-1) ?? assert.fail('nothing is recorded');
    const { customer, action, number } = (
      typeof last.detail === 'string' ? JSON.parse(last.detail) : last.detail
    ) as Json;
    return [customer, action, typeof number];
  };
  assert.deepEqual(await detailOf(), ['10005', 'Add', 'undefined']);
  proxy.intercept(undefined);
  const placed = await order({ ...details, $step: 'check' });
  assert.match(placed.text, /Order ORD-\d+ was placed/);
  assert.deepEqual(await detailOf(), ['10005', 'Add', 'string']);
});
