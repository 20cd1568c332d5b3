import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readLines } from '../../../shared/rules/read-lines.ts';
import { writeLines } from '../../../shared/rules/write-lines.ts';

const entry = fc.string({ minLength: 1 }).filter(text => !text.includes('\n'));

test('a list is read as it was written, in order, whatever the order that it came in', () => {
  fc.assert(
    fc.property(fc.array(entry), entries => {
      assert.deepEqual(readLines(writeLines(entries)), [...entries].sort());
      const items = entries.map(Address => ({ Address, IsSelected: true }));
      assert.equal(writeLines(items.toReversed(), 'Address'), writeLines(entries));
    }),
  );
});

test('nothing has no entries', () => {
  for (const value of [undefined, null, '', '\n']) assert.deepEqual(readLines(value), []);
});
