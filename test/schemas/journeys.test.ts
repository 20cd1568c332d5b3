import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, someone, trimFor } from '../fixtures/schemas.ts';

const post = { service: 'cloud', method: 'POST', audit: false } as const;
const operations = {
  'things.options': {
    service: 'cloud',
    method: 'GET',
    path: '/options/{id}',
    with: { id: { type: 'string' } },
    reply: { Items: [{ Id: 'id', Name: 'text', Price: 'money' }] },
  },
  'things.quote': { ...post, path: '/quote', reply: { Total: 'money', Days: 'count' } },
  'things.place': { ...post, path: '/things', audit: 'thing.placed', reply: { Number: 'text' } },
};

const field = (propertyName: string, more: Json = {}) => ({
  type: 'field',
  propertyName,
  kind: 'text',
  label: 't.label',
  ...more,
});
const ask = (more: Json = {}) => ({ id: 'ask', title: 't.title', submit: 't.go', children: [field('Name')], ...more });
const journey = (more: Json = {}) => ({
  id: 'things',
  parameters: ['thing'],
  label: 't.label',
  back: 't.go',
  prepare: { options: { operation: 'things.options', with: { id: 'journey.thing' } } },
  steps: [ask(), { id: 'check', title: 't.title', submit: 't.go', summary: true }],
  place: { operation: 'things.place', body: { Name: 'answers.ask.Name' } },
  ...more,
});
const set = (more: Json = {}, node: Json = {}) => ({
  screens: [
    {
      id: 'order',
      children: [{ type: 'steps', id: 'wizard', journey: 'things', with: { thing: { value: '1' } }, ...node }],
    },
  ],
  journeys: [journey(more)],
  operations,
});
const said = (more: Json = {}, node: Json = {}) =>
  compileSet(set(more, node))
    .problems.filter(({ severity }) => severity === 'error')
    .map(formatProblem)
    .map(line => line.replace(/^(\S+?):\d+:\d+: error: /, '$1 '));

const choice = field('Kind', { kind: 'select', options: [{ value: 'big', text: 't.a' }] });
const offered = {
  type: 'repeat',
  rows: 'data.options.Result.Items',
  key: 'Id',
  propertyName: 'Chosen',
  children: [
    field('Count', {
      kind: 'number',
      label: undefined,
      from: {
        labelPath: 'row.Name',
        message: { text: 't.title', values: { price: { path: 'row.Price', format: 'currency' } } },
      },
    }),
  ],
};

test('a journey that is right says nothing, and its node has its steps, texts and commands', () => {
  assert.deepEqual(said(), []);
  const access = trimFor(set(), someone());
  const text = access.screens.get('/order')?.bytes.toString() ?? '';
  const [node = {}] = (JSON.parse(text) as { children: Json[] }).children;
  assert.deepEqual(
    (node['steps'] as Json[]).map(({ id }) => id),
    ['ask', 'check'],
  );
  assert.deepEqual(node['on'], { step: [{ do: 'command', command: 'things.step', with: { thing: { value: '1' } } }] });
  assert.ok(access.commands.has('things.step'));
  assert.doesNotMatch(text, /things\.place|things\.options|answers\.ask/, 'what the server asks stays there');
});

