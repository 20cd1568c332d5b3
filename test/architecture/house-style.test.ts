import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { readSource, sourceFiles } from './source-files.ts';

const files = sourceFiles('client', 'scripts', 'server', 'shared', 'test');

test('no file is longer than 400 lines', () => {
  const long = files
    .map(file => [file, readSource(file).split('\n').length] as const)
    .filter(([, lines]) => lines > 400);
  assert.deepEqual(long, []);
});

test('file names are in kebab case', () => {
  const isKebab = (file: string): boolean =>
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(basename(file).replace(/(\.deep)?(\.test)?(\.d)?\.tsx?$/, ''));
  assert.deepEqual(
    files.filter(file => !isKebab(file)),
    [],
  );
});

test('no test is skipped, and none runs alone', () => {
  const marks = /\b(test|it|describe|t)\.(skip|only|todo)\b|\{ (skip|only|todo): true/;
  assert.deepEqual(
    files.filter(file => /\.test\.tsx?$/.test(file) && !file.includes('house-style') && marks.test(readSource(file))),
    [],
  );
});

test('nothing is left for later', () => {
  const marks = /\b(TODO|FIXME|XXX)\b/;
  assert.deepEqual(
    files.filter(file => !file.includes('house-style') && marks.test(readSource(file))),
    [],
  );
});

test('no text becomes code, in either process', () => {
  const made = /\b(?:eval\s*\(|new\s+Function\b|Function\s*\(|setTimeout\(\s*['"`]|\$data\s*:\s*true)/;
  assert.deepEqual(
    files.filter(file => /^(client|server|shared)\//.test(file) && made.test(readSource(file))),
    [],
  );
});
