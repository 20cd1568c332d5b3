import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runSchemas } from '../fixtures/schemas-tool.ts';
import { withStarted } from '../fixtures/set-up.ts';

const made = withStarted(
  'The folder of documents',
  async () => ({ folder: await mkdtemp(join(tmpdir(), 'portal-count-')) }),
  ({ folder }) => rm(folder, { recursive: true, force: true }),
);

const write = async (file: string, text: string): Promise<void> => {
  await mkdir(join(made.folder, file, '..'), { recursive: true });
  await writeFile(join(made.folder, file), text);
};

test('names and values are counted by folder and by kind, operations and texts apart', async () => {
  await write(
    'colours/colours.json',
    '{\n  "$schema": "../meta/catalogue.schema.json",\n  "id": "a",\n  "entries": [1, true, null, { "text": "b" }]\n}\n',
  );
  await write('access.json', '{ "$schema": "meta/access.schema.json", "views": ["x"], "permissions": [] }');
  await write('colours/operations.json', '{ "$schema": "../meta/operations.schema.json", "operations": {} }\n');
  await write('text/en/colours.json', '{ "$schema": "../../meta/texts.schema.json", "a": "b" }\n');
  const { code, text } = await runSchemas(['count', made.folder]);
  assert.equal(code, 0, text);
  const lines = text.split('\n').map(line => line.trim().replace(/\s+/g, ' '));
  assert.deepEqual(lines, [
    `Documents of ${made.folder}`,
    'by folder documents names values together lines',
    '. 1 3 2 5 1',
    'colours 2 6 7 13 6',
    'text/en 1 2 2 4 1',
    '',
    'by kind documents names values together lines',
    'access 1 3 2 5 1',
    'catalogue 1 4 6 10 5',
    'operations 1 2 1 3 1',
    'texts 1 2 2 4 1',
    '',
    'apart from operations and texts 2 7 8 15 6',
    'all 4 11 11 22 8',
    '',
  ]);
});

test('a document that cannot be read is told with its place, and the exit code is 1', async () => {
  await write('colours/broken.json', '{ "$schema": ');
  const { code, text } = await runSchemas(['count', made.folder]);
  assert.equal(code, 1);
  assert.match(text, /colours\/broken\.json:1:14: error: Not valid JSON/);
});
