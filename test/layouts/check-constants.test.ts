import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';

const reply = {
  Name: 'text',
  Status: 'code:status',
  Size: { kind: 'code', of: ['small', 7] },
  On: 'yes-no',
  Count: { kind: 'count?', max: 9 },
  Tags: ['text'],
};
const operations = {
  'a.get': {
    service: 'cloud',
    method: 'GET',
    path: '/api/a',
    reply,
    with: { page: { type: 'integer', minimum: 1, maximum: 9 }, by: { type: 'string', enum: ['day', 'month'] } },
  },
  'a.set': { service: 'cloud', method: 'POST', path: '/api/a', body: 'kind', audit: 'a.set' },
};
const catalogues = [
  {
    id: 'status',
    entries: [
      { value: 'Active', text: 't.a' },
      { value: 'Suspended', text: 't.b' },
    ],
  },
];
const forms = [
  {
    id: 'kind',
    fields: [
      {
        ...{ type: 'field', propertyName: 'Kind', kind: 'radio', label: 't.a' },
        options: [
          { value: 'app', text: 't.a' },
          { value: 'code', text: 't.b' },
        ],
      },
      { type: 'field', propertyName: 'Number', kind: 'number', label: 't.a', min: 1, max: 5 },
      { type: 'field', propertyName: 'Ticked', kind: 'checkbox', label: 't.a' },
    ],
  },
];
const commands: readonly CommandDeclaration[] = [
  { name: 'a.run', parameters: ['way'], values: { way: ['up', 'down'] } },
];

const text = (rest: Json): Json => ({ type: 'text', text: 't.a', ...rest });
const press = (...effects: Json[]): Json => ({ type: 'button', text: 't.go', on: { press: effects } });
const screen = (children: readonly Json[], rest: Json = {}): SchemaSet => ({
  ...{ operations, catalogues, forms },
  screens: [{ id: 'home', data: { a: { operation: 'a.get' } }, query: [], children, ...rest }],
});

function errorsOf(set: SchemaSet): string[] {
  return compileSet(set, commands)
    .problems.filter(({ severity }) => severity === 'error')
    .map(formatProblem);
}

const home = 'screens/home.json';
/** What is said of a set, at the place of the first snippet of its screen. */
function expectSaid(set: SchemaSet, snippet: string, message: string, file = home): void {
  assert.deepEqual(errorsOf(set), [`${placeOf(set, file, snippet)}: error: ${message}`]);
}

const declared = 'as "reply" in operations.json declares.';
for (const [path, value, said] of [
  [
    'data.a.Result.Status',
    'Activ',
    'it can be "Active", "Suspended", as the catalogue "status" in catalogue/status.json declares. Did you mean "Active"?',
  ],
  ['data.a.Result.Size', 'smal', `it can be "small", 7, ${declared} Did you mean "small"?`],
  ['data.a.Result.Size', '7', `it can be "small", 7, ${declared} Did you mean "7"?`],
  ['data.a.Result.On', 'true', `it is true or false, ${declared}`],
  ['data.a.Result.Count', 'three', `it is a number, ${declared}`],
  ['data.a.Result.Count', 10, `it is at most 9, ${declared}`],
  ['data.a.Result.Name', 1, `it is a text, ${declared}`],
  ['data.a.Result.Tags', 'x', `it is no single value, ${declared}`],
  ['data.a.Succeed', 'yes', `it is true or false, ${declared}`],
] as const)
  test(`a condition does not compare ${path} with ${JSON.stringify(value)}`, () => {
    const message = `"${path}", of "a.get", cannot be ${JSON.stringify(value)}; ${said}`;
    expectSaid(screen([text({ when: { path, is: value } })]), '"is"', message);
    expectSaid(
      screen([text({ when: { not: { any: [{ path, in: [null, value] }] } } })]),
      JSON.stringify(value),
      message,
    );
  });

