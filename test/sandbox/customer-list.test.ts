import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Caller } from '../../server/sandbox/auth/caller.ts';
import { pageOf, type SortColumn, sortColumns } from '../../server/sandbox/customers/list.ts';
import { matching } from '../../server/sandbox/customers/matching.ts';
import { searchKey } from '../../shared/rules/search-key.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const list = async (query: string, as = token) =>
  (await sandbox.call(as, 'GET', `/api/customers?${query}`)).body.Result;
const names = (result: { Items: Row[] }) => result.Items.map(({ Name }) => Name);

test('the list starts with the first 25 by name and says how many there are', async () => {
  const result = await list('');
  assert.deepEqual(
    [result.Items.length, result.Page, result.PageSize, result.Total, result.TotalIsExact],
    [25, 1, 25, 40, true],
  );
  assert.deepEqual(names(result).slice(0, 4), [
    'Alder Grove Primary School',
    'Ashdown Legal LLP',
    'Blackwell Motor Spares',
    'Brightwater Dental Group',
  ]);
  const { All, ...groups } = result.Counts;
  assert.equal(All, 40);
  assert.equal(
    Object.values<number>(groups).reduce((sum, count) => sum + count),
    40,
  );
});

test('pages of any sort hold every customer once', async () => {
  for (const sort of ['Name', 'Status', 'Services', 'Users', 'MonthlySpend', 'LastChange']) {
    for (const sign of ['', '-']) {
      const rows: Row[] = [];
      for (const page of [1, 2, 3, 4, 5, 6]) {
        rows.push(...(await list(`sort=${sign}${sort}&pageSize=7&page=${page}`)).Items);
      }
      assert.equal(new Set(rows.map(row => row.CustomerId)).size, 40, sort);
      if (sort === 'Name') continue;
      const values = rows.map(row => (sort === 'MonthlySpend' ? Number(row[sort]) : row[sort]));
      const sorted = [...values].sort((one, other) => (one < other ? -1 : 1));
      assert.deepEqual(values, sign === '' ? sorted : sorted.reverse(), sort);
    }
  }
});

test('names are in the order of people, not of bytes', async () => {
  const all = names(await list('pageSize=100'));
  assert.deepEqual(all, [...all].sort(new Intl.Collator('en').compare));
  assert.equal(all.indexOf('Café Zoë'), all.indexOf('Calder & Finch Architects') - 1);
});

test('search finds part of a name or domain in any case and alphabet, and nothing is a wildcard', async () => {
  const found: [string, string[]][] = [
    ['DENTAL', ['Brightwater Dental Group']],
    ['cafÉ zoË', ['Café Zoë']],
    ['النور', ['مكتب النور Translations']],
    ['calderfinch.te', ['Calder & Finch Architects']],
    ["o'r", ["O'Rourke & Daughters Builders"]],
    ['Cafe\u0301', ['Café Zoë']],
    ['%', []],
    ['_', []],
    ['\\', []],
    ['no such name', []],
  ];
  for (const [search, expected] of found) {
    assert.deepEqual(names(await list(`search=${encodeURIComponent(search)}`)), expected, search);
  }
});

test('one or two letters find what contains them', async () => {
  const all: Row[] = (await list('pageSize=100')).Items;
  for (const search of ['b', 'Q', 'ho', 'AL', 'é', 'ë', ' &', "'r", '-', '%e', '_', 'ن']) {
    const contain = all.filter(({ Name, Domain }) => searchKey(`${Name}\n${Domain}`).includes(searchKey(search)));
    const found = await list(`pageSize=100&search=${encodeURIComponent(search)}`);
    assert.deepEqual([names(found), found.Total], [contain.map(({ Name }) => Name), contain.length], search);
  }
});

test('a status group holds its statuses; counts and spend are those of the search', async () => {
  const failed = await list('status=Failed');
  assertEvery(failed.Items, (row: Row) => ['ActivationFailed', 'DeletionFailed'].includes(row.Status));
  assert.equal(failed.Total, failed.Counts.Failed);
  assert.equal(failed.Counts.All, 40);
  const searched = await list('search=ho&status=Suspended');
  const spend = searched.Items.reduce((sum: number, row: Row) => sum + Number(row.MonthlySpend), 0);
  assert.equal(Number(searched.MonthlySpend), Math.round(spend * 100) / 100);
  assert.ok(searched.Counts.All < 40 && searched.Total === searched.Counts.Suspended);
});

