import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');
const bookkeeper = withClient(portal, 'bookkeeper@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');
const rival = withClient(portal, 'rival@southridge.test');

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;
const pattern = '/billing/invoices/invoice-detail/{id}/compare/update';
const latest = async (client: Client): Promise<string> => (await client.get('/ui/data/billing.latest')).body.Result.Id;
const planOf = async (client: Client, id: string): Promise<Json> =>
  (await client.get(`/ui/data/psa.contractChanges?documentId=${id}`)).body.Result;
const update = (client: Client, documentId: string, version: string) =>
  client.press(pattern, 'update-contracts', 'command:psa.update-contracts', { with: { documentId, version } });

test('the dry run, its result and the press are there for those alone who may compare the invoice', async () => {
  const id = await latest(reseller);
  const screen = `/ui/screen?path=${encodeURIComponent(pattern.replace('{id}', id))}`;
  const opened = await reseller.get(screen);
  assert.match(opened.text, /update-contracts/);
  assert.ok(notEmpty<Json>((await planOf(reseller, id)).Items)[0].Contract);
  for (const client of [bookkeeper, engineer]) {
    assert.ok((await client.get(screen)).body.redirect);
    assert.doesNotMatch((await client.get(screen)).text, /contract|ConnectWise/i);
    for (const read of ['contractChanges', 'contractUpdates'])
      assert.equal((await client.get(`/ui/data/psa.${read}?documentId=${id}`)).status, 403, read);
    const pressed = { node: 'update-contracts', layout: await client.hashOf('/account-setting/profile') };
    assert.equal((await client.post('/ui/command/psa.update-contracts', pressed)).status, 403);
  }
  assert.equal((await rival.get(`/ui/data/psa.contractChanges?documentId=${id}`)).status, 404);
  assert.equal((await update(rival, id, 'x')).status, 404);
});

test('a press with an old dry run writes nothing, says so and shows the new one; with the new one it writes it', async () => {
  const id = await latest(reseller);
  const { Version, Items } = await planOf(reseller, id);
  const refused = await update(reseller, id, 'old');
  assert.equal(refused.status, 409);
  assert.equal(refused.body.Resources?.code, 'CONTRACTS_CHANGED');
  assert.match(refused.text, /Something has changed since you looked, so nothing was written/);
  assert.match(JSON.stringify(refused.body.effects), /refresh-operations.*psa\.contractChanges/);
  assert.deepEqual((await planOf(reseller, id)).Items, Items);

  const pressed = await update(reseller, id, Version);
  assert.equal(pressed.body.Succeed, true, pressed.text);
  const { Items: written, Updates } = (await reseller.get(`/ui/data/psa.contractUpdates?documentId=${id}`)).body.Result;
  const told = (lines: Json) => lines.map(({ Id, Status = 'Written' }: Json) => [Id, Status]);
  assert.deepEqual(told(written), told(Items));
  assert.equal(Updates[0].Written, Items.length);
  assert.deepEqual((await planOf(reseller, id)).Items, []);
});
