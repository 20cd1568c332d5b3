import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/load/problem.ts';
import { compileSet, type Json, placeOf } from '../fixtures/schemas.ts';

function expectProblem(node: Json, snippet: string, message: string): void {
  const set = { screens: [{ id: 'home', children: [node] }] };
  const problems = compileSet(set, []).problems.filter(({ severity }) => severity === 'error');
  assert.deepEqual(problems.map(formatProblem), [`${placeOf(set, 'screens/home.json', snippet)}: error: ${message}`]);
}

test('a condition tests what it reads', () => {
  const when = (condition: Json): Json => ({ type: 'text', path: 'route.a', when: condition });
  const message = 'A condition with "path" needs "is", "in", "empty", "atLeast" or "same", and these need "path".';
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
