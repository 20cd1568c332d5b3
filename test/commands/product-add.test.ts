import assert from 'node:assert/strict';
import { test } from 'node:test';
import { productCodes } from '../../shared/catalogue/codes.ts';
import { signatureImage } from '../fixtures/png.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { signTogether } from '../fixtures/signing.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);

type Row = Readonly<Record<string, unknown>>;
const products = async (who: Client, query = ''): Promise<Row[]> =>
  (await who.get(`/ui/data/addProduct.products${query}`)).body.Result.Items;
const add = (who: Client, given: Readonly<Record<string, unknown>>) =>
  who.press('select-service', 'product', 'command:product.add', { with: given });
const suite = { serviceId: 8, subId: 1 };
const exchange = { serviceId: 1, subId: 1 };

/** Millbrook starts without customers. */
async function newCustomer(reseller: Client, Name: string): Promise<string> {
  const { body, text } = await reseller.press('add-customer', 'add-customer', 'call:customers.create', {
    body: { Name, Domain: `${Name.toLowerCase()}.test`, ContactName: 'Ada Hill', ContactEmail: 'ada@hill.test' },
  });
  assert.ok(body.Succeed, text);
  return (body.Result as { organisationId: string }).organisationId;
}

test('the products of a customer say which can be chosen; hidden ones and those whose flag is off are not in the bytes', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const { text } = await reseller.get('/ui/data/addProduct.products?customerId=10001');
  assert.doesNotMatch(text, /Partner Rewards/);
  const rows = await products(reseller, '?customerId=10001');
  assert.ok(rows.length > 20);
  const others = rows.filter(({ Added }) => Added === false);
  assertEvery(others, ({ Disabled }) => Disabled === false);
  assert.ok(rows.some(({ Disabled }) => Disabled === true));
  const users = await products(reseller, '?customerId=10001&userId=20003');
  assertEvery(users, ({ Id }) => ![6, 12, 14, 16, 17, 22, 26, 27, 114].includes(Number(Id)));
});

test('the customers of a product are searched, and greyed out by its rules', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const { body } = await reseller.get('/ui/data/addProduct.customers?serviceId=1&subId=1');
  assert.equal(body.Result.AllowedToAdd, true);
  const rows: Row[] = body.Result.Customers;
  assert.ok(rows.some(({ Added, Disabled }) => Added && Disabled) && rows.some(({ Disabled }) => !Disabled));
  const found = await reseller.get('/ui/data/addProduct.customers?serviceId=1&subId=1&search=zzzz');
  assert.deepEqual(found.body.Result.Customers, []);
});

test('a signed product leads to the screen that takes its order', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const { body } = await add(reseller, { customerId: '10002', ...exchange });
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/customers/customer/10002/add-service/hosted-exchange' }]);
  const { body: own } = await add(reseller, { customerId: '10002', userId: 'a+b', ...exchange });
  assert.deepEqual(own.effects, [
    { do: 'navigate', to: '/customers/customer/10002+a%2Bb/add-service/hosted-exchange' },
  ]);
});

test('an unsigned one asks who may sign to do so; signing all that is outstanding goes on to the order', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const customerId = await newCustomer(reseller, 'Hillside');
  const first = await add(reseller, { customerId, ...suite });
  assert.deepEqual(first.body.effects?.[0], { do: 'close-popup' }, 'it takes the place of the list of products');
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  const popup: any = first.body.effects?.[1];
  assert.equal(popup.popup, 'sign-agreement');
  assert.deepEqual([popup.with.mayAgree, popup.with.count], [true, 2], 'the agreement and the one linked to it');
  const signed = await signTogether(reseller, { resume: popup.with.resume.value });
  assert.equal(signed.status, 200, signed.text);
  const next = await add(reseller, { customerId, ...suite });
  assert.deepEqual(next.body.effects, [
    { do: 'navigate', to: `/customers/customer/${customerId}/cs/add-service/office-suite` },
  ]);
});

test('whoever comes to an order by its address is asked the same first, and nothing goes on without it', async () => {
  const reseller = await portal.signIn('unsigned@millbrook.test');
  const customer = await newCustomer(reseller, 'Ridge');
  const layout = await reseller.hashOf('add-service');
  const step = (body: object) =>
    reseller.post('/ui/command/order-add.step', { node: 'order', layout, with: { customer, route: 'azure' }, body });
  const opened = await step({});
  assert.equal(opened.body.Result?.step, 'details', opened.text);
  const [{ popup, with: given }] = opened.body.effects;
  assert.deepEqual([popup, given.mayAgree, given.resume.value], ['terms', true, `${customer}/6-1/add/`]);
  const details = { Quantity: 1, TermId: 'monthly', BillingId: 'monthly', Domain: 'ridge.test', Region: 'UK South' };
  const filled = await step({ ...details, $step: 'details' });
  assert.deepEqual(filled.body.Result, { step: 'details', values: {}, waits: true });
  assert.equal(filled.body.effects[0].popup, 'terms');
});

test('a mail signature goes through the customer’s services, where the popup that starts it opens', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const { body: found } = await reseller.get('/ui/data/addProduct.customers?serviceId=17&subId=1');
  const { Id: customerId } = found.Result.Customers.find(({ Disabled }: Row) => Disabled === false);
  const { body } = await add(reseller, { customerId, serviceId: 17, subId: 1 });
  assert.deepEqual(body.effects, [
    { do: 'navigate', to: `/customers/customer/${customerId}/view/services` },
    {
      do: 'open-popup',
      popup: 'start-adding',
      with: { customerId: { value: customerId }, serviceId: 17, subId: 1, name: { value: 'Mail Signatures' } },
    },
  ]);
});