test('what is declared, and null for what is absent, are right', () => {
  const tests: readonly (readonly [string, string | number | boolean | null])[] = [
    ['data.a.Result.Status', 'Suspended'],
    ['data.a.Result.Size', 7],
    ['data.a.Result.On', false],
    ['data.a.Result.Count', 9],
    ['data.a.Result.Name', 'whatever'],
    ['data.a.Result.Tags', null],
    ['principal.type', 'reseller'],
  ];
  for (const [path, is] of tests) assert.deepEqual(errorsOf(screen([text({ when: { path, is } })])), [], path);
});

test('the caller is of a user type that there is', () => {
  expectSaid(
    screen([text({ when: { path: 'principal.type', is: 'enduser' } })]),
    '"is"',
    'The fact "type" of the caller cannot be "enduser"; it can be "public", "reseller", "engineer", "endUserAdmin", "endUser", "mustSign". Did you mean "endUser"?',
  );
});

test('a parameter gets a value that its operation or command takes', () => {
  const by =
    'The parameter "by" of "a.get" cannot be "moth"; it can be "day", "month", as "with" in operations.json declares. Did you mean "month"?';
  const source = (given: Json) =>
    screen([], {
      data: { a: { operation: 'a.get', with: given } },
      children: [text({ path: 'data.a.Result.Name', text: undefined })],
    });
  expectSaid(source({ by: { value: 'moth' } }), '"value"', by);
  expectSaid(
    source({ page: 10 }),
    '"page"',
    'The parameter "page" of "a.get" cannot be 10; it is at most 9, as "with" in operations.json declares.',
  );
  assert.deepEqual(errorsOf(source({ by: { value: 'day' }, page: 9 })), []);
  expectSaid(
    screen([press({ do: 'command', command: 'a.run', with: { way: { value: 'upp' } } })]),
    '"value"',
    'The parameter "way" of the command "a.run" cannot be "upp"; it can be "up", "down". Did you mean "up"?',
  );
});

test('a body gets values that its form takes', () => {
  const call = (body: Json) => screen([press({ do: 'call', operation: 'a.set', body })]);
  expectSaid(
    call({ Kind: { value: 'apps' } }),
    '"value"',
    'The field "Kind" cannot be "apps"; it can be "app", "code". Did you mean "app"?',
  );
  expectSaid(call({ Number: 6 }), '"Number"', 'The field "Number" cannot be 6; it is at most 5.');
  expectSaid(call({ Ticked: { value: 'yes' } }), '"value"', 'The field "Ticked" cannot be "yes"; it is true or false.');
  assert.deepEqual(errorsOf(call({ Kind: { value: 'code' }, Number: 1, Ticked: true })), []);
});

test('a field begins with, and asks for, a value that it can have', () => {
  const field = {
    type: 'field',
    propertyName: 'Way',
    kind: 'radio',
    label: 't.a',
    options: [{ value: 'app', text: 't.a' }],
  };
  const form = (rest: Json) =>
    screen([
      {
        type: 'form',
        id: 'form',
        submit: 't.go',
        on: { submit: [{ do: 'sign-out' }] },
        children: [{ ...field, ...rest }, text({ when: { path: 'form.Way', is: 'app' } })],
      },
    ]);
  const message = 'The field "Way" cannot be "ap"; it can be "app". Did you mean "app"?';
  expectSaid(form({ initial: { value: 'ap' } }), '"value": "ap"\n', message);
  expectSaid(form({ requiredValue: 'ap' }), '"requiredValue"', message);
  assert.deepEqual(errorsOf(form({ initial: { value: 'app' }, requiredValue: 'app' })), []);
});

const tabs = (path: string): Json => ({
  type: 'tabs',
  path,
  label: 't.a',
  tabs: [
    { id: 'users', title: 't.a', children: [text({})] },
    { id: 'services', title: 't.b', children: [text({})] },
  ],
});

