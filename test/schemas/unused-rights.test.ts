import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { featureFlags } from '../../server/sandbox/marketplace/seed.ts';

const root = join(import.meta.dirname, '../..');
const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith(ending))
    .map(file => join(folder, file));
const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));

const { views, permissions, features, requirements, unused } = readJson('schemas/access.json') as {
  readonly [kind in 'views' | 'permissions' | 'features']: readonly string[];
} & Readonly<Record<'requirements' | 'unused', Readonly<Record<string, unknown>>>>;
const declared = [...views, ...permissions, ...features];

/** Names in the requirements of a document. */
function requiredIn(value: unknown, into = new Set<string>()): Set<string> {
  if (value === null || typeof value !== 'object') return into;
  for (const [key, inner] of Object.entries(value)) {
    if (['views', 'permissions', 'features'].includes(key) && Array.isArray(inner))
      for (const name of inner) into.add(String(name));
    else requiredIn(inner, into);
  }
  return into;
}

const documents = filesBelow('schemas', '.json').filter(file => !/^schemas\/(access\.json|meta\/)/.test(file));
const inDocuments = new Set([...documents.map(readJson), requirements].flatMap(json => [...requiredIn(json)]));
const program = filesBelow('server', '.ts')
  .filter(file => !file.startsWith(join('server', 'sandbox')))
  .flatMap(file => readFileSync(join(root, file), 'utf8').split('\n'))
  .filter(line => /\b(views|permissions|features)\b/i.test(line));
const isRequired = (name: string): boolean => inDocuments.has(name) || program.some(line => line.includes(`'${name}'`));

test('a right or feature of access.json is required by a document or a command, or says why it is listed', () => {
  assert.ok(documents.length > 50 && program.length > 10 && declared.length > 30);
  assert.deepEqual(
    declared.filter(name => !isRequired(name) && !Object.hasOwn(unused, name)),
    [],
  );
});

test('what is said to be unused is one of these names and is required by nothing', () => {
  const names = Object.keys(unused);
  assert.deepEqual(
    names.filter(name => !declared.includes(name) || isRequired(name)),
    [],
  );
});

test('each flag of the cloud is a name of access.json, or the guide says why it is none', () => {
  const [, section = ''] = readFileSync(join(root, 'schemas/README.md'), 'utf8').split('## Feature flags');
  const listed = [...section.split('\n## ')[0]!.matchAll(/^\| (\w[\w-]*) \| \S.*\. \|$/gm)].map(([, name]) => name!);
  assert.ok(features.length > 5 && listed.length > 3);
  assert.deepEqual([...features, ...listed].sort(), Object.keys(featureFlags).sort());
});
