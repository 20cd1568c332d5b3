import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseSource } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';

function problemsOf(text: string): string[] {
  const result = parseSource('customers/list.json', text);
  return 'file' in result ? [] : result.map(formatProblem);
}

const form = '"$schema": "../meta/form.schema.json"';

test('a document is read with its kind, its values and the hash of its text', () => {
  const source = parseSource('a.json', `{ ${form}, "id": "name", "fields": [] }`);
  assert.ok('file' in source);
  assert.equal(source.file, 'a.json');
  assert.equal(source.kind, 'form');
  assert.deepEqual({ ...source.json }, { $schema: '../meta/form.schema.json', id: 'name', fields: [] });
  const same = parseSource('b.json', `{ ${form}, "id": "name", "fields": [] }`);
  const other = parseSource('a.json', `{ ${form}, "id": "names", "fields": [] }`);
  assert.ok('file' in same && 'file' in other);
  assert.equal(same.hash, source.hash);
  assert.notEqual(other.hash, source.hash);
});

test('what is not JSON is reported where it ceases to be', () => {
  assert.deepEqual(problemsOf(''), [
    'customers/list.json:1:1: error: Not valid JSON: a value is missing here, or a comma is too many.',
  ]);
  assert.deepEqual(problemsOf('{\n  "a": 1,\n}'), [
    'customers/list.json:3:1: error: Not valid JSON: a name in double quotes is missing here, or a comma is too many.',
  ]);
  assert.deepEqual(problemsOf('{\n  "a": tru\n}'), [
    'customers/list.json:2:8: error: Not valid JSON: this cannot be read.',
  ]);
  assert.deepEqual(problemsOf('{\r\n  "a": "x\r\n}'), [
    'customers/list.json:2:8: error: Not valid JSON: a text in double quotes does not end.',
  ]);
  assert.deepEqual(problemsOf('// a list\n{}'), [
    'customers/list.json:1:1: error: Not valid JSON: comments are not allowed.',
  ]);
  assert.deepEqual(problemsOf(`{ ${form} } {}`), [
    'customers/list.json:1:43: error: Not valid JSON: nothing may follow the end of the document.',
  ]);
});

test('a list or a plain value is no document', () => {
  for (const text of ['[]', '"screen"', '1', 'null', 'true'])
    assert.deepEqual(problemsOf(text), ['customers/list.json:1:1: error: Not a JSON object.']);
});

test('a name that stands twice in one object is refused, at any depth', () => {
  assert.deepEqual(problemsOf(`{\n  ${form},\n  "id": "a",\n  "id": "b"\n}`), [
    'customers/list.json:4:3: error: "id" stands here twice.',
  ]);
  assert.deepEqual(problemsOf(`{ ${form},\n "fields": [{ "when": { "is": 1,\n "is": 2 } }] }`), [
    'customers/list.json:3:2: error: "is" stands here twice.',
  ]);
  assert.deepEqual(problemsOf(`{ ${form},\n "i\\u0064": "a",\n "id": "b" }`), [
    'customers/list.json:3:2: error: "id" stands here twice.',
  ]);
});

test('names that reach into objects are refused, however they are written', () => {
  assert.deepEqual(problemsOf(`{ ${form},\n  "__proto__": { "admin": true } }`), [
    'customers/list.json:2:3: error: The name "__proto__" is not allowed.',
  ]);
  assert.deepEqual(problemsOf(`{ ${form},\n "a": [{ "constructor": 1 }],\n "b": { "prototype": 2 } }`), [
    'customers/list.json:2:10: error: The name "constructor" is not allowed.',
    'customers/list.json:3:9: error: The name "prototype" is not allowed.',
  ]);
  assert.deepEqual(problemsOf(`{ ${form},\n  "\\u005f_proto__": 1 }`), [
    'customers/list.json:2:3: error: The name "__proto__" is not allowed.',
  ]);
});

test('sixty levels are deep enough', () => {
  const nested = (levels: number) => `{ ${form}, "a": ${'['.repeat(levels)}${']'.repeat(levels)} }`;
  assert.deepEqual(problemsOf(nested(60)), []);
  assert.deepEqual(problemsOf(nested(61)), ['customers/list.json:1:107: error: Nested deeper than 60 levels.']);
});

test('a file that is nothing but nesting is refused, not followed', () => {
  assert.deepEqual(problemsOf('['.repeat(300_000)), ['customers/list.json:1:62: error: Nested deeper than 60 levels.']);
  assert.deepEqual(problemsOf(`{"a":`.repeat(60_000)), [
    'customers/list.json:1:306: error: Nested deeper than 60 levels.',
  ]);
  assert.deepEqual(problemsOf(`{ ${form}, "a": "${'['.repeat(300)}\\"${'{'.repeat(300)}" }`), []);
});