test('who may not sign hears it, and cannot sign by hand either', async () => {
  const seller = await portal.signIn('seller@millbrook.test');
  const customerId = await newCustomer(await portal.signIn('unsigned@millbrook.test'), 'Valley');
  const { body } = await add(seller, { customerId, serviceId: 6, subId: 1 });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  const popup: any = body.effects?.[1];
  assert.equal(popup.popup, 'sign-agreement');
  const { mayAgree, resume } = popup.with;
  assert.deepEqual([mayAgree, resume.value], [false, '']);
  const { status } = await seller.post('/ui/command/agreement-signing.step', {
    node: 'sign',
    layout: 'x',
    with: { agreements: '4' },
    body: { Accepted_4_1: true, Signatory: 'Seth', Image: signatureImage, $step: 'sign' },
  });
  assert.equal(status, 403);
});

test('the page of a product is a door for those who may add it, and for nobody else', async () => {
  for (const [username, opens] of [
    ['reseller@northwind.test', 'list-customer'],
    ['buyer@zephyrcycles.test', 'product.add'],
  ] as const) {
    const who = await portal.signIn(username);
    const { text } = await who.get('/ui/screen?path=/marketplace/8/1');
    assert.ok(text.includes('"product-add"') && text.includes(opens), username);
  }
  const administrator = await portal.signIn('admin@contoso.test');
  const { text } = await administrator.get('/ui/screen?path=/marketplace/8/1');
  assert.doesNotMatch(text, /-add"|product\.add/);
});

test('a customer whose office suite has a partner is left alone', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const rows = (await reseller.get('/ui/data/addProduct.customers?serviceId=8&subId=2&search=Thistledown')).body.Result
    .Customers;
  const { body } = await add(reseller, { customerId: rows[0].Id, serviceId: 8, subId: 2 });
  assert.deepEqual(body.effects, [
    { do: 'close-popup' },
    { do: 'open-popup', popup: 'office-suite-partner', with: { partner: 2 } },
  ]);
});

test('an engineer without addProducts sees no door and is refused behind every one', async () => {
  const engineer = await portal.signIn('engineer@northwind.test');
  const boot = await engineer.get('/ui/boot');
  assert.doesNotMatch(
    boot.text,
    /add-product|product\.add|select-service|list-customer|select-bulk|"to":"\/marketplace/,
  );
  for (const path of [
    '/ui/data/addProduct.products',
    '/ui/data/addProduct.products?customerId=10001',
    '/ui/data/addProduct.customers?serviceId=1&subId=1',
    '/ui/data/marketplace.services',
    '/ui/data/marketplace.service?serviceId=1&subId=1',
    '/ui/data/agreements.list',
  ])
    assert.equal((await engineer.get(path)).status, 403, path);
  for (const what of [
    'command/product.add',
    'command/order-add.step',
    'command/order-change.step',
    'command/order-upgrade.step',
    'command/order-fix.step',
    'command/agreement-signing.step',
    'call/instances.retry',
    'call/instances.delete',
  ])
    assert.equal((await engineer.post(`/ui/${what}`, { node: 'product', layout: 'x' })).status, 403, what);
});

test('an administrator of a customer chooses among their own products, whatever customer is named', async () => {
  const administrator = await portal.signIn('buyer@zephyrcycles.test');
  const own = (await administrator.get('/ui/boot')).body.principal.organisationId;
  assert.notEqual(own, '10002');
  const { status } = await administrator.get('/ui/data/addProduct.products?customerId=10002');
  assert.equal(status, 400);
  const free = (await products(administrator)).filter(({ Added }) => Added === false);
  const product = productCodes.find(
    code => code.journey === 'classic' && free.some(({ Id, SubId }) => Id === code.serviceId && SubId === code.subId),
  );
  assert.ok(product);
  const { body } = await add(administrator, {
    customerId: '10002',
    serviceId: product.serviceId,
    subId: product.subId,
  });
  assert.deepEqual(body.effects, [{ do: 'navigate', to: `/customers/customer/${own}/add-service/${product.route}` }]);
});

test('what is no product, no customer or no way is not found', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  for (const given of [{ customerId: '10002' }, { customerId: '10002', serviceId: 99, subId: 1 }, { ...exchange }])
    assert.equal((await add(reseller, given)).status, 404, JSON.stringify(given));
  assert.equal((await add(reseller, { customerId: '10002', ...exchange, mode: 'modify' })).status, 403);
});

test('an outstanding linked agreement that one may not sign ends in the dialog that says so', async () => {
  const owner = await portal.signIn('unsigned@millbrook.test');
  const customerId = await newCustomer(owner, 'Dale');
  await signTogether(owner, { agreements: '2,3' });
  await sandbox.db
    .deleteFrom('agreement_signatures')
    .where('agreement_id', '=', 3)
    .where('reseller_id', 'in', sandbox.db.selectFrom('customers').select('reseller_id').where('name', '=', 'Dale'))
    .execute();
  const seller = await portal.signIn('seller@millbrook.test');
  const { body } = await add(seller, { customerId, ...suite });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  const popup: any = body.effects?.find(({ do: what }: { do: string }) => what === 'open-popup');
  assert.equal(popup?.popup, 'no-permission-to-agree');
  assert.deepEqual(
    [popup.with.agreement.value, popup.with.product.value],
    ['Customer terms of the office suite', 'Office Suite Business'],
  );
  assert.ok(await seller.hashOf('no-permission-to-agree'));
});
