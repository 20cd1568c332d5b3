import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offers } from '../../server/sandbox/marketplace/seed-offers.ts';
import { productCodes, serviceKinds } from '../../shared/catalogue/codes.ts';
import { readSource } from '../architecture/source-files.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'rival@southridge.test',
  'euro@westhaven.test',
  'buyer@zephyrcycles.test',
]);

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const call = (who: string, path: string) => sandbox.call(tokens[who]!, 'GET', path);
const get = async (who: string, path: string) => (await call(who, path)).body.Result;
const list = async (query = '', who = 'reseller'): Promise<Row[]> =>
  (await get(who, `/api/marketplace/services${query}`)).Items;
const namesOf = (rows: Row[]) => rows.map(({ Name }) => Name as string);
const setStatus = (product: number, status: 'Active' | 'Activating', customer: string) =>
  sandbox.db
    .updateTable('service_instances')
    .set({ status })
    .where('service_id', '=', product)
    .where('customer_id', '=', sandbox.db.selectFrom('customers').select('id').where('name', '=', customer))
    .execute();

test('every kind of service of the catalogue codes has a product, each with an offer and an icon of the sprite', () => {
  const sold = new Set(productCodes.map(({ serviceId }) => serviceId));
  assert.deepEqual(
    serviceKinds.filter(({ id }) => !sold.has(id)),
    [],
  );
  const icons = readSource('client/look/icons.svg');
  for (const { serviceId, subId, icon } of productCodes) {
    assert.ok(offers[`${serviceId}-${subId}`], `${serviceId}-${subId}`);
    assert.ok(icons.includes(`id="${icon}"`), icon);
  }
  assert.equal(new Set(productCodes.map(({ marketplaceServiceId }) => marketplaceServiceId)).size, productCodes.length);
  const listings = productCodes.flatMap(({ listingId }) => listingId ?? []);
  assert.equal(new Set(listings).size, listings.length);
  const routes = productCodes.flatMap(({ route }) => route ?? []);
  assert.equal(new Set(routes).size, routes.length);
});

test('each field of an offer has a pattern that can be met and words for what does not meet it', () => {
  for (const { offer } of Object.values(offers))
    for (const { Regex, InvalidMessage, Kind, Options } of offer.Fields) {
      assert.doesNotThrow(() => new RegExp(Regex, 'u'));
      assert.equal(Regex === '', InvalidMessage === '');
      assert.equal(Kind === 'select', Options.length > 0);
    }
});

test('hidden products and those whose flag is off never leave the cloud', async () => {
  const names = namesOf(await list());
  assert.ok(!names.includes('Partner Rewards') && !names.includes('Web Filter'));
  for (const path of ['11/1', '32/1', '99/1', 'x/y', '1/2'])
    assert.equal((await call('reseller', `/api/marketplace/services/${path}`)).status, 404, path);
  const mine = sandbox.db.selectFrom('accounts').select('id').where('username', '=', 'reseller@northwind.test');
  await sandbox.db
    .insertInto('feature_overrides')
    .values({ account_id: mine, feature_name: 'WebFilter', enabled: true })
    .execute();
  assert.ok(namesOf(await list()).includes('Web Filter'));
  assert.ok(!namesOf(await list('', 'rival')).includes('Web Filter'));
});

test('a euro reseller sees neither security nor backup, and prices in euros', async () => {
  const rows = await list('', 'euro');
  assert.deepEqual([...new Set(rows.map(({ Type }) => Type))].sort(), ['cloudInfrastructure', 'modernWorkplace']);
  const exchange = rows.find(({ Key }) => Key === '1-1')!;
  assert.deepEqual([exchange.Price, exchange.Currency], ['4.74', 'EUR']);
  assert.equal((await call('euro', '/api/marketplace/services/3/1')).status, 404);
});

