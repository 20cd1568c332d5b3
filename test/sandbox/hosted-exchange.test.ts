import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);
const list = async (who: string, path: string) => (await sandbox.call(tokens[who]!, 'GET', path)).body.Result;
const base = '/api/customers/10001';

type Mailbox = { readonly Address: string; readonly Name: string; readonly Aliases: number; readonly Title: string };

test('the mailboxes of a customer are listed by address, a page at a time', async () => {
  const all: { Items: Mailbox[]; Total: number } = await list('reseller', `${base}/mailboxes?pageSize=100`);
  const addresses = all.Items.map(({ Address }) => Address);
  assert.deepEqual(addresses, [...addresses].sort());
  assert.equal(all.Total, addresses.length);
  const second = await list('reseller', `${base}/mailboxes?pageSize=3&page=2`);
  assert.deepEqual(
    second.Items.map(({ Address }: Mailbox) => Address),
    addresses.slice(3, 6),
  );
  assert.equal(second.Total, all.Total);
});

test('mailboxes are found by name and address, and by their kind', async () => {
  const [first] = (await list('reseller', `${base}/mailboxes?search=USER@contoso`)).Items;
  assert.equal(first.Address, 'user@contoso.test');
  assert.equal((await list('reseller', `${base}/mailboxes?search=nobody%20here`)).Total, 0);
  const users = await list('reseller', `${base}/mailboxes?kind=user`);
  assert.ok(users.Total > 0);
  const strange = await sandbox.call(tokens.reseller!, 'GET', `${base}/mailboxes?kind=fridge`);
  assert.equal(strange.status, 400);
});

test('a list says what the address book of a mailbox says, edited or not', async () => {
  const book = { DisplayName: 'Una Marsh', Title: 'Keeper', Department: 'Zoo' };
  const at = `${base}/mailboxes/user@contoso.test/address-book`;
  await sandbox.call(tokens.reseller!, 'PUT', at, book);
  const [row] = (await list('reseller', `${base}/mailboxes?search=user@`)).Items;
  assert.deepEqual([row.Title, row.Department], ['Keeper', 'Zoo']);
});

test('the aliases of all mailboxes stand in one list with the mailbox of each', async () => {
  const { Items, Total } = await list('reseller', `${base}/aliases?pageSize=100`);
  assert.equal(Total, Items.length);
  const delayed = Items.find(({ Alias }: { Alias: string }) => Alias === 'una@contoso-events.test');
  assert.deepEqual([delayed.Mailbox, delayed.DelayedDomain], ['user@contoso.test', true]);
  const found = await list('reseller', `${base}/aliases?search=contoso-events`);
  assert.deepEqual([found.Total, found.Items[0].Alias], [1, 'una@contoso-events.test']);
});
