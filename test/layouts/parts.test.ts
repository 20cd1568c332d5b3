import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { checkReach } from '../../server/layouts/trim/check-reach.ts';
import { explain } from '../../server/layouts/trim/explain.ts';
import { compileSet, everyone, type Json, placeOf, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';
import { home, operations, plain, problemsOf, setOf, table, use, users } from './parts-set.ts';

const layoutOf = (set: SchemaSet, rights = {}): Json | undefined =>
  trimFor(set, someone(rights)).screens.get('/home')?.layout as Json | undefined;

test('a screen with a part is the screen with the nodes and data of the part written out', () => {
  const written = {
    ...home({
      ...table,
      label: 't.label',
      columns: [{ id: 'name', title: 't.a', path: 'row.Name', to: '/home?who={route.orgId}' }],
    }),
    data: { users: { operation: 'users.list', with: { customerId: 'route.orgId' } } },
  };
  const set = { operations, screens: [written] };
  const expected = layoutOf(set);
  assert.ok(expected);
  assert.deepEqual(layoutOf(setOf([use()])), expected);
});

test('a list that is given stands among the entries around it, and one that is left out does not', () => {
  const kind = { id: 'kind', title: 't.b', path: 'row.Kind' };
  const columnsOf = (children: readonly Json[]) =>
    (layoutOf(setOf(children)) as { children: [{ columns: { id: string }[] }] }).children[0].columns.map(
      ({ id }) => id,
    );
  const given = { customer: 'route.orgId', label: 't.label', columns: [kind] };
  assert.deepEqual(columnsOf([use({ with: given })]), ['kind', 'name']);
  assert.deepEqual(columnsOf([use()]), ['name']);
});

test('a part may be used twice: its data sources and state are those of each use', () => {
  const layout = layoutOf(
    setOf(
      [
        { part: 'plain', with: { name: 'first', of: 'route.orgId' } },
        { part: 'plain', with: { name: 'second', of: 'route.who' } },
      ],
      [plain],
    ),
  );
  assert.ok(layout);
  const { children, data, state } = layout as { children: Json[]; data: Json; state: Json };
  assert.deepEqual(
    children.map(({ id, path, when }) => [id, path, (when as Json | undefined)?.['path']]),
    [
      ['first-total', 'data.list.Result.Total', 'state.open'],
      [undefined, 'route.orgId', undefined],
      ['second-total', 'data.list2.Result.Total', 'state.open2'],
      [undefined, 'route.who', undefined],
    ],
  );
  assert.deepEqual(
    Object.entries(data).map(([name, source]) => [name, (source as Json)['with']]),
    [
      ['list', { customerId: 'route.orgId' }],
      ['list2', { customerId: 'route.who' }],
    ],
  );
  assert.deepEqual(state, { open: 'yes', open2: 'yes' });
});

test('what a use requires holds for all of its nodes and data sources, besides what the part requires', () => {
  const own = { ...users, children: [{ ...table, requires: { views: ['home'] } }] };
  const other = { type: 'text', text: 't.a' };
  const set = setOf([use({ requires: { permissions: ['add'] } }), other], [own]);
  const shown = (rights: Json) => {
    const { children, data } = layoutOf(set, rights) as { children: Json[]; data?: Json };
    return [children.length, Object.keys(data ?? {})];
  };
  assert.deepEqual(shown({ views: ['home'], permissions: ['add'] }), [2, ['users']]);
  assert.deepEqual(shown({ views: ['home'] }), [1, []]);
  assert.deepEqual(shown({ permissions: ['add'] }), [1, []]);
});

test('data sources of a use are read when the use shows', () => {
  const when = { path: 'route.who', empty: false };
  const own = { ...users, children: [{ ...table, when: { path: 'route.orgId', empty: false } }] };
  const layout = layoutOf(setOf([use({ when })], [own])) as { children: Json[]; data: { users: Json } };
  assert.deepEqual(layout.data.users['when'], when);
  assert.deepEqual(layout.children[0]?.['when'], { all: [when, { path: 'route.orgId', empty: false }] });
});

test('a part may stand in a part, in what is given to a part, and in a menu', () => {
  const named: Json = {
    ...users,
    parameters: { ...(users['parameters'] as Json), name: 'name' },
    children: [{ ...table, id: '{part.name}-users' }],
  };
  const given = { customer: 'part.customer', label: 'part.title', name: 'part.name' };
  const frame = {
    id: 'frame',
    parameters: { title: 'text', content: 'list', customer: 'path', name: 'name' },
    children: [{ type: 'section', title: 'part.title', children: ['part.content', { part: 'users', with: given }] }],
  };
  const framed = (name: string, title: string, ...content: Json[]): Json => ({
    part: 'frame',
    with: { name, title, content, customer: 'route.orgId' },
  });
  const menu = { id: 'menu', entries: [{ text: 't.go', to: '/home' }] };
  const children = [framed('outer', 't.a', framed('inner', 't.b', { type: 'text', text: 't.a' }))];
  const navigation = { main: [{ part: 'menu' }, { text: 't.label', to: '/home' }] };
  const set = setOf(children, [named, frame, menu], { navigation });
  const layout = layoutOf(set) as { children: [Json]; data: Json };
  type Section = { title: string; children: [Section, Json] };
  const outer = layout.children[0] as unknown as Section;
  const [inner, ownTable] = outer.children;
  assert.deepEqual([outer.title, ownTable['id'], ownTable['label']], ['A', 'outer-users', 'A']);
  assert.deepEqual([inner.title, inner.children[1]['id'], inner.children[1]['label']], ['B', 'inner-users', 'B']);
  assert.deepEqual(Object.keys(layout.data), ['users', 'users2']);
  const entries = trimFor(set, someone()).navigation?.layout as unknown as { main: Json[] };
  assert.deepEqual(
    entries.main.map(({ text }) => text),
    ['Go', 'Label'],
  );
});

test('an id that two uses of a part bring is told with the second of them', () => {
  const set = setOf([use(), { type: 'text', text: 't.a' }, use()]);
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'parts/users.json', '"id": "users",\n      "label"')}: error: The id "users" is used twice in this document. Used in screens/home.json:31:5.`,
  ]);
});

test('what is wrong in a part is told where it is written, with where it is used', () => {
  const wrong = { ...users, children: [table, { type: 'text', text: 't.nothing' }] };
  const set = setOf([{ type: 'text', text: 't.a' }, use()], [wrong]);
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'parts/users.json', '"text": "t.nothing"')}: error: Text "t.nothing" not found. Used in ${placeOf(set, 'screens/home.json', '{\n      "part"')}.`,
  ]);
});

