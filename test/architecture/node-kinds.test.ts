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
    assert.match(JSON.stringify(example), new RegExp(`"type":"${name}"`), `The example of ${name} shows none.`);
  }
});

test('a node kind is drawn by one component of its name', () => {
  const files = sourceFiles('client/nodes');
  const missing = kinds.filter(
    kind => !files.includes(`client/nodes/${kind}.tsx`) && !files.includes(`client/nodes/${kind}/${kind}.tsx`),
  );
  assert.deepEqual(missing, []);
  const lists = ['sign-in', 'signed-in', 'lazy'].map(name => readSource(`client/nodes/${name}-nodes.ts`)).join();
  const unlisted = kinds.filter(kind => !new RegExp(`from '\\./(${kind}/)?${kind}\\.tsx'`).test(lists));
  assert.deepEqual(unlisted, []);
});

test('the checker, the compiler and the trimmer know no node kind by name', () => {
  // What a contract holds has a type, too.
  const files = sourceFiles('server/layouts').filter(file => !file.startsWith('server/layouts/contract/'));
  assert.ok(files.length > 0);
  const named = files.flatMap(file =>
    [...readSource(file).matchAll(/(?<!contract\.|read\.|permitted\.)\btype\)? [!=]== '([a-z-]+)'/g)]
      .filter(([, name]) => kinds.includes(name as string))
      .map(([found]) => `${file}: ${found}`),
  );
  assert.deepEqual(named, []);
});
