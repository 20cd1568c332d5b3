import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import type { Access } from '../../server/layouts/trim/access-types.ts';
import { type Json, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';

const edit = { requires: { permissions: ['edit'] } };
const editor = someone({ permissions: ['edit'] });
const commands: CommandDeclaration[] = [
  { name: 'flow.start', parameters: ['id'], body: 'name', reply: { Next: { Step: 'count' } } },
  { name: 'flow.other' },
  { name: 'delivered.open' },
  { name: 'delivered.submit', reply: { Id: 'id' } },
];
const operations = {
  'a.list': { service: 'cloud', method: 'GET', path: '/api/a', with: { page: { type: 'integer' } } },
  'a.get': { service: 'cloud', method: 'GET', path: '/api/b' },
  'a.name': {
    service: 'cloud',
    method: 'POST',
    path: '/api/a',
    body: 'name',
    audit: 'a.named',
    reply: { Name: 'text?' },
  },
  'a.clear': { service: 'cloud', method: 'DELETE', path: '/api/a', audit: 'a.cleared', reply: { Code: 'text?' } },
  'a.model': { service: 'cloud', method: 'GET', path: '/api/model' },
};
const field = (propertyName: string, rest: Json = {}): Json => ({
  type: 'field',
  propertyName,
  kind: 'text',
  label: 't.a',
  ...rest,
});
const forms = [
  { id: 'name', fields: [field('Name'), { type: 'section', children: [field('Code', edit), field('Kind')] }] },
];
const text: Json = { type: 'text', text: 't.a' };
const press = (...effects: Json[]): Json => ({ type: 'button', text: 't.go', on: { press: effects } });
const call = (operation: string, rest: Json = {}): Json => press({ do: 'call', operation, ...rest });
const form = (rest: Json = {}): Json => ({
  type: 'form',
  id: 'f',
  form: 'name',
  submit: 't.go',
  on: { submit: [{ do: 'call', operation: 'a.name' }] },
  ...rest,
});

const accessOf = (
  children: readonly Json[],
  principal: Principal = someone(),
  rest: SchemaSet = {},
  screen: Json = {},
): Access =>
  trimFor(
    { operations, forms, ...rest, screens: [{ id: 'home', children: [text, ...children], ...screen }] },
    principal,
    commands,
  );

const namesOf = ({ reads, writes, commands: ran }: Access) => ({
  reads: [...reads.keys()].sort(),
  writes: [...writes.keys()].sort(),
  commands: [...ran.keys()].sort(),
});
const fieldsOf = (access: Access, operation = 'a.name') =>
  access.writes.get(operation)?.fields?.map(one => one.propertyName);

test('what kept nodes mention may be run, and nothing else', () => {
  const data = { list: { operation: 'a.list' }, idle: { operation: 'a.get' } };
  const children = [
    { type: 'text', path: 'data.list.Result.Total' },
    call('a.clear'),
    { ...call('a.name', { body: { Name: { value: 'x' } } }), ...edit },
    press({ do: 'command', command: 'flow.other' }),
  ];
  assert.deepEqual(namesOf(accessOf(children, someone(), {}, { data })), {
    reads: ['a.list'],
    writes: ['a.clear'],
    commands: ['flow.other'],
  });
  assert.deepEqual(namesOf(accessOf(children, editor, {}, { data })), {
    reads: ['a.list'],
    writes: ['a.clear', 'a.name'],
    commands: ['flow.other'],
  });
});

test('a read is no write and a write no read', () => {
  const access = accessOf(
    [{ type: 'text', path: 'data.list.Result.Total' }, call('a.clear')],
    someone(),
    {},
    { data: { list: { operation: 'a.list' } } },
  );
  assert.equal(access.writes.has('a.list'), false);
  assert.equal(access.reads.has('a.clear'), false);
});

test('calls inside lists of effects count: of an undo, and one after the other', () => {
  const undo = press({ do: 'toast', text: 't.a', undo: [{ do: 'call', operation: 'a.clear' }] });
  const both = press(
    { do: 'command', command: 'flow.other' },
    { do: 'command', command: 'flow.start', body: { Name: { value: 'x' } } },
  );
  assert.deepEqual(namesOf(accessOf([undo, both])), {
    reads: [],
    writes: ['a.clear'],
    commands: ['flow.other', 'flow.start'],
  });
});

test('calls of a popup count only when something opens it', () => {
  const popups = [{ id: 'one', children: [call('a.clear')] }];
  const open = press({ do: 'open-popup', popup: 'one' });
  assert.deepEqual(namesOf(accessOf([{ ...open, ...edit }], someone(), { popups })).writes, []);
  assert.deepEqual(namesOf(accessOf([open], someone(), { popups })).writes, ['a.clear']);
});

test('a call of a screen that is out of reach does not count', () => {
  const screens = [
    { id: 'other', children: [call('a.clear')], ...edit },
    { id: 'home', children: [text] },
  ];
  assert.deepEqual(namesOf(trimFor({ operations, forms, screens }, someone(), commands)).writes, []);
  assert.deepEqual(namesOf(trimFor({ operations, forms, screens }, editor, commands)).writes, ['a.clear']);
});

test('a capability names the parameters of its operation or command', () => {
  const access = accessOf(
    [
      { type: 'text', path: 'data.list.Result.Total' },
      press({ do: 'command', command: 'flow.start', body: { Name: { value: 'x' } } }),
    ],
    someone(),
    {},
    { data: { list: { operation: 'a.list' } } },
  );
  assert.deepEqual(access.reads.get('a.list'), { parameters: new Set(['page']), refused: new Map(), own: new Map() });
  assert.deepEqual(access.commands.get('flow.start')?.parameters, new Set(['id']));
});

test('the body has the fields of the form as the caller gets it, those inside frames included', () => {
  assert.deepEqual(fieldsOf(accessOf([form()])), ['Name', 'Kind']);
  assert.deepEqual(fieldsOf(accessOf([form()], editor)), ['Name', 'Code', 'Kind']);
  assert.deepEqual(accessOf([call('a.clear')]).writes.get('a.clear')?.fields, undefined);
});

test('a field that a form shows nowhere is not taken, although its form has it', () => {
  assert.deepEqual(fieldsOf(accessOf([call('a.name', { body: { Name: 'route.name' } })], editor)), ['Name']);
});

test('a call fills only the fields that the caller has, and is nothing without any', () => {
  const access = accessOf([call('a.name', { body: { Name: { value: 'x' }, Code: { value: 'y' } } })]);
  assert.deepEqual(fieldsOf(access), ['Name']);
  assert.match(String(access.screens.get('/home')?.bytes), /"body":\{"Name":\{"value":"x"\}\}/);
  assert.deepEqual(namesOf(accessOf([call('a.name', { body: { Code: { value: 'y' } } })])).writes, []);
});

test('a field whose first value the caller may not read is not taken', () => {
  const reply = { Name: 'text', Kind: { kind: 'text', requires: { prices: true } } };
  const priced = { ...operations, 'a.get': { ...operations['a.get'], reply } };
  const shown = [form({ initial: 'data.one.Result' })];
  const screen = { data: { one: { operation: 'a.get' } } };
  assert.deepEqual(fieldsOf(accessOf(shown, someone({ prices: false }), { operations: priced }, screen)), ['Name']);
  assert.deepEqual(fieldsOf(accessOf(shown, someone(), { operations: priced }, screen)), ['Name', 'Kind']);
});

test('a form document whose requirement is not met takes the form, and every call that fills it', () => {
  const closed = [{ ...forms[0], id: 'name', ...edit }];
  const children = [form(), call('a.name', { body: { Name: { value: 'x' } } })];
  assert.equal(accessOf(children, someone(), { forms: closed }).screens.get('/home')?.nodes.has('f'), false);
  assert.deepEqual(fieldsOf(accessOf(children, someone(), { forms: closed })), undefined);
  assert.deepEqual(fieldsOf(accessOf(children, editor, { forms: closed })), ['Name', 'Code', 'Kind']);
});

test('a form left without a field goes', () => {
  const closed = [{ id: 'name', fields: [{ type: 'heading', text: 't.a' }, field('Code', edit)] }];
  assert.deepEqual(namesOf(accessOf([form()], someone(), { forms: closed })).writes, []);
  assert.deepEqual(namesOf(accessOf([form()], editor, { forms: closed })).writes, ['a.name']);
});

test('a delivered form runs its two commands, for who may call every operation that it may resolve to', () => {
  const closed = { ...operations, 'a.clear': { ...operations['a.clear'], ...edit } };
  const delivered = {
    type: 'delivered',
    id: 'd',
    model: 'dynamic-form',
    operation: 'a.model',
    operations: ['a.name', 'a.clear'],
    submit: 't.go',
  };
  assert.deepEqual(namesOf(accessOf([delivered], someone(), { operations: closed })).commands, []);
  assert.deepEqual(namesOf(accessOf([delivered], editor, { operations: closed })), {
    reads: [],
    writes: [],
    commands: ['delivered.open', 'delivered.submit'],
  });
});

test('a reply passes by what the nodes read, a reply of a command by what it declares', () => {
  const children = [
    { type: 'text', path: 'data.list.Result.Total' },
    { type: 'repeat', rows: 'data.list.Result.Items', key: 'Id', children: [{ type: 'text', path: 'row.Name' }] },
    press({ do: 'call', operation: 'a.clear' }, { do: 'copy', value: 'reply.Result.Code' }),
    press({ do: 'command', command: 'flow.start', body: { Name: { value: 'x' } } }),
  ];
  const access = accessOf(children, someone(), {}, { data: { list: { operation: 'a.list' } } });
  assert.deepEqual(
    access.project('a.list', {
      Succeed: true,
      Result: { Total: 1, Secret: 2, Items: [{ Id: 1, Name: 'A', Price: 3 }] },
    }),
    { Succeed: true, Result: { Total: 1, Items: [{ Id: 1, Name: 'A' }] } },
  );
  assert.deepEqual(access.project('a.clear', { Result: { Code: 'x', Key: 'y' } }), { Result: { Code: 'x' } });
  assert.deepEqual(access.projectCommand('flow.start', { Succeed: true, Result: { Next: { Step: 2 }, Token: 'z' } }), {
    Succeed: true,
    Result: { Next: { Step: 2 } },
  });
});

test('the reply of the first of two calls is cut to what is read before the second', () => {
  const chain = press(
    { do: 'call', operation: 'a.clear' },
    { do: 'call', operation: 'a.name', body: { Name: 'reply.Result.Code' } },
    { do: 'copy', value: 'reply.Result.Name' },
  );
  const access = accessOf([chain]);
  const reply = { Result: { Code: 'x', Name: 'y' } };
  assert.deepEqual(access.project('a.clear', reply), { Result: { Code: 'x' } });
  assert.deepEqual(access.project('a.name', reply), { Result: { Name: 'y' } });
});

test('a reply that no layout reads does not pass at all', () => {
  const access = accessOf([call('a.clear')]);
  assert.equal(access.project('a.list', { Succeed: true, Result: 1 }), undefined);
  assert.deepEqual(access.project('a.clear', { Succeed: true, Result: 1 }), { Succeed: true });
  assert.equal(access.projectCommand('flow.start', { Succeed: true }), undefined);
});

test('the runtime\u2019s words are the caller\u2019s own variants', () => {
  const texts = {
    runtime: {
      save: 'Save',
      note: [{ ...edit, text: 'For editors' }, { text: 'For others' }],
      many_one: 'one',
      many_other: 'some',
    },
  };
  assert.deepEqual(accessOf([], someone(), { texts }).words, {
    many: { one: 'one', other: 'some' },
    note: 'For others',
    save: 'Save',
  });
  assert.deepEqual(accessOf([], editor, { texts }).words['note'], 'For editors');
});

test('a public caller has the messages of the fields on its pages, and who is signed in those of all', () => {
  const texts = { runtime: { 'form.required': 'R', 'form.email': 'E', 'form.digits': 'D', 'form.max': 'M' } };
  const field = (propertyName: string, more: Json) => ({ type: 'field', propertyName, label: 't.a', ...more });
  const children = [field('Email', { kind: 'email' }), field('Code', { kind: 'text', pattern: 'digits' })];
  const form = { type: 'form', id: 'f', submit: 't.go', children, on: { submit: [{ do: 'close-popup' }] } };
  const wordsOf = (principal: Principal) => Object.keys(accessOf([form], principal, { texts }).words).sort();
  assert.deepEqual(wordsOf(publicPrincipal), ['form.digits', 'form.email', 'form.required']);
  assert.deepEqual(wordsOf(someone()), ['form.digits', 'form.email', 'form.max', 'form.required']);
});
