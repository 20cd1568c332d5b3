import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

const screen = (path: string, who = reseller) => who.get(`/ui/screen?path=${encodeURIComponent(path)}`);
const address = async (path: string, who = reseller) => {
  const { status, body, text } = await screen(path, who);
  assert.equal(status, 200, `${path}: ${text.slice(0, 300)}`);
  return body.data.order.Result;
};
type Row = Readonly<Record<string, unknown>>;
const services = async (customer: string): Promise<Row[]> =>
  (await reseller.get(`/ui/data/customers.services?customerId=${customer}&pageSize=100`)).body.Result.Items;
const isNotFound = async (path: string, who = reseller) => (await screen(path, who)).body.redirect === '/not-found';
const customers = '/customers/customer';

test('every order’s screen brings the customer, the user, the product and the service by name', async () => {
  const [user] = (await reseller.get('/ui/data/users.list?customerId=10001')).body.Result.Items;
  const added = await address(`${customers}/10003/add-service/share-point`);
  assert.deepEqual([added.For, added.Product.Name, added.Refusal], [added.Customer.Name, 'Team Sites', null]);
  const own = await address(`${customers}/10001+${user.UserId}/cs/add-service/office-suite`);
  assert.equal(own.User.Name, user.DisplayName);
  assert.equal(own.For, `${user.DisplayName}, Contoso`);
  const [held] = (await services('10001')).filter(({ Name }) => Name === 'Hosted Exchange');
  const changed = await address(`${customers}/10001/cs/modify-service/1/${held?.Id}`);
  assert.deepEqual([changed.Customer.Name, changed.Service, changed.InstanceId], ['Contoso', held?.Name, held?.Id]);
});

test('an order that cannot be placed says why before a field of it is drawn, and which service is in the way', async () => {
  const [held] = (await services('10001')).filter(({ Name }) => Name === 'Hosted Exchange');
  assert.ok(held);
  const twice = await address(`${customers}/10001/add-service/hosted-exchange`);
  assert.deepEqual([twice.Refusal, twice.InstanceId], ['Hosted Exchange has already been added.', held.Id]);
  const suspended = await address(`${customers}/10008/add-service/share-point`);
  assert.equal(suspended.Refusal, 'This customer is suspended.');
  assert.equal((await address(`${customers}/10008/add-service/hosted-voice`)).Refusal, 'This customer is suspended.');
  const mended = await address(`${customers}/10001/services/${held.Id}/mend`);
  assert.equal(mended.Refusal, 'Only what has failed can be tried again.');
});

test('what is another customer’s, another product’s or nobody’s is not found at the address of an order or a service', async () => {
  const [held] = (await services('10001')).filter(
    ({ Status, Name }) => Status === 'Active' && Name === 'Hosted Exchange',
  );
  assert.ok(held);
  const [{ UserId: user }] = (await reseller.get('/ui/data/users.list?customerId=10001')).body.Result.Items;
  const wrong = [
    `${customers}/99999/add-service/hosted-exchange`,
    `${customers}/99999/add-service/hosted-voice`,
    `${customers}/10003/add-service/nothing`,
    `${customers}/10002/services/${held.Id}`,
    `${customers}/10002/services/${held.Id}/mend`,
    `${customers}/10002/cs/modify-service/1/${held.Id}`,
    `${customers}/10001/cs/modify-service/12/${held.Id}`,
    `${customers}/10001/upgrade-service/share-point/${held.Id}`,
    `${customers}/10001/cs/upgrade-service/office-suite/${held.Id}`,
    `${customers}/10001/add-services/12/Upgrade/${held.Id}`,
    `${customers}/10001/upgrade-service/hosted-exchange/1`,
    `${customers}/10002+${user}/add-service/share-point`,
    `/customers/user-details?organisation=10002&user=${user}`,
    '/services/999/1',
  ];
  for (const path of wrong) assert.ok(await isNotFound(path), path);
  assert.equal(await isNotFound(`${customers}/10001/services/${held.Id}`), false);
  assert.equal(await isNotFound(`${customers}/10001/add-services/1/Upgrade/${held.Id}`), false);
});

