import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';

const home = 'screens/home.json';
const field = (rest: Json = {}): Json => ({ type: 'field', propertyName: 'Name', kind: 'text', label: 't.a', ...rest });
const commands: CommandDeclaration[] = [{ name: 'auth.login', body: 'name' }];

const base: SchemaSet = {
  operations: {
    'customers.get': { service: 'cloud', method: 'GET', path: '/api/customers' },
    'customers.add': {
      service: 'cloud',
      method: 'POST',
      path: '/api/customers',
      body: 'name',
      audit: 'customer.created',
    },
    'customers.clear': { service: 'cloud', method: 'POST', path: '/api/clear', audit: 'customer.cleared' },
  },
  forms: [
    { id: 'name', fields: [field()] },
    { id: 'other', fields: [field({ propertyName: 'Other' })] },
  ],
};

function problemsOf(set: SchemaSet, severity = 'error'): string[] {
  return compileSet({ ...base, ...set }, commands)
    .problems.filter(problem => problem.severity === severity)
    .map(formatProblem);
}

const screen = (children: readonly Json[], rest: Json = {}): SchemaSet => ({
  screens: [{ id: 'home', children, ...rest }],
});
const form = (rest: Json): Json => ({
  type: 'form',
  id: 'f',
  submit: 't.go',
  on: { submit: [{ do: 'close-popup' }] },
  ...rest,
});

function expectProblem(node: Json, snippet: string, message: string, rest: Json = {}): void {
  const set = screen([node], rest);
  assert.deepEqual(problemsOf(set), [`${placeOf(set, home, snippet)}: error: ${message}`]);
}

test('a field has a label, unless it is hidden', () => {
  expectProblem(
    form({ children: [{ type: 'field', propertyName: 'Name', kind: 'text' }] }),
    '{\n          "type": "field"',
    'The field "Name" has no label. A value that nobody sees is a field of kind "hidden".',
  );
  assert.deepEqual(
    problemsOf(screen([form({ children: [{ type: 'field', propertyName: 'Id', kind: 'hidden' }] })])),
    [],
  );
});

test('an action beside the label of a box is not drawn, and a warning says so', () => {
  const action = [{ type: 'button', text: 't.go', on: { press: [{ do: 'close-popup' }] } }];
  for (const kind of ['checkbox', 'switch']) {
    const found = problemsOf(screen([form({ children: [field({ kind, action })] })]), 'warning');
    assert.equal(found.length, 1);
    assert.match(
      found[0] ?? '',
      new RegExp(`warning: A ${kind} field draws no "action"\\. Put it below the field\\.$`),
    );
  }
});

test('a choice has something to choose from', () => {
  for (const kind of ['select', 'radio']) {
    expectProblem(
      form({ children: [field({ kind })] }),
      '{\n          "type": "field"',
      `A ${kind} field needs "options" or "catalogue".`,
    );
  }
});

test('a pattern is one', () => {
  expectProblem(
    form({ children: [field({ regex: '^(a', invalidMessage: 't.b' })] }),
    '"regex"',
    'Not a regular expression: Invalid regular expression: /^(a/: Unterminated group.',
  );
});

test('a pattern is named from the list, or written out, and belongs to what is typed', () => {
  const place = (rest: Json) => form({ children: [field(rest)] });
  assert.deepEqual(problemsOf(screen([place({ pattern: 'ipv4' })])), []);
  const names =
    '"digits", "email", "phone", "hex-colour", "ipv4", "alphanumeric", "alphanumeric-with-spaces", "customer-id"';
  expectProblem(
    place({ pattern: 'digit' }),
    '"pattern"',
    `"pattern" cannot be "digit"; it can be ${names}. Did you mean "digits"?`,
  );
  expectProblem(
    place({ pattern: 'digits', regex: '^\\d$', invalidMessage: 't.b' }),
    '"regex"',
    'A field has either "pattern" or "regex".',
  );
  const choice = { kind: 'radio', options: [{ value: 'a', text: 't.a' }] };
  expectProblem(
    place({ ...choice, pattern: 'digits' }),
    '"pattern"',
    'A radio field takes no "pattern": nothing is typed there.',
  );
});