test('what is wrong with a journey is told of its own file, with what was meant', () => {
  const file = 'journeys/things.json';
  for (const [more, expected] of [
    [
      { place: { operation: 'things.place', body: { Name: 'answers.ask.Nmae' } } },
      `${file} The step "ask" asks no "Nmae". Did you mean "Name"?`,
    ],
    [
      { place: { operation: 'things.plaze', body: { Name: 'answers.ask.Name' } } },
      `${file} Operation "things.plaze" not found. Did you mean "things.place"?`,
    ],
    [
      { prepare: { options: { operation: 'things.options', with: { id: 'journey.thin' } } } },
      `${file} This journey has no parameter "thin". Did you mean "thing"?`,
    ],
    [{ prepare: { options: { operation: 'things.options' } } }, `${file} "things.options" needs the parameter "id".`],
    [
      { place: { operation: 'things.place', body: { of: 'price' } } },
      `${file} No call that is asked before is "price", with a body.`,
    ],
    [{ place: { body: {} } }, `${file} A call has either "operation" or "command".`],
    [
      { steps: [ask({ children: [field('Name', { when: { path: 'form.Nme', is: 'x' } })] })] },
      `${file} Field "Nme" not found in this form. Did you mean "Name"?`,
    ],
    [
      { steps: [ask({ children: [field('Name'), field('Other')] })] },
      `${file} What is answered here goes nowhere: "Other". Name it in a body, as "answers.ask.Other", or ask it no more.`,
    ],
    [{ steps: [ask(), ask()] }, `${file} Two steps are called "ask".`],
    [
      { steps: [ask({ when: { path: 'answers.before.Name', is: 'x' } })] },
      `${file} This journey has no step "before".`,
    ],
    [
      { steps: [ask({ when: { path: 'answers.ask.Name', is: 'x' } })] },
      `${file} The step "ask" is not answered yet here: read what a step before asks.`,
    ],
    [
      { steps: [ask({ judge: { operation: 'things.place' } })] },
      `${file} "things.place" changes something: only what changes nothing ("audit": false) is asked before the end.`,
    ],
    [
      { done: [{ do: 'call', operation: 'things.quote' }] },
      `${file} What happens at the end is "toast", "navigate", "open-popup", "close-popup" and "publish", not "call".`,
    ],
    [
      { steps: [ask({ children: [field('Name', { from: { minPath: 'data.options.Result.Itms' } })] })] },
      `${file} The reply of "things.options" has no "Itms" in "Result". Did you mean "Items"? A field is declared in "reply" of the operation, in operations.json.`,
    ],
    [
      { steps: [ask(), { ...ask({ id: 'kind', children: [choice] }), when: { path: 'answers.ask.Name', is: 5 } }] },
      `${file} The field "Name" cannot be 5; it is a text.`,
    ],
    [
      { steps: [ask({ children: [choice] }), { ...ask({ id: 'b' }), when: { path: 'answers.ask.Kind', is: 'bg' } }] },
      `${file} The field "Kind" cannot be "bg"; it can be "big". Did you mean "big"?`,
    ],
    [
      {
        steps: [ask({ children: [offered] })],
        place: { operation: 'things.place', body: { Items: { rows: 'answers.ask.Chosen', each: 'row.Cuont' } } },
      },
      `${file} The rows have no "Cuont". Did you mean "Count"?`,
    ],
    [{ label: 't.lable' }, `${file} Text "t.lable" not found. Did you mean "t.label"?`],
  ] as const)
    assert.ok(said(more).includes(expected), `${expected}\n${said(more).join('\n')}`);
});

test('a password is asked in the last step alone, since nothing of it is kept', () => {
  const steps = [
    ask({ children: [field('Name'), field('Password', { kind: 'password' })] }),
    { id: 'check', title: 't.title', submit: 't.go' },
  ];
  const body = { Name: 'answers.ask.Name', Password: 'answers.ask.Password' };
  assert.ok(
    said({ steps, place: { operation: 'things.place', body } }).includes(
      'journeys/things.json "Password" is never kept: it stands in the last step before it is placed.',
    ),
  );
});

test('a node names a journey that there is, or brings its own steps and command', () => {
  assert.ok(
    said({}, { journey: 'thing' }).includes('screens/order.json Journey "thing" not found. Did you mean "things"?'),
  );
  assert.ok(
    said({}, { journey: undefined }).some(line =>
      line.includes('Without "journey" it needs "label", "steps", "back" and "on".'),
    ),
  );
});

test('what a field is made of is for those who may have it; the field and the step stay for others', () => {
  const place = {
    operation: 'things.place',
    body: { Items: { rows: 'answers.ask.Chosen', each: { Id: 'row.Id', Count: 'row.Count' } } },
  };
  const bytes = (prices: boolean) =>
    trimFor(set({ steps: [ask({ children: [offered] })], place }), someone({ prices }))
      .screens.get('/order')
      ?.bytes.toString() ?? '';
  assert.match(bytes(true), /row\.Price/);
  assert.match(bytes(false), /row\.Name/);
  assert.doesNotMatch(bytes(false), /Price/);
});

test('who may not place anything at the end has no wizard that leads there', () => {
  const place = { ...operations['things.place'], requires: { permissions: ['add'] } };
  const guarded = { ...set(), operations: { ...operations, 'things.place': place } };
  const commands = (permissions: string[]) => trimFor(guarded, someone({ permissions })).commands;
  assert.ok(commands(['add']).has('things.step'));
  assert.ok(!commands(['edit']).has('things.step'));
});

