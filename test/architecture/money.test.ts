import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource, sourceFiles } from './source-files.ts';

test('SQL casts no amount of money to a whole number, which an invoice above 21 million would not fit', () => {
  const money = String.raw`\b(?:amount|price|total|net|gross|tax|left|paid|owed|cost|spend|credit|balance|fee|minor)\w*"?`;
  const whole = String.raw`::(?:int|integer|int4|smallint)\b`;
  const cast = new RegExp(
    String.raw`${money}${whole}|\b(?:sum|max|min|round|coalesce)\([^\n]*${money}[^\n(]*\)${whole}`,
    'i',
  );
  const sources = sourceFiles('server');
  assert.ok(sources.length > 300);
  const casts = sources.flatMap(file =>
    readSource(file)
      .split('\n')
      .flatMap((line, index) => (cast.test(line) ? [`${file}:${index + 1}`] : [])),
  );
  assert.match('sum(left_to_pay)::int', cast);
  assert.deepEqual(casts, []);
});
