import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'user@contoso.test',
  'rival@southridge.test',
  'euro@westhaven.test',
]);
const get = (who: 'reseller' | 'rival' | 'user' | 'euro', path: string) =>
  sandbox.call(tokens[who]!, 'GET', `/api/${path}`);
type Link = { readonly Title: string; readonly Category: string | null; readonly Url: string | null };

test('a product has links to articles of the knowledge base and to pages elsewhere', async () => {
  const { Items } = (await get('reseller', 'relatedlinks/16-1')).body.Result as { Items: Link[] };
  assert.equal(Items[0]?.Url, 'https://www.rfc-editor.org/rfc/rfc7208');
  assert.deepEqual(
    Items.filter(({ Url }) => Url === null).map(({ Category }) => Category),
    ['selling', 'selling', 'selling', 'selling'],
  );
});

test('links lead nobody to an article that is not for them', async () => {
  const { Items } = (await get('user', 'relatedlinks/1-1')).body.Result as { Items: Link[] };
  const paths: Link[] = (await get('user', 'knowledge-base/articles?pageSize=100')).body.Result.Items;
  const titles = new Set(paths.map(({ Title }) => Title));
  assert.deepEqual(
    Items.filter(({ Url, Title }) => Url === null && !titles.has(Title)),
    [],
  );
  assert.ok(Items.length < (await get('reseller', 'relatedlinks/1-1')).body.Result.Items.length);
});

test('every link to an article leads to one that there is', async () => {
  const links = await sandbox.db
    .selectFrom('related_links as l')
    .leftJoin('kb_articles as a', 'a.path', 'l.article_path')
    .where('l.article_path', 'is not', null)
    .select(['l.article_path', 'a.path'])
    .execute();
  assert.ok(links.length > 0);
  assert.deepEqual(
    links.filter(({ path }) => path === null),
    [],
  );
});

test('the links of a product that a caller does not see are not there: 404', async () => {
  // A euro reseller sees neither security nor backup, an end user no MessageLabs.
  assert.equal((await get('rival', 'relatedlinks/16-1')).status, 200);
  assert.equal((await get('euro', 'relatedlinks/16-1')).status, 404);
  assert.equal((await get('user', 'relatedlinks/16-1')).status, 404);
  assert.equal((await get('user', 'relatedlinks/1-1')).status, 200);
});

test('a product that there is not has no links: 404', async () => {
  for (const product of ['999-1', 'nothing', '16-1%27'])
    assert.equal((await get('reseller', `relatedlinks/${product}`)).status, 404, product);
});

test('the articles of MessageLabs are searched by words alone, among themselves', async () => {
  const all = (await get('reseller', 'messagelabs/articles')).body.Result;
  assert.equal(all.Total, 4);
  const found = (await get('reseller', `messagelabs/searchArticles/${encodeURIComponent('<b>"failed"</b> service!')}`))
    .body.Result;
  assert.equal(found.Items[0]?.Path, 'selling/fix-a-failed-service');
  assert.deepEqual((await get('reseller', 'messagelabs/searchArticles/password')).body.Result, { Items: [], Total: 0 });
  assert.deepEqual((await get('reseller', 'messagelabs/searchArticles/!!')).body.Result, { Items: [], Total: 0 });
});

test('an order of MessageLabs is read by its number and organisation; of another product, organisation or reseller: 404', async () => {
  const { Items } = (await get('reseller', 'orders?pageSize=1')).body.Result;
  const other = Items[0];
  const body = { CustomerId: other.CustomerId, ServiceId: 16, SubId: 1, Action: 'Add', Quantity: 3 };
  const terms = { TermId: 'monthly', BillingId: 'monthly', Fields: { Domain: 'gateway.test' } };
  const placed = await sandbox.call(tokens.reseller!, 'POST', '/api/orders', { ...body, ...terms });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const rows = (await get('reseller', `orders?customerId=${other.CustomerId}&pageSize=100`)).body.Result.Items;
  const gateway = rows.find(({ ServiceId }: { readonly ServiceId: number }) => ServiceId === 16);
  const path = `messagelabs/${other.CustomerId}/orders/${gateway.OrderNumber}`;
  assert.equal((await get('reseller', path)).body.Result.OrderNumber, gateway.OrderNumber);
  assert.equal((await get('rival', path)).status, 404);
  const elsewhere = (await get('reseller', 'orders?pageSize=100')).body.Result.Items.find(
    ({ CustomerId }: { readonly CustomerId: string }) => CustomerId !== other.CustomerId,
  );
  for (const wrong of [
    `messagelabs/${other.CustomerId}/orders/${other.OrderNumber}`,
    `messagelabs/${elsewhere.CustomerId}/orders/${gateway.OrderNumber}`,
    `messagelabs/${other.CustomerId}/orders/ORD-9999999`,
    `messagelabs/${other.CustomerId}/orders/nothing`,
  ])
    assert.equal((await get('reseller', wrong)).status, 404, wrong);
});
