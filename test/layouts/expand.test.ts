import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkShape } from '../../server/layouts/check/shape.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { checkFolder, formatProblem } from '../../server/layouts/index.ts';
import { createLoader, parseSource } from '../../server/layouts/load/load.ts';
import type { LongDocument, Source } from '../../server/layouts/names/source.ts';
import { effectSchemas } from '../../shared/language/effects.ts';
import { nodeSchemas } from '../../shared/language/nodes.ts';
import { twoWays } from '../../shared/language/short-forms/two-ways.ts';
import { shortForms } from '../../shared/language/short-forms.ts';
import { compiler } from '../fixtures/compiler.ts';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { notEmpty } from '../fixtures/rows.ts';

const schemas = withEditedSchemas();

type Json = Readonly<Record<string, unknown>>;
const plain = (json: unknown): Json => JSON.parse(JSON.stringify(json));

function source(file: string, json: Json): Source {
  const parsed = parseSource(file, JSON.stringify(json));
  assert.ok('file' in parsed, JSON.stringify(parsed));
  return parsed;
}

const around: readonly Source[] = [
  source('operations/example.json', {
    $schema: '../meta/operations.schema.json',
    operations: {
      'example.customers': {
        ...{ service: 'cloud', method: 'GET', path: '/customers' },
        with: {
          ...{ page: { type: 'integer' }, pageSize: { type: 'integer' }, search: { type: 'string' } },
          sort: { type: 'string', enum: ['Name', '-Name'] },
        },
        reply: { Items: [{ Id: 'id', Name: 'text', Spend: 'money' }], Total: 'count', Spend: 'money' },
      },
      'example.people': {
        ...{ service: 'cloud', method: 'GET', path: '/people', with: { status: { type: 'string' } } },
        ...{ refreshOn: ['services'], reply: { Counts: { All: 'count', Active: 'count' } } },
      },
      'example.orders': {
        ...{ service: 'cloud', method: 'GET', path: '/orders', with: { ids: { type: 'string' } } },
        reply: { Items: [{ CustomerId: 'id', Open: 'count' }] },
      },
      'example.one': { service: 'cloud', method: 'GET', path: '/one', reply: { Name: 'text' } },
    },
  }),
  source('text/en/example.json', {
    ...{ $schema: '../../meta/texts.schema.json', name: 'Name', spend: 'Spend', email: 'Email', total: 'Total' },
    ...{
      cancel: 'Cancel',
      saveBusy: 'Saving',
      nothingText: 'Nothing is here.',
      status: 'Status',
      none: 'None',
      'example.title': 'Example',
      'example.submit': 'Save',
    },
  }),
  source('example/rows.json', {
    $schema: '../meta/part.schema.json',
    parameters: { end: 'nodes', columns: 'columns' },
    children: ['part.end', { table: 'data.customers.Items', columns: ['part.columns'] }],
  }),
  source('text/en/people.json', { $schema: '../../meta/texts.schema.json', name: 'Name', title: 'People' }),
];

const data = { one: { operation: 'example.one' }, customers: { operation: 'example.customers' } };

/** The long form of a document that stands in a small folder, and what is wrong with it. */
function expand(kind: string, json: Json, file = `example/example.json`) {
  const written = source(file, { $schema: `../meta/${kind}.schema.json`, ...json });
  const long = expandDocuments([...around, written], []).at(-1) as LongDocument;
  return {
    json: plain(long.json),
    problems: [...(long.expansion?.form ?? []), ...(long.expansion?.text ?? [])].map(formatProblem),
  };
}

for (const { name, kind = 'screen', short, long } of notEmpty(shortForms))
  test(`the table of short forms says what ${name} are in the long form`, () => {
    const common = kind === 'screen' ? { id: 'example', title: 'example.title', data } : {};
    const { json, problems } = expand(kind, { ...common, ...short });
    const id = kind === 'screen' || kind === 'popup' ? {} : { id: 'example' };
    assert.deepEqual(json, { $schema: `../meta/${kind}.schema.json`, ...common, ...id, ...long });
    assert.deepEqual(problems, []);
    const again = expand(kind, { ...common, ...long });
    assert.deepEqual(again.json, json);
  });

for (const { name, kind = 'screen', one, other } of notEmpty(twoWays))
  test(`of the spellings that remain both mean the same: ${name}`, () => {
    const common = kind === 'screen' ? { id: 'example', title: 'example.title', data } : {};
    const [first, second] = [one, other].map(way => expand(kind, { ...common, ...way }));
    // A long form that stands alone says less: a name for tests, an id.
    assert.deepEqual(withoutNames(first?.json), withoutNames(second?.json));
    assert.deepEqual([first?.problems, second?.problems], [[], []]);
  });