test('what is wrong beside a use is told where it is written, also when the use shows only at times', () => {
  const screen = { ...home(use({ when: { path: 'route.who', empty: false } })), title: 't.nothing' };
  const set = setOf([], [users], { screens: [screen] });
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'screens/home.json', '"title"')}: error: Text "t.nothing" not found.`,
  ]);
});

test('what is wrong with what is given is told where it is given', () => {
  const set = setOf([use({ with: { customer: 'route.nobody', label: 't.nothing' } })], [users], {
    screens: [{ ...home(use({ with: { customer: 'route.nobody', label: 't.nothing' } })), query: ['who'] }],
  });
  const at = (snippet: string) => placeOf(set, 'screens/home.json', snippet);
  const errors = problemsOf(set);
  assert.ok(
    errors.some(error => error.startsWith(`${at('"label": "t.nothing"')}: error: Text "t.nothing" not found.`)),
  );
  assert.ok(
    errors.some(error => error.startsWith(`${at('"customer": "route.nobody"')}: error: Nothing puts "nobody"`)),
  );
});

test('what no document uses is told of parts as of popups, and of parameters', () => {
  const set = setOf(
    [{ type: 'text', text: 't.a' }],
    [{ ...users, parameters: { ...(users['parameters'] as Json), more: 'list?' } }],
  );
  const { compiled, problems } = compileSet(set);
  const at = (snippet: string) => placeOf(set, 'parts/users.json', snippet);
  assert.deepEqual(problems.map(formatProblem), [`${at('"more"')}: warning: Nothing in this part uses "more".`]);
  const unused = checkReach(compiled).map(formatProblem);
  assert.ok(unused.includes(`${at('"id": "users"')}: warning: Nothing uses the part "users".`), unused.join('\n'));
});

test('a use may require what the part requires too', () => {
  const requires = { permissions: ['add'] };
  const set = setOf(
    [use({ requires }), { type: 'text', text: 't.a' }],
    [{ ...users, children: [{ ...table, requires }] }],
  );
  const named = { requirements: { adds: requires } };
  const byName = setOf([use({ requires: 'adds' })], [{ ...users, children: [{ ...table, requires: 'adds' }] }]);
  for (const one of [set, { ...byName, access: named }]) {
    assert.deepEqual(problemsOf(one), []);
    assert.match(JSON.stringify(layoutOf(one, requires)), /"type":"table"/);
    assert.doesNotMatch(JSON.stringify(layoutOf(one) ?? {}), /"type":"table"/);
  }
});

test('what a part requires is judged for each use', () => {
  const part = {
    id: 'note',
    children: [
      { type: 'text', text: 't.a', requires: { userTypes: ['engineer'] } },
      { type: 'text', text: 't.b' },
    ],
  };
  const screen = (id: string, userTypes: string[]): Json => ({
    id,
    requires: { userTypes },
    children: [{ part: 'note' }],
  });
  const set: SchemaSet = {
    screens: [screen('home', ['engineer', 'reseller']), screen('other', ['reseller'])],
    parts: [part],
  };
  const textsFor = (type: 'engineer' | 'reseller', route: string) =>
    (trimFor(set, someone({ type })).screens.get(route)?.layout as { children?: Json[] } | undefined)?.children?.map(
      ({ text }) => text,
    );
  assert.deepEqual(textsFor('engineer', '/home'), ['A', 'B']);
  assert.deepEqual(textsFor('reseller', '/home'), ['B']);
  assert.deepEqual(textsFor('reseller', '/other'), ['B']);
  const alone: SchemaSet = { screens: [screen('other', ['reseller'])], parts: [part] };
  assert.match(
    String(problemsOf(alone)),
    /^parts\/note\.json:\d+:\d+: warning: Nobody gets this: .* Used in screens\/other\.json/,
  );
});

test('an explanation says of the nodes of a part where they are written', () => {
  const set = setOf([use({ requires: { permissions: ['add'] } }), { type: 'text', text: 't.a' }]);
  const { compiled } = compileSet(set);
  const { verdicts } = explain(compiled, someone(), 'screen:home');
  const found = verdicts.find(({ name }) => name === 'table users');
  assert.deepEqual([found?.place, found?.kept], [placeOf(set, 'parts/users.json', '{\n      "type": "table"'), false]);
  assert.match(String(found?.because), /add/);
});

test('a field of a reply may be called part', () => {
  const reply = { part: 'text', Items: [{ part: 'text' }] };
  const set = setOf([{ type: 'text', path: 'data.a.Result.part' }], [], {
    operations: { 'a.list': { service: 'cloud', method: 'GET', path: '/a', reply } },
  });
  const [screen] = set.screens as [Json];
  assert.deepEqual(problemsOf({ ...set, screens: [{ ...screen, data: { a: { operation: 'a.list' } } }] }), []);
});

test('a form may be made of parts, but for their data', () => {
  const field = (name: string) => ({ type: 'field', propertyName: name, kind: 'text', label: 't.label' });
  const forms = [{ id: 'person', fields: [{ part: 'names' }, field('Email')] }];
  const form = {
    type: 'form',
    id: 'form',
    form: 'person',
    submit: 't.go',
    on: { submit: [{ do: 'call', operation: 'people.add' }] },
  };
  const set: SchemaSet = {
    operations: {
      'people.add': { service: 'cloud', method: 'POST', path: '/people', body: 'person', audit: 'person.added' },
    },
    screens: [{ id: 'home', requires: everyone, children: [form] }],
    parts: [{ id: 'names', children: [field('First'), field('Last')] }],
    forms,
  };
  const layout = layoutOf(set) as { children: [{ children: Json[] }] };
  assert.deepEqual(
    layout.children[0].children.map(({ propertyName }) => propertyName),
    ['First', 'Last', 'Email'],
  );
  const withData = {
    ...set,
    operations: { ...set.operations, ...operations },
    parts: [
      {
        ...users,
        id: 'names',
        parameters: {},
        children: [field('First')],
        data: { users: { operation: 'users.list' } },
      },
    ],
  };
  assert.match(String(problemsOf(withData)), /"data" is not known here\./);
});

test('what a use and its part require together, and nobody has, is a warning with the place of the use', () => {
  const own = { ...users, children: [{ ...table, requires: { not: { features: ['New'] } } }] };
  const set = setOf([use({ requires: { features: ['New'] } })], [own]);
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'screens/home.json', '"requires": {\n        "features"')}: warning: Nobody gets this here: (features New) and (not (features New)).`,
  ]);
});
