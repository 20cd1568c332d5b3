import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { nodeKinds } from '../../shared/language/nodes.ts';
import { readSource, sourceFiles } from './source-files.ts';

const kinds = Object.keys(nodeKinds).sort();

test('a node kind is one file of the language, listed under the name that its schema has', () => {
  const files = sourceFiles('shared/language/nodes').map(file => basename(file, '.ts'));
  assert.deepEqual(files.sort(), kinds);
  for (const [name, { schema, example }] of Object.entries(nodeKinds)) {
    assert.equal(schema.properties.type.const, name);
    assert.match(
      JSON.stringify(example),
      new RegExp(`"type":"${name}"|"${name}":`),
      `The example of ${name} shows none.`,
    );
  }
});

test('a node kind is drawn by one component of its name', () => {
  const files = sourceFiles('client/nodes');
  const missing = kinds.filter(
    kind => !files.includes(`client/nodes/${kind}.tsx`) && !files.includes(`client/nodes/${kind}/${kind}.tsx`),
  );
  assert.deepEqual(missing, []);
  const lists = ['sign-in', 'signed-in', 'header', 'lazy']
    .map(name => readSource(`client/nodes/${name}-nodes.ts`))
    .join();
  const unlisted = kinds.filter(kind => !new RegExp(`from '\\./(${kind}/)?${kind}\\.tsx'`).test(lists));
  assert.deepEqual(unlisted, []);
});

test('the checker, the compiler and the trimmer know no node kind by name', () => {
  // What a contract holds has a type, too.
  const files = sourceFiles('server/layouts').filter(
    file => !/^server\/layouts\/(contract\/|names\/contract\.ts)/.test(file),
  );
  assert.ok(files.length > 0);
  const named = files.flatMap(file =>
    [...readSource(file).matchAll(/(?<!contract\.|read\.|permitted\.)\btype\)? [!=]== '([a-z-]+)'/g)]
      .filter(([, name]) => kinds.includes(name as string))
      .map(([found]) => `${file}: ${found}`),
  );
  assert.deepEqual(named, []);
});

type Shape = {
  readonly title?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
};

/** The names of properties that hold a path or a place, and of those that hold a word or further properties. */
function namesIn({ properties = {}, items }: Shape): { read: string[]; written: string[] } {
  const found = { read: [] as string[], written: [] as string[] };
  for (const [name, shape] of Object.entries(properties)) {
    const title = shape.title ?? '';
    if (['Path', 'Place', 'Rows', 'HtmlPath', 'InitialPath'].includes(title)) found.read.push(name);
    else if (title === 'Text' || shape.enum || shape.properties) found.written.push(name);
    // Handlers have the names of what is done, and `texts` those of texts.
    const inner = ['on', 'texts'].includes(name) ? { read: [], written: [] } : namesIn(shape);
    found.read.push(...inner.read);
    found.written.push(...inner.written);
  }
  const inner = items ? namesIn(items) : { read: [], written: [] };
  return { read: [...found.read, ...inner.read], written: [...found.written, ...inner.written] };
}

test('a property that is read from a path in one node is no text, word or object in another', () => {
  const names = Object.values(nodeKinds).map(({ schema }) => namesIn(schema as Shape));
  const written = new Set(names.flatMap(found => found.written));
  const read = new Set(names.flatMap(found => found.read));
  assert.ok(read.size > 20 && written.size > 50);
  assert.deepEqual(
    [...read].filter(name => written.has(name)),
    [],
  );
});
