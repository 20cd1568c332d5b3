import words from '../../schemas/text/en/runtime.json' with { type: 'json' };
import { commandDeclarations } from '../../server/commands/index.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import { formatProblem, type Problem } from '../../server/layouts/names/problem.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { createCompiler } from '../../server/layouts/pipeline.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import replies from '../../shared/language/examples/replies.json' with { type: 'json' };
import texts from '../../shared/language/examples/texts.json' with { type: 'json' };
import type { PopupLayout, ScreenLayout } from '../../shared/language/types.ts';
import { principalWithAllRights } from '../schemas/principal.ts';
import type { Topic } from './topic.ts';

type Json = Readonly<Record<string, unknown>>;

/** What draws one example in a page of its own. */
export type LiveExample = {
  readonly layout: ScreenLayout;
  readonly popups: Readonly<Record<string, PopupLayout>>;
  readonly data: Readonly<Record<string, Envelope>>;
  readonly text: Readonly<Record<string, unknown>>;
  /** Results of what it may call; null where it fails. */
  readonly calls: Readonly<Record<string, unknown>>;
};

const everyone = { userTypes: ['reseller'] };
const text = { title: 'example.title' };
const screenId = ({ group, name }: Topic): string => `${group}-${name.toLowerCase()}`;

/** Sources and places of the page that an example reads are declared for it. */
function screenOf(topic: Topic): Json {
  const written = JSON.stringify(topic.children);
  const named = (head: string) => [
    ...new Set([...written.matchAll(new RegExp(`"${head}\\.(\\w+)`, 'g'))].map(([, name]) => name as string)),
  ];
  const data = Object.fromEntries(
    named('data').map(name => [
      name,
      { operation: `example.${name}`, ...(name === 'one' && { refreshOn: ['customers-changed'] }) },
    ]),
  );
  return {
    id: screenId(topic),
    route: `/docs/layout/${screenId(topic)}`,
    texts: 'example',
    ...text,
    requires: everyone,
    ...(Object.keys(data).length > 0 && { data }),
    ...(named('route').length > 0 && { query: named('route') }),
    // What an example keeps somewhere is read here, where it has no list that is narrowed by it.
    values: Object.fromEntries(
      ['route', 'state'].flatMap(head => named(head).map(name => [`${head}_${name}`, `${head}.${name}`])),
    ),
    ...(named('state').length > 0 && { state: Object.fromEntries(named('state').map(name => [name, ''])) }),
    children: topic.children,
  };
}

/** What the examples of journeys read: a parameter, and what was answered before. */
const welcome = {
  id: 'welcome',
  parameters: ['name'],
  label: 'example.steps',
  back: 'example.back',
  steps: [
    {
      id: 'guest',
      title: 'example.step-who',
      submit: 'example.next',
      children: [
        { type: 'facts', items: [{ label: 'example.company', path: 'journey.name' }] },
        { type: 'field', propertyName: 'Name', kind: 'text', label: 'example.name' },
      ],
    },
    {
      id: 'check',
      title: 'example.step-done',
      submit: 'example.save',
      children: [{ type: 'facts', items: [{ label: 'example.name', path: 'answers.guest.Name' }] }],
    },
  ],
  place: { operation: 'example.put', body: { Name: 'answers.guest.Name' } },
};

/** The examples have no access.json whose names the requirements of commands could be. */
const ownCommands = commandDeclarations.map(({ requires, ...command }) => command);
/** Those of the journey of the examples are its own. */
const called = Object.keys(replies.calls).filter(name => !name.startsWith(`${welcome.id}.`));
const commands = [...ownCommands, ...called.map(name => ({ name, reply: { Name: 'text?' } }))];

