import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../server/access/principal.ts';
import { languageVersion } from '../../shared/language/version.ts';
import { type Json, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';

const poor = someone({ prices: false });
const get = { service: 'cloud', method: 'GET' };
const operations = {
  'a.list': {
    ...get,
    path: '/api/a',
    with: {
      sort: { type: 'string', names: 'Result.Items', enum: ['Name', '-Name', 'Price', '-Price'] },
      page: { type: 'integer' },
    },
    reply: {
      Id: 'id',
      Name: 'text',
      Sum: { kind: 'html', requires: { prices: true } },
      Spend: 'money',
      Items: [{ Id: 'id', Name: 'text', Price: 'money' }],
    },
  },
  'a.get': {
    ...get,
    path: '/api/a/{id}',
    with: { id: { type: 'string' } },
    own: { id: { userTypes: ['endUser'], is: 'principal.organisationId' } },
  },
  'a.prices': {
    ...get,
    path: '/api/prices',
    requires: { prices: true },
    reply: { Id: 'id', Name: 'text', Price: 'money', Items: [{ Id: 'id', Name: 'text', Price: 'money' }] },
  },
  'a.save': {
    service: 'cloud',
    method: 'POST',
    path: '/api/a/{id}',
    with: { id: { type: 'string' } },
    own: { id: { userTypes: ['endUser'], is: 'principal.organisationId' } },
    audit: 'a.saved',
  },
};
const text = (path: string, rest: Json = {}): Json => ({ type: 'text', path, ...rest });
const list = { list: { operation: 'a.list' } };

const home = (children: readonly Json[], data: Json, rest: Json = {}): SchemaSet => ({
  operations,
  screens: [{ id: 'home', data, children, ...rest }],
});
const layoutFor = (set: SchemaSet, principal: Principal) =>
  JSON.parse(trimFor(set, principal).screens.get('/home')?.bytes.toString() ?? '{}');
const childrenFor = (set: SchemaSet, principal: Principal): Json[] => layoutFor(set, principal).children;

const table = (rest: Json = {}): Json => ({
  type: 'table',
  id: 'table',
  label: 't.label',
  rows: 'data.list.Result.Items',
  key: 'Id',
  empty: { title: 't.none' },
  columns: [
    { title: 't.a', path: 'row.Name', sort: 'Name' },
    { title: 't.b', path: 'row.Price', sort: 'Price' },
  ],
  ...rest,
});

test('a column of a field that the caller may not have goes, and its name with it', () => {
  const set = home([table()], list);
  const columns = (principal: Principal) =>
    (childrenFor(set, principal) as [{ columns: Json[] }])[0].columns.map(column => column['path']);
  assert.deepEqual(columns(someone()), ['row.Name', 'row.Price']);
  assert.deepEqual(columns(poor), ['row.Name']);
  assert.doesNotMatch(JSON.stringify(layoutFor(set, poor)), /Price/);
});

test('sort names of fields that the caller may not have are refused', () => {
  const set = home([table()], list);
  assert.deepEqual(trimFor(set, someone()).reads.get('a.list')?.refused, new Map([['sort', new Set()]]));
  assert.deepEqual(trimFor(set, poor).reads.get('a.list')?.refused, new Map([['sort', new Set(['Price'])]]));
});

test('sort names of fields that nothing of the caller shows or offers are refused', () => {
  const columns = [
    { title: 't.a', path: 'row.Name' },
    { title: 't.b', path: 'row.Price', requires: { permissions: ['add'] } },
  ];
  const set = home([table({ columns })], list);
  const refusedTo = (principal: Principal) => trimFor(set, principal).reads.get('a.list')?.refused.get('sort');
  assert.deepEqual(refusedTo(someone()), new Set(['Price']));
  assert.deepEqual(refusedTo(someone({ permissions: ['add'] })), new Set());
});

test('a sort name of such a field goes from a column that shows another, and from the first sort', () => {
  const columns = [{ title: 't.a', path: 'row.Name', sort: 'Price' }];
  const set = home([table({ columns, sort: { path: 'route.sort', initial: '-Price' } })], list);
  const [node] = childrenFor(set, poor);
  assert.deepEqual(node?.['columns'], [{ title: 'A', path: 'row.Name' }]);
  assert.deepEqual(node?.['sort'], { path: 'route.sort' });
  assert.deepEqual(childrenFor(set, someone())[0]?.['sort'], { path: 'route.sort', initial: '-Price' });
});

test('a field below one that the caller may not have is out of reach too', () => {
  const bill = { requires: { prices: true }, of: { Total: 'number' } };
  const reply = { ...operations['a.list'].reply, Bill: bill, Billing: 'text' };
  const nested = { ...operations, 'a.list': { ...operations['a.list'], reply } };
  const children = [
    text('data.list.Result.Name'),
    text('data.list.Result.Bill.Total'),
    text('data.list.Result.Billing'),
  ];
  const set = { operations: nested, screens: [{ id: 'home', data: list, children }] };
  assert.deepEqual(
    childrenFor(set, poor).map(node => node['path']),
    ['data.list.Result.Name', 'data.list.Result.Billing'],
  );
});

test('whatever reads such a field goes: a value, a text, a condition, a link, a call, a list by its key', () => {
  const path = 'data.list.Result.Sum';
  const readers: Json[] = [
    text(path),
    { type: 'text', text: 't.named', values: { name: path } },
    { type: 'text', text: 't.named', values: { name: { path: 'data.list.Result.Spend', format: 'currency' } } },
    { type: 'heading', text: 't.a', when: { not: { any: [{ path, is: 'x' }] } } },
    { type: 'link', text: 't.go', to: `/home?sum={${path}}` },
    { type: 'link', text: 't.go', to: `/?sum={${path}}` },
    { type: 'button', text: 't.go', on: { press: [{ do: 'copy', value: path }] } },
    { type: 'button', text: 't.go', disabledWhen: { path, is: 'x' }, on: { press: [{ do: 'sign-out' }] } },
    { type: 'button', text: 't.go', on: { press: [{ do: 'call', operation: 'a.save', with: { id: path } }] } },
    { type: 'html', path },
    { type: 'repeat', rows: 'data.list.Result.Items', key: 'Price', children: [text('row.Name')] },
    { ...table({ key: 'Price' }), id: 'other' },
  ];
  const set = { ...home([text('data.list.Result.Name'), ...readers], list), texts: { t: { named: '{{name}}' } } };
  assert.deepEqual(
    childrenFor(set, poor).map(node => node['type']),
    ['text'],
  );
  assert.equal(childrenFor(set, someone()).length, readers.length + 1);
});

test('a source of an operation that the caller may not call takes its readers with it', () => {
  const data = { ...list, prices: { operation: 'a.prices' } };
  const set = home(
    [
      text('data.list.Result.Name'),
      text('data.prices.Result.Price'),
      { type: 'repeat', rows: 'data.prices.Result.Items', key: 'Id', children: [text('route.a')] },
    ],
    data,
  );
  const layout = layoutFor(set, poor);
  assert.deepEqual(layout.data, list);
  assert.deepEqual(layout.children, [text('data.list.Result.Name')]);
});

test('a source whose own requirement is not met takes its readers with it', () => {
  const set = home([text('data.list.Result.Name'), text('data.own.Result.Name')], {
    ...list,
    own: { operation: 'a.list', requires: { permissions: ['edit'] } },
  });
  assert.deepEqual(childrenFor(set, someone()).length, 1);
  assert.deepEqual(layoutFor(set, someone({ permissions: ['edit'] })).data, { ...list, own: { operation: 'a.list' } });
});

test('a source whose parameters read one that is not there goes with it, and so do its readers', () => {
  const data = {
    ...list,
    prices: { operation: 'a.prices' },
    one: { operation: 'a.get', with: { id: 'data.prices.Result.Id' } },
    two: { operation: 'a.get', with: { id: 'data.one.Result.Id' } },
  };
  const children = [text('data.two.Result.Name'), text('data.list.Result.Name')];
  assert.deepEqual(layoutFor(home(children, data), poor), {
    language: languageVersion,
    kind: 'screen',
    id: 'home',
    route: '/home',
    title: 'Title',
    children: [text('data.list.Result.Name')],
    data: list,
  });
  assert.deepEqual([...trimFor(home(children, data), poor).reads.keys()], ['a.list']);
  assert.deepEqual(Object.keys(layoutFor(home(children, data), someone()).data), ['list', 'prices', 'one', 'two']);
});

test('a source that no kept node reads is not sent, one that feeds another is', () => {
  const data = {
    ...list,
    idle: { operation: 'a.prices' },
    one: { operation: 'a.get', with: { id: 'data.list.Result.Id' } },
  };
  const set = home(
    [text('data.one.Result.Name'), text('data.idle.Result.Name', { requires: { permissions: ['edit'] } })],
    data,
  );
  assert.deepEqual(Object.keys(layoutFor(set, someone()).data), ['list', 'one']);
  assert.deepEqual([...trimFor(set, someone()).reads.keys()].sort(), ['a.get', 'a.list']);
});

test('a state that only trimmed parts use is not sent', () => {
  const set = home(
    [
      text('state.open'),
      { type: 'search', path: 'state.words', label: 't.label', requires: { permissions: ['edit'] } },
      text('state.words', { requires: { permissions: ['edit'] } }),
    ],
    {},
    { state: { open: true, words: 'secret' } },
  );
  assert.deepEqual(layoutFor(set, someone()).state, { open: true });
  assert.deepEqual(layoutFor(set, someone({ permissions: ['edit'] })).state, { open: true, words: 'secret' });
});

test('what a source needs travels along; parameters bound to the caller do not', () => {
  const data = { one: { operation: 'a.get', with: { id: 'route.id' } } };
  const set = home([text('data.one.Result.Name')], data);
  assert.deepEqual(layoutFor(set, someone()).data, {
    one: { operation: 'a.get', with: { id: 'route.id' }, needs: ['id'] },
  });
  assert.deepEqual(layoutFor(set, someone({ type: 'endUser' })).data, { one: { operation: 'a.get' } });
});

test('parameters bound to the caller are in no call, and not among those that may be named', () => {
  const call = {
    type: 'button',
    text: 't.go',
    on: { press: [{ do: 'call', operation: 'a.save', with: { id: 'route.id' } }] },
  };
  const set = home([call], {});
  const given = (principal: Principal) =>
    (childrenFor(set, principal) as [{ on: { press: [Json] } }])[0].on.press[0]['with'];
  assert.deepEqual(given(someone()), { id: 'route.id' });
  assert.deepEqual(given(someone({ type: 'endUser' })), {});
  const capability = (principal: Principal) => trimFor(set, principal).writes.get('a.save');
  assert.deepEqual([capability(someone())?.parameters, capability(someone())?.own], [new Set(['id']), new Map()]);
  assert.deepEqual(
    [capability(someone({ type: 'endUser' }))?.parameters, capability(someone({ type: 'endUser' }))?.own],
    [new Set(), new Map([['id', 'organisationId']])],
  );
});

test('what a bound parameter would have read is not needed for it', () => {
  const data = {
    prices: { operation: 'a.prices' },
    one: { operation: 'a.get', with: { id: 'data.prices.Result.Id' } },
  };
  const set = home([text('data.one.Result.Name')], data);
  const bound = someone({ type: 'endUser', prices: false });
  assert.deepEqual(layoutFor(set, bound).data, { one: { operation: 'a.get' } });
  assert.deepEqual([...trimFor(set, bound).reads.keys()], ['a.get']);
});

test('the first values of a form are read field by field, and a field that may not be read is not asked for', () => {
  const field = (propertyName: string): Json => ({ type: 'field', propertyName, kind: 'text', label: 't.a' });
  const form = {
    type: 'form',
    id: 'f',
    submit: 't.go',
    initial: 'data.list.Result',
    on: { submit: [{ do: 'close-popup' }] },
    children: [field('Name'), field('Sum')],
  };
  const fields = (principal: Principal) =>
    (childrenFor(home([form], list), principal) as [{ children: Json[] }])[0].children.map(
      node => node['propertyName'],
    );
  assert.deepEqual(fields(someone()), ['Name', 'Sum']);
  assert.deepEqual(fields(poor), ['Name']);
});
