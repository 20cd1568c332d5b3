import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkSync } from 'recheck';
import { checkPatterns, isPlainlySafe, patternsOf, safePatterns } from '../../server/layouts/check/patterns.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { placeOf, type SchemaSet, schemaSet } from '../fixtures/schemas.ts';

const withPattern = (regex: string): SchemaSet => ({
  forms: [
    {
      id: 'name',
      fields: [
        {
          type: 'section',
          children: [{ type: 'field', propertyName: 'A', kind: 'text', label: 't.a', regex, invalidMessage: 't.b' }],
        },
      ],
    },
  ],
});
const found = async (set: SchemaSet): Promise<string[]> => (await checkPatterns(schemaSet(set))).map(formatProblem);
const message = (pattern: string) =>
  `error: The pattern ${JSON.stringify(pattern)} is not safe: some input makes it run for a very long time.`;

test('a pattern whose time explodes is refused, where it stands', async () => {
  for (const pattern of ['^(a|a)*$', '^(a+)+$', '^(?:[a-z]+\\s?)*!$', '^(x+x+)+y$']) {
    const set = withPattern(pattern);
    assert.deepEqual(await found(set), [`${placeOf(set, 'forms/name.json', '"regex"')}: ${message(pattern)}`], pattern);
  }
});

test('a pattern of which nobody can say in time that it is safe is refused, and checked again', async () => {
  const set = withPattern('^(?:e1|e2)*-(?:e|f)+$');
  const [problem] = await checkPatterns(schemaSet(set), 0);
  assert.match(problem?.message ?? '', /could not be shown to be safe in time: write it simpler\.$/);
  assert.deepEqual(await found(set), []);
});

test('ordinary patterns are taken', async () => {
  for (const pattern of ['^[A-Za-z0-9 ]{1,40}$', '^\\d{5}(-\\d{4})?$', '^[^<>]*$', '^(?:GB|EU)\\d+$', ''])
    assert.deepEqual(await found(withPattern(pattern)), [], pattern);
});

test('what is no pattern is reported elsewhere', async () => {
  assert.deepEqual(await found(withPattern('(')), []);
});

test('fields of screens and popups are looked at too, and so are parameters of operations', async () => {
  const field = {
    type: 'field',
    propertyName: 'A',
    kind: 'text',
    label: 't.a',
    regex: '^(b|b)*$',
    invalidMessage: 't.b',
  };
  const form = { type: 'form', id: 'f', submit: 't.go', on: { submit: [{ do: 'close-popup' }] }, children: [field] };
  const set: SchemaSet = {
    screens: [{ id: 'home', children: [form] }],
    popups: [{ id: 'ask', children: [form] }],
    operations: {
      'a.b': { service: 'cloud', method: 'GET', path: '/a', with: { id: { type: 'string', pattern: '^(c|c)*$' } } },
    },
  };
  assert.deepEqual(await found(set), [
    `${placeOf(set, 'screens/home.json', '"regex"')}: ${message('^(b|b)*$')}`,
    `${placeOf(set, 'popups/ask.json', '"regex"')}: ${message('^(b|b)*$')}`,
    `${placeOf(set, 'operations.json', '"pattern"')}: ${message('^(c|c)*$')}`,
  ]);
});

test('only what is anchored and repeats one character at most is safe at a glance', () => {
  for (const pattern of [
    '^[A-Za-z ]*$',
    '^\\d+$',
    '^\\p{Lu}[a-z]{2,40}$',
    '^a?b$',
    '^(ab)c+$',
    '^[(*+|)]+$',
    '^\\d{4}-\\d{2}$',
  ])
    assert.equal(isPlainlySafe(pattern), true, pattern);
  for (const pattern of ['[a-z]*x', '^(a|a)*$', '^(a*)*$', '^a*a*$', '^a?a?aa$', '^(?:a{1,9}){2}$', 'a|^b', '^a|b$'])
    assert.equal(isPlainlySafe(pattern), false, pattern);
});

test('patterns are checked from whatever folder the portal was started in', async t => {
  const before = process.cwd();
  process.chdir(tmpdir());
  t.after(() => process.chdir(before));
  assert.equal((await found(withPattern('^(d|d)*$'))).length, 1);
});

test('patterns that are said to have been checked are those of the portal that need it, and safe', async () => {
  const { sources } = createLoader(join(import.meta.dirname, '../../schemas'))();
  const own = sources.flatMap(source => patternsOf(source).map(({ pattern }) => pattern));
  assert.deepEqual([...safePatterns].sort(), [...new Set(own)].filter(pattern => !isPlainlySafe(pattern)).sort());
  for (const pattern of safePatterns) assert.equal(checkSync(pattern, '').status, 'safe', pattern);
});