test('the spend above the list is the sum of the customers’ own', async () => {
  const { Items, MonthlySpend } = await list('pageSize=1000');
  const sum = Items.reduce((total: number, row: Row) => total + Number(row.MonthlySpend), 0);
  assert.equal(Number(MonthlySpend), Math.round(sum * 100) / 100);
});

test('unknown sorts, statuses, parameters and page sizes are refused by name', async () => {
  for (const query of [
    'sort=Password',
    'status=Broken',
    'page=0',
    'page=x',
    'pageSize=1001',
    'pageSize=0',
    'order=1',
    'search=%00',
  ]) {
    const { status, body } = await sandbox.call(token, 'GET', `/api/customers?${query}`);
    assert.equal(status, 400, query);
    assert.deepEqual(Object.keys(body.Errors), [query.split('=')[0]]);
  }
});

test('suggestions are at most 20, by name, with what a picker needs', async () => {
  const suggest = async (search: string) =>
    (await sandbox.call(token, 'GET', `/api/customers/suggestions?search=${search}`)).body.Result;
  const all = await suggest('');
  assert.equal(all.length, 20);
  assert.deepEqual(Object.keys(all[0]), ['OrganisationId', 'Name', 'Status']);
  assert.deepEqual(
    (await suggest('housing')).map((row: Row) => row.Name),
    ['Greyfriars Housing'],
  );
});

test('beyond 10,000 the total of a search says "at least", without a search it is exact, and every page is there', async () => {
  const rival = await sandbox.signIn('rival@southridge.test');
  const before = await list('', rival);
  await sql`
    insert into customers (reseller_id, name, domain, status, created, last_change)
    select 1002, 'Bulk ' || n, 'bulk' || n || '.test', case when n % 1000 = 0 then 'Deleting' else 'Active' end, now(), now()
    from generate_series(1, 20000) n`.execute(sandbox.db);
  await sql`vacuum analyze customers`.execute(sandbox.db);
  const totals: Readonly<Record<string, readonly unknown[]>> = {
    '': [before.Total + 20_000, true, before.Counts.Active + 19_980],
    bulk: [10_000, false, 10_000],
  };
  for (const [search, expected] of Object.entries(totals)) {
    const { Total, TotalIsExact, Counts, Items } = await list(`search=${search}&page=700`, rival);
    assert.deepEqual([Total, TotalIsExact, Counts.Active], expected);
    assert.deepEqual([Items.length, Counts.All, Counts.Changing], [25, Total, 20]);
    const changing = await list(`search=${search}&status=Changing`, rival);
    assert.deepEqual([changing.Total, changing.TotalIsExact], [20, true]);
  }
  assert.equal((await list('search=bulk', rival)).MonthlySpend, null);
  assert.equal((await list('search=bulk%201', rival)).TotalIsExact, false);
  assert.equal((await list('search=bulk%2019', rival)).Total, 1111);
});

test('a page far down is read from an index alone, and a search from its pieces: never all rows', async () => {
  const caller = { resellerId: 1002, customerId: null } as Caller;
  const query = { page: 500, pageSize: 25, search: '' };
  for (const column of Object.keys(sortColumns) as SortColumn[]) {
    for (const sort of [column, `-${column}`] as const) {
      for (const status of [undefined, 'Active'] as const) {
        const plan = await pageOf(sandbox.db, caller, { ...query, sort, ...(status && { status }) }, false).explain();
        assert.match(JSON.stringify(plan), /Index Only Scan/, sort);
        assert.doesNotMatch(JSON.stringify(plan), /Seq Scan on customers/, sort);
      }
    }
  }
  for (const [search, index] of [
    ['bulk 1999', /customers_search/],
    ['z', /customers_short/],
    ['zo', /customers_short/],
  ] as const) {
    const plan = await matching(sandbox.db, caller, search).select('c.id').explain();
    assert.match(JSON.stringify(plan), index, search);
  }
});