test('a pattern says what it expects', () => {
  const set = screen([form({ children: [field({ regex: '^a' })] })]);
  assert.deepEqual(problemsOf(set, 'warning'), [
    `${placeOf(set, home, '{\n          "type": "field"')}: warning: A field with "regex" needs "invalidMessage", which says what is expected.`,
  ]);
});

test('the condition of a field reads only what browser and server both know', () => {
  const when = (path: string, key = 'when') =>
    form({ children: [field(), field({ propertyName: 'B', [key]: { any: [{ path, empty: false }] } })] });
  for (const path of ['form.Name', 'form.$failures', 'principal.type'])
    assert.deepEqual(problemsOf(screen([when(path)])), [], path);
  const message = (path: string) => `The condition of a field reads only form.… and principal.…, not "${path}".`;
  expectProblem(when('data.one.Result.A'), '"when"', message('data.one.Result.A'), {
    data: { one: { operation: 'customers.get' } },
  });
  expectProblem(when('route.tab'), '"when"', message('route.tab'));
  expectProblem(when('state.open', 'disabledWhen'), '"disabledWhen"', message('state.open'), { state: { open: true } });
});

test('the condition of a field does not ask what only the browser knows', () => {
  const when = (path: string, rest: Json = {}) =>
    form({ children: [field(rest), field({ propertyName: 'B', when: { path, empty: false } })] });
  expectProblem(
    when('form.$changed'),
    '"when"',
    'The condition of a field cannot read "form.$changed": the server does not know it.',
  );
  const message = 'The condition of a field cannot read "form.Name": it is shown, never sent.';
  expectProblem(when('form.Name', { kind: 'display' }), '"when"', message);
  expectProblem(when('form.Name', { readOnly: true }), '"when"', message);
});

test('the condition of a frame around fields is theirs too', () => {
  const framed = (path: string) =>
    form({
      children: [
        field(),
        {
          type: 'section',
          when: { path, is: 'x' },
          children: [{ type: 'stack', children: [field({ propertyName: 'B' })] }],
        },
      ],
    });
  assert.deepEqual(problemsOf(screen([framed('form.Name')])), []);
  expectProblem(
    framed('route.tab'),
    '"when"',
    'The condition of a field reads only form.… and principal.…, not "route.tab".',
  );
});

test('the condition of a whole form reads whatever its screen does', () => {
  assert.deepEqual(problemsOf(screen([form({ children: [field()], when: { path: 'route.tab', is: 'x' } })])), []);
});

test('a form has each field once', () => {
  const found = problemsOf(screen([form({ children: [field(), field()] })]));
  assert.equal(found.length, 2);
  for (const line of found) assert.match(line, /: error: Two fields of this form are "Name"\.$/);
});

test('a field stands where a form finds it', () => {
  expectProblem(field(), '{\n      "type": "field"', 'The field "Name" stands outside a form.');
  const tabs = {
    type: 'tabs',
    path: 'route.tab',
    label: 't.label',
    tabs: [{ id: 'one', title: 't.a', children: [field({ propertyName: 'B' })] }],
  };
  expectProblem(
    form({ children: [field(), tabs] }),
    '{\n                  "type": "field"',
    'The field "B" stands outside a form.',
  );
});

test('a form shows a form document or has children, not both', () => {
  const message = 'A form has either "form" (a form document) or "children".';
  expectProblem(form({}), '{\n      "type"', message);
  expectProblem(form({ form: 'name', children: [field()] }), '{\n      "type"', message);
});

test('a second button does something', () => {
  expectProblem(form({ form: 'name', cancel: 't.b' }), '{\n      "type"', 'A form with "cancel" needs "on.cancel".');
  const nameless = form({ form: 'name', on: { submit: [], cancel: [{ do: 'navigate', to: '/' }] } });
  expectProblem(nameless, '"cancel": [', 'A form with "on.cancel" needs "cancel", the text of its button.');
});

