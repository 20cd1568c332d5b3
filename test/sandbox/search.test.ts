import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });

// biome-ignore lint/suspicious/noExplicitAny: a reply
const as = async (username: string, words: string): Promise<any> => {
  const token = await sandbox.signIn(username);
  return (await sandbox.call(token, 'GET', `/api/search?words=${encodeURIComponent(words)}`)).body.Result;
};
const names = (rows: readonly { readonly Name: string }[]) => notEmpty(rows).map(({ Name }) => Name);

test('words find customers, users by name and address, and products, a few of each', async () => {
  const { Customers } = await as('reseller@northwind.test', 'contos');
  assert.deepEqual(names(Customers), ['Contoso']);
  assert.ok(names((await as('reseller@northwind.test', 'una mar')).Users).includes('Una Marsh'));
  const { Users } = await as('reseller@northwind.test', 'USER@contoso');
  assert.deepEqual(names(Users), ['Una Marsh']);
  const { Services } = await as('reseller@northwind.test', 'voice');
  assert.ok(names(Services).includes('Hosted Voice'));
  const many = await as('reseller@northwind.test', 'e');
  assert.ok(many.Customers.length === 5 && many.Services.length === 5);
});

test('a number finds the order, with or without its letters', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const order = { CustomerId: '10007', Action: 'Add', ServiceId: 2, SubId: 1, Quantity: 2, TermId: 'monthly' };
  const body = { ...order, BillingId: 'monthly', Fields: { Domain: 'found.test' } };
  const placed = await sandbox.call(token, 'POST', '/api/orders', body, { 'idempotency-key': randomUUID() });
  const number: string = placed.body.Result.OrderNumber;
  for (const words of [number, number.toLowerCase(), number.replace(/^ORD-0*/, '')]) {
    const { Orders } = await as('reseller@northwind.test', words);
    assert.deepEqual(
      Orders.map((row: { OrderNumber: string }) => row.OrderNumber),
      [number],
      words,
    );
  }
});

test('nobody finds what is another reseller’s or another customer’s', async () => {
  for (const username of ['rival@southridge.test', 'buyer@zephyrcycles.test']) {
    for (const words of ['contoso', 'una marsh', 'user@contoso.test', 'ORD-0040001']) {
      const { Customers, Users, Orders } = await as(username, words);
      assert.deepEqual([Customers, Users, Orders], [[], [], []], `${username}: ${words}`);
    }
  }
});

test('signs that have a meaning for the database are signs like any other', async () => {
  for (const words of ['%', '__a', "o'", '\\', '   ']) {
    const { Users } = await as('reseller@northwind.test', words);
    assert.deepEqual(Users, [], words);
  }
});

test('a number, or a part of it, finds invoices for whoever sees billing, and an administrator finds their own people', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const { body } = await sandbox.call(token, 'GET', '/billing/invoices?pageSize=1');
  const [{ Id, ExternalInvoiceId }] = body.Result.Items;
  for (const words of [Id, Id.toLowerCase(), ExternalInvoiceId])
    assert.equal((await as('reseller@northwind.test', words)).Invoices[0]?.Id, Id, words);
  assert.deepEqual((await as('rival@southridge.test', Id)).Invoices, []);
  const own = await as('admin@contoso.test', 'una marsh');
  assert.deepEqual([names(own.Users), own.Invoices], [['Una Marsh'], []]);
});