test('a step and a field that a requirement excludes are not in the layout', () => {
  const steps = [
    ask({ children: [field('Name'), field('Code', { requires: { permissions: ['add'] } })] }),
    { ...ask({ id: 'more', children: [field('Note')] }), requires: { permissions: ['edit'] } },
  ];
  const body = { Name: 'answers.ask.Name', Code: 'answers.ask.Code', Note: 'answers.more.Note' };
  const bytes = (permissions: string[]) =>
    trimFor(set({ steps, place: { operation: 'things.place', body } }), someone({ permissions }))
      .screens.get('/order')
      ?.bytes.toString() ?? '';
  assert.match(bytes(['add', 'edit']), /"Code".*"Note"/);
  assert.doesNotMatch(bytes(['edit']), /"Code"/);
  assert.doesNotMatch(bytes(['add']), /"Note"|"more"/);
});

const listed = { options: { operation: 'things.options', with: { id: 'answers.ask.Name' } } };
const pick = (more: Json = {}) => ({
  id: 'pick',
  title: 't.title',
  submit: 't.go',
  prepare: listed,
  children: [
    field('Thing', {
      kind: 'select',
      from: { options: { rows: 'data.options.Result.Items', valuePath: 'row.Id', titlePath: 'row.Name' } },
    }),
  ],
  ...more,
});
const placePicked = { operation: 'things.place', body: { Name: 'answers.ask.Name', Thing: 'answers.pick.Thing' } };

test('a step is prepared by what was answered before it, and what is read there is known from it on', () => {
  assert.deepEqual(said({ prepare: undefined, steps: [ask(), pick()], place: placePicked }), []);
  assert.deepEqual(said({ steps: [ask(), pick()], place: placePicked }), [], 'what was prepared is asked anew');
  const file = 'journeys/things.json';
  for (const [more, expected] of [
    [
      { prepare: undefined, steps: [pick(), ask()] },
      `${file} The step "ask" is not answered yet here: read what a step before asks.`,
    ],
    [
      { prepare: undefined, steps: [ask({ children: [field('Name'), field('Thing', pick().children[0])] }), pick()] },
      `${file} Data source "options" not found.`,
    ],
    [
      { steps: [ask(), pick({ prepare: { options: { operation: 'things.place' } } })] },
      `${file} "things.place" changes something: only what changes nothing ("audit": false) is asked before the end.`,
    ],
    [
      { steps: [ask(), pick({ quote: { options: { operation: 'things.quote' } } })] },
      `${file} "options" is prepared already.`,
    ],
    [
      { steps: [ask(), pick({ delivered: 'data.options.Result.Items' })] },
      `${file} Fields are delivered by a "model:form", or by the "model:nodes" of a command.`,
    ],
    [{ steps: [ask(), pick({ deliveredAs: 'Fields' })] }, `${file} Without "delivered" there are none.`],
  ] as const) {
    const problems = said({ place: placePicked, ...more });
    assert.ok(problems.includes(expected), `${expected}\n${problems.join('\n')}`);
  }
});

test('steps of several journeys are made of one part, and what is wrong there is told of the part', () => {
  const part = (propertyName: string) => ({ id: 'name-field', children: [field(propertyName)] });
  const steps = [ask({ children: [{ part: 'name-field' }] })];
  const compiled = (parts: readonly Json[]) => {
    const other = { ...journey({ steps }), id: 'others' };
    const screens = [...set().screens, { id: 'other', children: [{ type: 'steps', id: 'wizard', journey: 'others' }] }];
    return compileSet({ ...set({ steps }), parts, screens, journeys: [journey({ steps }), other] });
  };
  const problems = (parts: readonly Json[]) =>
    compiled(parts)
      .problems.filter(({ severity }) => severity === 'error')
      .map(formatProblem);
  assert.deepEqual(problems([part('Name')]), []);
  const wrong = problems([part('Title')]);
  assert.equal(wrong.filter(line => line.includes('The step "ask" asks no "Name".')).length, 2, wrong.join('\n'));
  const versionOf = (...names: string[]) =>
    compiled([{ id: 'name-field', children: names.map(name => field(name)) }]).compiled.journeys.get('things')?.hash;
  assert.notEqual(
    versionOf('Name'),
    versionOf('Name', 'Other'),
    'an edit of the part is another version of the journey',
  );
});
