import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const username = 'reseller@northwind.test';

/** The reseller, signed in while one flag is on or off for it. */
async function withFlag(feature_name: string, enabled: boolean): Promise<Client> {
  const { id } = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow();
  await sandbox.db
    .insertInto('feature_overrides')
    .values({ account_id: id, feature_name, enabled })
    .onConflict(known => known.columns(['account_id', 'feature_name']).doUpdateSet({ enabled }))
    .execute();
  return portal.signIn(username);
}

type Instance = { readonly id: number; readonly customer: number };

async function instanceOf(service: number, sub: number): Promise<Instance> {
  return sandbox.db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('accounts as a', 'a.reseller_id', 'c.reseller_id')
    .where('a.username', '=', username)
    .where('c.suspended', '=', false)
    .where('i.user_id', 'is', null)
    .where('i.service_id', '=', service)
    .where('i.sub_id', '=', sub)
    .where('i.status', '=', 'Active')
    .orderBy('i.id')
    .select(['i.id', 'c.organisation_id as customer'])
    .executeTakeFirstOrThrow();
}

const screenOf = ({ id, customer }: Instance) => `/ui/screen?path=/customers/customer/${customer}/services/${id}`;

test('assigned licences are shown of the office suite itself, and with NCEAssignedLicences alone', async () => {
  const path = screenOf(await instanceOf(8, 1));
  const [on, off] = [await withFlag('NCEAssignedLicences', true), await withFlag('NCEAssignedLicences', false)];
  const shown = await on.get(path);
  assert.match(shown.text, /"assigned-licences"/);
  assert.match(shown.text, /"data\.instance\.Result\.SubId","is":1/);
  assert.doesNotMatch((await off.get(path)).text, /assigned-licences/);
});

test('without ModifyJourney nothing leads to the change of a service, and its address is refused', async () => {
  const held = await instanceOf(1, 1);
  const change = `/ui/screen?path=/customers/customer/${held.customer}/cs/modify-service/1/${held.id}`;
  const [on, off] = [await withFlag('ModifyJourney', true), await withFlag('ModifyJourney', false)];
  assert.match((await on.get(screenOf(held))).text, /"modify-service"/);
  assert.doesNotMatch((await off.get(screenOf(held))).text, /"modify-service"/);
  const [there, refused] = [await on.get(change), await off.get(change)];
  assert.ok(there.body.layout, 'the screen is there');
  assert.deepEqual(refused.body, {
    redirect: `/access-denied?from=${encodeURIComponent(change.slice(change.indexOf('=') + 1))}`,
  });
});

test('without M365SecureUpgrade the office suite cannot be upgraded, neither by its page nor by an order', async () => {
  const held = await instanceOf(8, 1);
  const upgrade = { ServiceId: 8, SubId: 9, InstanceId: String(held.id), CustomerId: String(held.customer) };
  const asked = async (enabled: boolean) => {
    await withFlag('M365SecureUpgrade', enabled);
    const token = await sandbox.signIn(username);
    const { body } = await sandbox.call(token, 'GET', `/api/customers/${held.customer}/services/${held.id}`);
    const { CanUpgrade, Upgrades } = body.Result;
    const order = await sandbox.call(token, 'POST', '/api/orders/quote', {
      ...upgrade,
      Action: 'Upgrade',
      Quantity: 3,
      TermId: 'monthly',
      BillingId: 'monthly',
      Fields: { Domain: 'order.test', AdminEmail: 'o@order.test' },
    });
    return [CanUpgrade, Upgrades.length, order.status];
  };
  assert.deepEqual(
    [await asked(true), await asked(false)],
    [
      [true, 1, 200],
      [false, 0, 409],
    ],
  );
});

test('a customer has the tab of the office suite account with M365AccountLink, and what it reads is refused without a use', async () => {
  const path = '/ui/screen?path=/customers/customer/10001';
  const [on, off] = [await withFlag('M365AccountLink', true), await withFlag('M365AccountLink', false)];
  assert.match((await on.get(path)).text, /"m365AccountLink"/);
  assert.doesNotMatch((await off.get(path)).text, /"id":"m365AccountLink"|account-link/);
  const read = await on.get('/ui/data/office.partner?customerId=10001');
  assert.deepEqual([read.status, read.body.Result], [200, 0]);
  assert.equal((await off.get('/ui/data/office.partner?customerId=10001')).status, 403);
});