test('what users choose is compared with their choices alone', () => {
  const when = (is: string) => screen([tabs('route.tab'), text({ when: { path: 'route.tab', is } })]);
  const message = (value: string, meant: string) =>
    `The place "route.tab" cannot be "${value}"; it can be "users", "services".${meant}`;
  expectSaid(when('user'), '"is"', message('user', ' Did you mean "users"?'));
  assert.deepEqual(errorsOf(when('services')), []);
  const link = (to: string) => screen([tabs('route.tab'), { type: 'link', text: 't.go', to }]);
  expectSaid(link('/home?tab=servces'), '"to"', message('servces', ' Did you mean "services"?'));
  assert.deepEqual(errorsOf(link('/home?tab=services')), []);
  const set = (value: string) => screen([tabs('route.tab'), press({ do: 'set', path: 'route.tab', value: { value } })]);
  expectSaid(set('x'), '"value": "x"', message('x', ''));
});

test('where users choose among ids as well, constants are those that the document offers', () => {
  const choose = (key: string, is: string) => ({
    ...screen(
      [
        {
          type: 'filter',
          path: 'state.card',
          label: 't.a',
          options: [{ value: 'credit', text: 't.b' }],
          ...{ rows: 'data.a.Result.Items', key, titlePath: 'row.Name' },
        },
        text({ when: { path: 'state.card', is } }),
      ],
      { state: { card: '' } },
    ),
    operations: { 'a.get': { ...operations['a.get'], reply: { Items: [{ Id: 'id', Name: 'text' }] } } },
  });
  const message = 'The place "state.card" cannot be "crexit"; it can be "credit". Did you mean "credit"?';
  expectSaid(choose('Id', 'crexit'), '"is"', message);
  assert.deepEqual(errorsOf(choose('Id', 'credit')), []);
  assert.deepEqual(errorsOf(choose('Name', 'any')), []);
});

test('a place of the page is compared with what the document writes there', () => {
  const step = (is: string, value = 'done') =>
    screen([text({ when: { path: 'state.step', is } }), press({ do: 'set', path: 'state.step', value: { value } })], {
      state: { step: '' },
    });
  assert.deepEqual(errorsOf(step('done')), []);
  assert.deepEqual(errorsOf(step('dome')).length, 2);
  assert.match(
    errorsOf(step('dome')).join('\n'),
    /The place "state\.step" cannot be "dome"; it can be "done", ""\. Did you mean "done"\?/,
  );
  assert.match(errorsOf(step('dome')).join('\n'), /Nothing compares "state\.step" with "done"\. Did you mean "dome"\?/);
});

test('a name in the address that comes from outside may hold any text, and never a number', () => {
  const when = (is: string | number) => screen([text({ when: { path: 'route.notice', is } })], { query: ['notice'] });
  assert.deepEqual(errorsOf(when('whatever')), []);
  expectSaid(when(1), '"is"', 'The place "route.notice" cannot be 1; it is a text.');
});

test('what a parameter takes from a place is a value that it takes', () => {
  const kind = (by: string) =>
    screen([text({ path: 'data.a.Result.Name', text: undefined })], {
      state: { by },
      data: { a: { operation: 'a.get', with: { by: 'state.by' } } },
    });
  assert.deepEqual(errorsOf(kind('day')), []);
  expectSaid(
    kind('days'),
    '"by": "days"',
    'The parameter "by" of "a.get" cannot be "days"; it can be "day", "month", as "with" in operations.json declares. Did you mean "day"?',
  );
});

const listening = (...events: string[]): SchemaSet =>
  screen([text({ path: 'data.a.Result.Name', text: undefined }), press({ do: 'publish', event: 'saved' })], {
    data: { a: { operation: 'a.get', refreshOn: events } },
  });

test('an event that is listened to is published by a document or the server', () => {
  assert.deepEqual(errorsOf(listening('saved', 'services')), []);
  expectSaid(
    listening('saved', 'servises'),
    '"servises"',
    'Nothing publishes the event "servises". Did you mean "services"?',
  );
});

test('an event that is published is listened to', () => {
  expectSaid(listening('services'), '"event"', 'Nothing listens to the event "saved".');
  assert.deepEqual(errorsOf(screen([press({ do: 'publish', event: 'palette' })], { data: undefined })), []);
});
