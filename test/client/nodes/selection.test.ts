import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  addRows,
  chosenOf,
  extendTo,
  noRows,
  removeRows,
  rowsBetween,
  type Selection,
  selectionLimit,
  withNewer,
} from '../../../client/nodes/table/selection.ts';

const page = (from: number, count: number) => Array.from({ length: count }, (_, index) => ({ Id: from + index }));
const keysOf = (selection: Selection) => [...selection.keys()].map(Number);
const rows = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 }).map(ids => ids.map(Id => ({ Id })));

test('what is added and removed again leaves what was chosen before, and nothing is chosen twice', () => {
  fc.assert(
    fc.property(rows, rows, (first, second) => {
      const before = addRows(noRows, first, 'Id');
      const both = addRows(before, second, 'Id');
      assert.deepEqual(new Set(keysOf(both)), new Set([...first, ...second].map(({ Id }) => Id)));
      assert.equal(both.size, new Set(keysOf(both)).size);
      const left = removeRows(both, second, 'Id');
      assert.deepEqual(
        keysOf(left),
        first.map(({ Id }) => Id).filter(id => !second.some(({ Id }) => Id === id)),
      );
    }),
  );
});

test('never more rows are chosen than the limit, and those that were chosen first stay', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 0, max: 1500 }), (one, other) => {
      const both = addRows(addRows(noRows, page(0, one), 'Id'), page(10_000, other), 'Id');
      assert.equal(both.size, Math.min(selectionLimit, one + other));
      assert.deepEqual(
        keysOf(both).slice(0, one),
        page(0, Math.min(one, selectionLimit)).map(({ Id }) => Id),
      );
    }),
    { numRuns: 30 },
  );
});

test('a range is the same in both directions, holds both its ends and is as long as they are apart', () => {
  const there = page(0, 25);
  const key = fc.integer({ min: 0, max: 24 });
  fc.assert(
    fc.property(key, key, (from, to) => {
      const range = rowsBetween(there, 'Id', String(from), String(to));
      assert.deepEqual(range, rowsBetween(there, 'Id', String(to), String(from)));
      assert.equal(range.length, Math.abs(from - to) + 1);
      assert.deepEqual([range[0]?.Id, range.at(-1)?.Id], [Math.min(from, to), Math.max(from, to)]);
    }),
  );
});

test('a range that begins on another page is the row that was pressed alone', () => {
  assert.deepEqual(rowsBetween(page(25, 25), 'Id', '3', '30'), [{ Id: 30 }]);
  assert.deepEqual(rowsBetween(page(25, 25), 'Id', undefined, '30'), [{ Id: 30 }]);
  assert.deepEqual(rowsBetween(page(25, 25), 'Id', '30', '3'), []);
});

test('going down with Shift and back up again leaves the row where one began', () => {
  const there = page(0, 25);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 }), fc.integer({ min: 1, max: 14 }), (start, steps) => {
      let selection: Selection = addRows(noRows, there.slice(start, start + 1), 'Id');
      for (let at = start; at < start + steps; at++)
        selection = extendTo(selection, there[at] as object as { Id: number }, there[at + 1] as { Id: number }, 'Id');
      assert.equal(selection.size, steps + 1);
      for (let at = start + steps; at > start; at--)
        selection = extendTo(selection, there[at] as { Id: number }, there[at - 1] as { Id: number }, 'Id');
      assert.deepEqual(keysOf(selection), [start]);
    }),
  );
});

test('a page says whether none, some or all of it are chosen', () => {
  fc.assert(
    fc.property(rows, rows, (chosen, shown) => {
      const selection = addRows(noRows, chosen, 'Id');
      const common = shown.filter(({ Id }) => selection.has(String(Id))).length;
      const expected = common === 0 ? 'none' : common === shown.length ? 'all' : 'some';
      assert.equal(chosenOf(selection, shown, 'Id'), expected);
    }),
  );
});

test('a chosen row takes the values of the page; without newer ones the selection is the same', () => {
  const selection = addRows(noRows, [{ Id: 1, Status: 'Active' }], 'Id');
  const next = withNewer(selection, [{ Id: 1, Status: 'Suspended' }, { Id: 2 }], 'Id');
  assert.deepEqual([...next.values()], [{ Id: 1, Status: 'Suspended' }]);
  assert.ok(withNewer(selection, [{ Id: 2 }], 'Id') === selection);
});
