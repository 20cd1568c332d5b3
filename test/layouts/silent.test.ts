import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkHabits } from '../../server/layouts/check/habits.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compiler } from '../fixtures/compiler.ts';
import type { Json } from '../fixtures/schemas.ts';
import { errorAt, peopleScreen, peopleTable, shortFolder, toldOf } from '../fixtures/short-folder.ts';

const file = 'people/people.json';

/** Declares that a screen with this in it is refused at a word, with a message. */
function isRefused(what: string, rest: Json, word: string, message: string): void {
  test(`${what} is refused`, async () => {
    const screen = peopleScreen(rest);
    assert.deepEqual(await toldOf({ [file]: screen }), [errorAt(file, screen, word) + message]);
  });
}

const table = (rest: Json): Json => ({ children: [peopleTable(rest)] });
const facts = (fact: unknown): Json => ({ children: [peopleTable(), { facts: [fact] }] });

isRefused(
  'money as a number',
  table({ columns: ['Name', { path: 'Spend', format: 'number' }] }),
  '"path": "Spend"',
  '"Result.Items.Spend" of "people.list" is of kind "money", and money is written with its currency: leave out "format", or write "currency" or "change".',
);
isRefused(
  'a path through a list',
  facts({ 'people.name': 'data.people.Items.Name' }),
  '"people.name": "data.people.Items',
  '"Items" is a list: nothing of one item is known here. Read it as row.… in a node with "rows".',
);
test('a path below a reply that is a list is refused by the names that are written', async () => {
  const logs = {
    $schema: '../meta/operations.schema.json',
    operations: {
      'logs.list': { service: 'cloud', method: 'GET', path: '/logs', requires: 'staff', reply: [{ Name: 'text' }] },
    },
  };
  const screen = peopleScreen({
    data: { people: { 'people.list': ['route.page', 'route.sort', { pageSize: 'route.size' }] }, logs: 'logs.list' },
    ...facts({ 'people.name': 'data.logs.Name' }),
  });
  const [first] = await toldOf({ 'logs/operations.json': logs, [file]: screen });
  assert.equal(
    first,
    `${errorAt(file, screen, '"people.name": "data.logs')}The reply of "logs.list" is a list: "Name" of one item is not known here. Read it as row.… in a node with "rows".`,
  );
});

isRefused(
  'a list of objects as a value',
  facts({ 'people.name': 'data.people.Items' }),
  '"people.name": "data.people.Items',
  '"Result.Items" of "people.list" is a list, and a value is a single one: name a field of it, or read it as row.… in a node with "rows".',
);
isRefused(
  'an object as a value',
  facts({ 'people.name': 'data.people.Owner' }),
  '"people.name": "data.people.Owner',
  '"Result.Owner" of "people.list" is an object, and a value is a single one: name a field of it, or read it as row.… in a node with "rows".',
);
isRefused(
  'a press that does nothing',
  {
    actions: [
      { button: 'people.go', press: [] },
      { button: 'people.go', press: { 'open-popup': 'rename' } },
    ],
  },
  '"press": []',
  '"press" does nothing: give an effect, or leave it out.',
);
isRefused(
  'a route of which something is read below',
  { children: [peopleTable({ when: { given: 'route.page.Number' } })] },
  '"given"',
  '"route.page" is a text of the address: nothing stands below it.',
);

/** Declares that a form with this field is refused at a word of it. */
function isRefusedInForm(what: string, field: Json, word: string, message: string): void {
  test(`${what} is refused`, async () => {
    const form = { $schema: '../meta/form.schema.json', fields: [{ field: 'Name', ...field }] };
    const [first = ''] = await toldOf({ 'people/rename-form.json': form });
    assert.equal(first, errorAt('people/rename-form.json', form, word) + message);
  });
}

isRefusedInForm(
  'a least number above the greatest',
  { kind: 'number', min: 7, max: 3 },
  '"min"',
  '"min" is above "max", so that no value is right.',
);
isRefusedInForm(
  'a length of a number',
  { kind: 'number', maxLength: 3 },
  '"maxLength"',
  'A number field takes no "maxLength".',
);
isRefusedInForm('a bound of a text', { min: 3 }, '"min"', 'A text field takes no "min".');

const popupOf = (initial: string): Json => ({
  ...{ $schema: '../meta/popup.schema.json', requires: 'staff', data: { people: 'people.list' } },
  children: [{ form: 'rename', initial, on: [{ call: 'people.rename' }] }],
});

