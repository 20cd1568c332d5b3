import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';
import { plain, problemsOf, setOf, use, users } from './parts-set.ts';

const messages: readonly (readonly [
  what: string,
  set: SchemaSet,
  place: readonly [string, string],
  message: string,
])[] = [
  [
    'a part that there is not',
    setOf([{ part: 'user', with: {} }]),
    ['screens/home.json', '"part": "user"'],
    'Part "user" not found. Did you mean "users"?',
  ],
  [
    'a parameter that is missing',
    setOf([use({ with: { customer: 'route.orgId' } })]),
    ['screens/home.json', '{\n      "part"'],
    'The part "users" needs "label" in "with".',
  ],
  [
    'a parameter that there is not',
    setOf([use({ with: { custmer: 'route.orgId', customer: 'route.orgId', label: 't.label' } })]),
    ['screens/home.json', '"custmer"'],
    'The part "users" has no parameter "custmer". Did you mean "customer"?',
  ],
  [
    'a value of another kind',
    setOf([use({ with: { customer: 4, label: 't.label' } })]),
    ['screens/home.json', '"customer": 4'],
    '"customer" must be a path such as "route.page".',
  ],
  [
    'a part whose nodes would be given as a whole',
    setOf([use(), { type: 'text', text: 't.label' }], [{ ...users, children: '{part.label}' as never }]),
    ['parts/users.json', '"children"'],
    '"children" must be array, not string.',
  ],
  [
    'a parameter that is not declared',
    setOf([use()], [{ ...users, parameters: { customer: 'path', label: 'text' } }]),
    ['parts/users.json', '"part.columns"'],
    'This part has no parameter "columns".',
  ],
  [
    'a path below what is no path',
    setOf(
      [{ part: 'plain', with: { name: 'a', of: 'route.orgId' } }],
      [{ ...plain, children: [{ type: 'text', path: 'part.name.Total' }] }],
    ),
    ['parts/plain.json', '"path": "part.name.Total"'],
    '"name" is a name: nothing stands below it. Below a path there is.',
  ],
  [
    'a part without anything',
    setOf([{ part: 'users' }], [{ id: 'users' }]),
    ['parts/users.json', '{'],
    'A part has "children" or "entries", one of them.',
  ],
  [
    'a part that contains itself',
    setOf([{ part: 'a' }], [{ id: 'a', children: [{ part: 'a' }] }]),
    ['parts/a.json', '"part": "a"'],
    'The part "a" contains itself: a → a.',
  ],
];
for (const [what, set, place, message] of messages)
  test(`${what} is an error, and nothing else is said`, () => {
    assert.deepEqual(problemsOf(set), [`${placeOf(set, ...place)}: error: ${message}`]);
  });

test('parts that contain each other are an error at each step', () => {
  const part = (id: string, inside: string) => ({
    id,
    children: [{ type: 'section', title: 't.a', children: [{ part: inside }] }],
  });
  const set = setOf([{ part: 'a' }], [part('a', 'b'), part('b', 'c'), part('c', 'a')]);
  assert.deepEqual(
    problemsOf(set).map(problem => problem.replace(/^(.*?):.*: (?=The)/, '$1: ')),
    [
      'parts/a.json: The part "a" contains itself: b → c → a → b.',
      'parts/b.json: The part "b" contains itself: c → a → b → c.',
      'parts/c.json: The part "c" contains itself: a → b → c → a.',
    ],
  );
});

test('parts that stand in each other too deep are an error at their use', () => {
  const parts = Array.from({ length: 25 }, (_, index) => ({
    id: `p${index}`,
    children: [index < 24 ? { part: `p${index + 1}` } : { type: 'text', text: 't.a' }],
  }));
  const set = setOf([{ part: 'p0' }], parts);
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'screens/home.json', '{\n      "part"')}: error: The parts here stand in each other more than 20 deep.`,
  ]);
});

const chain = (length: number, inside: (next: string) => Json, last: Json): Json[] =>
  Array.from({ length }, (_, index) => ({
    id: `p${index}`,
    ...(index + 1 < length ? inside(`p${index + 1}`) : last),
  }));
const text = { type: 'text', text: 't.a' };
const many = <T>(item: T): T[] => Array.from({ length: 9 }, () => item);
const named = { parameters: { name: 'name' } };
const listed = { parameters: { list: 'list' } };
const nestedUse = (depth: number): Json => ({
  part: 'p0',
  with: { list: depth === 0 ? [text] : [nestedUse(depth - 1)] },
});

const exploding: readonly (readonly [what: string, use: Json, parts: readonly Json[], says: RegExp])[] = [
  [
    'nodes',
    { part: 'p0' },
    chain(18, part => ({ children: many({ part }) }), { children: [text] }),
    /make more than 20000 values of this document/,
  ],
  [
    'uses that bring nothing',
    { part: 'p0' },
    chain(18, part => ({ children: many({ part }) }), { children: [] }),
    /make more than 20000 values of this document/,
  ],
  [
    'names',
    { part: 'p0', with: { name: 'a' } },
    chain(18, part => ({ ...named, children: [{ part, with: { name: many('{part.name}').join('') } }] }), {
      ...named,
      children: [{ ...text, id: 'part.name' }],
    }),
    /make a text of more than 1000 characters/,
  ],
  [
    'lists that are given on',
    { part: 'p0', with: { list: [] } },
    chain(18, part => ({ ...listed, children: [{ part, with: { list: many('part.list') } }] }), {
      ...listed,
      children: [text, 'part.list'],
    }),
    /make more than 20000 values of this document/,
  ],
  [
    'lists that are given to the same part again',
    nestedUse(12),
    [{ id: 'p0', ...listed, children: many('part.list') }],
    /make more than 20000 values of this document/,
  ],
];
for (const [what, use, parts, says] of exploding)
  test(`parts that multiply ${what} are an error at their use, soon`, () => {
    const started = process.cpuUsage();
    const set = setOf([use], parts);
    const [problem, ...others] = problemsOf(set);
    assert.deepEqual(others, []);
    assert.ok(
      problem?.startsWith(`${placeOf(set, 'screens/home.json', '{\n      "part"')}: error: The parts here `),
      problem,
    );
    assert.match(String(problem), says);
    assert.ok(process.cpuUsage(started).user < 20_000_000);
  });
