import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownerOf } from '../../server/commands/services/managed-services.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

type Row = Readonly<Record<string, unknown>>;
const managed = async (query: Readonly<Record<string, string>>, who = reseller) =>
  who.get(`/ui/data/services.managed?${new URLSearchParams(query)}`);
const servicesOf = async (customer: string): Promise<Row[]> => {
  const token = await sandbox.signIn('reseller@northwind.test');
  return (await sandbox.call(token, 'GET', `/api/customers/${customer}/services?pageSize=100`)).body.Result.Items;
};

test('a segment names a customer, then a service, and between them a user with whatever is in the address', () => {
  assert.deepEqual(ownerOf('10001'), { customer: '10001', user: undefined, service: undefined });
  assert.deepEqual(ownerOf('10001+16'), { customer: '10001', user: undefined, service: '16' });
  assert.deepEqual(ownerOf('10001+a+b@x.test+18'), { customer: '10001', user: 'a+b@x.test', service: '18' });
});

test('every address of managing, upgrading, fulfilling and deleting leads to a screen that reads its services', async () => {
  const base = '/customers/customer/10001';
  const named = ['hosted-exchange', 'email-security', 'app-interact', 'bitdefender', 'azure', 'acronis-backup'];
  const addresses = [
    ...[...named, 'acronis-files-cloud'].map(name => `${base}/manage-service/${name}`),
    `${base}/manage-service/hosted-voice`,
    `${base}/manage-service/acronis-backup/ada%40contoso.test`,
    `${base}/upgrade-service/hosted-exchange`,
    `${base}/cs/upgrade-service/cloud-platform`,
    `${base}/cs-nce/upgrade-service/business-analytics`,
    `${base}/delete-service`,
    `${base}+16/delete-service`,
    `${base}+7+18/delete-service`,
    `${base}/delete-service/ada%40contoso.test`,
    `${base}/delete-service/delete`,
    '/services/39/10001/1',
    '/services/exclaimer',
    `${base}/migrate-exchange`,
    `${base}/add-services/1/Upgrade/5`,
  ];
  for (const address of addresses) {
    const { status, text } = await reseller.get(`/ui/screen?path=${encodeURIComponent(address)}`);
    assert.equal(status, 200, `${address}: ${text.slice(0, 200)}`);
  }
});

test('a name finds what a customer has of its products, and says when it is one', async () => {
  const all = await servicesOf('10001');
  for (const [name, ids] of [
    ['bitdefender', [12]],
    ['azure', [6]],
    ['hosted-exchange', [1]],
    ['app-interact', [14]],
  ] as const) {
    const { body } = await managed({ customer: '10001', name });
    const expected = all.filter(({ ServiceId }) => (ids as readonly unknown[]).includes(ServiceId)).map(({ Id }) => Id);
    assert.deepEqual(
      body.Result.Items.map(({ Id }: Row) => Id),
      expected,
      name,
    );
    assert.equal(body.Result.Only?.Id, expected.length === 1 ? expected[0] : undefined);
  }
  const whole = await managed({ customer: '10001' });
  assert.equal(whole.body.Result.Items.length, all.length);
  const [first] = all;
  const ofService = await managed({ customer: `10001+${first?.ServiceId}` });
  assert.ok(ofService.body.Result.Items.some(({ Id }: Row) => Id === first?.Id));
  const ofNobody = await managed({ customer: '10001', name: 'hosted-exchange', user: 'nobody@contoso.test' });
  assert.deepEqual(ofNobody.body.Result.Items, []);
});

test('a user’s own services are found by the user’s address', async () => {
  const user = await sandbox.db
    .selectFrom('users as u')
    .innerJoin('customers as c', 'c.id', 'u.customer_id')
    .where('c.organisation_id', '=', 10001)
    .select(['u.id', 'u.email', 'u.customer_id', 'c.reseller_id'])
    .executeTakeFirstOrThrow();
  await sandbox.db
    .insertInto('service_instances')
    .values({
      reseller_id: user.reseller_id,
      customer_id: user.customer_id,
      user_id: user.id,
      service_id: 18,
      sub_id: 1,
      status: 'Active',
      quantity: 1,
      monthly_price: 3.2,
      fields: '{}',
      created: new Date(),
      last_change: new Date(),
    })
    .execute();
  for (const query of [
    { customer: '10001', name: 'acronis-files-cloud', user: user.email },
    { customer: `10001+${user.id}+18` },
  ]) {
    const { body, text } = await managed(query);
    assert.equal(body.Result?.Items[0]?.ServiceId, 18, text);
    assert.equal(body.Result.Only.Id, body.Result.Items[0].Id);
  }
});

test('more services than a page holds are counted, and each stands on one page', async () => {
  const owner = await sandbox.db
    .selectFrom('users as u')
    .innerJoin('customers as c', 'c.id', 'u.customer_id')
    .where('c.organisation_id', '=', 10002)
    .select(['u.id as user_id', 'u.customer_id', 'c.reseller_id'])
    .executeTakeFirstOrThrow();
  const row = { service_id: 18, sub_id: 1, status: 'Active', quantity: 1, monthly_price: 3.2, fields: '{}' } as const;
  const times = { created: new Date(), last_change: new Date() };
  const many = Array.from({ length: 130 }, () => ({ ...owner, ...row, ...times }));
  await sandbox.db.insertInto('service_instances').values(many).execute();
  const seen: unknown[] = [];
  for (const page of ['1', '2']) {
    const { body } = await managed({ customer: '10002', name: 'acronis-files-cloud', page, pageSize: '100' });
    assert.equal(body.Result.Total, 130);
    seen.push(...body.Result.Items.map(({ Id }: Row) => Id));
  }
  assert.equal(new Set(seen).size, 130);
  const last = await managed({ customer: '10002', name: 'acronis-files-cloud', page: '130', pageSize: '1' });
  assert.deepEqual(
    [last.body.Result.Items.length, last.body.Result.Only],
    [1, undefined],
    'one on a page is not the only one',
  );
});

test('who adds nothing upgrades and deletes nothing either: those addresses are closed, managing is not', async () => {
  const engineer = await portal.signIn('engineer@northwind.test');
  const base = '/customers/customer/10001';
  const open = async (address: string) => (await engineer.get(`/ui/screen?path=${encodeURIComponent(address)}`)).body;
  for (const address of ['delete-service', 'delete-service/delete', 'upgrade-service/hosted-exchange'])
    assert.deepEqual(
      await open(`${base}/${address}`),
      { redirect: `/access-denied?from=${encodeURIComponent(`${base}/${address}`)}` },
      address,
    );
  assert.equal((await open(`${base}/manage-service/azure`)).layout.id, 'manage-service');
});

test('a name of nothing, and a customer of somebody else, are not found; an administrator has their own', async () => {
  assert.equal((await managed({ customer: '10001', name: 'nothing' })).status, 404);
  assert.equal((await managed({ customer: '10001+999' })).status, 404);
  const rival = await portal.signIn('rival@southridge.test');
  assert.equal((await managed({ customer: '10001', name: 'azure' }, rival)).status, 404);
  const buyer = await portal.signIn('buyer@zephyrcycles.test');
  const { body, text } = await managed({ customer: '10001' }, buyer);
  assert.notEqual(body.Result.Customer, '10001', text);
  assert.doesNotMatch(text, /Price/);
});