test('an administrator of a customer orders at the address of their own customer alone', async () => {
  const buyer = await portal.signIn('buyer@zephyrcycles.test');
  const own = (await buyer.get('/ui/boot')).body.principal.organisationId;
  assert.equal((await address(`${customers}/${own}/add-service/share-point`, buyer)).Customer.Id, own);
  assert.ok(await isNotFound(`${customers}/10001/add-service/share-point`, buyer));
});

test('a call that names a service at another customer’s address is refused, and leaves the service as it is', async () => {
  const [held] = (await services('10001')).filter(({ Status }) => Status === 'Active');
  assert.ok(held);
  const wrong = { customerId: '10002', instanceId: String(held.Id) };
  const { status } = await reseller.press('delete-service', 'delete-service', 'call:instances.delete', {
    with: wrong,
    body: { Confirmation: String(held.Name) },
  });
  assert.equal(status, 404);
  assert.equal((await reseller.get(`/ui/data/instances.get?${new URLSearchParams(wrong)}`)).status, 404);
  assert.equal((await services('10001')).find(({ Id }) => Id === held.Id)?.Status, 'Active');
});

test('the check before an order names the customer, the user and the product', async () => {
  const layout = await reseller.hashOf('add-service');
  const [user] = (await reseller.get('/ui/data/users.list?customerId=10003')).body.Result.Items;
  const values = { Quantity: 1, TermId: 'monthly', BillingId: 'monthly', Domain: 'contoso.test' };
  const { body, text } = await reseller.post('/ui/command/order-add.step', {
    ...{ node: 'order', layout },
    with: { customer: `10003+${user.UserId}`, route: 'share-point' },
    body: { ...values, $step: 'details' },
  });
  assert.equal(body.Result?.step, 'check', text);
  const { Customer, User, Product } = body.Result.data.order.Result;
  assert.deepEqual([User.Name, Product.Name], [user.DisplayName, 'Team Sites']);
  assert.ok(Customer.Name.length > 0);
  const labels = body.Result.nodes.flatMap(({ items = [] }) => items.map(({ label }: Row) => label));
  assert.deepEqual(
    labels.filter((label: string) => ['For', 'User', 'Product'].includes(label)),
    ['For', 'User', 'Product'],
  );
});

/** The service route names of document 1, section 2.4. */
const routeNames =
  `hosted-exchange email-security share-point acronis-backup hosted-voice hosted-voice-hardware bitdefender
  cloudtalk dropsuite vade azure-ri azure-asp azure-ss secure-message one-time-purchase office-365 power-bi dynamics-365
  intune ems azure office-365-secure appinteract`.split(/\s+/);

test('a draft of hosted voice is for the customer that the address means, however it names it', async () => {
  const { guid } = await sandbox.db
    .selectFrom('customers')
    .select('id as guid')
    .where('organisation_id', '=', 10040)
    .executeTakeFirstOrThrow();
  for (const spelling of ['10040', guid, guid.toUpperCase()]) {
    const { body } = await screen(`${customers}/${spelling}/add-service/hosted-voice`);
    const given = JSON.stringify(body.layout).match(/"with":\{"customer":"(data\.[\w.]+)"/)?.[1];
    assert.equal(given, 'data.order.Result.Customer.Id');
    assert.equal(body.data.order.Result.Customer.Id, '10040', spelling);
  }
});

test('every service route name opens the order of its product, by adding and by upgrading', async () => {
  const voice = `${customers}/10040/add-service/hosted-voice`;
  const lost: string[] = [];
  const names = new Set<string>();
  for (const name of routeNames) {
    const { body } = await screen(`${customers}/10040/add-service/${name}`);
    if (name === 'hosted-voice-hardware') assert.equal(body.redirect, voice);
    else if (name === 'hosted-voice') assert.equal(body.layout.id, 'voice-order');
    else names.add(body.data?.order?.Result.Product?.Name);
    const { managed } = (await screen(`${customers}/10040/upgrade-service/${name}`)).body.data ?? {};
    if (managed?.Succeed !== true) lost.push(name);
  }
  assert.equal(names.size, routeNames.length - 2);
  assert.deepEqual(lost, []);
});
