import assert from 'node:assert/strict';
import { test } from 'node:test';
import { joinRows, keysToJoin, mostKeys } from '../../../shared/rules/joined-rows.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import { readRequest } from '../../../shared/rules/read-request.ts';

const source = {
  operation: 'a.totals',
  with: { ids: 'row.Id', month: 'route.month' },
  rows: 'data.list.Result.Items',
  by: 'OwnerId',
};
const request = (scope: Scope) => readRequest(source, scope, keysToJoin);
const listOf = (Items: readonly unknown[]) => ({ list: { Succeed: true, Result: { Items, Total: Items.length } } });
const totals = (Items: readonly unknown[]) => ({ Succeed: true, Result: { Items } });
type Rows = { readonly Items: readonly { readonly totals?: unknown }[]; readonly Total: number };
const rowsOf = (replies: ReturnType<typeof joinRows>): Rows => replies['list']!.Result as Rows;
const joined = (data: ReturnType<typeof joinRows>, isAwaited = false) =>
  rowsOf(joinRows(data, { totals: source }, () => isAwaited)).Items.map(row => row.totals);

test('the keys of a page are asked for in one read, each once, beside what else the source binds', () => {
  const data = listOf([{ Id: 'b' }, { Id: 'a' }, { Id: 'b' }, { Id: 7 }, {}, { Id: null }, { Id: '' }]);
  const read = request({ data, route: { month: 'May' } });
  assert.deepEqual(read, { operation: 'a.totals', query: 'ids=7%2Ca%2Cb&month=May' });
});

test('without rows, and without any key, nothing is asked for', () => {
  assert.equal(request({ data: {} }), undefined);
  assert.equal(request({ data: listOf([]) }), undefined);
  assert.equal(request({ data: listOf([{ Name: 'no key' }]) }), undefined);
});

test('no more than 100 keys are asked for, and none that would read as two', () => {
  const rows = Array.from({ length: mostKeys + 5 }, (_, index) => ({ Id: index + 1000 }));
  const { query } = request({ data: listOf(rows) })!;
  assert.equal(new URLSearchParams(query).get('ids')?.split(',').length, 100);
  assert.equal(request({ data: listOf([{ Id: '1,2' }]) }), undefined);
});

test('each row gets the item of its key, a number or a text alike; the first of two counts', () => {
  const items = [
    { OwnerId: '1', Sum: 5 },
    { OwnerId: 2, Sum: 6 },
    { OwnerId: '1', Sum: 7 },
  ];
  const rows = [{ Id: 1 }, { Id: '2' }, { Id: '3' }];
  assert.deepEqual(joined({ ...listOf(rows), totals: totals(items) }), [items[0], items[1], null]);
});

test('what has not come yet is told from what is not there', () => {
  const data = listOf([{ Id: '1' }]);
  assert.deepEqual(joined(data, true), [undefined]);
  assert.deepEqual(joined(data), [null]);
});

test('a Result that is a list itself is joined as well, and what is no list joins nothing', () => {
  const data = listOf([{ Id: '1' }]);
  assert.deepEqual(joined({ ...data, totals: { Succeed: true, Result: [{ OwnerId: '1' }] } }), [{ OwnerId: '1' }]);
  assert.deepEqual(joined({ ...data, totals: { Succeed: true, Result: 'none' } }), [null]);
  assert.deepEqual(joined({ ...data, totals: { Succeed: true, Result: { Items: [null, 1] } } }), [null]);
});

test('rows keep their own fields and the reply that they came in, and stay the same object until something changes', () => {
  const data = { ...listOf([{ Id: '1', Name: 'One' }]), totals: totals([{ OwnerId: '1' }]) };
  const join = (given: typeof data): Rows => rowsOf(joinRows(given, { totals: source }, () => false));
  const first = join(data);
  assert.deepEqual(first, { Items: [{ Id: '1', Name: 'One', totals: { OwnerId: '1' } }], Total: 1 });
  assert.equal(join({ ...data }).Items[0], first.Items[0]);
  assert.notEqual(join({ ...data, totals: totals([{ OwnerId: '1' }]) }).Items[0], first.Items[0]);
  assert.deepEqual(data.list.Result.Items, [{ Id: '1', Name: 'One' }]);
});

test('a list may have several joins, under names of their own', () => {
  const data = { ...listOf([{ Id: '1' }]), totals: totals([{ OwnerId: '1' }]), other: totals([]) };
  const sources = { totals: { ...source, as: 'sums' }, other: source };
  const { Items } = rowsOf(joinRows(data, sources, () => false));
  assert.deepEqual(Items, [{ Id: '1', sums: { OwnerId: '1' }, other: null }]);
});
