import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseUsual, tierOf } from '../../scripts/testing/choose-files.ts';

const usual = ['test/a.test.ts', 'test/client/b.test.tsx'];
const deep = Array.from({ length: 10 }, (_, index) => `test/sandbox/kill-${index}.deep.test.ts`);
const all = [...deep, ...usual];

test('a file is deep by its name alone', () => {
  assert.deepEqual(
    ['test/a.deep.test.ts', 'test/a.deep.test.tsx', 'test/deep.test.ts', 'test/deep/a.test.ts'].map(tierOf),
    ['deep', 'deep', 'usual', 'usual'],
  );
});

test('a usual run takes all usual files and a fifth of the deep ones, in the order given', () => {
  const chosen = chooseUsual(all, 'c0ffee');
  assert.deepEqual(
    chosen,
    all.filter(file => chosen.includes(file)),
  );
  assert.equal(chosen.length, usual.length + 2);
  assert.deepEqual(chosen.slice(-2), usual);
});

test('the same commit draws the same deep files, and other commits draw others until each had its turn', () => {
  assert.deepEqual(
    chooseUsual(all, 'c0ffee'),
    chooseUsual([...all].reverse(), 'c0ffee').sort((a, b) => all.indexOf(a) - all.indexOf(b)),
  );
  const commits = Array.from({ length: 100 }, (_, index) => `commit ${index}`);
  const runs = deep.map(file => commits.filter(commit => chooseUsual(all, commit).includes(file)).length);
  assert.ok(Math.min(...runs) >= 8, `each of ten files runs at some of a hundred commits: ${runs}`);
  assert.ok(Math.max(...runs) <= 36, `none runs at many of a hundred commits: ${runs}`);
});

test('without a commit the first fifth of the deep files runs, and one at least', () => {
  assert.deepEqual(chooseUsual(all, undefined).length, usual.length + 2);
  assert.deepEqual(chooseUsual([deep[0]!, ...usual], 'c0ffee'), [deep[0], ...usual]);
});
