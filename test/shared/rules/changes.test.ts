import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Match, readChanges, writeChanges } from '../../../shared/rules/match-changes.ts';

const match = fc.record(
  { option: fc.option(fc.constantFrom('a', 'b')), ignored: fc.boolean() },
  { noNullPrototype: true },
);
const matches = fc
  .uniqueArray(fc.tuple(fc.string({ maxLength: 3 }), match), { selector: ([key]) => key, maxLength: 6 })
  .map(entries => new Map<string, Match>(entries));

test('what is written of changes is read again, and is exactly what differs from what was loaded', () => {
  fc.assert(
    fc.property(matches, matches, (loaded, changes) => {
      const written = writeChanges(loaded, changes);
      const read = readChanges(written);
      assert.ok(read);
      assert.equal(written === undefined, read.size === 0);
      for (const [key, before] of loaded) {
        const now = changes.get(key) ?? before;
        assert.deepEqual(read.get(key) ?? before, now);
        assert.equal(read.has(key), now.option !== before.option || now.ignored !== before.ignored);
      }
      assert.deepEqual(
        [...read.keys()].filter(key => !loaded.has(key)),
        [],
      );
    }),
  );
});

test('changing back is no change, in any order of changes', () => {
  fc.assert(
    fc.property(matches, matches, (loaded, changes) => {
      assert.equal(writeChanges(loaded, new Map([...changes, ...loaded])), undefined);
    }),
  );
});

test('what is no list of changes is told', () => {
  for (const value of ['', undefined]) assert.equal(readChanges(value)?.size, 0);
  for (const value of [
    'x',
    '{}',
    '[1]',
    '[["a"]]',
    '[["a",null,true,1]]',
    '[["a",null]]',
    '[["a",1,true]]',
    '[["a",null,"x"]]',
    '[[1,null,true]]',
    5,
  ])
    assert.equal(readChanges(value), undefined, String(value));
});
