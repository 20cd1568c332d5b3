import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

// biome-ignore lint/suspicious/noExplicitAny: a document that is read as it comes
type Json = any;
const office = { customer: '10003', listing: 'office-suite' };
const step = (body: Json, who: Client = reseller, given: Json = office): Promise<Json> =>
  who.press('add-listing', 'order', 'command:order-add.step', { with: given, body });
const fieldOf = ({ nodes }: Json, name: string): Json => nodes.find(({ propertyName }: Json) => propertyName === name);

test('an order begins with what the record of its customer knows, and says so at the field', async () => {
  const { Result } = (await step({})).body;
  assert.equal(Result.values.Domain, 'brightwater-dental.test');
  assert.match(Result.values.AdminEmail, /@brightwater-dental\.test$/);
  for (const name of ['Domain', 'AdminEmail'])
    assert.equal(fieldOf(Result, name).toolTip, 'Filled in from the customer’s record.');
});

test('the terms stand side by side with their prices, what they save and their last day', async () => {
  const { Result } = (await step({})).body;
  const { look, options } = fieldOf(Result, 'TermId');
  assert.equal(look, 'cards');
  assert.deepEqual(
    options.map(({ text, amount }: Json) => [text, amount]),
    [
      ['Monthly', '£9.40'],
      ['1 year', '£8.46'],
      ['3 years', '£7.52'],
    ],
  );
  assert.equal(options[0].hint, 'per licence, per month\nStop at the end of any month');
  assert.match(options[1].hint, /^per licence, per month\n10% less\nEnds \d\d\/\d\d\/\d{4}$/);
});

test('what an order costs is asked as it is typed, whatever is still missing, and nothing is gone through', async () => {
  const opened = (await step({})).body.Result;
  assert.equal(opened.data.quote.Result.MonthlyPrice, '9.4');
  const typed = { Quantity: 12, TermId: 'annual', BillingId: 'monthly', Domain: 'no domain' };
  const { body, text } = await step({ ...typed, $step: 'details', $estimate: true });
  assert.equal(body.Result?.step, 'details', text);
  const { UnitPrice, MonthlyPrice, Commitment, Quantity } = body.Result.data.quote.Result;
  assert.deepEqual([UnitPrice, MonthlyPrice, Commitment, Quantity], ['8.46', '101.52', '1218.24', 12]);
  const wrong = await step({ ...typed, Quantity: 5000, $step: 'details', $estimate: true });
  assert.deepEqual([wrong.status, wrong.body.Result?.data], [200, undefined], wrong.text);
});

test('paying the whole term at once is refused at its field without a term', async () => {
  const typed = { Quantity: 1, TermId: 'monthly', BillingId: 'upfront', Domain: 'a.test', AdminEmail: 'a@a.test' };
  const { status, body } = await step({ ...typed, $step: 'details' });
  assert.deepEqual([status, body.Errors?.BillingId], [422, ['Only with a term of more than a month']]);
});

test('those who see no prices have no panel, no price at a term, and no estimate that says one', async () => {
  const buyer = await portal.signIn('buyer@zephyrcycles.test');
  const customer = (await buyer.get('/ui/boot')).body.principal.organisationId;
  const given = { ...office, customer };
  const screen = `/ui/screen?path=/customers/customer/${customer}/cs/add-service/office-suite`;
  const layout = JSON.stringify(await buyer.get(screen));
  assert.match(layout, /order-add\.step/);
  assert.doesNotMatch(layout, /order-quote|UnitPrice|MonthlyPrice|Commitment/);
  const opened = await step({}, buyer, given);
  assert.equal(opened.body.Result?.step, 'details', opened.text);
  const options: Json[] = fieldOf(opened.body.Result, 'TermId').options ?? assert.fail(opened.text);
  assert.deepEqual(
    options.map(({ text, hint }) => [text, hint.replace(/\d\d\/\d\d\/\d{4}/, 'a day')]),
    [
      ['Monthly', 'Stop at the end of any month'],
      ['1 year', 'Ends a day'],
      ['3 years', 'Ends a day'],
    ],
  );
  const typed = { Quantity: 12, TermId: 'annual', BillingId: 'monthly', $step: 'details', $estimate: true };
  const estimated = await step(typed, buyer, given);
  for (const { text } of [opened, estimated]) assert.doesNotMatch(text, /£|UnitPrice|MonthlyPrice|Commitment|% less/);
});

test('a service that the cloud began with can be changed: its form is filled in as far as anything is known', async () => {
  const change = (body: Json): Promise<Json> =>
    reseller.press('modify-service', 'order', 'command:order-change.step', {
      with: { customer: '10001', service: '1', instance: '30001' },
      body,
    });
  const { Result } = (await change({})).body;
  const { Quantity, TermId, BillingId, Domain } = Result.values;
  assert.equal(Domain, 'contoso.test');
  assert.equal(Result.data.order.Result.Held.Quantity, Quantity);
  const typed = { Quantity: Quantity + 1, TermId, BillingId, Domain };
  const estimated = (await change({ ...typed, $step: 'details', $estimate: true })).body.Result.data.quote.Result;
  assert.equal(estimated.Before.Quantity, Quantity);
  assert.ok(Number(estimated.MonthlyPrice) > Number(estimated.Before.MonthlyPrice));
  const checked = await change({ ...typed, $step: 'details' });
  assert.equal(checked.body.Result?.step, 'check', checked.text);
});
