import assert from 'node:assert/strict';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { portalErrors } from '../../server/errors.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { refusals } from '../../server/refusals.ts';
import { compiler } from '../fixtures/compiler.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';

const schemas = withEditedSchemas();
const file = 'text/en/server.json';
const read = async (): Promise<string> => readFile(join(schemas.folder, file), 'utf8');

/** Problems of the folder after an edit, which is taken back. */
async function problemsAfter(change: (text: string) => string): Promise<string[]> {
  const before = await read();
  await schemas.edit(file, change);
  const problems = (await checkFolder(schemas.folder, commandDeclarations, compiler)).map(formatProblem);
  await schemas.edit(file, () => before);
  return problems.map(problem => problem.replace(/:\d+:\d+/, ''));
}

test('every code of an error or a refusal has a text: one sentence or more', async () => {
  const texts = JSON.parse(await read()) as Record<string, string>;
  const codes = [
    ...Object.keys(portalErrors).map(code => `error.${code}`),
    ...Object.keys(refusals).map(code => `refusal.${code}`),
  ];
  assert.ok(codes.length > 0);
  for (const code of codes) assert.match(texts[code] ?? `nothing for ${code}`, /^[A-Z].*\.$/);
});

test('every command that can be pressed has a sentence that says what it does', async () => {
  const texts = JSON.parse(await readFile(join(schemas.folder, 'text/en/commands.json'), 'utf8'));
  for (const { name } of commandDeclarations) assert.match(texts[name] ?? `nothing for ${name}`, /^[A-Z].*\.$/);
});

test('a text that the server answers with is missed where it is not there', async () => {
  assert.deepEqual(await problemsAfter(text => text.replace(/ *"error\.TOO_MANY": .*\n/, '')), [
    `${file}: warning: The text "server.error.TOO_MANY" is missing: the server answers with it.`,
  ]);
});

test('a text that the server does not know is unused', async () => {
  assert.deepEqual(await problemsAfter(text => text.replace('{', '{ "error.MADE_UP": "Made up.",')), [
    `${file}: warning: Nothing uses the text "server.error.MADE_UP".`,
  ]);
});

test('a text that wants a value which the server does not hand it is told', async () => {
  assert.deepEqual(await problemsAfter(text => text.replace('"Too many requests', '"{{count}} requests')), [
    `${file}: warning: The text "server.error.TOO_MANY" is handed no value "count".`,
  ]);
});

test('a portal without any text of the server is told so', async () => {
  const path = join(schemas.folder, file);
  await rename(path, `${path}.away`);
  const problems = (await checkFolder(schemas.folder, commandDeclarations, compiler)).map(formatProblem);
  await rename(`${path}.away`, path);
  assert.deepEqual(problems, [`${file}:1:1: warning: The texts that the server answers with are missing.`]);
});
