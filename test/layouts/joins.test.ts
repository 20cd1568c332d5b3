import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../server/access/principal.ts';
import { compileSet, type Json, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';

const get = { service: 'cloud', method: 'GET' };
const operations = {
  'a.list': {
    ...get,
    path: '/api/a',
    with: {
      sort: { type: 'string', names: 'Result.Items', enum: ['Name', '-Name'] },
      page: { type: 'integer' },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    reply: { Items: [{ Id: 'id', Name: 'text', Owner: 'text' }], Total: 'count' },
  },
  'a.totals': {
    ...get,
    path: '/api/totals',
    with: { ids: { type: 'string', required: true }, kind: { type: 'string' } },
    requires: { permissions: ['add'] },
    reply: { Items: [{ OwnerId: 'id', Orders: 'count', Spend: 'money', Lines: ['text'], Hidden: 'text' }] },
  },
  'a.one': { ...get, path: '/api/one/{id}', with: { id: { type: 'string' } }, reply: { Name: 'text' } },
};
const totals = { operation: 'a.totals', with: { ids: 'row.Id' }, rows: 'data.list.Result.Items', by: 'OwnerId' };
const column = (path: string, more: Json = {}): Json => ({ title: 't.a', path, ...more });
const table = (columns: readonly unknown[], more: Json = {}): Json => ({
  type: 'table',
  id: 'table',
  label: 't.label',
  rows: 'data.list.Result.Items',
  key: 'Id',
  empty: { title: 't.none' },
  columns,
  ...more,
});
const list = { operation: 'a.list' };
const setOf = (columns: readonly unknown[], join: Json = {}, more: Json = {}): SchemaSet => ({
  operations,
  screens: [{ id: 'home', data: { list, totals: { ...totals, ...join } }, children: [table(columns, more)] }],
});
const shown = [column('row.Name'), column('row.totals.Orders', { format: 'number' })];
const problemsOf = (set: SchemaSet): string[] => compileSet(set).problems.map(({ message }) => message);

const may = someone({ permissions: ['add'] });
const mayNot = someone();
const layoutFor = (set: SchemaSet, principal: Principal) =>
  trimFor(set, principal).screens.get('/home')?.bytes.toString() ?? '';

test('a column shows a field of what another operation gives for the row', () => {
  const set = setOf(shown);
  assert.deepEqual(problemsOf(set), []);
  const { data, children } = JSON.parse(layoutFor(set, may));
  assert.deepEqual(data.totals, { ...totals, needs: ['ids'] });
  assert.equal(children[0].columns[1].path, 'row.totals.Orders');
});

test('of the other reply the field shown passes and the key of the row, and of the list the key that is sent', () => {
  const access = trimFor(setOf([column('row.totals.Orders')]), may);
  const whole = { OwnerId: '1', Orders: 2, Spend: '3', Lines: ['x'], Hidden: 'canary' };
  const { Result } = access.project('a.totals', { Succeed: true, Result: { Items: [whole] } }) as { Result: unknown };
  assert.deepEqual(Result, { Items: [{ OwnerId: '1', Orders: 2 }] });
  const row = access.project('a.list', { Succeed: true, Result: { Items: [{ Id: '1', Name: 'A', Owner: 'B' }] } });
  assert.deepEqual((row as { Result: unknown }).Result, { Items: [{ Id: '1' }] });
});

test('who may not call the other operation has no such column, no data source, no call and no byte of it', () => {
  const set = setOf(shown);
  assert.doesNotMatch(layoutFor(set, mayNot), /totals|Orders|OwnerId/);
  const access = trimFor(set, mayNot);
  assert.deepEqual([...access.reads.keys()], ['a.list']);
  assert.deepEqual([...trimFor(set, may).reads.keys()].sort(), ['a.list', 'a.totals']);
});

test('a joined field that needs a right of its own goes for who lacks it, and the others stay', () => {
  const set = setOf([...shown, column('row.totals.Spend', { format: 'currency' })]);
  const paths = (principal: Principal): string[] =>
    JSON.parse(layoutFor(set, principal)).children[0].columns.map(({ path }: Json) => path);
  assert.deepEqual(paths(someone({ permissions: ['add'], prices: true })), [
    ...['row.Name', 'row.totals.Orders', 'row.totals.Spend'],
  ]);
  assert.deepEqual(paths(someone({ permissions: ['add'], prices: false })), ['row.Name', 'row.totals.Orders']);
});

test('what nothing shows is not asked for', () => {
  const set = setOf([column('row.Name')]);
  assert.deepEqual(problemsOf(set), ['Nothing reads the data source "totals".']);
  assert.deepEqual([...trimFor(set, may).reads.keys()], ['a.list']);
});

test('a short form knows format and title of what is joined', () => {
  const short = { table: 'data.list.Items', columns: ['Name', 'totals.Spend?'], label: 't.label', empty: {} };
  const texts = { screens: { name: 'Name', spend: 'Spend', none: 'None', title: 'Title' } };
  const data = {
    list: 'a.list',
    totals: { 'a.totals': { ids: 'row.Id' }, rows: 'data.list.Items', by: 'OwnerId' },
  };
  const set = { operations, texts, screens: [{ id: 'home', data, children: [{ ...short, id: 'table' }] }] };
  assert.deepEqual(problemsOf(set), []);
  const [, spend] = JSON.parse(layoutFor(set, someone({ permissions: ['add'], prices: true }))).children[0].columns;
  assert.deepEqual(spend, {
    ...{ path: 'row.totals.Spend', priority: 'low', id: 'spend', title: 'Spend', format: 'currency' },
  });
});

test('two uses of a part read what is joined to their own rows', () => {
  const part = { id: 'both', data: { list, totals }, children: [table(shown, { id: '{part.name}-table' })] };
  const parts = [{ ...part, parameters: { name: 'name' } }];
  const children = ['one', 'two'].map(name => ({ part: 'both', with: { name } }));
  const set = { operations, parts, screens: [{ id: 'home', children }] };
  assert.deepEqual(problemsOf(set), []);
  const { data } = JSON.parse(layoutFor(set, may));
  assert.deepEqual([data.totals2.rows, data.totals2.as], ['data.list2.Result.Items', 'totals']);
  assert.equal(data.totals.as, undefined);
});

const refused: readonly [what: string, set: SchemaSet, message: RegExp][] = [
  [
    'a field that the other reply lacks',
    setOf([column('row.totals.Order')]),
    /has no "Order" in "Result.Items"\..*"Orders"/,
  ],
  [
    'all that is joined as a value',
    setOf([column('row.totals')]),
    /"row.totals" is all that is joined; name a field of it/,
  ],
  [
    'a sort name of a joined column',
    setOf([column('row.totals.Orders', { sort: 'Name' })], {}, { sort: { path: 'route.sort' } }),
    /"row.totals.Orders" is joined to the rows: the list cannot be sorted by it/,
  ],
  [
    'a joined field as a sort name',
    setOf([column('row.Name', { sort: 'totals.Orders' })]),
    /"row.totals.Orders" is joined to the rows: the list cannot be sorted by it/,
  ],
  ['no key', setOf(shown, { with: {} }), /takes the keys of the rows, as "row.…": here none does/],
  ['two keys', setOf(shown, { with: { ids: 'row.Id', kind: 'row.Name' } }), /here "ids" and "kind" do/],
  [
    'no field of the key',
    setOf(shown, { by: undefined }),
    /"by" says which field of "a.totals" holds the key of a row: one of "OwnerId"/,
  ],
  [
    'a field that the items lack',
    setOf(shown, { by: 'Owner' }),
    /The items of "a.totals" have no "Owner"\. Did you mean "OwnerId"/,
  ],
  [
    'a name that the rows have',
    setOf([column('row.Name')], { as: 'Owner' }),
    /The rows have a field "Owner": give another name/,
  ],
  ['rows of its own', setOf(shown, { rows: 'data.totals.Result.Items' }), /The rows of "totals" are joined themselves/],
  [
    'an operation that gives no list',
    setOf(shown, { operation: 'a.one', with: { id: 'row.Id' } }),
    /"a.one" gives no list/,
  ],
  [
    'keys in the path of the operation',
    setOf(shown, { operation: 'a.one', with: { id: 'row.Id' } }),
    /"id" stands in the path of "a.one", which is asked once for all rows/,
  ],
  ['"by" without "rows"', setOf(shown, { rows: undefined, with: {} }), /"by" goes with "rows"/],
  [
    'a condition of an action on many rows',
    setOf(
      shown,
      {},
      {
        bulk: [
          {
            id: 'go',
            text: 't.go',
            question: 't.go',
            when: { path: 'row.totals.Orders', is: 1 },
            on: { each: [{ do: 'call', operation: 'a.one' }] },
          },
        ],
      },
    ),
    /The reply of "a.list" has no "totals"/,
  ],
];
for (const [what, set, message] of refused)
  test(`the check refuses ${what}`, () => {
    assert.match(problemsOf(set).join('\n'), message);
  });

test('a filter that narrows only what is joined is refused: it narrows no list', () => {
  const filter = { type: 'filter', path: 'route.kind', label: 't.label', options: [{ value: '', text: 't.a' }] };
  const data = { list, totals: { ...totals, with: { ids: 'row.Id', kind: 'route.kind' } } };
  const set = { operations, screens: [{ id: 'home', data, children: [filter, table(shown)] }] };
  assert.deepEqual(problemsOf(set), ['"route.kind" narrows only what is joined to rows, and no list.']);
});

test('pages longer than what is asked for at once, and more joins than four, are refused', () => {
  const long = { ...operations['a.list'], with: { pageSize: { type: 'integer', maximum: 1000 } } };
  const set = { ...setOf(shown), operations: { ...operations, 'a.list': long } };
  assert.deepEqual(problemsOf(set), ['A page of "a.list" has up to 1000 rows, and 100 are joined.']);
  const names = ['b', 'c', 'd', 'e', 'f'];
  const data = { list, ...Object.fromEntries(names.map(name => [name, totals])) };
  const columns = names.map(name => column(`row.${name}.Orders`));
  const many = { operations, screens: [{ id: 'home', data, children: [table(columns)] }] };
  assert.deepEqual(problemsOf(many), ['At most 4 data sources join one list.']);
});