test('the body of a call is the form that its operation takes', () => {
  const call = (rest: Json) => ({ on: { submit: [{ do: 'call', operation: 'customers.add', ...rest }] } });
  assert.deepEqual(problemsOf(screen([form({ form: 'name', ...call({}) })])), []);
  assert.deepEqual(problemsOf(screen([form({ form: 'other', ...call({ body: { Name: 'form.Other' } }) })])), []);
  const message =
    'The operation "customers.add" takes the form "name": call it from a form node with "form": "name", or give it a "body".';
  expectProblem(form({ form: 'other', ...call({}) }), '{\n            "do"', message);
  expectProblem(
    { type: 'button', text: 't.go', on: { press: [{ do: 'call', operation: 'customers.add' }] } },
    '{\n            "do"',
    message,
  );
});

test('a body has only fields of its form', () => {
  const button = (operation: string, body: Json) => ({
    type: 'button',
    text: 't.go',
    on: { press: [{ do: 'call', operation, body }] },
  });
  expectProblem(
    button('customers.add', { Name: { value: 'x' }, Nam: 2 }),
    '"Nam"',
    'The form "name" of this operation "customers.add" has no field "Nam". Did you mean "Name"?',
  );
  expectProblem(
    button('customers.clear', { Name: 1 }),
    '{\n            "do"',
    'The operation "customers.clear" takes no body.',
  );
});

test('a body has every field that its form needs', () => {
  const needed = { mandatory: true };
  const forms = [
    {
      id: 'name',
      fields: [
        field(needed),
        field({ propertyName: 'Note' }),
        field({ propertyName: 'Shown', kind: 'display', ...needed }),
        field({ propertyName: 'Fixed', readOnly: true, ...needed }),
        field({ propertyName: 'Reason', when: { path: 'form.Note', empty: false }, ...needed }),
        field({ propertyName: 'Off', disabledWhen: { path: 'form.Note', empty: true }, ...needed }),
        { type: 'section', requires: { prices: true }, children: [field({ propertyName: 'Budget', ...needed })] },
        { type: 'section', title: 't.a', children: [field({ propertyName: 'Contact', ...needed })] },
      ],
    },
  ];
  const press = (effect: Json) => ({
    ...screen([{ type: 'button', text: 't.go', on: { press: [effect] } }]),
    forms,
  });
  const all = { Name: { value: 'x' }, Contact: 'route.name' };
  for (const call of [
    { do: 'call', operation: 'customers.add' },
    { do: 'command', command: 'auth.login' },
  ]) {
    const what = call.do === 'call' ? 'operation "customers.add"' : 'command "auth.login"';
    assert.deepEqual(problemsOf(press({ ...call, body: all })), []);
    const set = press({ ...call, body: { Note: 'route.note' } });
    assert.deepEqual(problemsOf(set), [
      `${placeOf(set, home, '"body"')}: error: The ${what} needs "Name" and "Contact": fields of its form "name", in forms/name.json, that must have a value.`,
    ]);
  }
  const undone = press({
    ...{ do: 'toast', text: 't.a', kind: 'ok' },
    undo: [{ do: 'call', operation: 'customers.add', body: { Name: { value: 'x' } } }],
  });
  assert.deepEqual(problemsOf(undone), [
    `${placeOf(undone, home, '"body"')}: error: The operation "customers.add" needs "Contact": a field of its form "name", in forms/name.json, that must have a value.`,
  ]);
});

test('a command takes its form like an operation', () => {
  const submit = { on: { submit: [{ do: 'command', command: 'auth.login' }] } };
  assert.deepEqual(problemsOf(screen([form({ form: 'name', ...submit })])), []);
  const message =
    'The command "auth.login" takes the form "name": call it from a form node with "form": "name", or give it a "body".';
  expectProblem(form({ form: 'other', ...submit }), '{\n            "do"', message);
});

test('a mistake in a form document is reported there, once, however often it is shown', () => {
  const forms = [
    {
      id: 'name',
      fields: [field({ label: 't.hologram' }), field({ propertyName: 'B', when: { path: 'form.Nam', is: 1 } })],
    },
  ];
  const set = { ...screen([form({ form: 'name' }), form({ id: 'g', form: 'name' })]), forms };
  assert.deepEqual(problemsOf(set), [
    `${placeOf(set, 'forms/name.json', '"label": "t.hologram"')}: error: Text "t.hologram" not found.`,
    `${placeOf(set, 'forms/name.json', '"path"')}: error: Field "Nam" not found in this form. Did you mean "Name"?`,
  ]);
});
