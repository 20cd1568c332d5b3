import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePng, signatureImage } from '../fixtures/png.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
let customerId: string;
setUp(async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const { body, text } = await reseller.press('add-customer', 'add-customer', 'call:customers.create', {
    body: { Name: 'Hillside', Domain: 'hillside.test', ContactName: 'Ada Hill', ContactEmail: 'ada@hillside.test' },
  });
  assert.ok(body.Succeed, text);
  customerId = (body.Result as { organisationId: string }).organisationId;
});

const sign = (client: Client, agreementId: string, body: object, resume = '') =>
  client.press('terms-conditions', 'sign-service-agreement', 'command:agreement.sign-service', {
    with: { agreementId, ...(resume && { resume }) },
    body: { Signatory: 'Mara Brook', Agreed: true, ...body },
  });
const add = (client: Client, given: object) =>
  client.press('select-service', 'product', 'command:product.add', { with: { customerId, ...given } });
const isSigned = async (client: Client, agreementId: string) =>
  (await client.get(`/ui/screen?path=/account-setting/terms-conditions/${agreementId}/false/false`)).body.data.agreement
    .Result.Signed;

/** What a popup is opened with, as plain values. */
function opened(effects: readonly object[] | undefined, popup: string): Record<string, unknown> {
  const effect = effects?.find(found => 'popup' in found && found.popup === popup) as { with: object } | undefined;
  assert.ok(effect, `${popup} in ${JSON.stringify(effects)}`);
  return Object.fromEntries(
    Object.entries(effect.with).map(([name, given]) => [name, given?.value === undefined ? given : given.value]),
  );
}

test('an agreement is not signed without a signature: none, an empty pad or a dot', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const missing = 'Draw or type your signature. This agreement is not signed yet.';
  const none = 'There is no signature in this picture';
  for (const [body, said] of [
    [{}, missing],
    [{ Image: '' }, missing],
    [{ Image: makePng(600, 160) }, none],
    [{ Image: makePng(600, 160, { inked: 16 }) }, none],
    [{ Image: 'Mara Brook' }, 'Must be a PNG picture of at most 100 kB'],
  ] as const) {
    const { body: reply } = await sign(reseller, '4', body);
    assert.deepEqual([reply.Succeed, reply.Errors], [false, { Image: [said] }], JSON.stringify(body).slice(0, 60));
  }
  assert.equal(await isSigned(reseller, '4'), false);
  assert.equal((await sign(reseller, '4', { Image: signatureImage })).status, 200);
  assert.equal(await isSigned(reseller, '4'), true);
});

test('the popup names product and customer, the agreement, and which of how many it is', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const first = opened((await add(reseller, { serviceId: 8, subId: 1 })).body.effects, 'sign-agreement');
  const { agreement, signed, place, count, product, customer } = first;
  assert.deepEqual(
    { agreement, signed, place, count, product, customer },
    {
      agreement: 'Office suite agreement',
      signed: null,
      place: 1,
      count: 2,
      product: 'Office Suite Business',
      customer: 'Hillside',
    },
  );
  const reply = await sign(reseller, '2', { Image: signatureImage }, String(first.resume));
  const second = opened(reply.body.effects, 'sign-agreement');
  assert.deepEqual(
    [second.signed, second.agreement, second.place, second.count, second.customer],
    ['Office suite agreement', 'Customer terms of the office suite', 2, 2, 'Hillside'],
  );
  assert.ok(
    JSON.stringify(reply.body.effects).includes('{"do":"refresh-operations","operations":["agreements.get"]}'),
    'the page that was signed on says so',
  );
});

test('who may not sign is told which agreement the product and the customer wait for', async () => {
  const seller = await portal.signIn('seller@millbrook.test');
  const own = opened((await add(seller, { serviceId: 6, subId: 6 })).body.effects, 'sign-agreement');
  assert.deepEqual(
    [own.mayAgree, own.agreement, own.product, own.customer, own.count],
    [false, 'Cloud plan agreement', 'Cloud Platform Plan', 'Hillside', 1],
  );
  const linked = opened((await add(seller, { serviceId: 8, subId: 1 })).body.effects, 'no-permission-to-agree');
  assert.deepEqual([linked.agreement, linked.product], ['Customer terms of the office suite', 'Office Suite Business']);
});