test('the catalogue is filtered by type, searched, and sorted by name or relevance', async () => {
  const all = await list();
  for (const type of ['modernWorkplace', 'cloudInfrastructure', 'security', 'backupContinuity']) {
    const rows = await list(`?type=${type}`);
    assert.deepEqual(namesOf(rows), namesOf(all.filter(({ Type }) => Type === type)));
    assert.ok(rows.length > 0);
  }
  assert.deepEqual(namesOf(await list('?sort=-Name')), namesOf(all).reverse());
  const found = namesOf(await list('?search=BACKUP&sort=Relevance'));
  assert.equal(found[0], 'Cloud Backup');
  assert.ok(found.includes('Unlimited Backup') && found.includes('Office Suite Secure'));
  assert.equal(found.at(-1), 'Office Suite Secure');
  assert.deepEqual(await list('?search=%25'), []);
  assert.equal((await call('reseller', '/api/marketplace/services?type=other')).status, 400);
});

test('a product says what it asks for, its terms, billing and bounds', async () => {
  const suite = await get('reseller', '/api/marketplace/services/8/1');
  assert.deepEqual(
    [suite.Name, suite.JourneyType, suite.NewJourney, suite.RouteName, suite.Price],
    ['Office Suite Business', 'new', true, 'office-365', '9.4'],
  );
  assert.deepEqual(
    suite.Terms.map(({ Id }: Row) => Id),
    ['monthly', 'annual', 'triennial'],
  );
  assert.deepEqual(
    suite.Billing.map(({ Id }: Row) => Id),
    ['monthly', 'upfront'],
  );
  assert.deepEqual(
    suite.Fields.map(({ PropertyName }: Row) => PropertyName),
    ['Domain', 'AdminEmail'],
  );
  assert.deepEqual([suite.MinQuantity, suite.MaxQuantity, suite.Unit], [1, 1000, 'licence']);
  assert.equal(await get('reseller', '/api/marketplace/listing-id?serviceId=30&subId=1'), 'cloud-server');
  assert.equal(await get('reseller', '/api/marketplace/listing-id?serviceId=1&subId=1'), null);
});

test('without the flag CrossSell the office suite keeps its own journey', async () => {
  await sandbox.db.updateTable('feature_flags').set({ enabled: false }).where('name', '=', 'CrossSell').execute();
  const suite = await get('reseller', '/api/marketplace/services/8/1');
  await sandbox.db.updateTable('feature_flags').set({ enabled: true }).where('name', '=', 'CrossSell').execute();
  assert.deepEqual([suite.JourneyType, suite.NewJourney], ['nce', false]);
});

test('the customers for a product are at most 50 by name, with the status of what they hold', async () => {
  const { Customers, AllowedToAdd, OrderLimit } = await get('reseller', '/api/marketplace/services/17/1/customers');
  assert.deepEqual([Customers.length, AllowedToAdd, OrderLimit], [40, true, 'OncePerCustomer']);
  const statusOf = (name: string) => Customers.find(({ Name }: Row) => Name === name).Status;
  assert.equal(statusOf('Contoso'), 'Activating');
  assert.equal(statusOf('Juniper Estates'), 'Deleting');
  assert.equal(statusOf('Greyfriars Housing'), 'Suspended');
  assert.ok(Customers.some(({ Status }: Row) => Status === null));
  const names = namesOf((await get('reseller', '/api/customers?pageSize=50')).Items);
  assert.deepEqual(namesOf(Customers), names);
  const found = await get('reseller', '/api/marketplace/services/17/1/customers?search=conto');
  assert.deepEqual(namesOf(found.Customers), ['Contoso']);
  assert.deepEqual((await get('rival', '/api/marketplace/services/17/1/customers?search=conto')).Customers, []);
});

