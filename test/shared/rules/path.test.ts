import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bind, bindAll, fillAddress, readPath } from '../../../shared/rules/path.ts';

const scope = {
  data: { one: { Result: { Name: 'A', Zero: 0, No: false, Empty: '', Nothing: null, List: [{ Name: 'B' }] } } },
  route: { id: '7/8', tab: 'a b+c' },
  row: 'plain',
};

test('a path is followed part by part', () => {
  assert.equal(readPath(scope, 'data.one.Result.Name'), 'A');
  assert.equal(readPath(scope, 'data.one.Result.List.0.Name'), 'B');
  assert.equal(readPath(scope, 'row'), 'plain');
});

test('what is missing on the way gives nothing', () => {
  for (const path of [
    'data.two.Result.Name',
    'data.one.Result.Name.First',
    'form.Name',
    'row.Name',
    'data.one.Result.Nothing.x',
  ])
    assert.equal(readPath(scope, path), undefined, path);
});

test('only own properties are read', () => {
  for (const path of [
    'data.constructor',
    'data.one.__proto__',
    'data.one.Result.List.length.x',
    'route.toString',
    'row.length',
    'data.one.Result.Name.length',
  ]) {
    assert.equal(readPath(scope, path), undefined, path);
  }
  assert.equal(readPath(Object.create({ route: { id: 1 } }), 'route.id'), undefined);
});

test('a string is a path, everything else a constant', () => {
  assert.equal(bind('route.id', scope), '7/8');
  assert.equal(bind(7, scope), 7);
  assert.equal(bind(false, scope), false);
  assert.equal(bind({ value: 'route.id' }, scope), 'route.id');
  assert.equal(bind({ value: null }, scope), null);
  assert.equal(bind({ path: 'route.id', format: 'text' }, scope), '7/8');
});

test('values that are not there are left out, zero and false are not', () => {
  const bindings = {
    a: 'data.one.Result.Zero',
    b: 'data.one.Result.No',
    c: 'data.one.Result.Empty',
    d: 'data.one.Result.Nothing',
    e: 'route.none',
    f: 'route.id',
  };
  assert.deepEqual(bindAll(bindings, scope), { a: 0, b: false, f: '7/8' });
  assert.deepEqual(bindAll(undefined, scope), {});
});

test('each part of an address is encoded by itself', () => {
  assert.equal(
    fillAddress('/customers/{route.id}?tab={route.tab}#{data.one.Result.Zero}', scope),
    '/customers/7%2F8?tab=a%20b%2Bc#0',
  );
});

test('an address with a part that has no plain value leads nowhere', () => {
  for (const path of [
    'route.none',
    'data.one.Result.Empty',
    'data.one.Result.Nothing',
    'data.one.Result.List',
    'data.one.Result',
    'form.x',
  ]) {
    assert.equal(fillAddress(`/customers/{${path}}`, scope), undefined, path);
  }
});

test('a part that would be a step up or no address at all leads nowhere', () => {
  for (const id of ['.', '..', '\ud800', 'a\udc00'])
    assert.equal(fillAddress('/a/{route.id}', { route: { id } }), undefined, id);
  assert.equal(fillAddress('/a/{route.id}{route.id}', { route: { id: '.' } }), undefined);
  assert.equal(fillAddress('/a?x={route.id}', { route: { id: '..' } }), '/a?x=..');
  assert.equal(fillAddress('/a/x{route.id}', { route: { id: '..' } }), '/a/x..');
});

test('whatever a value is, it stays in its own part of the address', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom(
      '..',
      '%2e%2e',
      '.',
      '/',
      '\\',
      '?',
      '#',
      '//evil.test',
      '%2f',
      '%',
      '&b=1',
      ' ',
      '\n',
      '\u2028',
      '..;',
      '.%00.',
    ),
  );
  fc.assert(
    fc.property(value, id => {
      const filled = fillAddress('/customers/{route.id}/end?a={route.id}', { route: { id } });
      if (filled === undefined) return;
      const url = new URL(filled, 'https://portal.test');
      assert.equal(url.origin, 'https://portal.test');
      const parts = url.pathname.split('/');
      assert.deepEqual([parts.length, parts[1], parts[3]], [4, 'customers', 'end']);
      assert.equal(decodeURIComponent(parts[2] as string), id);
      assert.deepEqual([...url.searchParams], [['a', id]]);
      assert.equal(url.hash, '');
    }),
    { numRuns: 1000 },
  );
});
