import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { mostMisses, readMarks, searchTerms } from '../../server/sandbox/knowledge/search.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const names = {
  reseller: 'reseller@northwind.test',
  bookkeeper: 'bookkeeper@northwind.test',
  admin: 'admin@contoso.test',
  user: 'user@contoso.test',
};
type Who = keyof typeof names;
const tokens = withTokens(sandbox, Object.values(names));
const call = (who: Who, method: string, path: string, body?: object) =>
  sandbox.call(tokens[names[who].split('@', 1)[0]!]!, method, `/api/knowledge-base/${path}`, body);
const get = async (who: Who, path: string) => (await call(who, 'GET', path)).body.Result;
const titles = ({ Items }: { readonly Items: readonly { readonly Title: string }[] }) =>
  Items.map(({ Title }) => Title);
const search = (who: Who, term: string) => get(who, `search?term=${encodeURIComponent(term)}`);

test('a search finds words in any form, and those of the title first', async () => {
  const found = await search('reseller', 'deleting users');
  assert.equal(found.Items[0].Title, 'Delete a user, and bring one back');
  assert.equal(found.Total, found.Items.length);
});

test('what is found is marked by places, never by markup', async () => {
  const [first] = (await search('reseller', 'invoice automatically')).Items;
  const marked = (text: string, marks: readonly number[]) =>
    marks.flatMap((start, index) => (index % 2 === 0 ? [text.slice(start, marks[index + 1]).toLowerCase()] : []));
  assert.deepEqual(marked(first.Title, first.TitleMarks), ['invoices', 'automatically']);
  assertEvery(marked(first.Excerpt, first.ExcerptMarks), word => /^(invoice|automatic)/.test(word));
  assert.deepEqual(readMarks('a \u0001b\u0002 c'), { text: 'a b c', marks: [2, 3] });
});

test('an excerpt shows where a word stands though the text lacks another that only the title has', async () => {
  for (const term of ['synchronise services', 'brand elsewhere', 'follow deletions', 'choose unnoticed']) {
    const [first] = (await search('reseller', term)).Items;
    assert.equal(first.ExcerptMarks.length > 0, true, `${term}: ${first.Excerpt}`);
  }
  const [quoted] = (await search('reseller', 'synchronise services')).Items;
  assert.match(quoted.Excerpt, /“Synchronise now”/);
});

test('a word that is spelt otherwise is found by titles that have one like it', async () => {
  assert.ok(titles(await search('reseller', 'forgoten pasword')).includes('I have forgotten my password'));
  assert.ok(titles(await search('reseller', 'wörk accóunt')).includes('Sign in with your work account'));
});

test('signs are left out of a search and letters of any alphabet kept; one letter finds nothing', async () => {
  assert.equal(searchTerms('Müller & <b>Søn</b>: "50%"'), 'Müller b Søn b 50');
  assert.equal(searchTerms("'); drop table -- 東京"), 'drop table 東京');
  assert.deepEqual(await search('reseller', 'a'), { Items: [], Total: 0 });
  assert.deepEqual(await search('reseller', '!!'), { Items: [], Total: 0 });
  assert.equal((await call('reseller', 'GET', `search?term=${'x'.repeat(201)}`)).status, 400);
});

test('nobody is shown an article about what they cannot do', async () => {
  assert.deepEqual(titles(await search('user', 'prepaid credit')), []);
  assert.ok(titles(await search('bookkeeper', 'prepaid credit')).includes('Top up and use prepaid credit'));
  const all = await get('reseller', 'articles?pageSize=100');
  const brand = all.Items.find(({ Title }: { Title: string }) => Title === 'Put on your own brand');
  assert.equal((await call('admin', 'GET', `articles/${brand.Id}`)).status, 404);
  assert.equal((await call('admin', 'GET', `article-by-path/${brand.Path}`)).status, 404);
  assert.equal((await call('admin', 'PUT', `articles/${brand.Id}/helpful`, { Helpful: true })).status, 404);
  const own = await get('user', 'articles?pageSize=100');
  assert.ok(own.Total >= 10 && own.Total < all.Total);
  assertEvery((await get('user', 'categories')).Children, ({ Articles }: { Articles: number }) => Articles > 0);
  assert.equal(JSON.stringify(await get('user', 'categories')).includes('Billing'), false);
});

