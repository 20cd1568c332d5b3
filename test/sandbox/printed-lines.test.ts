import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakLines } from '../../server/sandbox/printing/lines.ts';

/** Every letter is one wide; Latin, digits and signs have a font of their own. */
const measure = {
  fontOf: (letter: string) => (/[ -~]/.test(letter) ? 'latin' : 'other'),
  widthOf: ({ text }: { readonly text: string }) => Array.from(text).length,
};
const seen = (text: string, width = 80): string[] =>
  breakLines(text, width, measure).map(({ runs }) => runs.map(run => run.text).join('|'));

test('what is read from right to left is seen so, numbers and Latin within it are not, and brackets turn round', () => {
  assert.deepEqual(seen('abc def'), ['abc| |def']);
  assert.deepEqual(seen('אב גד'), ['גד| |אב']);
  assert.deepEqual(seen('אב (12)'), ['(|12|)| |אב']);
  assert.deepEqual(seen('abc אב גד def'), ['abc| |גד| |אב| |def']);
  assert.deepEqual(seen('אב abc def גד'), ['גד| |abc| |def| |אב']);
});

test('lines end between words, in scripts without spaces too, and within a word that is too wide', () => {
  assert.deepEqual(seen('one two three', 8), ['one| |two', 'three']);
  assert.deepEqual(seen('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
  assert.equal(seen('北京翻译有限公司', 5).join('').replaceAll('|', ''), '北京翻译有限公司');
  assert.ok(seen('北京翻译有限公司', 5).length >= 2);
  assert.deepEqual(seen('', 5), ['']);
});
