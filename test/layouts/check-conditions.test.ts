import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';

function expectProblem(node: Json, snippet: string, message: string): void {
  const set = { screens: [{ id: 'home', children: [node] }] };
  const problems = compileSet(set, []).problems.filter(({ severity }) => severity === 'error');
  assert.deepEqual(problems.map(formatProblem), [`${placeOf(set, 'screens/home.json', snippet)}: error: ${message}`]);
}

test('a condition tests what it reads', () => {
  const when = (condition: Json): Json => ({ type: 'text', path: 'route.a', when: condition });
  const message =
    'A condition with "path" needs one of "is", "in", "empty", "atLeast", "same", "before", "after", "below", "above" and "contains", and these need "path".';
  expectProblem(when({ path: 'route.a' }), '"when"', message);
  expectProblem(when({ not: { is: 1 } }), '"not"', message);
  expectProblem(
    when({
      any: [
        { path: 'route.a', is: 'x' },
        { path: 'state.a', is: 1 },
      ],
    }),
    '"path": "state.a"',
    'State "a" is not declared.',
  );
});

test('a condition has one test', () => {
  const refused = (when: Json, snippet: string, found: string, all: string) =>
    expectProblem(
      { type: 'text', path: 'route.a', when },
      snippet,
      `A condition has one test, not ${found}. Write each by itself: { "all": ${all} }.`,
    );
  refused(
    { path: 'route.a', is: 'c', atLeast: 2 },
    '"when"',
    '"is" and "atLeast"',
    '[{"path":"route.a","is":"c"},{"path":"route.a","atLeast":2}]',
  );
  refused(
    { not: { path: 'route.a', in: ['x'], empty: false, same: 'route.b' } },
    '"not"',
    '"in", "empty" and "same"',
    '[{"path":"route.a","in":["x"]},{"path":"route.a","empty":false},{"path":"route.a","same":"route.b"}]',
  );
  refused(
    { path: 'route.a', is: 'c', not: { path: 'route.b', is: 'd' } },
    '"when"',
    '"is" and "not"',
    '[{"path":"route.a","is":"c"},{"not":{"path":"route.b","is":"d"}}]',
  );
  refused(
    { all: [{ path: 'route.a', is: 'c' }], any: [{ path: 'route.b', is: 'd' }] },
    '"when"',
    '"all" and "any"',
    '[{"all":[{"path":"route.a","is":"c"}]},{"any":[{"path":"route.b","is":"d"}]}]',
  );
});

const reply = {
  ...{ Day: 'day', Other: 'day', At: 'time', Wrapped: 'epoch', Count: 'count', Size: 'bytes', Share: 'percent' },
  ...{ Price: 'money', Limit: 'money', Plain: 'number', Name: 'text', Is: 'yes-no', Names: ['text'] },
  ...{ Items: [{ Id: 'id' }], Cost: 'money' },
};
const operations = { 'a.get': { service: 'cloud', method: 'GET', path: '/a', reply } };
const comparing = (path: string, test: string, other: string): SchemaSet => ({
  operations,
  screens: [
    {
      id: 'home',
      data: { a: { operation: 'a.get' } },
      children: [
        {
          type: 'text',
          text: 't.a',
          when: { path: path.includes('.') ? path : `data.a.Result.${path}`, [test]: `data.a.Result.${other}` },
        },
      ],
    },
  ],
});
const errorsOf = (set: SchemaSet): string[] =>
  compileSet(set, [])
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

test('a condition compares values of kinds that can be compared, and says of what kind they are', () => {
  for (const [path, name, other] of [
    ['Day', 'before', 'Other'],
    ['At', 'after', 'Wrapped'],
    ['route.from', 'before', 'Day'],
    ['Count', 'below', 'Plain'],
    ['Price', 'above', 'Limit'],
    ['Size', 'above', 'Size'],
    ['Names', 'contains', 'Name'],
    ['Name', 'contains', 'Count'],
    ['Name', 'same', 'Count'],
  ] as const)
    assert.deepEqual(errorsOf(comparing(path, name, other)), [], `${path} ${name} ${other}`);
  const refused = (path: string, name: string, other: string, says: string) =>
    assert.deepEqual(errorsOf(comparing(path, name, other)), [`"${name}" compares ${says}.`]);
  const of = (name: string, kind: string) => `"data.a.Result.${name}" is ${kind}`;
  const moments = 'two days or two moments: ';
  refused('Day', 'before', 'At', `${moments}${of('Day', 'of kind "day"')}, and ${of('At', 'of kind "time"')}`);
  refused('Name', 'after', 'Day', `${moments}${of('Name', 'of kind "text"')}, and ${of('Day', 'of kind "day"')}`);
  const numbers = 'two numbers of one kind: ';
  refused(
    'Price',
    'above',
    'Count',
    `${numbers}${of('Price', 'of kind "money"')}, and ${of('Count', 'of kind "count"')}`,
  );
  refused(
    'Size',
    'below',
    'Share',
    `${numbers}${of('Size', 'of kind "bytes"')}, and ${of('Share', 'of kind "percent"')}`,
  );
  refused(
    'Items',
    'contains',
    'Name',
    `a list of values or a text with a value: ${of('Items', 'no single value')}, and ${of('Name', 'of kind "text"')}`,
  );
  refused(
    'Is',
    'same',
    'Name',
    `two values, both of them yes or no or neither: ${of('Is', 'of kind "yes-no"')}, and ${of('Name', 'of kind "text"')}`,
  );
});

test('what compares with a value that the caller may not have goes, whichever side has it', () => {
  const children = (set: SchemaSet, prices: boolean) => {
    const access = trimFor(set, someone({ prices }));
    return JSON.stringify(access.screens.get('/home') ?? '');
  };
  for (const [path, other] of [
    ['Price', 'Plain'],
    ['Plain', 'Price'],
  ] as const) {
    const set = comparing(path, 'above', other);
    const shown = { type: 'text', path: 'data.a.Result.Name' };
    const both = {
      ...set,
      screens: (set.screens ?? []).map(screen => ({ ...screen, children: [...(screen['children'] as Json[]), shown] })),
    };
    assert.match(children(both, true), /"above":"data\.a\.Result/);
    const poor = children(both, false);
    assert.match(poor, /data\.a\.Result\.Name/);
    assert.doesNotMatch(poor, /above|Price|Plain/);
  }
});
