import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePng, signatureImage } from '../fixtures/png.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { readTicks, signingStep, signTogether } from '../fixtures/signing.ts';

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

const add = (client: Client, given: object) =>
  client.press('select-service', 'product', 'command:product.add', { with: { customerId, ...given } });
const read = async (client: Client, path: string) => (await client.get(`/ui/data/${path}`)).body.Result;
const isSigned = async (client: Client, agreementId: string) =>
  (await client.get(`/ui/screen?path=/account-setting/terms-conditions/${agreementId}/false/false`)).body.data.agreement
    .Result.Signed;
const suite = () => `${customerId}/8-1/add/`;

/** What a popup is opened with, as plain values. */
function opened(effects: readonly object[] | undefined, popup: string): Record<string, unknown> {
  const effect = effects?.find(found => 'popup' in found && found.popup === popup) as { with: object } | undefined;
  assert.ok(effect, `${popup} in ${JSON.stringify(effects)}`);
  return Object.fromEntries(
    Object.entries(effect.with).map(([name, given]) => [name, given?.value === undefined ? given : given.value]),
  );
}

test('agreements are not signed without a signature: none, an empty pad or a dot', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const missing = 'Draw or type your signature. Nothing is signed yet.';
  const none = 'There is no signature in this picture';
  for (const [Image, said] of [
    [undefined, missing],
    ['', missing],
    [makePng(600, 160), none],
    [makePng(600, 160, { inked: 16 }), none],
    ['Mara Brook', 'Must be a PNG picture of at most 100 kB'],
  ] as const) {
    const { body: reply } = await signTogether(reseller, { agreements: '4' }, { Image });
    assert.deepEqual([reply.Succeed, reply.Errors], [false, { Image: [said] }], String(Image).slice(0, 60));
  }
  assert.equal(await isSigned(reseller, '4'), false);
  const { body } = await signTogether(reseller, { agreements: '4' });
  assert.deepEqual(
    body.effects.map(({ to }: { to: string }) => to),
    ['/account-setting/service-agreements/signed?resume=none&agreements=4&orderIsOpen=none'],
  );
  assert.equal(await isSigned(reseller, '4'), true);
});

test('an agreement that is not ticked is refused, and then none is signed', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const ticks = await readTicks(reseller, { resume: suite() });
  assert.equal(ticks.length, 2);
  const { body } = await signTogether(reseller, { resume: suite() }, { [ticks[1] as string]: false });
  assert.deepEqual(body.Errors, { [ticks[1] as string]: ['Tick every agreement. Nothing is signed yet.'] });
  assert.deepEqual([await isSigned(reseller, '2'), await isSigned(reseller, '3')], [false, false]);
});

test('the popup names product, customer and every agreement, and how many there are to sign', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const { count, product, customer, agreements, resume } = opened(
    (await add(reseller, { serviceId: 8, subId: 1 })).body.effects,
    'sign-agreement',
  );
  assert.deepEqual([count, product, customer, resume], [2, 'Office Suite Business', 'Hillside', suite()]);
  assert.deepEqual(agreements, [
    { AgreementId: '2', Title: 'Office suite agreement', Signed: false },
    { AgreementId: '3', Title: 'Customer terms of the office suite', Signed: false },
  ]);
});

test('the picker says which products wait for an agreement', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const { Items } = await read(reseller, `addProduct.products?customerId=${customerId}`);
  const statusOf = (key: string) => Items.find(({ Key }: { Key: string }) => Key === key)?.Status;
  assert.deepEqual(
    [statusOf('8-1'), statusOf('6-6'), statusOf('1-1')],
    ['AgreementUnsigned', 'AgreementUnsigned', null],
  );
});

