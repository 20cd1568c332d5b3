import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSource, sourceFiles } from './source-files.ts';

/** This file, and the fixtures by which the others wait. */
const own = ['test/architecture/trust.test.ts', 'test/fixtures/wait.ts', 'test/fixtures/eventually.ts'];
const files = sourceFiles('test').filter(file => !own.includes(file));

/** Each place where the pattern matches, as "file:line". */
const placesOf = (pattern: RegExp): string[] =>
  files.flatMap(file => {
    const source = readSource(file);
    return [...source.matchAll(pattern)].map(({ index }) => `${file}:${source.slice(0, index).split('\n').length}`);
  });

test('an event is waited for with a bound, by the fixture that says which one did not come', () => {
  const bare = /\bimport \{[^}]*\bonce\b[^}]*\} from 'node:events'/g;
  assert.deepEqual(placesOf(bare), []);
  // Resolved by an event, and not handed to `inTime`.
  const resolved = /(?<!inTime\([^;]{0,200})new Promise(<[^(]*>)?\(\(?[\w, ]+\)? =>\s*[\w.]+\s*\.(on|once)\(/g;
  assert.deepEqual(placesOf(resolved), []);
});

test('a loop that waits for something has a deadline: `eventually` does, and says what has not come true', () => {
  const endless = /\bfor \(;;\)|\bwhile \(true\)/g;
  const asking = /\bwhile \([^\n]*\bawait\b/g;
  const pausing = /\bwhile \((?![^\n]*deadline)[^\n]*\)\s*\{?\s*await [^\n]*(setTimeout|waitForTimeout)/g;
  assert.deepEqual([...placesOf(endless), ...placesOf(asking), ...placesOf(pausing)], []);
});

test('a program that a test waits for is ended when it takes too long', () => {
  const unbounded = /(\b(execFile|exec|spawn)Sync\(|\(execFile\)\()(?![\s\S]{0,300}?\btimeout: )/g;
  assert.deepEqual(placesOf(unbounded), []);
});

test('what is said of every row is said of some: `assertEvery` and `notEmpty` refuse an empty list', () => {
  assert.deepEqual(placesOf(/\bassert(\.\w+)?\([^;]*?\.every\(/g), []);
  // By the names that replies give their lists.
  const list = /\b(Items|Result|Sections|response|results)\b/.source;
  const loop = `for \\(const [^\\n]* of (?!\\[|[^\\n]*notEmpty)[^\\n]*${list}[^\\n]*\\)\\s*(\\{[^}]*|[^;{}]*)\\bassert\\b`;
  assert.deepEqual(placesOf(new RegExp(loop, 'g')), []);
});

test('a story that changes people or their rights has a cloud of its own: others sign in as them meanwhile', () => {
  const stories = files.filter(file => file.startsWith('test/e2e/')).map(file => ({ file, source: readSource(file) }));
  const changing = stories.filter(({ source }) =>
    /account-setting\/(manage-access|roles|access-requests)/.test(source),
  );
  const sharing = changing.filter(({ source }) => source.includes('withBrowserPortal()'));
  assert.ok(changing.length > 3);
  assert.deepEqual(
    sharing.map(({ file }) => file),
    [],
  );
});