function documents(topics: readonly Topic[]): Record<string, Json> {
  const get = { service: 'cloud', method: 'GET', path: '/example' };
  const reads = Object.entries(replies.contracts).map(([name, reply]) => [`example.${name}`, { ...get, reply }]);
  const operations = {
    ...Object.fromEntries(reads),
    'example.rename': {
      ...get,
      method: 'POST',
      path: '/example/{id}',
      with: { id: { type: 'integer' } },
      audit: 'example.renamed',
      reply: { Name: 'text' },
    },
    'example.remove': {
      ...get,
      method: 'DELETE',
      path: '/example/{id}',
      with: { id: { type: 'integer' } },
      audit: 'example.removed',
    },
    'example.put': { ...get, method: 'PUT', audit: 'example.changed' },
  };
  const entry = (value: string, key: string, kind: string) => ({ value, text: `example.${key}`, kind });
  return {
    ...Object.fromEntries(topics.map(topic => [`screen ${screenId(topic)}`, screenOf(topic)])),
    'screen layout': {
      id: 'layout',
      route: '/docs/layout',
      ...text,
      requires: everyone,
      children: [{ type: 'text', text: 'example.text' }],
    },
    'popup example': {
      id: 'example',
      ...text,
      parameters: ['name'],
      children: [
        { type: 'text', path: 'popup.name' },
        { type: 'button', text: 'example.close', on: { press: [{ do: 'close-popup' }] } },
      ],
    },
    'popup ask-for-access': {
      id: 'ask-for-access',
      ...text,
      parameters: ['mark'],
      children: [{ type: 'text', path: 'popup.mark' }],
    },
    'journey welcome': welcome,
    'catalogue example': {
      id: 'example',
      entries: [
        entry('Active', 'active', 'ok'),
        entry('Changing', 'changing', 'wait'),
        entry('Failed', 'failedState', 'bad'),
      ],
    },
    'operations example': { operations },
    'texts text/en/example': texts,
    'texts text/en/runtime': words,
    'access access': { views: [], permissions: [], features: [] },
    'navigation navigation': {
      id: 'navigation',
      requires: everyone,
      landing: [{ requires: everyone, to: '/docs/layout' }],
    },
  };
}

function sourcesOf(topics: readonly Topic[]): Source[] {
  return Object.entries(documents(topics)).map(([name, json]) => {
    const [kind = '', file = ''] = name.split(' ');
    const parsed = parseSource(
      `${kind === 'texts' ? '' : `${kind}/`}${file}.json`,
      JSON.stringify({ $schema: `meta/${kind}.schema.json`, ...json }),
    );
    if ('file' in parsed) return parsed;
    throw new Error(parsed.map(formatProblem).join('\n'));
  });
}

/**
 * Compiles the reference's examples like any documents; gives for each topic what its page needs to draw the example,
 * and the problems found.
 */
export function liveExamples(topics: readonly Topic[]): {
  readonly live: ReadonlyMap<Topic, LiveExample>;
  /** The long form of each of them. */
  readonly long: ReadonlyMap<Topic, unknown>;
  readonly problems: readonly Problem[];
} {
  const shown = topics.filter(({ children = [] }) => children.length > 0);
  const sources = sourcesOf(shown);
  const { compiled, problems } = createCompiler().compile(sources, commands);
  const expanded = expandDocuments(sources, commands);
  const long = new Map(
    shown.map((topic, index) => {
      const { children } = expanded[index]!.json as { readonly children: readonly unknown[] };
      return [topic, Array.isArray(topic.example) ? children : children[0]] as const;
    }),
  );
  const access = trim(compiled, principalWithAllRights(compiled, 'reseller'));
  const popups = Object.fromEntries([...access.popups].map(([id, { layout }]) => [id, layout as PopupLayout]));
  const live = new Map<Topic, LiveExample>();
  for (const topic of shown) {
    const found = access.screens.get(`/docs/layout/${screenId(topic)}`);
    if (!found) continue;
    const layout = found.layout as ScreenLayout;
    const read = Object.keys(layout.data ?? {}) as (keyof typeof replies.sources)[];
    const data = Object.fromEntries(read.map(name => [name, { Succeed: true, Result: replies.sources[name] }]));
    live.set(topic, { layout, popups, data, text: access.words, calls: replies.calls });
  }
  return { live, long, problems };
}
