import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../server/access/principal.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { type Json, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';

const edit = { requires: { permissions: ['edit'] } };
const editor = someone({ permissions: ['edit'] });
const text = { type: 'text', text: 't.a' };
const commands: CommandDeclaration[] = [{ name: 'flow.start', requires: { permissions: ['edit'] } }];
const operations = {
  'a.list': { service: 'cloud', method: 'GET', path: '/api/a' },
  'a.add': { service: 'cloud', method: 'POST', path: '/api/a', audit: 'a.added' },
  'a.edit': { service: 'cloud', method: 'POST', path: '/api/a', audit: 'a.edited', ...edit },
};

const press = (...effects: Json[]): Json => ({ type: 'button', text: 't.go', on: { press: effects } });
const open = (popup: string): Json => press({ do: 'open-popup', popup });
const go = (to: string): Json => press({ do: 'navigate', to });

function typesFor(children: readonly Json[], principal: Principal, rest: SchemaSet = {}): string[] {
  const set = { operations, ...rest, screens: [...(rest.screens ?? []), { id: 'home', children }] };
  const layout = trimFor(set, principal, commands).screens.get('/home')?.layout;
  return (layout?.kind === 'screen' ? layout.children : []).map(node => node.type);
}

/** A node goes for who cannot reach what it leads to, and stays for an editor. */
function expectPruned(node: Json, rest: SchemaSet = {}): void {
  assert.deepEqual(typesFor([text, node], someone(), rest), ['text']);
  assert.deepEqual(typesFor([text, node], editor, rest), ['text', node['type']]);
}

test('a button or link to a screen that the caller cannot reach goes', () => {
  const rest = { screens: [{ id: 'secret', children: [text], ...edit }] };
  expectPruned(go('/secret'), rest);
  expectPruned({ type: 'link', text: 't.go', to: '/secret?x={route.x}' }, rest);
  expectPruned(press({ do: 'back', to: '/secret' }), rest);
});

test('a button to a popup that the caller cannot reach goes', () => {
  expectPruned(open('secret'), { popups: [{ id: 'secret', children: [text], ...edit }] });
  expectPruned(open('secret'), { popups: [{ id: 'secret', children: [{ ...text, ...edit }] }] });
});

test('a button of an operation or command that the caller may not use goes', () => {
  expectPruned(press({ do: 'call', operation: 'a.edit' }));
  expectPruned(press({ do: 'command', command: 'flow.start' }));
});

test('of a list of effects each is needed: one out of reach takes the button', () => {
  expectPruned(press({ do: 'call', operation: 'a.add' }, { do: 'call', operation: 'a.edit' }));
  expectPruned(press({ do: 'toast', text: 't.a', undo: [{ do: 'call', operation: 'a.edit' }] }));
});

test('a screen that only led on is out of reach with what it led to, however far', () => {
  const screens = [
    { id: 'one', children: [go('/two')] },
    { id: 'two', children: [open('three')] },
    { id: 'four', children: [text], ...edit },
  ];
  expectPruned(go('/one'), { screens, popups: [{ id: 'three', children: [go('/four')] }] });
});

test('popups that open each other are there as long as one of them holds something', () => {
  const popups = (content: Json): Json[] => [
    { id: 'one', children: [open('two')] },
    { id: 'two', children: [open('one'), content] },
  ];
  assert.deepEqual(typesFor([text, open('one')], someone(), { popups: popups(text) }), ['text', 'button']);
  assert.deepEqual(typesFor([text, open('one')], someone(), { popups: popups({ ...text, ...edit }) }), [
    'text',
    'button',
  ]);
  expectPruned(open('one'), {
    popups: [
      { id: 'one', children: [press({ do: 'open-popup', popup: 'two' }, { do: 'open-popup', popup: 'three' })] },
      { id: 'two', children: [open('one')] },
      { id: 'three', children: [text], ...edit },
    ],
  });
});

test('a popup that nothing kept opens is not the caller\u2019s', () => {
  const set: SchemaSet = {
    screens: [{ id: 'home', children: [text, { ...open('one'), ...edit }] }],
    popups: [
      { id: 'one', children: [open('two')] },
      { id: 'two', children: [text] },
    ],
  };
  assert.deepEqual([...trimFor(set, someone()).popups.keys()], []);
  assert.deepEqual([...trimFor(set, editor).popups.keys()], ['one', 'two']);
  assert.equal(trimFor(set, someone()).byHash.size, 2);
});

test('a second button goes with its handler', () => {
  const cancel = {
    cancel: 't.none',
    on: { submit: [{ do: 'close-popup' }], cancel: [{ do: 'navigate', to: '/secret' }] },
  };
  const form = {
    type: 'form',
    id: 'f',
    submit: 't.go',
    ...cancel,
    children: [{ type: 'field', propertyName: 'A', kind: 'text', label: 't.a' }],
  };
  const set: SchemaSet = {
    screens: [
      { id: 'home', children: [form] },
      { id: 'secret', children: [text], ...edit },
    ],
  };
  const node = (principal: Principal) =>
    JSON.parse(String(trimFor(set, principal).screens.get('/home')?.bytes)).children[0];
  assert.deepEqual([node(editor).cancel, Object.keys(node(editor).on)], ['Nothing', ['submit', 'cancel']]);
  assert.deepEqual([node(someone()).cancel, Object.keys(node(someone()).on)], [undefined, ['submit']]);
});

test('only the link of a card, column or fact goes when its target is out of reach, with the text that belongs to it', () => {
  const card = { type: 'card', to: '/secret', moreText: 't.b', children: [text] };
  const facts = { type: 'facts', items: [{ label: 't.a', path: 'route.a', to: '/secret' }] };
  const set: SchemaSet = {
    screens: [
      { id: 'home', children: [card, facts] },
      { id: 'secret', children: [text], ...edit },
    ],
  };
  assert.deepEqual(JSON.parse(String(trimFor(set, someone()).screens.get('/home')?.bytes)).children, [
    { type: 'card', children: [{ type: 'text', text: 'A' }] },
    { type: 'facts', items: [{ label: 'A', path: 'route.a' }] },
  ]);
  assert.match(
    String(trimFor(set, editor).screens.get('/home')?.bytes),
    /"to":"\/secret","moreText":"B".*"to":"\/secret"/,
  );
});

test('a breadcrumb goes with its screen', () => {
  const crumbs = [
    { text: 't.a', to: '/secret' },
    { text: 't.b', to: '/home' },
  ];
  const set: SchemaSet = {
    screens: [
      { id: 'home', crumbs, children: [text] },
      { id: 'secret', children: [text], ...edit },
    ],
  };
  assert.deepEqual(JSON.parse(String(trimFor(set, someone()).screens.get('/home')?.bytes)).crumbs, [
    { text: 'B', to: '/home' },
  ]);
});

test('the address of a part is there for who reaches its pattern, not a screen that happens to match', () => {
  const screens = [
    { id: 'x', route: '/customers/x', children: [text] },
    { id: 'customer', route: '/customers/{id}', children: [text], ...edit },
  ];
  expectPruned(go('/customers/{route.id}'), { screens });
});

test('everyone has a landing, so that the way to "/" is always there', () => {
  assert.deepEqual(typesFor([text, go('/')], someone()), ['text', 'button']);
});

test('a download and a chart go with their table, wherever they stand', () => {
  const download = press({ do: 'download', table: 'list' });
  const chart = {
    type: 'chart',
    look: 'bars',
    label: 't.label',
    rows: 'data.list.Result.Items',
    titlePath: 'row.Name',
    figure: 'row.Name',
    table: 'list',
    empty: { title: 't.none' },
  };
  const table = {
    type: 'table',
    id: 'list',
    label: 't.label',
    rows: 'data.list.Result.Items',
    key: 'Id',
    empty: { title: 't.none' },
    columns: [{ title: 't.a', path: 'row.Name' }],
  };
  const screen = (children: Json[]): SchemaSet => ({
    operations,
    screens: [{ id: 'home', data: { list: { operation: 'a.list' } }, children }],
  });
  for (const children of [
    [text, download, { ...table, ...edit }],
    [text, { ...table, ...edit }, { type: 'stack', children: [download] }],
    [text, chart, { ...table, ...edit }],
  ]) {
    const bytes = (principal: Principal) => String(trimFor(screen(children), principal).screens.get('/home')?.bytes);
    assert.deepEqual(JSON.parse(bytes(someone())).children, [{ type: 'text', text: 'A' }]);
    assert.match(bytes(editor), /"table":"list"/);
  }
});