test('what a reseller may have once is not allowed once any of its customers has it', async () => {
  const { id, reseller_id } = await sandbox.db
    .selectFrom('customers')
    .select(['id', 'reseller_id'])
    .where('name', '=', 'Harrow Lane Bakery')
    .executeTakeFirstOrThrow();
  const now = new Date();
  const moments = { created: now, last_change: now };
  await sandbox.db
    .insertInto('service_instances')
    .values({
      reseller_id,
      customer_id: id,
      service_id: 31,
      sub_id: 1,
      status: 'Active',
      quantity: 1,
      monthly_price: 1,
      ...moments,
    })
    .execute();
  assert.equal((await get('reseller', '/api/marketplace/services/31/1/customers')).AllowedToAdd, false);
  assert.equal((await get('rival', '/api/marketplace/services/31/1/customers')).AllowedToAdd, true);
  const { Added, ServiceInstanceStatus } = (await list()).find(({ Key }) => Key === '31-1')!;
  assert.deepEqual([Added, ServiceInstanceStatus], [true, 'Active']);
  assert.equal((await list('', 'rival')).find(({ Key }) => Key === '31-1')!.Added, false);
});

test('for one customer a product is added with its status, and the worst of several shows', async () => {
  const { Items } = await get('reseller', '/api/customers/10001/marketplace-services');
  const rowOf = (key: string) => Items.find(({ Key }: Row) => Key === key);
  assert.deepEqual([rowOf('1-1').Added, rowOf('1-1').ServiceInstanceStatus], [true, 'Active']);
  assert.deepEqual([rowOf('17-1').Added, rowOf('17-1').ServiceInstanceStatus], [true, 'Activating']);
  assert.deepEqual([rowOf('8-1').Added, rowOf('8-1').ServiceInstanceStatus], [false, null]);
  await setStatus(9, 'Activating', 'Contoso');
  const later = await get('reseller', '/api/customers/10001/marketplace-services?search=cloud%20backup');
  assert.deepEqual([later.Items[0].Name, later.Items[0].ServiceInstanceStatus], ['Cloud Backup', 'Activating']);
  await setStatus(9, 'Active', 'Contoso');
});

test('for a user there are only products that a user can have, with those that the user has a share of', async () => {
  const { Items } = await get('reseller', '/api/customers/10001/users/20002/marketplace-services');
  const ids = new Set(Items.map(({ Id }: Row) => Id));
  for (const hidden of [6, 12, 14, 17, 16, 27, 22, 114, 26]) assert.ok(!ids.has(hidden), String(hidden));
  assert.equal(Items.find(({ Key }: Row) => Key === '1-1').Added, true);
  for (const path of ['10001/users/1', '10002/users/20002', '10001/users/x', '99999/users/20002'])
    assert.equal((await call('reseller', `/api/customers/${path}/marketplace-services`)).status, 404, path);
});

test('a customer administrator has the products of the own organisation, a reseller none of the kind', async () => {
  const zephyr = (await get('reseller', '/api/customers?search=zephyr')).Items[0];
  const mine = await get('buyer', '/api/marketplace/end-user-admin/services');
  const seen = await get('reseller', `/api/customers/${zephyr.OrganisationId}/marketplace-services`);
  const added = (items: Row[]) => namesOf(items.filter(({ Added }) => Added));
  assert.deepEqual(added(mine.Items), added(seen.Items));
  assert.ok(added(mine.Items).length > 0);
  assert.equal((await call('reseller', '/api/marketplace/end-user-admin/services')).status, 404);
  assert.equal((await call('buyer', '/api/customers/10001/marketplace-services')).status, 404);
});

test('a customer whose office suite is in hands says in whose', async () => {
  const of = async (name: string) => {
    const { OrganisationId } = (await get('reseller', `/api/customers?search=${name}`)).Items[0];
    return await get('reseller', `/api/cloud-office/has-partner-id?customerId=${OrganisationId}`);
  };
  assert.deepEqual([await of('contoso'), await of('drayton'), await of('thistledown')], [0, 1, 2]);
});

test('the marketplace of somebody else’s customer is not there', async () => {
  for (const path of [
    '/api/customers/10001/marketplace-services',
    '/api/customers/10001/users/20002/marketplace-services',
    '/api/cloud-office/has-partner-id?customerId=10001',
  ])
    assert.equal((await call('rival', path)).status, 404, path);
});
