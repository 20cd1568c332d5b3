import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readEpoch } from '../../server/commands/mail/cloud-epoch.ts';

const mark = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }).filter(text => /^\D$/u.test(text));
const milliseconds = fc.integer({ min: 0, max: 9_999_999_999_999 });

test('a moment is read from 13 digits between any two characters', () => {
  fc.assert(
    fc.property(milliseconds, mark, mark, (moment, before, after) => {
      const wire = `${before}${String(moment).padStart(13, '0')}${after}`;
      assert.equal(readEpoch(wire)?.getTime(), moment);
    }),
  );
});

test('what is not written so is no moment', () => {
  for (const wire of [
    '',
    '//',
    '1762560000000',
    '/1762560000000',
    '//1762560000000//',
    '/17625600000000/',
    '/1e12/',
    5,
  ])
    assert.equal(readEpoch(wire), undefined, String(wire));
});
