import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readEpoch } from '../../../shared/rules/read-epoch.ts';

const mark = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter(text => /^\D$/u.test(text));
const milliseconds = fc.integer({ min: 0, max: 9_999_999_999_999 });

test('a moment is read from 13 digits between any two characters', () => {
  fc.assert(
    fc.property(milliseconds, mark, mark, (moment, before, after) => {
      const wire = `${before}${String(moment).padStart(13, '0')}${after}`;
      assert.equal(readEpoch(wire), new Date(moment).toISOString());
    }),
  );
});

test('what is not written so is no moment', () => {
  for (const wire of ['', '//', '1762560000000', '/1762560000000', '//1762560000000//', '/17625600000000/', '/1e12/'])
    assert.equal(readEpoch(wire), undefined, wire);
});

test('a moment that was read stays as it is', () => {
  assert.equal(readEpoch('2026-11-08T00:00:00.000Z'), '2026-11-08T00:00:00.000Z');
  assert.equal(readEpoch('2026-19-08T00:00:00.000Z'), undefined);
});
