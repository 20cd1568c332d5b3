import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { searchKey } from '../../shared/rules/search-key.ts';
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

test('names are found without their accents, by every search of customers, users and invoices', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const make = (path: string, body: object) =>
    sandbox.call(token, 'POST', path, body, { 'idempotency-key': randomUUID() });
  const Name = 'Łódź Weiß & Dvořák';
  const contact = { ContactName: 'Zoë Müller', ContactEmail: 'zoe@lodz-weiss.test', Phone: '' };
  const { body } = await make('/api/customers', { Name, Domain: 'lodz-weiss.test', ...contact });
  const { organisationId: OrganisationId } = body.Result;
  const person = { FirstName: 'Jürgen', LastName: 'Øst', Email: 'jurgen@lodz-weiss.test', Type: 'endUser' };
  assert.equal((await make(`/api/customers/${OrganisationId}/users`, person)).status, 201);
  for (const words of ['lodz', 'WEISS', 'dvorak', 'Łódź', 'dvořa\u0301k'])
    assert.deepEqual(names((await as('reseller@northwind.test', words)).Customers), [Name], words);
  for (const words of ['jurgen ost', 'Jürgen'])
    assert.deepEqual(names((await as('reseller@northwind.test', words)).Users), ['Jürgen Øst'], words);
  for (const path of [
    `/api/customers/${OrganisationId}/users?search=ost`,
    `/api/customers/${OrganisationId}/activity?search=jurgen`,
  ])
    assert.ok((await sandbox.call(token, 'GET', path)).body.Result.Total > 0, path);
});

test('the database makes keys of texts as the rules do', async () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...'ŁłßẞÆœÞðøıİςΣ’–ﬁⅧ한é'), fc.string({ unit: 'grapheme' })),
  });
  const texts = fc.sample(
    // Not of Cyrillic Extended-D, which is new in Unicode 15: a database may go by an older one than this process.
    text.map(one => one.replace(/[\0\u{1e030}-\u{1e08f}]/gu, '')),
    { numRuns: 500, seed: 16 },
  );
  const { rows } = await sql<{ whole: string; key: string }>`
    select whole, search_key(whole) as key from unnest(${texts}::text[]) as t(whole)`.execute(sandbox.db);
  for (const { whole, key } of notEmpty(rows)) assert.equal(key, searchKey(whole), JSON.stringify(whole));
});
