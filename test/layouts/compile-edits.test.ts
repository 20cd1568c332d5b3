import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import type { CompiledDocument } from '../../server/layouts/names/pass.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { compile } from '../fixtures/compiler.ts';
import { drawFrom } from '../fixtures/draw.ts';
import { schemaFiles } from '../fixtures/schemas.ts';
import { drawSet } from './drawn-set.ts';
import { compareWithAnew, editProject, type Folder, parse } from './edited-folders.ts';

test('what is compiled after an edit is what the whole folder would be, compiled anew', () => {
  let sound = 0;
  let compared = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const draw = drawFrom(seed);
    const { set, commands } = drawSet(draw, false);
    const base: Folder = new Map(Object.entries(schemaFiles(set)));
    const others = Object.entries(schemaFiles(drawSet(draw, false).set));
    const folders = [base];
    // An edit puts a document of another set in the place of one; every third is taken back.
    while (folders.length < 9) {
      const [file, text] = others[draw(others.length)] as (typeof others)[number];
      folders.push(
        folders.length % 3 === 2 ? (folders.at(-2) as Folder) : new Map([...(folders.at(-1) as Folder), [file, text]]),
      );
    }
    sound += compareWithAnew(folders, commands);
    compared += folders.length;
  }
  assert.ok(sound > compared / 10 && sound < compared, `${sound} of ${compared} folders have no error`);
});

test('so it is with the documents of the project', async () => {
  assert.ok(compareWithAnew(await editProject(11, 6), commandDeclarations) > 0);
});

test('what did not change is neither expanded nor compiled again after an edit', async () => {
  const { sources } = createLoader('schemas')();
  const texts = sources.find(({ file }) => file === 'text/en/customers.json') as Source;
  const edited = parse(texts.file, JSON.stringify({ ...texts.json, name: 'Another name' }));
  const read = (folder: readonly Source[]) => {
    const { compiled } = compile(folder, commandDeclarations);
    return {
      long: compiled.sources.filter(({ kind }) => kind !== 'texts'),
      documents: [...compiled.documents.values()],
    };
  };
  const before = read(sources);
  const after = read(sources.map(source => (source === texts ? edited : source)));
  assert.ok(before.long.length > 100 && before.documents.length > 50);
  assert.deepEqual(
    after.long.flatMap(({ file }, index) => (after.long[index] === before.long[index] ? [] : [file])),
    [],
  );
  assert.deepEqual(
    after.documents.flatMap(({ key }, index) => (after.documents[index] === before.documents[index] ? [] : [key])),
    [],
  );
});

test('an edit that is taken back, or that is no good, compiles nothing but itself', () => {
  const { sources } = createLoader('schemas')();
  const before = documentsOf(sources);
  assert.ok(before.length > 50);
  const operations = sources.find(({ file }) => file === 'customers/operations.json') as Source;
  const text = JSON.stringify(operations.json);
  const broken = parse(operations.file, text.replace('"customers.list"', '"customers.liszt"'));
  documentsOf(sources.map(source => (source === operations ? broken : source)));
  assert.deepEqual(compiledAnew(before, documentsOf(sources)), []);
  // The same documents, read once more.
  assert.deepEqual(compiledAnew(before, documentsOf(createLoader('schemas')().sources)), []);
});

/** Keys of the documents that are not the same objects as before. */
const compiledAnew = (before: readonly CompiledDocument[], after: readonly CompiledDocument[]): string[] =>
  after.flatMap((document, index) => (document === before[index] ? [] : [document.key]));

const documentsOf = (sources: readonly Source[]) => [
  ...compile(sources, commandDeclarations).compiled.documents.values(),
];
