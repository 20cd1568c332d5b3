import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Bindings } from '../../../shared/language/types.ts';
import { readAddress, readRequest } from '../../../shared/rules/read-request.ts';

const route = { id: '7', search: 'a b&c', page: '2', empty: '' };

test('parameters stand in the order of their names, as text', () => {
  const request = readRequest(
    {
      operation: 'a.list',
      with: { search: 'route.search', page: 'route.page', all: true, size: 25, kind: { value: 'x' } },
    },
    { route },
  );
  assert.deepEqual(request, { operation: 'a.list', query: 'all=true&kind=x&page=2&search=a+b%26c&size=25' });
});

test('empty parameters are left out, unless they are needed', () => {
  const source = { operation: 'a.list', with: { id: 'route.id', tab: 'route.tab', empty: 'route.empty' } };
  assert.deepEqual(readRequest(source, { route }), { operation: 'a.list', query: 'id=7' });
  assert.deepEqual(readRequest({ ...source, needs: ['id'] }, { route }), { operation: 'a.list', query: 'id=7' });
  assert.equal(readRequest({ ...source, needs: ['tab'] }, { route }), undefined);
  assert.equal(readRequest({ ...source, needs: ['empty'] }, { route }), undefined);
});

test('a parameter that is empty takes what it is at first, and counts as given', () => {
  const source = {
    operation: 'a.list',
    with: { tab: 'route.tab', empty: 'route.empty', page: 'route.page' },
    initial: { tab: 'users', empty: 'x', page: 1 },
    needs: ['tab'],
  };
  assert.deepEqual(readRequest(source, { route }), { operation: 'a.list', query: 'empty=x&page=2&tab=users' });
});

test('a parameter that is needed and nowhere given is waited for', () => {
  assert.equal(readRequest({ operation: 'a.get', needs: ['id'] }, { route }), undefined);
  assert.equal(readRequest({ operation: 'a.get', with: { page: 1 }, needs: ['id'] }, { route }), undefined);
});

test('zero and false are values', () => {
  assert.deepEqual(readRequest({ operation: 'a.list', with: { page: 0, all: false }, needs: ['page', 'all'] }, {}), {
    operation: 'a.list',
    query: 'all=false&page=0',
  });
});

test('a source whose condition is not met is not read', () => {
  const source = { operation: 'a.list', when: { path: 'route.tab', is: 'users' } };
  assert.equal(readRequest(source, { route }), undefined);
  assert.deepEqual(readRequest(source, { route: { tab: 'users' } }), { operation: 'a.list', query: '' });
});

test('the address of a read holds a query only when there is one', () => {
  assert.equal(readAddress({ operation: 'a.list', query: '' }), '/ui/data/a.list');
  assert.equal(readAddress({ operation: 'a.list', query: 'page=2' }), '/ui/data/a.list?page=2');
});

test('the same values give the same address, in whatever order they are written', () => {
  const bindings = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'Z'),
    fc.oneof(
      fc.string().map(value => ({ value })),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom('route.id', 'route.search', 'route.none'),
    ),
  );
  fc.assert(
    fc.property(bindings, given => {
      const address = (with_: Bindings) =>
        readAddress(
          readRequest({ operation: 'a.list', with: with_ }, { route }) as { operation: string; query: string },
        );
      const reversed = Object.fromEntries(Object.entries(given).reverse());
      assert.equal(address(given), address(reversed));
      const [, query = ''] = address(given).split('?');
      assert.equal(new URLSearchParams(query).toString(), query);
    }),
  );
});
