import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
const reseller = withClient(portal, 'reseller@northwind.test');

afterEach(() => {
  proxy.intercept(undefined);
  proxy.exchanges.length = 0;
});

type Row = Readonly<Record<string, string | number>>;
type Replies = Readonly<Record<string, { readonly Result: { readonly Items: readonly Row[] } } | undefined>>;
const joined = '/api/orders/by-customer';
const asked = () => proxy.exchanges.filter(({ url }) => url.startsWith(joined));
const keysIn = (url: string) => new URL(url, 'http://cloud').searchParams.get('customerIds')?.split(',') ?? [];
const dataOf = async (path: string): Promise<Replies> => {
  const { screen } = await reseller.page(path);
  return 'data' in screen ? (screen.data as Replies) : {};
};
/** The file of the customers list, a row by the names of its head. */
async function file(): Promise<Readonly<Record<string, string>>[]> {
  const { text } = await reseller.post('/ui/files/none/customers.csv', { path: '/customers' });
  const [head = '', ...rows] = text.trim().split('\r\n');
  const names = head.replace('\ufeff', '').split(',');
  return rows.map(row => Object.fromEntries(row.split(',').map((cell, index) => [names[index] ?? '', cell])));
}
const failing = () =>
  proxy.intercept(({ url }, response) => {
    if (url.startsWith(joined)) answerJson(response, 500, {});
    return url.startsWith(joined);
  });

test('what is joined is asked for once for a page, with the keys of its rows, and comes with the first data', async () => {
  const { customers, orders } = await dataOf('/customers?page=2&size=10&sort=Name');
  const keys = customers?.Result.Items.map(({ OrganisationId }) => String(OrganisationId)) ?? [];
  assert.equal(keys.length, 10);
  assert.deepEqual(
    asked().map(({ url }) => keysIn(url)),
    [[...keys].sort()],
  );
  assert.deepEqual(orders?.Result.Items.map(({ CustomerId }) => CustomerId).sort(), [...keys].sort());
});

test('of the other reply a field passes that a column shows, and no other', async () => {
  const { orders } = await dataOf('/customers');
  assert.deepEqual(Object.keys(notEmpty(orders?.Result.Items ?? [])[0]!).sort(), ['CustomerId', 'Placed']);
});

test('where the other call fails, the rows come all the same', async () => {
  failing();
  const { customers, orders } = await dataOf('/customers?size=10');
  assert.equal(customers?.Result.Items.length, 10);
  assert.equal(orders, undefined);
});

test('a file has the joined column of all rows, from one call for each page of them', async () => {
  const rows = await file();
  assert.equal(rows.length, 40);
  const placed = rows.map(row => Number(row['Open orders']));
  const { Result } = (await reseller.get('/ui/data/orders.list?status=Placed')).body;
  assert.equal(
    placed.reduce((sum, count) => sum + count, 0),
    Result.Total,
  );
  assert.equal(asked().length, 1);
});

test('a file is not made with gaps where the other call fails', async () => {
  failing();
  const { status } = await reseller.post('/ui/files/none/customers.csv', { path: '/customers' });
  assert.equal(status, 502);
});
