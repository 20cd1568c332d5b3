import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { type MeasuredCheck, measureCheck } from '../fixtures/measured-check.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { setUp } from '../fixtures/set-up.ts';

const schemas = withEditedSchemas();
/** The check of the project's own documents, as the measure of this machine. */
let own: MeasuredCheck;
setUp(async () => {
  own = await measureCheck(schemas.folder);
  assert.equal(own.code, 0, own.lines.join('\n'));
});

const times = <Item>(count: number, item: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, at) => item(at));
const wrong = 'customers/wrong.json';
const screen = (children: unknown, rest: object = {}): string =>
  JSON.stringify({
    ...{ $schema: '../meta/screen.schema.json', id: 'wrong', route: '/wrong', title: 'customers.title' },
    ...{ requires: { userTypes: ['reseller'] }, ...rest, children },
  });
/** Checks the documents with one more, which has errors, within bounds of time, memory and words. */
async function checkWith(file: string, text: string): Promise<string[]> {
  await writeFile(join(schemas.folder, file), text);
  const { code, lines, seconds, megabytes } = await measureCheck(schemas.folder);
  await rm(join(schemas.folder, file));
  assert.equal(code, 1, lines.slice(0, 3).join('\n'));
  assert.ok(seconds < own.seconds * 3, `${seconds} seconds of computing, where the others take ${own.seconds}`);
  assert.ok(megabytes < own.megabytes + 200, `${megabytes} MB, where the others take ${own.megabytes}`);
  assert.ok(lines.length <= 100, `${lines.length} lines`);
  // A line is not as long as the name that it is about.
  assertEvery(lines, line => line.length < 500);
  assert.match(lines.at(-1) ?? '', /: \d+ errors, \d+ warnings$/);
  return lines.slice(0, -1);
}

const long = 'x'.repeat(480 * 1024);

for (const [what, text, said] of [
  [
    'of a megabyte',
    screen([{ type: 'text', text: 'customers.title' }]).padEnd(1024 ** 2),
    '1:1: error: Larger than 512 KiB.',
  ],
  ['that is nothing but nesting', '['.repeat(500_000), '1:62: error: Nested deeper than 60 levels.'],
  [
    'that breaks off after 400,000 lines',
    `{${'\n'.repeat(400_000)}`,
    '400001:1: error: Not valid JSON: a closing brace is missing.',
  ],
  ['with one name 40,000 times', `{${times(40_000, () => '"a":1').join(',\n')}}`, '2:1: error: "a" stands here twice.'],
  [
    'with 25,000 names that nobody knows',
    screen([{ type: 'text', text: 'customers.title', ...Object.fromEntries(times(25_000, at => [`p${at}`, 1])) }]),
    'error: "p0" is not known here.',
  ],
  [
    'with 14,000 nodes that there are not',
    screen(times(28, () => ({ type: 'stack', children: times(500, () => ({ type: 'headin' })) }))),
    'error: Node type "headin" not found. Did you mean "heading"?',
  ],
  [
    'with 10,000 texts that there are not',
    screen(
      times(20, group => ({
        type: 'stack',
        children: times(500, at => ({ type: 'text', text: `customers.titel-${group}-${at}` })),
      })),
    ),
    'error: Text "customers.titel-0-0" not found.',
  ],
  ['whose node type is half a megabyte long', screen([{ type: long }]), 'error: Node type "xxx'],
  [
    'whose text is half a megabyte long',
    screen([{ type: 'text', text: `customers.${long}` }]),
    'error: Text "customers.xxx',
  ],
] as const)
  test(`a document ${what} is refused in bounded time, memory and words, which say where`, async () => {
    const lines = await checkWith(wrong, text);
    assert.ok(lines[0]?.startsWith(`${wrong}:`) && lines[0].includes(said), lines[0]);
  });

for (const [what, count, text, said] of [
  [
    'ten thousand documents',
    10_000,
    '{}',
    /:1:1: error: 10\d\d\d documents are more than the 5000 that a folder may have\.$/,
  ],
  [
    'documents of 33 MiB',
    66,
    '{}'.padEnd(512 * 1024),
    /:1:1: error: The documents have 34 MiB, more than the 32 that a folder may have\.$/,
  ],
] as const)
  test(`a folder with ${what} is refused before it is read`, async () => {
    const folder = join(schemas.folder, 'many');
    await mkdir(folder);
    for (let at = 0; at < count; at += 200)
      await Promise.all(
        times(Math.min(200, count - at), index => writeFile(join(folder, `document-${at + index}.json`), text)),
      );
    const { code, lines, seconds, megabytes } = await measureCheck(schemas.folder);
    await rm(folder, { recursive: true });
    assert.equal(code, 1);
    assert.match(lines[0] ?? '', said);
    assert.match(lines[1] ?? '', /: 1 errors, 0 warnings$/);
    assert.equal(lines.length, 2);
    assert.ok(seconds < own.seconds * 3, `${seconds} seconds of computing, where the others take ${own.seconds}`);
    assert.ok(megabytes < own.megabytes + 200, `${megabytes} MB, where the others take ${own.megabytes}`);
  });