/** A document without the names that only short forms give. */
const withoutNames = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json, (name, value) => (name === 'testId' ? undefined : value)));

test('a word that no parameter declares is no constant', () => {
  const { json } = expand('screen', {
    ...{ id: 'example', title: 'example.title', children: [] },
    data: { sorted: { 'example.customers': { sort: 'Nmae', search: 'Name' } } },
  });
  assert.deepEqual((json.data as Json).sorted, {
    operation: 'example.customers',
    with: { sort: 'Nmae', search: 'Name' },
  });
});

test('a screen without a title of its own has that of its area, and one that has none is told both keys', () => {
  const screen = { route: '/e', requires: 'anyone', children: [] };
  assert.equal(expand('screen', screen, 'people/list.json').json.title, 'people.title');
  assert.deepEqual(expand('screen', screen, 'nowhere/list.json').problems, [
    'nowhere/list.json:1:1: error: There is no text "nowhere.list.title" and no text "nowhere.title": write one, or give "title".',
  ]);
});

test('of two types no head can be taken for a property of the other', () => {
  for (const all of [nodeSchemas, effectSchemas] as readonly Readonly<Record<string, { properties: object }>>[])
    for (const [one, a] of notEmpty(Object.entries(all)))
      for (const [other, b] of Object.entries(all))
        if (one < other)
          assert.ok(
            !(Object.hasOwn(a.properties, other) && Object.hasOwn(b.properties, one)),
            `{ "${one}", "${other}" } may be either`,
          );
});

test('a text that is found by no name is an error that says both keys, at its place in the short form', () => {
  const { problems } = expand('form', { fields: ['Name', 'Colour'] });
  assert.deepEqual(problems, [
    'example/example.json:1:56: error: There is no text "example.example.colour" and no text "example.colour": write one, or give "label".',
  ]);
});

test('a document that says its id is in the long form: nothing is added to it', () => {
  assert.deepEqual(expand('popup', { id: 'other', children: [] }).json, {
    ...{ $schema: '../meta/popup.schema.json', id: 'other', children: [] },
  });
});

test('`false` says that there is none of what would be added', () => {
  const { json } = expand('popup', {
    ...{ title: 'example.name', size: false },
    children: [
      { form: 'example', submit: 'example.save', busy: false, cancel: false, on: { submit: [], cancel: false } },
    ],
  });
  assert.deepEqual(json, {
    ...{ $schema: '../meta/popup.schema.json', id: 'example', title: 'example.name' },
    children: [
      {
        ...{ type: 'form', form: 'example', id: 'example', testId: 'example-form', submit: 'example.save' },
        on: { submit: [] },
      },
    ],
  });
});

test('what stands below a title that is not written is called by it', () => {
  const table = { table: 'data.customers.Items', columns: ['Name'], empty: { title: 'example.name' } };
  const { json, problems } = expand('screen', { ...{ route: '/e', requires: 'anyone' }, data, children: [table] });
  assert.equal(json.title, 'example.example.title');
  assert.equal((json.children as readonly Json[])[0]?.label, 'example.example.title');
  assert.deepEqual(problems, []);
});

test('rows are told apart by their first field where it is an id, and by no id behind it', () => {
  const orders = source('operations/orders.json', {
    $schema: '../meta/operations.schema.json',
    operations: {
      'orders.list': {
        ...{ service: 'cloud', method: 'GET', path: '/orders' },
        reply: { Items: [{ Number: 'text', CustomerId: 'id', Price: 'money', At: 'time', Count: 'count' }] },
      },
    },
  });
  const screen = source('example/example.json', {
    ...{ $schema: '../meta/screen.schema.json', title: 'example.name', data: { orders: 'orders.list' } },
    children: [
      { table: 'data.orders.Items', columns: [{ 'example.name': 'Number' }], empty: { title: 'example.name' } },
      { chart: 'data.orders.Items', figure: 'row.Price' },
      { timeline: 'data.orders.Items', facts: [{ 'example.name': 'Count' }] },
    ],
  });
  const [, long] = expandDocuments([orders, screen], []);
  assert.ok(long);
  const [table, chart, timeline] = plain(long.json).children as readonly Json[];
  assert.equal(table?.key, undefined);
  assert.ok(
    checkShape(long).some(({ message }) => message.startsWith('The table needs "key". Field of an item')),
    'what lacks a property is named by its type, with what the property is',
  );
  assert.equal(chart?.format, 'currency');
  assert.deepEqual(timeline?.facts, [{ label: 'example.name', path: 'row.Count', format: 'number' }]);
});

