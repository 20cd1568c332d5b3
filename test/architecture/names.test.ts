import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { readSource, sourceFiles } from './source-files.ts';

const files = sourceFiles('client', 'scripts', 'server', 'shared', 'test');

/** Base names that say nothing of the content: name a file after what it holds. */
const vagueFiles = words(`
  also answers arrival arrived busy brought common context declined deaf-line elsewhere entry epoch fresh helper helpers kept
  late manager misc pace rare relay stand stuff theatre traveller util utils visit whom words`);

/** Names of types that say nothing of the value; several of them once stood for six different things. */
const vagueTypes = words(`
  Asked Data Given Group Held Info Judged Judgement Kept One Outcome Result Said Something Step Stuff Target Thing Things Told What`);

/** Vague verbs: a function says whether it validates, authorises, evaluates, loads or rolls back. */
const vagueVerbs = words('back bring do handle judge manage process');

/** A vague name that is right after all, and why. */
const exceptions = new Map([
  ['server/sandbox/auth/words.ts', 'the words of the rights: views, permissions and features'],
  ['server/sandbox/seed/context.ts', 'the context that every part of the seed is given'],
  ['server/layouts/trim/trim.ts Result', 'the trimmed document of one pass: layout, uses and nodes'],
]);

test('no file has a name that says nothing of its content', () => {
  const found = files.filter(
    file => vagueFiles.has(basename(file).replace(/(\.test)?\.tsx?$/, '')) && !exceptions.has(file),
  );
  assert.deepEqual(found, []);
});

test('no exported type, class or function has a name that says nothing of it', () => {
  const found = files.flatMap(file =>
    exportsOf(file)
      .filter(name => vagueTypes.has(name) || vagueVerbs.has(/^[a-z]+/.exec(name)?.[0] ?? ''))
      .map(name => `${file} ${name}`)
      .filter(name => !exceptions.has(name)),
  );
  assert.deepEqual(found, []);
});

test('a step is a page of a wizard: a sign-in has stages, a job has phases', () => {
  const wizards =
    /^(client\/nodes\/steps|server\/journeys|server\/commands\/(wizard|selling|voice)|shared\/(contract|language))\//;
  const named = (path: string) =>
    [path, ...exportsOf(path)].filter(name => /(^|[^a-z])steps?([^a-z]|$)|Steps?([^a-z]|$)/.test(name));
  const product = files.filter(file => /^(client|server|shared)\//.test(file));
  assert.ok(product.some(file => wizards.test(file) && named(file).length > 0));
  assert.deepEqual(product.filter(file => !wizards.test(file)).flatMap(named), []);
});

test('every exception is still needed', () => {
  const there = new Set(files.flatMap(file => [file, ...exportsOf(file).map(name => `${file} ${name}`)]));
  assert.deepEqual(
    [...exceptions.keys()].filter(name => !there.has(name)),
    [],
  );
});

function exportsOf(file: string): string[] {
  const declared = /^export (?:default )?(?:abstract )?(?:async )?(?:type|interface|class|function\*?|const) (\w+)/gm;
  return [...readSource(file).matchAll(declared)].map(([, name]) => name!);
}

function words(list: string): Set<string> {
  return new Set(list.trim().split(/\s+/));
}
