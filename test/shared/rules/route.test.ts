import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fillAddress } from '../../../shared/rules/path.ts';
import { compareRoutes, matchRoute, routeScope } from '../../../shared/rules/route.ts';

const patterns = [
  '/',
  '/customers',
  '/customers/{orgId}',
  '/customers/add',
  '/customers/{orgId}/users/{userId}',
  '/a.b/{x}',
  '/files/{name}.csv',
].sort(compareRoutes);
const match = (path: string) => matchRoute(patterns, path);

test('a route is found with its parameters, decoded', () => {
  assert.deepEqual(match('/'), { pattern: '/', parameters: {} });
  assert.deepEqual(match('/customers/7%20a'), { pattern: '/customers/{orgId}', parameters: { orgId: '7 a' } });
  assert.deepEqual(match('/customers/7/users/8'), {
    pattern: '/customers/{orgId}/users/{userId}',
    parameters: { orgId: '7', userId: '8' },
  });
  assert.deepEqual(match('/files/list.csv'), { pattern: '/files/{name}.csv', parameters: { name: 'list' } });
  assert.equal(match('/nothing'), undefined);
});

test('a written part is preferred to a parameter', () => {
  assert.equal(match('/customers/add')?.pattern, '/customers/add');
  assert.deepEqual([...patterns].reverse().sort(compareRoutes), patterns);
});

test('of two patterns one comes first, in whatever order they are compared', () => {
  for (const [index, one] of patterns.entries())
    for (const [other, pattern] of patterns.entries())
      assert.equal(Math.sign(compareRoutes(one, pattern)), Math.sign(index - other), `${one} ${pattern}`);
});

test('one slash at the end makes no difference, an empty part does', () => {
  assert.equal(match('/customers/')?.pattern, '/customers');
  for (const path of ['//customers', '/customers//', '/customers//users/8', '', 'customers'])
    assert.equal(match(path), undefined, path);
});

test('signs of a pattern mean themselves', () => {
  assert.equal(match('/aXb/1'), undefined);
  assert.deepEqual(matchRoute(['/a{2,1}', '/b{', '/c+(d)|e'], '/a{2,1}'), { pattern: '/a{2,1}', parameters: {} });
  assert.equal(matchRoute(['/c+(d)|e'], '/e'), undefined);
});

test('an encoded slash stays in its segment', () => {
  assert.deepEqual(match('/customers/a%2Fb'), { pattern: '/customers/{orgId}', parameters: { orgId: 'a/b' } });
  assert.deepEqual(match('/customers/..%2f..%2fadmin'), {
    pattern: '/customers/{orgId}',
    parameters: { orgId: '../../admin' },
  });
  assert.equal(match('/customers%2Fadd'), undefined);
});

test('a written part matches only as it is written', () => {
  for (const path of ['/Customers', '/customer%73', '/customers%20', '/customers\n', '/customers;x=1', '\\customers'])
    assert.equal(match(path), undefined, path);
});

test('malformed encoding matches nothing', () => {
  for (const path of [
    '/customers/%',
    '/customers/%zz',
    '/customers/%c3%28',
    '/customers/7/users/%e0%80',
    '/customers/%ff',
  ])
    assert.equal(match(path), undefined, path);
});

test('an address that a document fills leads to its own pattern, with the values that went in', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), (orgId, userId) => {
      const path = fillAddress('/customers/{route.orgId}/users/{route.userId}', { route: { orgId, userId } });
      if (path !== undefined)
        assert.deepEqual(match(path), { pattern: '/customers/{orgId}/users/{userId}', parameters: { orgId, userId } });
    }),
    { numRuns: 500 },
  );
});

test('a guard that sees fewer routes never takes a path for another one', () => {
  const path = fc
    .array(fc.constantFrom('customers', 'add', 'users', '7', 'a%2Fb', '%', '..', '', 'a.b', 'list.csv'), {
      maxLength: 5,
    })
    .map(parts => `/${parts.join('/')}`);
  fc.assert(
    fc.property(path, fc.subarray(patterns), (pathname, own) => {
      const all = matchRoute(patterns, pathname);
      const mine = matchRoute(own, pathname);
      if (all && own.includes(all.pattern)) assert.deepEqual(mine, all);
      if (!all) assert.equal(mine, undefined);
    }),
    { numRuns: 500 },
  );
});

test('the route scope holds the query, overlaid by the parameters of the path', () => {
  assert.deepEqual(routeScope({ id: '7' }, 'id=8&tab=a%20b&tab=c&page=2'), { id: '7', tab: 'a b', page: '2' });
  const hostile = routeScope({}, '__proto__=1&constructor=2&__proto__[x]=3');
  assert.equal(Object.getPrototypeOf(hostile), Object.prototype);
  assert.deepEqual(Object.entries(hostile), [
    ['constructor', '2'],
    ['__proto__[x]', '3'],
  ]);
});
