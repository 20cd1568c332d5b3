import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { readDocuments } from '../../scripts/schemas/edit-folder.ts';
import { formatDocument, lineWidth } from '../../server/editing/format.ts';
import { notEmpty } from '../fixtures/rows.ts';

const root = path.join(import.meta.dirname, '../..');

test('every document is in the format that `npm run schemas format` writes', async () => {
  for (const { file, text, json } of notEmpty(await readDocuments(path.join(root, 'schemas'))))
    assert.equal(text, formatDocument(json), `${file}: run npm run schemas format`);
});

test('the linter keeps documents to lines of the same width', async () => {
  const { json } = JSON.parse(await readFile(path.join(root, '.biome.json'), 'utf8'));
  assert.equal(json.formatter.lineWidth, lineWidth);
});

test('what fits on a line stands on a line, and what does not has a line for each entry', () => {
  const long = 'x'.repeat(60);
  assert.equal(
    formatDocument({ a: { b: [1, { c: true }] }, d: {} }),
    '{\n  "a": { "b": [1, { "c": true }] },\n  "d": {}\n}\n',
  );
  assert.equal(
    formatDocument({ a: [long, { b: long }] }),
    `{\n  "a": [\n    "${long}",\n    { "b": "${long}" }\n  ]\n}\n`,
  );
});

test('no document is longer than 300 lines, and the list of customers than 140', async () => {
  const linesOf = ({ text }: { text: string }): number => text.trimEnd().split('\n').length;
  const documents = (await readDocuments(path.join(root, 'schemas'))).filter(({ file }) => !file.startsWith('text/'));
  assert.deepEqual(
    notEmpty(documents)
      .filter(document => linesOf(document) > 300)
      .map(({ file }) => file),
    [],
  );
  const customers = documents.find(({ file }) => file === 'customers/customers.json');
  assert.ok(customers && linesOf(customers) <= 140);
});
