import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveExamples } from '../../scripts/docs/examples.ts';
import { readTopics } from '../../scripts/docs/site.ts';
import type { Principal } from '../../server/access/principal.ts';
import { decide } from '../../server/access/requirement.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import { nodeKinds, rulesOf } from '../../shared/language/nodes.ts';
import type { Requirement } from '../../shared/language/types.ts';
import { type Draw, drawFrom } from '../fixtures/draw.ts';
import { compileSet, type Json, type SchemaSet, someone, trimFor } from '../fixtures/schemas.ts';
import { drawPrincipal } from './drawn-principal.ts';
import { named } from './drawn-requirements.ts';
import { drawSet } from './drawn-set.ts';

const edit = { permissions: ['edit'] };
const commands: readonly CommandDeclaration[] = [
  { name: 'access.ask', parameters: ['mark'], requires: { userTypes: ['reseller', 'endUser'] } },
];
const askPopup: Json = {
  id: 'ask-for-access',
  parameters: ['mark'],
  children: [
    {
      type: 'button',
      text: 't.go',
      on: { press: [{ do: 'command', command: 'access.ask', with: { mark: 'popup.mark' } }] },
    },
  ],
};
const texts = { t: { mark: 'Change customers' } };
const withPopup = (set: SchemaSet): SchemaSet => ({
  ...set,
  popups: [...(set.popups ?? []), askPopup],
  texts: { ...set.texts, t: { ...set.texts?.['t'], ...texts.t } },
});
const home = (children: readonly Json[], rest: Json = {}): SchemaSet =>
  withPopup({ screens: [{ id: 'home', children, ...rest }] });
const heading: Json = { type: 'text', text: 't.a' };
const marked = (rest: Json = {}): Json => ({
  type: 'text',
  text: 't.b',
  requires: edit,
  requestable: 't.mark',
  ...rest,
});

const placeholder = {
  type: 'button',
  text: 'Change customers',
  icon: 'lock',
  testId: 'ask',
  on: { press: [{ do: 'open-popup', popup: 'ask-for-access', with: { mark: { value: 't.mark' } } }] },
};
const childrenFor = (set: SchemaSet, principal: Principal): unknown[] => {
  const layout = trimFor(set, principal, commands).screens.get('/home');
  const { children } = JSON.parse(String(layout?.bytes)) as { children: Json[] };
  return children.map(({ id: _, ...node }) => node);
};
const problemsOf = (set: SchemaSet): string[] =>
  compileSet(set, commands)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

test('who lacks a right for a marked node gets its title and the way to ask, and who has it the node', () => {
  const set = home([heading, marked()]);
  assert.deepEqual(childrenFor(set, someone()), [{ type: 'text', text: 'A' }, placeholder]);
  assert.deepEqual(childrenFor(set, someone({ permissions: ['edit'] })), [
    { type: 'text', text: 'A' },
    { type: 'text', text: 'B' },
  ]);
});

test('what is marked is told with the rights that are missing, to the server alone', () => {
  const access = trimFor(home([heading, marked()]), someone(), commands);
  assert.deepEqual(
    [...access.requestable],
    [['t.mark', { title: 'Change customers', rights: { views: [], permissions: ['edit'], prices: false } }]],
  );
  for (const { bytes } of access.byHash.values()) assert.doesNotMatch(String(bytes), /edit|requestable|"B"/);
  assert.equal(trimFor(home([heading, marked()]), someone({ permissions: ['edit'] }), commands).requestable.size, 0);
});

test('nobody is offered to ask for what no right would give them', () => {
  const requires = { all: [{ userTypes: ['engineer'] }, edit] };
  const set = home([heading, marked({ requires })]);
  assert.deepEqual(childrenFor(set, someone()), [{ type: 'text', text: 'A' }]);
  assert.deepEqual(
    childrenFor(set, someone({ type: 'engineer' })),
    [{ type: 'text', text: 'A' }],
    'no popup to ask in',
  );
  assert.equal(trimFor(set, someone(), commands).requestable.size, 0);
  const ofFeature = { all: [{ features: ['New'] }, edit] };
  assert.deepEqual(childrenFor(home([heading, marked({ requires: ofFeature })]), someone()), [
    { type: 'text', text: 'A' },
  ]);
});

test('a marked screen is not there for who lacks a right, nor is what leads to it; its mark is known to the server', () => {
  const set = withPopup({
    screens: [
      {
        id: 'home',
        children: [
          heading,
          { type: 'link', text: 't.go', to: '/secret' },
          { type: 'button', text: 't.go', on: askNow },
        ],
      },
      { id: 'secret', requires: edit, requestable: 't.mark', children: [heading] },
    ],
  });
  const access = trimFor(set, someone(), commands);
  assert.equal(access.screens.has('/secret'), false);
  for (const { bytes } of access.byHash.values()) assert.doesNotMatch(String(bytes), /secret|t\.mark|Change customers/);
  assert.deepEqual(access.requestable.get('t.mark'), {
    title: 'Change customers',
    rights: { views: [], permissions: ['edit'], prices: false },
    route: '/secret',
  });
});
const askNow = { press: [{ do: 'open-popup', popup: 'ask-for-access', with: { mark: { value: 'x' } } }] };