test('a field that nobody sees has no label and no test id, and asks for no text', () => {
  const { json, problems } = expand('form', { fields: [{ field: 'Id', kind: 'hidden' }] });
  assert.deepEqual(json.fields, [{ type: 'field', propertyName: 'Id', kind: 'hidden', mandatory: true }]);
  assert.deepEqual(problems, []);
});

test('tabs say how many there are of each by any of the lists that they narrow, the first of which has no counts', () => {
  const { json, problems } = expand('screen', {
    title: 'example.name',
    data: {
      customers: { 'example.customers': [{ search: 'route.status' }] },
      people: { 'example.people': ['route.status'] },
    },
    children: [{ filter: 'route.status', look: 'tabs', options: [{ '': 'example.total' }] }],
  });
  const [{ options }] = json.children as readonly [Json];
  assert.deepEqual(options, [{ value: '', text: 'example.total', count: 'data.people.Result.Counts.All' }]);
  assert.deepEqual(problems, []);
});

test('a "?" beside a property that says otherwise is an error at that property', () => {
  const table = { table: 'data.customers.Items', empty: { title: 'example.name', text: false } };
  const columns = [
    { path: 'Name?', priority: 'lead' },
    { path: 'Spend?', priority: 'low' },
  ];
  const screen = { title: 'example.name', data, children: [{ ...table, columns }] };
  assert.deepEqual(expand('screen', screen).problems, [
    'example/example.json:1:270: error: The "?" of "Name?" gives "priority" the value "low", but "lead" is written: leave out the "?" or "priority".',
  ]);
  const fields = [
    { field: 'Name?', mandatory: true },
    { field: 'Email?', mandatory: { 'form.Name': 'A' } },
  ];
  assert.deepEqual(expand('form', { fields }).problems, [
    'example/example.json:1:66: error: The "?" of "Name?" gives "mandatory" the value false, but true is written: leave out the "?" or "mandatory".',
  ]);
});

test('a misspelt head is told with what was meant', async () => {
  const folder = source('example/example.json', {
    ...{ $schema: '../meta/popup.schema.json', title: 'example.name' },
    children: [{ buton: 'example.name', press: 'close-popup' }],
  });
  const [long] = expandDocuments([folder], []);
  assert.deepEqual(checkShape(long as Source).map(formatProblem), [
    'example/example.json:1:76: error: Node type "buton" not found. Did you mean "button"?',
  ]);
});

test('a problem of the long form is told at its place in the short one', async () => {
  await schemas.edit('customers/rename-customer.json', () => {
    const lines = [
      '{',
      '  "$schema": "../meta/popup.schema.json",',
      '  "title": "customers.title",',
      '  "parameters": ["customerId"],',
      '  "data": { "customer": { "customers.get": ["popup.customerId"] } },',
      '  "children": [',
      '    { "facts": ["data.customer.Status", { "customers.domain": "data.customer.Domian" }] },',
      '    { "text": "customers.none", "when": { "data.customer.Stats": "Active" } },',
      '    { "button": "customers.add", "press": [{ "navigate": "/nowhere" }, { "call": "customers.suspnd" }] }',
      '  ]',
      '}',
    ];
    return lines.join('\n');
  });
  const problems = (await checkFolder(schemas.folder, commandDeclarations, compiler)).map(formatProblem);
  const own = problems.filter(problem => problem.startsWith('customers/rename-customer.json:'));
  for (const [place, said] of [
    ['7:43', 'has no "Domian"'],
    ['8:43', 'has no "Stats"'],
    ['9:46', 'No screen has the address "/nowhere"'],
    ['9:74', 'Operation "customers.suspnd" not found.'],
  ])
    assert.ok(
      own.some(problem => problem.includes(`.json:${place}: error: `) && problem.includes(String(said))),
      `${place} ${said}\n${own.join('\n')}`,
    );
});

const { sources } = createLoader(join(import.meta.dirname, '../../schemas'))();

test('the long form of a long form is the same', () => {
  const long = expandDocuments(sources, commandDeclarations);
  const again = expandDocuments(
    long.map(({ file, json }) => source(file, plain(json))),
    commandDeclarations,
  );
  for (const [index, { file, json }] of notEmpty(long).entries())
    assert.deepEqual(plain(again[index]?.json), plain(json), file);
});