test('what is read names the product and the customer, with every agreement in its version and anchors of its own', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const { Product, Customer, Count, Items } = await read(reseller, `agreements.toSign?resume=${suite()}`);
  assert.deepEqual([Product, Customer, Count], ['Office Suite Business', 'Hillside', 2]);
  assert.deepEqual(
    Items.map(({ Title, Version }: { Title: string; Version: number }) => [Title, Version]),
    [
      ['Office suite agreement', 2],
      ['Customer terms of the office suite', 1],
    ],
  );
  type Section = { readonly AnchorValue: string };
  const anchors: string[] = Items.flatMap(({ Sections }: { Sections: Section[] }) =>
    Sections.map(({ AnchorValue }) => AnchorValue).filter(anchor => anchor !== ''),
  );
  assert.ok(anchors.length > 5);
  assert.equal(new Set(anchors).size, anchors.length);
  for (const wrong of ['resume=10001/8-1/add/', 'resume=x', 'resume=%25E0/8-1/add/', 'agreements=999'])
    assert.notEqual((await reseller.get(`/ui/data/agreements.toSign?${wrong}`)).status, 200, wrong);
});

test('a version that was published while the agreement was read is not signed, and no signature is kept', async t => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const [tick = ''] = await readTicks(reseller, { agreements: '5' });
  const newer = { agreement_id: 5, version: 7, published: new Date(), sections: '[]' };
  await sandbox.db.insertInto('agreement_versions').values(newer).execute();
  t.after(() => sandbox.db.deleteFrom('agreement_versions').where('version', '=', 7).execute());
  const images = () => sandbox.db.selectFrom('signature_images').select('id').execute();
  const before = await images();
  const body = { [tick]: true, Signatory: 'Mara Brook', Image: signatureImage, $step: 'sign' };
  assert.equal((await signingStep(reseller, { agreements: '5' }, body)).body.Succeed, false);
  assert.equal(await isSigned(reseller, '5'), false);
  assert.deepEqual(await images(), before);
});

test('one signature signs all that an order needs, and the order goes on', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const { body } = await signTogether(reseller, { resume: suite() });
  assert.deepEqual(
    body.effects.map(({ to, replace }: { to: string; replace: boolean }) => [to, replace]),
    [
      [
        `/account-setting/service-agreements/signed?resume=${encodeURIComponent(suite())}&agreements=2%2C3&orderIsOpen=none`,
        true,
      ],
    ],
  );
  const { Count, Signed } = await read(reseller, `agreements.toSign?resume=${suite()}`);
  assert.equal(Count, 0);
  assert.deepEqual(
    Signed.map(({ Title, SignedBy }: { Title: string; SignedBy: string }) => [Title, SignedBy]),
    [
      ['Office suite agreement', 'Mara Brook'],
      ['Customer terms of the office suite', 'Mara Brook'],
    ],
  );
  const on = await add(reseller, { serviceId: 8, subId: 1 });
  assert.deepEqual(on.body.effects, [
    { do: 'navigate', to: `/customers/customer/${customerId}/cs/add-service/office-suite` },
  ]);
});

test('the list of agreements counts those to sign and narrows to them', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const { Items, Counts } = await read(reseller, 'agreements.list?status=unsigned');
  assert.deepEqual(
    Items.map(({ Title }: { Title: string }) => Title),
    ['Cloud plan agreement'],
  );
  assert.deepEqual(Counts, { All: 11, Unsigned: 1, Signed: 10 });
});

test('who may not sign is told which agreement the product and the customer wait for, and reaches nothing of signing', async () => {
  const seller = await portal.signIn('seller@millbrook.test');
  const own = opened((await add(seller, { serviceId: 6, subId: 6 })).body.effects, 'sign-agreement');
  assert.deepEqual(
    [own.mayAgree, own.agreement, own.product, own.customer, own.count, own.resume],
    [false, 'Cloud plan agreement', 'Cloud Platform Plan', 'Hillside', 1, ''],
  );
  assert.equal((await seller.get('/ui/data/agreements.toSign')).status, 403);
  const { status } = await seller.post('/ui/command/agreement-signing.step', { node: 'sign', layout: 'x', body: {} });
  assert.equal(status, 403);
  assert.equal((await signingStep(await portal.signIn('unsigned@millbrook.test'), { agreements: '5' })).status, 200);
});