test('a mark that nobody could ask for is refused where it stands', () => {
  const nothing = 'Nobody can ask for this: "requestable" needs "requires" with views, permissions or prices.';
  const field = 'Only a node in a list of nodes that is no field can be "requestable".';
  assert.deepEqual(problemsOf(home([heading, marked({ requires: undefined })])), [nothing]);
  assert.deepEqual(problemsOf(home([heading, marked({ requires: { userTypes: ['engineer'] } })])), [nothing]);
  const input = { type: 'field', propertyName: 'Name', kind: 'text', label: 't.label', requires: edit };
  const form = { type: 'form', id: 'form', submit: 't.go', on: { submit: [{ do: 'close-popup' }] } };
  const fields = [input, { ...input, propertyName: 'Other', requestable: 't.mark' }];
  assert.deepEqual(problemsOf(home([heading, { ...form, children: fields }])), [field]);
  assert.deepEqual(problemsOf(home([heading, marked(), marked({ requires: { permissions: ['add'] } })])), [
    '"t.mark" stands for another requirement in screens/home.json: a text of "requestable" asks for one alone.',
  ]);
  assert.deepEqual(problemsOf({ screens: [{ id: 'home', children: [heading, marked({ requestable: 't.go' })] }] }), [
    'Popup "ask-for-access" not found.',
  ]);
});

/** Finds the first node of a kind in an example. */
function nodeIn(value: unknown, type: string): Json | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if ((value as Json)['type'] === type) return value as Json;
  return Object.values(value)
    .map(item => nodeIn(item, type))
    .find(found => found !== undefined);
}

test('of every kind of node a marked one leaves its title and the way to ask, and nothing else', async () => {
  const topics = (await readTopics('schemas')).filter(({ group }) => group === 'nodes');
  const { long } = liveExamples(topics);
  const kinds = new Set<string>();
  for (const topic of topics) {
    const example = nodeIn(long.get(topic), topic.name);
    if (example === undefined || rulesOf(topic.name).form === 'field') continue;
    const node = { ...example, requires: edit, requestable: 't.mark' };
    const { compiled } = compileSet(home([heading, node]), commands);
    const access = trim(compiled, someone());
    const { children, data, state } = JSON.parse(String(access.screens.get('/home')?.bytes));
    assert.deepEqual([children[1], data, state], [{ ...placeholder, id: 'n1' }, undefined, undefined], topic.name);
    assert.deepEqual([[...access.reads.keys()], [...access.writes.keys()]], [[], []], topic.name);
    kinds.add(topic.name);
  }
  const missing = Object.keys(nodeKinds).filter(name => !kinds.has(name) && rulesOf(name).form !== 'field');
  assert.deepEqual(missing, []);
});

/** Marks some nodes of a tree that require rights, each by a text of its own. */
function markSome(draw: Draw, value: unknown, texts: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map(item => markSome(draw, item, texts));
  if (value === null || typeof value !== 'object') return value;
  const own = value as Json;
  const inner = Object.fromEntries(Object.entries(own).map(([name, item]) => [name, markSome(draw, item, texts)]));
  const { type, testId, requires } = own;
  const asked = JSON.stringify(requires) ?? '';
  const isMarked = typeof type === 'string' && type !== 'field' && /views|permissions|"prices":true/.test(asked);
  if (!isMarked || draw(2) === 0) return inner;
  texts[`ask-${testId}`] = `Ask ${Object.keys(texts).length}`;
  return { ...inner, requestable: `t.ask-${testId}` };
}

/** Test ids of all that stands in something whose requirement is not met. */
function withheld(value: unknown, who: Principal, isGone = false): string[] {
  if (value === null || typeof value !== 'object') return [];
  const { requires, testId } = value as { readonly requires?: unknown; readonly testId?: unknown };
  const meaning = (typeof requires === 'string' ? named[requires as keyof typeof named] : requires) as Requirement;
  const gone = isGone || (requires !== undefined && !Array.isArray(value) && !decide(resolved(meaning), who).met);
  const inner = Object.values(value).flatMap(item => withheld(item, who, gone));
  return gone && typeof testId === 'string' ? [testId, ...inner] : inner;
}
const resolved = (requirement: Requirement): Requirement => {
  if (typeof requirement === 'string') return resolved(named[requirement as keyof typeof named] as Requirement);
  const { all, any, ...rest } = requirement;
  return { ...rest, ...(all && { all: all.map(resolved) }), ...(any && { any: any.map(resolved) }) };
};

test('nothing of what a caller may not see is in the bytes, whatever is marked', () => {
  let asked = 0;
  for (let seed = 1; seed <= 30; seed++) {
    const draw = drawFrom(seed);
    const { set, commands: own } = drawSet(draw, true);
    const words: Record<string, unknown> = {};
    const parts = { screens: set.screens, popups: set.popups };
    const { screens, popups } = markSome(draw, parts, words) as Required<Pick<SchemaSet, 'screens' | 'popups'>>;
    const whole = withPopup({ ...set, screens, popups, texts: { t: { ...set.texts?.['t'], ...words } } });
    const { compiled, problems } = compileSet(whole, [...own, ...commands]);
    const errors = problems.filter(({ severity }) => severity === 'error').map(formatProblem);
    assert.deepEqual(errors, [], `seed ${seed}`);
    for (let turn = 0; turn < 4; turn++) {
      const who = drawPrincipal(draw);
      const access = trim(compiled, who);
      const bytes = [...access.byHash.values()].map(layout => String(layout.bytes)).join('\n');
      for (const id of withheld(parts, who))
        assert.doesNotMatch(bytes.replace(/t\.ask-c\d+z/g, ''), new RegExp(`\\b${id}\\b`), `seed ${seed}: ${id}`);
      for (const [mark, { rights }] of access.requestable) {
        asked += 1;
        const given = {
          ...who,
          views: [...who.views, ...rights.views],
          permissions: [...who.permissions, ...rights.permissions],
          prices: who.prices || rights.prices,
        };
        assert.equal(trim(compiled, given).requestable.has(mark), false, `seed ${seed}: ${mark} is there then`);
      }
    }
  }
  assert.ok(asked > 20, `only ${asked} things were asked for`);
});