test('a category lists the articles of those below it, and each article has its trail', async () => {
  const { Trail, Children } = await get('reseller', 'categories?parent=billing');
  assert.deepEqual(Trail, [{ Id: 'billing', Name: 'Billing' }]);
  assert.deepEqual(
    Children.map(({ Id }: { Id: string }) => Id),
    ['payments', 'business-system'],
  );
  const below = await get('reseller', 'articles?category=billing&pageSize=100');
  assert.ok(titles(below).includes('Pay an invoice'));
  const article = await get('reseller', 'article-by-path/payments/pay-an-invoice');
  assert.deepEqual(
    article.Categories.map(({ Id }: { Id: string }) => Id),
    ['billing', 'payments'],
  );
  assert.deepEqual(titles({ Items: article.Related }).includes('Have invoices paid automatically'), true);
  assert.equal(article.HelpJuiceUrl, '/knowledge-base/article/payments/pay-an-invoice');
  assert.equal((await call('reseller', 'GET', 'categories?parent=nothing')).status, 404);
});

test('a screen and a refusal have their articles', async () => {
  const ofScreen = await get('reseller', `articles?screen=${encodeURIComponent('/account-setting/ip-access')}`);
  assert.deepEqual(titles(ofScreen), ['Let people in from your networks only']);
  assert.deepEqual(titles(await get('bookkeeper', 'articles?code=CreditShort')), [
    'Pay an invoice',
    'Top up and use prepaid credit',
  ]);
});

test('articles that were opened are recent for who opened them, and popular by how many people did', async () => {
  const open = async (who: Who, path: string) => {
    const { Id } = await get(who, `article-by-path/${path}`);
    await call(who, 'PUT', `articles/${Id}/opened`);
  };
  for (const who of ['reseller', 'admin', 'user'] as const) await open(who, 'signing-in/lost-phone');
  await open('reseller', 'orders/follow-an-order');
  await open('reseller', 'orders/follow-an-order');
  assert.equal(titles(await get('bookkeeper', 'popular'))[0], 'I have lost my phone');
  assert.deepEqual(titles(await get('reseller', 'recent')).slice(0, 2), ['Follow an order', 'I have lost my phone']);
  await get('user', 'article-by-path/profile/ask-for-access');
  assert.deepEqual(titles(await get('user', 'recent')), ['I have lost my phone'], 'reading alone opens nothing');
});

test('whoever says whether an article helped says it once, and may think again', async () => {
  const { Id } = await get('user', 'article-by-path/profile/language-and-time-zone');
  const say = (who: Who, Helpful: boolean) => call(who, 'PUT', `articles/${Id}/helpful`, { Helpful });
  await say('user', false);
  await say('user', true);
  await say('admin', false);
  const { Helpful, FoundHelpful, FoundUnhelpful } = await get('user', `articles/${Id}`);
  assert.deepEqual([Helpful, FoundHelpful, FoundUnhelpful], [true, 1, 1]);
});

test('what nobody found stands on the page of who operates the cloud, escaped and bounded', async () => {
  await search('user', 'Teleporter <i>');
  await search('admin', 'teleporter i');
  const page = await (await fetch(`${sandbox.url}/not-found-articles`)).text();
  assert.match(page, /<td>teleporter i<td>2<td>/);
  await sql`insert into kb_misses (term, count, last)
    select 'w' || n, 1, now() - interval '1 hour' from generate_series(1, ${mostMisses}) n`.execute(sandbox.db);
  await search('user', 'hovercraft');
  const { count } = await sandbox.db
    .selectFrom('kb_misses')
    .select(eb => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  assert.equal(Number(count), mostMisses);
});

test('an article keeps its address and number when the files are read anew', async () => {
  const { refreshKnowledge } = await import('../../server/sandbox/knowledge/refresh.ts');
  const ids = async () => (await get('reseller', 'articles?pageSize=100')).Items.map(({ Id }: { Id: string }) => Id);
  const before = notEmpty(await ids());
  await sandbox.db.transaction().execute(refreshKnowledge);
  assert.deepEqual(await ids(), before);
});

test('a refusal by a code names the article about it to those who may read one', async () => {
  const set = (of: Who) =>
    sandbox.call(tokens[names[of].split('@', 1)[0]!]!, 'PUT', '/api/billing/pricing', { Key: '1-1', Price: '0' });
  const { status, body } = await set('bookkeeper');
  assert.deepEqual([status, body.Refusals[0].Code], [400, 'PriceZero']);
  assert.deepEqual(body.Article, { Path: 'billing/your-prices', Title: 'Set your own prices' });
  const flag = (enabled: boolean) =>
    sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', 'KnowledgeBase').execute();
  await flag(false);
  assert.equal((await set('bookkeeper')).body.Article, undefined);
  await flag(true);
});
