import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../server/access/principal.ts';
import type { Access } from '../../server/layouts/trim/access-types.ts';
import { alertLooks } from '../../shared/language/nodes/alert.ts';
import { languageVersion } from '../../shared/language/version.ts';
import { everyone, type Json, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';

const edit = { requires: { permissions: ['edit'] } };
const editor = someone({ permissions: ['edit'] });
const heading = (rest: Json = {}): Json => ({ type: 'heading', text: 't.a', ...rest });
const text = (name: string, rest: Json = {}): Json => ({ type: 'text', text: `t.${name}`, ...rest });
const shown = (name: string): Json => ({ type: 'text', text: name.toUpperCase() });

const home = (children: readonly Json[], rest: Json = {}): SchemaSet => ({
  screens: [{ id: 'home', children, ...rest }],
});
/** The children of the home screen, as bytes give them; undefined when the screen is not there. */
function childrenFor(set: SchemaSet, principal: Principal = someone()): unknown {
  const layout = trimFor(set, principal).screens.get('/home');
  return layout && JSON.parse(layout.bytes.toString()).children;
}
const json = (access: Access): string => [...access.byHash.values()].map(layout => layout.bytes.toString()).join('\n');

test('a node whose requirement is not met is not there, and the requirement never is', () => {
  const set = home([text('a'), text('b', edit)]);
  assert.deepEqual(childrenFor(set), [shown('a')]);
  assert.deepEqual(childrenFor(set, editor), [shown('a'), shown('b')]);
  assert.doesNotMatch(json(trimFor(set, editor)), /requires|edit/);
});

test('a layout is its document without what is for the server, its kind in place of its schema and the version of its language', () => {
  const layout = trimFor(home([text('a')], { heading: 'hidden' }), someone()).screens.get('/home');
  assert.deepEqual(JSON.parse(String(layout?.bytes)), {
    language: languageVersion,
    kind: 'screen',
    id: 'home',
    route: '/home',
    title: 'Title',
    heading: 'hidden',
    children: [{ type: 'text', text: 'A' }],
  });
  assert.equal(layout?.id, 'home');
  assert.match(String(layout?.hash), /^[\w-]{8}$/);
});

test('what is inside a trimmed node goes with it', () => {
  const set = home([text('a'), { type: 'section', ...edit, children: [text('b')] }]);
  assert.deepEqual(childrenFor(set), [shown('a')]);
});

test('a frame whose content is all trimmed goes, whatever else it holds', () => {
  for (const frame of [
    { type: 'section', title: 't.title' },
    { type: 'card', title: 't.title' },
    { type: 'columns' },
    { type: 'stack' },
    { type: 'toolbar', end: [text('c')] },
  ]) {
    assert.deepEqual(
      childrenFor(home([text('a'), { ...frame, children: [text('b', edit)] }])),
      [shown('a')],
      frame.type,
    );
  }
});

test('a toolbar that is written with an end alone is drawn, and goes when that is trimmed', () => {
  const toolbar = (end: Json): Json => ({ type: 'toolbar', children: [], end: [end] });
  const set = home([text('a'), toolbar(text('b'))]);
  assert.deepEqual(childrenFor(set), [shown('a'), { type: 'toolbar', children: [], end: [shown('b')] }]);
  assert.deepEqual(childrenFor(home([text('a'), toolbar(text('b', edit))])), [shown('a')]);
  assert.equal(childrenFor(home([toolbar(text('b', edit))])), undefined);
});

test('a frame left with only a heading goes', () => {
  const section = { type: 'section', children: [heading(), text('b', edit)] };
  assert.deepEqual(childrenFor(home([text('a'), section])), [shown('a')]);
  assert.deepEqual(childrenFor(home([text('a'), { type: 'stack', children: [section] }])), [shown('a')]);
});

test('actions that are all trimmed leave the frame standing', () => {
  const card = { type: 'card', children: [text('b')], actions: [text('c', edit)] };
  assert.deepEqual(childrenFor(home([card])), [{ type: 'card', children: [shown('b')] }]);
});

test('a tab without content goes, and so do tabs without a tab', () => {
  const tabs = (...all: Json[]): Json => ({ type: 'tabs', path: 'route.tab', label: 't.label', tabs: all });
  const tab = (id: string, ...children: Json[]): Json => ({ id, title: 't.title', children });
  const kept = { id: 'one', title: 'Title', children: [shown('a')] };
  assert.deepEqual(childrenFor(home([tabs(tab('one', text('a')), tab('two', text('b', edit)))])), [
    { type: 'tabs', path: 'route.tab', label: 'Label', tabs: [kept] },
  ]);
  assert.deepEqual(
    childrenFor(home([text('a'), tabs(tab('two', text('b', edit)), { ...tab('three', text('c')), ...edit })])),
    [shown('a')],
  );
});

test('a menu without an entry goes, one with some keeps these', () => {
  const item = (name: string, rest: Json = {}): Json => ({
    text: `t.${name}`,
    on: { press: [{ do: 'sign-out' }] },
    ...rest,
  });
  const menu = (...items: Json[]): Json => ({ type: 'menu', text: 't.title', items });
  assert.deepEqual(childrenFor(home([menu(item('a'), item('b', edit))])), [
    { type: 'menu', text: 'Title', items: [{ text: 'A', on: { press: [{ do: 'sign-out' }] }, id: 'n1' }] },
  ]);
  assert.deepEqual(childrenFor(home([text('a'), menu(item('b', edit))])), [shown('a')]);
});

test('an empty menu group of the navigation is pruned, up to the top', () => {
  const main = [
    { text: 't.a', to: '/home' },
    { text: 't.b', items: [{ text: 't.c', items: [{ text: 't.go', to: '/home', ...edit }] }] },
    { text: 't.c', ...edit, to: '/home' },
  ];
  const set = {
    ...home([text('a')]),
    navigation: { main, account: { text: 't.label', items: [{ text: 't.c', ...edit, to: '/home' }] } },
  };
  const navigation = (principal: Principal) => JSON.parse(String(trimFor(set, principal).navigation?.bytes));
  assert.deepEqual(navigation(someone()), {
    language: languageVersion,
    kind: 'navigation',
    id: 'navigation',
    main: [{ text: 'A', to: '/home' }],
    landing: [],
  });
  assert.equal(navigation(editor).main.length, 3);
  assert.equal(navigation(editor).account.items.length, 1);
});

test('a screen or popup whose content is all trimmed is not there', () => {
  const set = home([text('b', edit)]);
  assert.equal(childrenFor(set), undefined);
  assert.deepEqual(trimFor(set, someone()).patterns, []);
  assert.deepEqual(trimFor(set, editor).patterns, ['/home']);
});

test('a screen whose requirement is not met is not there, its content notwithstanding', () => {
  const set = home([text('a')], edit);
  assert.equal(childrenFor(set), undefined);
  assert.deepEqual(childrenFor(set, editor), [shown('a')]);
});

test('options and catalogue entries are trimmed one by one; a choice without any goes', () => {
  const option = (value: string, rest: Json = {}): Json => ({ value, text: `t.${value}`, ...rest });
  const form = (field: Json): Json => ({
    type: 'form',
    id: 'f',
    submit: 't.go',
    on: { submit: [{ do: 'close-popup' }] },
    children: [
      { type: 'field', propertyName: 'A', kind: 'text', label: 't.a' },
      { type: 'field', propertyName: 'B', label: 't.b', ...field },
    ],
  });
  const fields = (field: Json, principal = someone()): Json[] =>
    (childrenFor({ ...home([form(field)]), catalogues }, principal) as [{ children: Json[] }])[0].children;
  const catalogues = [
    { id: 'some', entries: [option('a'), option('b', edit)] },
    { id: 'none', entries: [option('b', edit)] },
  ];
  const some = [{ value: 'a', text: 'A' }];
  assert.deepEqual(fields({ kind: 'select', options: [option('a'), option('b', edit)] })[1]?.['options'], some);
  assert.deepEqual(fields({ kind: 'select', catalogue: 'some' })[1]?.['catalogue'], some);
  assert.equal(fields({ kind: 'select', options: [option('b', edit)] }).length, 1);
  assert.equal(fields({ kind: 'select', catalogue: 'none' }).length, 1);
  assert.equal(fields({ kind: 'select', catalogue: 'none' }, editor).length, 2);
});

test('of the variants of a text the first that is met is taken, and nothing of the others leaves', () => {
  const texts = {
    t: {
      note: [
        { requires: { permissions: ['edit'] }, text: 'For editors' },
        { requires: { views: ['home'] }, text: 'For viewers' },
        { text: 'For others' },
      ],
    },
  };
  const set = { ...home([text('note')]), texts };
  const note = (principal: Principal) => (childrenFor(set, principal) as [Json])[0]['text'];
  assert.equal(note(someone({ permissions: ['edit'], views: ['home'] })), 'For editors');
  assert.equal(note(someone({ views: ['home'] })), 'For viewers');
  assert.equal(note(someone()), 'For others');
  assert.doesNotMatch(json(trimFor(set, someone())), /editors|viewers/);
});

test('plural forms travel together, for the browser to choose by the count', () => {
  const set = {
    ...home([{ type: 'text', text: 't.many', values: { count: 'route.count' } }]),
    texts: { t: { many_one: '{{count}} customer', many_other: '{{count}} customers' } },
  };
  assert.deepEqual(childrenFor(set), [
    {
      type: 'text',
      text: { one: '{{count}} customer', other: '{{count}} customers' },
      values: { count: 'route.count' },
    },
  ]);
});

test('generated ids are numbered over kept nodes alone, so that no gap shows what is missing', () => {
  const button = (rest: Json = {}): Json => ({
    type: 'button',
    text: 't.go',
    on: { press: [{ do: 'sign-out' }] },
    ...rest,
  });
  const gone = { type: 'facts', items: [{ label: 't.a', path: 'route.a', ...edit }] };
  const half = { type: 'card', actions: [button()], children: [gone] };
  const set = home([button(edit), button(), half, button({ id: 'own' }), button()]);
  const ids = (principal: Principal) => [...(trimFor(set, principal).screens.get('/home')?.nodes.keys() ?? [])];
  assert.deepEqual(ids(someone()), ['n1', 'own', 'n2']);
  assert.deepEqual(ids(editor), ['n1', 'n2', 'n3', 'own', 'n4']);
});

test('the nodes that may call are those of the layout, by the id that stands there', () => {
  const button = { type: 'button', text: 't.go', on: { press: [{ do: 'sign-out' }] } };
  const layout = trimFor(
    home([
      { type: 'stack', children: [button, text('a')] },
      { type: 'stack', children: [{ ...button, ...edit }] },
    ]),
    someone(),
  ).screens.get('/home');
  assert.deepEqual([...(layout?.nodes ?? [])], [['n1', { ...button, text: 'Go', id: 'n1' }]]);
  assert.match(String(layout?.bytes), /"id":"n1"/);
});

test('a flag shows a node when it is on, and one with "!" when it is off', () => {
  const set = home([
    text('a', { requires: { features: ['New'] } }),
    text('b', { requires: { not: { features: ['New'] } } }),
    text('c'),
  ]);
  assert.deepEqual(childrenFor(set, someone({ features: ['New'] })), [shown('a'), shown('c')]);
  assert.deepEqual(childrenFor(set, someone({ features: ['Old'] })), [shown('b'), shown('c')]);
});

test('a caller lands on the first entry that is for them and whose screen is there', () => {
  const landing = [
    { requires: { permissions: ['edit'] }, to: '/home' },
    { requires: { views: ['customers'] }, to: '/customers' },
    { requires: everyone, to: '/' },
  ];
  const set: SchemaSet = {
    screens: [
      { id: 'home', children: [text('a')] },
      { id: 'customers', requires: { views: ['customers'], prices: true }, children: [text('a')] },
    ],
    navigation: { landing },
  };
  assert.equal(trimFor(set, editor).landing, '/home');
  assert.equal(trimFor(set, someone({ views: ['customers'] })).landing, '/customers');
  assert.equal(trimFor(set, someone({ views: ['customers'], prices: false })).landing, '/');
  assert.equal(trimFor(set, someone()).landing, '/');
});

test('patterns are in matching order', () => {
  const set = {
    screens: ['/{a}', '/x/{b}', '/x/y', '/'].map((route, index) => ({ id: `s${index}`, route, children: [text('a')] })),
  };
  assert.deepEqual(trimFor(set, someone()).patterns, ['/', '/x/y', '/x/{b}', '/{a}']);
});

test('an alert of each of the nine types, and of the words of before, is drawn by its meaning', () => {
  for (const [type, look] of Object.entries(alertLooks)) {
    const set = { screens: [{ id: 'home', children: [{ type: 'alert', kind: type, text: 't.a' }] }] };
    const layout = JSON.parse(String(trimFor(set, someone()).screens.get('/home')?.bytes));
    assert.equal(layout.children[0].kind, look, type);
  }
  assert.deepEqual(
    ['primary', 'secondary', 'success', 'danger', 'error', 'warning', 'info', 'dark', 'light'].filter(
      type => !Object.hasOwn(alertLooks, type),
    ),
    [],
  );
});
