import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { billSeededMonths } from '../../server/sandbox/billing/run.ts';
import { amountOf, sumOf, writeAmount } from '../../shared/billing/amounts.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

/** The clock of the sandbox stands still, so that no copy becomes due meanwhile. */
const now = new Date();
const sandbox = withSandbox({ now: () => now });
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'matcher@fairbank.test',
  'rival@southridge.test',
  'bookkeeper@northwind.test',
  'engineer@northwind.test',
  'admin@contoso.test',
]);

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;
const call = (who: string, path: string, method = 'GET', body?: unknown) =>
  sandbox.call(tokens[who]!, method, path, body);
const read = async (path: string, who = 'reseller'): Promise<Json> => {
  const { status, body } = await call(who, path);
  assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
  return body.Result;
};
const sum = (amounts: readonly string[]): string => writeAmount(sumOf(amounts.map(amountOf)));

/** Of each reseller the address of its invoices: the account of Southridge asks the monolith. */
const resellers = { reseller: '/billing/invoices', matcher: '/billing/invoices', rival: '/api/billing/invoices' };
const invoicesOf = async (who: keyof typeof resellers): Promise<readonly { Id: string; Net: string }[]> =>
  notEmpty((await read(`${resellers[who]}?pageSize=100`, who)).Items);

/** The newest, and every fourth before it. */
const someInvoicesOf = async (who: keyof typeof resellers) =>
  notEmpty((await invoicesOf(who)).filter((_, index) => index % 4 === 0));

test('a seeded invoice is the sum of its classes, and nothing is left unexplained, in pounds and in euros', async () => {
  await billAgainInEuros(1002);
  const seen = new Set<string>();
  for (const who of ['reseller', 'matcher', 'rival'] as const)
    for (const { Id, Net } of await someInvoicesOf(who)) {
      const found = await read(`${resellers[who]}/${Id}/reconciliation?pageSize=100`, who);
      assert.equal(found.Rest, '0.00', `${who} ${Id}`);
      assert.equal(sum(found.Classes.map(({ Amount }: Json) => Amount)), Net, `${who} ${Id}`);
      for (const { Class } of found.Items) seen.add(`${found.Currency} ${Class}`);
    }
  for (const name of ['Matched', 'Quantity', 'Price', 'MissingHere', 'MissingThere', 'Ignored'])
    assert.ok(seen.has(`GBP ${name}`), `no row is ${name}`);
  assert.ok(seen.has('EUR Quantity') && seen.has('EUR Ignored'), [...seen].join());
});

/** Bills the months of a reseller once more, which buys in euros from now on. */
async function billAgainInEuros(resellerId: number): Promise<void> {
  await sandbox.db.transaction().execute(async trx => {
    await trx.updateTable('resellers').set({ currency: 'EUR' }).where('id', '=', resellerId).execute();
    await trx.deleteFrom('invoices').where('reseller_id', '=', resellerId).execute();
    await trx.deleteFrom('billing_runs').where('reseller_id', '=', resellerId).execute();
    await billSeededMonths(trx, now);
  });
}

const newest = async (): Promise<string> =>
  `/billing/invoices/${notEmpty(await invoicesOf('reseller'))[0]?.Id}/reconciliation`;

test('a row is the amount there, what explains the difference, and the rest', async () => {
  const path = await newest();
  const { Items } = await read(`${path}?pageSize=100`);
  for (const { Id, Here, There } of notEmpty<Json>(Items)) {
    const { Explanations, Difference, Rest } = await read(`${path}/rows/${Id}`);
    const explained = Explanations.map(({ Amount }: Json) => Amount);
    assert.equal(sum([There, Rest, ...explained]), Here);
    assert.equal(sum([There, Difference]), Here);
  }
});

test('rows are narrowed by class and words', async () => {
  const path = await newest();
  const all = await read(`${path}?pageSize=100`);
  const ignored = await read(`${path}?pageSize=100&class=Ignored`);
  assert.equal(ignored.Total, all.Counts.Ignored);
  assertEvery<Json>(ignored.Items, ({ Class, Reason }) => Class === 'Ignored' && Reason !== null);
  const [{ Customer }] = all.Items;
  const found = await read(`${path}?pageSize=100&search=${encodeURIComponent(Customer.toUpperCase())}`);
  assert.equal(found.Total, all.Items.filter((row: Json) => row.Customer === Customer).length);
});

test('an amount that its quantity, price and days do not make is left as a rest', async () => {
  const path = await newest();
  const [id = ''] = path.split('/').slice(3);
  const { Items } = await read(`${path}?class=Matched`);
  const [{ Customer, Service }] = notEmpty<Json>(Items);
  const line = sandbox.db
    .updateTable('invoice_lines')
    .where('customer', '=', Customer)
    .where('service', '=', Service)
    .where('invoice_id', '=', on =>
      on
        .selectFrom('invoices')
        .select('id')
        .where('number', '=', Number(id.slice(3)))
        .where('kind', '=', 'Invoice'),
    );
  await line.set({ amount: sql`amount + 7` }).execute();
  assert.equal((await read(path)).Rest, '7.00');
  await line.set({ amount: sql`amount - 7` }).execute();
  assert.equal((await read(path)).Rest, '0.00');
});

test('it is for resellers with both views and the reports, of their own invoices', async () => {
  const path = await newest();
  assert.equal((await call('bookkeeper', path)).status, 403, 'without the view of business systems');
  assert.equal((await call('admin', path)).status, 403, 'of a customer');
  assert.equal((await call('matcher', path)).status, 404, 'of somebody else');
  assert.equal((await call('reseller', '/billing/invoices/CM-801/reconciliation')).status, 404);
  assert.equal((await call('rival', path)).status, 409, 'on the monolith');
  const connected = (enabled: boolean) =>
    sandbox.db.updateTable('psa_connections').set({ enabled }).where('reseller_id', '=', 1001).execute();
  await connected(false);
  assert.deepEqual((await call('reseller', path)).body.Messages, ['The business system is switched off.']);
  await connected(true);
});
