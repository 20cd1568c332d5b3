import assert from 'node:assert/strict';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { measureCheck } from '../fixtures/measured-check.ts';
import { declareHostileChecks, screen, times } from './hostile-check.ts';

const long = 'x'.repeat(480 * 1024);

const { schemas, ownCheck } = declareHostileChecks([
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
  [
    'with 25,000 names that nobody knows',
    screen([{ type: 'text', text: 'customers.title', ...Object.fromEntries(times(25_000, at => [`p${at}`, 1])) }]),
    'error: "p0" is not known here.',
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
]);

/** Bytes of the documents of a folder, without the schemas that are made for editors. */
async function bytesIn(folder: string): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter(name => /^(?!meta\/).*\.json$/.test(name));
  const sizes = await Promise.all(names.map(async name => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

for (const [what, count, text, said] of [
  [
    'ten thousand documents',
    10_000,
    '{}',
    () => /:1:1: error: 10\d\d\d documents are more than the 5000 that a folder may have\.$/,
  ],
  [
    'documents of 33 MiB',
    66,
    '{}'.padEnd(512 * 1024),
    (mebibytes: number) =>
      new RegExp(`:1:1: error: The documents have ${mebibytes} MiB, more than the 32 that a folder may have\\.$`),
  ],
] as const)
  test(`a folder with ${what} is refused before it is read`, async () => {
    const folder = join(schemas.folder, 'many');
    await mkdir(folder);
    for (let at = 0; at < count; at += 200)
      await Promise.all(
        times(Math.min(200, count - at), index => writeFile(join(folder, `document-${at + index}.json`), text)),
      );
    const own = ownCheck();
    const { code, lines, seconds, megabytes } = await measureCheck(schemas.folder);
    const mebibytes = Math.ceil((await bytesIn(schemas.folder)) / 1_048_576);
    await rm(folder, { recursive: true });
    assert.equal(code, 1);
    assert.match(lines[0] ?? '', said(mebibytes));
    assert.match(lines[1] ?? '', /: 1 errors, 0 warnings$/);
    assert.equal(lines.length, 2);
    assert.ok(seconds < own.seconds * 3, `${seconds} seconds of computing, where the others take ${own.seconds}`);
    assert.ok(megabytes < own.megabytes + 200, `${megabytes} MB, where the others take ${own.megabytes}`);
  });