test('one byte order mark is no part of the text, a second one is', () => {
  const text = `{ ${form},\n  "id": "a" }`;
  const plain = parseSource('a.json', text);
  const marked = parseSource('a.json', `\uFEFF${text}`);
  assert.ok('file' in plain && 'file' in marked);
  assert.deepEqual(marked.json, plain.json);
  assert.equal(marked.hash, plain.hash);
  assert.deepEqual(problemsOf('\uFEFF{ a }'), ['customers/list.json:1:3: error: Not valid JSON: this cannot be read.']);
  assert.deepEqual(problemsOf(`\uFEFF\uFEFF${text}`), [
    'customers/list.json:1:1: error: Not valid JSON: this cannot be read.',
  ]);
});

test('the kind of a document is the name of its schema, and must be one', () => {
  const message = (at: string, meant = '') =>
    `customers/list.json:${at}: error: "$schema" must name a kind of document, such as "../meta/screen.schema.json" (screen, popup, part, form, journey, navigation, operations, access, catalogue, texts).${meant}`;
  assert.deepEqual(problemsOf('{\n  "id": "a"\n}'), [message('2:3')]);
  assert.deepEqual(problemsOf('{}'), [message('1:1')]);
  assert.deepEqual(problemsOf('{ "$schema": 7 }'), [message('1:3')]);
  assert.deepEqual(problemsOf('{\n  "id": "a",\n  "$schema": "../meta/scren.schema.json" }'), [
    message('3:3', ' Did you mean "screen"?'),
  ]);
  assert.deepEqual(problemsOf('{ "$schema": "../meta/constructor.schema.json" }'), [message('1:3')]);
  assert.deepEqual(problemsOf('{ "$schema": "screen" }'), [message('1:3')]);
});

test('a number too large to be one is refused', () => {
  assert.deepEqual(problemsOf(`{ ${form},\n  "a": [1, -1e999] }`), [
    'customers/list.json:2:12: error: This number is too large.',
  ]);
});

test('a problem inside a document is placed at the nearest part that is there', () => {
  const source = parseSource('a.json', `{\n  ${form},\n  "fields": [\n    { "type": "field" }\n  ]\n}`);
  assert.ok('file' in source);
  const at = (...pointer: (string | number)[]) => formatProblem(source.problem(pointer, 'Wrong.'));
  assert.equal(at(), 'a.json:1:1: error: Wrong.');
  assert.equal(at('fields'), 'a.json:3:3: error: Wrong.');
  assert.equal(at('fields', 0), 'a.json:4:5: error: Wrong.');
  assert.equal(at('fields', 0, 'type'), 'a.json:4:7: error: Wrong.');
  assert.equal(at('fields', 0, 'label', 'x'), 'a.json:4:5: error: Wrong.');
  assert.equal(at('fields', 7), 'a.json:3:3: error: Wrong.');
  assert.equal(formatProblem(source.problem(['fields'], 'Odd.', 'warning')), 'a.json:3:3: warning: Odd.');
});

test('a text is taken exactly when it is JSON, and means what JSON says', () => {
  const document = fc
    .jsonValue({ maxDepth: 4 })
    .map(value => JSON.stringify({ $schema: '../meta/form.schema.json', value }, null, 1));
  const cut = fc.tuple(document, fc.nat(), fc.nat(3), fc.string({ maxLength: 3 }));
  const mutated = cut.map(
    ([text, at, length, other]) =>
      text.slice(0, at % (text.length + 1)) + other + text.slice((at % (text.length + 1)) + length),
  );
  fc.assert(
    fc.property(fc.oneof(document, mutated), text => {
      const result = parseSource('a.json', text);
      let expected: unknown;
      try {
        expected = JSON.parse(text);
      } catch {
        assert.ok(!('file' in result), text);
        return;
      }
      if ('file' in result) assert.equal(JSON.stringify(result.json), JSON.stringify(expected));
      else assert.ok(!result.some(problem => problem.message.startsWith('Not valid JSON')), text);
    }),
    { numRuns: 500 },
  );
});

test('hostile documents leave Object.prototype as it was', () => {
  const before = Object.getOwnPropertyNames(Object.prototype);
  const name = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', '\\u005f_proto__', 'a');
  const hostile = fc
    .tuple(name, name)
    .map(([outer, inner]) => `{ ${form}, "${outer}": { "${inner}": { "polluted": true } } }`);
  fc.assert(
    fc.property(hostile, text => void parseSource('a.json', text)),
    { numRuns: 100 },
  );
  assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), before);
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
});