test('first values that have none of the fields of a form are refused', async () => {
  const popup = { ...popupOf('data.people') };
  assert.deepEqual(await toldOf({ 'people/rename.json': popup }), [
    `${errorAt('people/rename.json', popup, '"initial"')}"data.people.Result" has none of the fields of this form: "Name".`,
  ]);
});

test('a field whose name is written otherwise in its first values is refused', async () => {
  const popup = popupOf('data.people.Owner');
  const form = { $schema: '../meta/form.schema.json', fields: [{ field: 'name', label: 'people.name' }] };
  assert.deepEqual(await toldOf({ 'people/rename.json': popup, 'people/rename-form.json': form }), [
    `${errorAt('people/rename.json', popup, '"initial"')}The field "name" gets no first value: the reply of "people.list" has "Name", not "name".`,
  ]);
});

/** Gives the warnings about habits of the small folder with a document replaced. */
async function habitsOf(files: Readonly<Record<string, Json>>): Promise<string[]> {
  const { compiled, problems } = await compiler.check({ sources: shortFolder(files), problems: [] }, []);
  assert.ok(compiled, problems.map(formatProblem).join('\n'));
  return checkHabits(compiled).map(formatProblem);
}

test('of what the small folder has nothing is unusual', async () => {
  assert.deepEqual(await habitsOf({}), []);
});

const textsOf = (rest: Json): Json => ({
  ...{
    $schema: '../../meta/texts.schema.json',
    'people.title': 'People',
    name: 'Name',
    users: 'Users',
    none: 'Nobody',
  },
  ...{ 'rename.title': 'Rename', 'rename.submit': 'Rename', go: 'Go', ...rest },
});

for (const [what, texts, word, message] of [
  [
    'a text in single braces',
    { go: 'Go {name}' },
    '"go"',
    '"{name}" is shown as it is: a value of a text is written {{name}}.',
  ],
  [
    'HTML in a text',
    { go: '<b>Go</b>' },
    '"go"',
    '"<b>" is shown as it is: texts are no HTML, of which the node "html" takes some.',
  ],
  ['an empty text', { go: '' }, '"go"', '"go" is empty: nothing is said there.'],
] as const)
  test(`${what} is warned of`, async () => {
    const json = textsOf(texts);
    assert.deepEqual(await habitsOf({ 'text/en/people.json': json }), [
      errorAt('text/en/people.json', json, word, 'warning') + message,
    ]);
  });

test('an operation that asks for nothing is warned of', async () => {
  const operations = {
    $schema: '../meta/operations.schema.json',
    operations: { 'open.ping': { service: 'cloud', method: 'GET', path: '/ping', reply: { Name: 'text' } } },
  };
  assert.deepEqual(await habitsOf({ 'open/operations.json': operations }), [
    `${errorAt('open/operations.json', operations, '"open.ping"', 'warning')}"open.ping" asks for nothing: whoever has a document with it may call it, signed in or not. Say "requires", of everybody too where that is meant.`,
  ]);
});

test('a landing behind one that everybody takes is warned of', async () => {
  const navigation = {
    ...{ $schema: 'meta/navigation.schema.json', requires: 'staff' },
    landing: [
      { requires: 'staff', to: '/people' },
      { requires: { all: ['staff', { views: ['people'] }] }, to: '/people?page=2' },
    ],
  };
  assert.deepEqual(await habitsOf({ 'navigation.json': navigation }), [
    `${errorAt('navigation.json', navigation, '{\n      "requires": {', 'warning')}Nobody lands at "/people?page=2": whoever could lands at "/people", which comes first.`,
  ]);
});

test('a line of "$schema" that leads to nothing is warned of', async () => {
  const form = { $schema: 'meta/form.schema.json', fields: ['Name'] };
  assert.deepEqual(await habitsOf({ 'people/rename-form.json': form }), [
    `${errorAt('people/rename-form.json', form, '"$schema"', 'warning')}"meta/form.schema.json" leads to no JSON Schema, so that an editor completes nothing: write "../meta/form.schema.json".`,
  ]);
});

test('the end of a popup on a screen is warned of', async () => {
  const screen = peopleScreen({
    actions: [{ button: 'people.go', press: ['close-popup', { 'open-popup': 'rename' }] }],
  });
  assert.deepEqual(await habitsOf({ [file]: screen }), [
    `${errorAt(file, screen, '"close-popup"', 'warning')}This is a screen, and no popup that could be closed.`,
  ]);
});
