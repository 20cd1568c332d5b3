import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const schemas = withEditedSchemas();
const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, () => ({ schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');

const edit = (file: string, change: (text: string) => string) => schemas.editLive(portal, file, change);

const writes = () =>
  proxy.exchanges.filter(({ method, url }) => method === 'POST' && url.startsWith('/api/customers')).length;

test('a press in an older page that still fits is authorised by the new layout and goes through', async () => {
  const { id, layout } = await openCustomers('Active');
  await edit('customers/customers.json', text => text.replace('"priority": "low"', '"priority": "normal"'));
  const reply = await reseller.post('/ui/call/customers.suspend', {
    node: 'suspend',
    layout,
    with: { customerId: id },
  });
  assert.equal(reply.body.Succeed, true, reply.text);
});

test('a press that no longer fits is answered with the new layout, and nothing is forwarded', async () => {
  const { id, layout } = await openCustomers('Suspended');
  await edit('customers/customers.json', text => text.replace('"id": "reactivate"', '"id": "wake-up"'));
  const before = writes();
  const reply = await reseller.post('/ui/call/customers.reactivate', {
    node: 'reactivate',
    layout,
    with: { customerId: id },
  });
  assert.deepEqual([reply.status, reply.body.Resources.code], [409, 'LAYOUT_CHANGED']);
  assert.equal(reply.body.Resources.layout.id, 'customers');
  assert.equal(reply.body.Resources.hash, (await reseller.get('/ui/screen?path=/customers')).body.hash);
  assert.equal(writes(), before);
});

test('values that an older form allowed and the new one does not bring the new layout, not blame', async () => {
  const { id } = await openCustomers('Active');
  const { popups } = (await reseller.get('/ui/boot')).body;
  await edit('customers/customer-name-form.json', text => text.replace('"maxLength": 100', '"maxLength": 5'));
  const press = (layout: string) =>
    reseller.post('/ui/call/customers.rename', {
      node: 'rename',
      layout,
      with: { customerId: id },
      body: { NewName: 'Longer than five' },
    });
  const old = await press(popups['rename-customer']);
  assert.deepEqual([old.status, old.body.Resources.layout.id], [409, 'rename-customer']);
  const current = await press(old.body.Resources.hash);
  assert.deepEqual([current.status, Object.keys(current.body.Errors)], [422, ['NewName']]);
});

test('a page of a layout that this process never saw is authorised by what the caller has', async () => {
  const { id } = await openCustomers('Suspended');
  const reply = await reseller.post('/ui/call/customers.reactivate', {
    node: 'wake-up',
    layout: 'of-another-process',
    with: { customerId: id },
  });
  assert.equal(reply.body.Succeed, true, reply.text);
  const nowhere = await reseller.post('/ui/call/customers.reactivate', {
    node: 'nowhere',
    layout: 'of-another-process',
    with: { customerId: id },
  });
  assert.deepEqual([nowhere.status, nowhere.body.Resources.code], [409, 'LAYOUT_CHANGED']);
});

test('a request that is under way while a file is saved sees one version to its end', async () => {
  const { MonthlySpend } = (await reseller.get('/ui/data/customers.list?pageSize=1')).body.Result.Items[0];
  assert.notEqual(MonthlySpend, undefined);
  const before = (await reseller.get('/ui/screen?path=/customers')).body.hash;
  const arrived = createGate();
  const released = createGate();
  proxy.intercept(async ({ url }) => {
    if (url.split('?')[0] !== '/api/customers') return false;
    arrived.resolve();
    await released.promise;
    return false;
  });
  const asked = reseller.get('/ui/screen?path=/customers');
  await inTime('The request of the list', arrived.promise);
  proxy.intercept(undefined);
  await edit('customers/operations.json', text =>
    text.replace(
      '"MonthlySpend": "money"',
      '"MonthlySpend": { "kind": "money", "requires": { "prices": true, "views": ["switchUser"] } }',
    ),
  );
  const { body: after } = await reseller.get('/ui/screen?path=/customers');
  released.resolve();
  const { body: during } = await asked;
  const hasSpend = (screen: { data: { customers: { Result: { Items: object[] } } } }): boolean =>
    Object.hasOwn(screen.data.customers.Result.Items[0] ?? {}, 'MonthlySpend');
  // Layout and data of the one that was asked before are both old, those of the next both new.
  assert.deepEqual([during.hash === before, hasSpend(during)], [true, true]);
  assert.deepEqual([after.hash === before, hasSpend(after)], [false, false]);
});

test('a schema reload leaves an audit record', async () => {
  const rows = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'schemas.reloaded').execute(),
  );
  assert.ok(rows.length >= 3);
});

function createGate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>(done => {
    resolve = done;
  });
  return { promise, resolve };
}

async function openCustomers(status: string): Promise<{ id: string; layout: string }> {
  const { body } = await reseller.get(`/ui/screen?path=${encodeURIComponent(`/customers?status=${status}`)}`);
  return { id: body.data.customers.Result.Items[0].OrganisationId, layout: body.hash };
}
