import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { declareHostileEdits } from './hostile-edits.ts';

const { schemas, folderOfMany, broken, served } = declareHostileEdits([
  ['that is nothing but nesting', '['.repeat(500_000)],
]);

test('ten thousand documents are refused as a whole, and the last good version is served', async () => {
  const before = await served();
  await mkdir(join(schemas.folder, folderOfMany));
  const save = (at: number) =>
    writeFile(
      join(schemas.folder, folderOfMany, `screen-${at}.json`),
      `{ "$schema": "../meta/screen.schema.json", "id": "many-${at}", "route": "/customers", "title": "customers.title", "children": [] }`,
    );
  for (let at = 0; at < 10_000; at += 200)
    await Promise.all(Array.from({ length: 200 }, (_, index) => save(at + index)));
  await eventually(async () => (await broken()) === 1, 'the folder as a whole counts as broken');
  assert.equal(await served(), before);
});
