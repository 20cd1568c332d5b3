import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { liveExamples } from '../../scripts/docs/examples.ts';
import { page } from '../../scripts/docs/page.ts';
import { readTopics } from '../../scripts/docs/site.ts';
import type { Topic } from '../../scripts/docs/topic.ts';
import { schemasCommands } from '../../scripts/schemas/commands.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkShape } from '../../server/layouts/check/shape.ts';
import { formatProblem } from '../../server/layouts/index.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import { checkReach } from '../../server/layouts/trim/check-reach.ts';
import { documentSchemas } from '../../shared/language/documents.ts';
import { effectSchemas } from '../../shared/language/effects.ts';
import { pageEvents, serverEvents } from '../../shared/language/events.ts';
import documents from '../../shared/language/examples/documents.json' with { type: 'json' };
import { nodeSchemas } from '../../shared/language/nodes.ts';
import { operation } from '../../shared/language/operation.ts';
import { formFacts, pathRoots, principalFacts } from '../../shared/language/path-roots.ts';
import { common, format } from '../../shared/language/primitives.ts';
import { models, replyShape, valueKinds } from '../../shared/language/reply.ts';
import { conditionShape, requirement } from '../../shared/language/requirement.ts';
import { compile } from '../fixtures/compiler.ts';
import { notEmpty } from '../fixtures/rows.ts';

let topics: readonly Topic[];
before(async () => {
  topics = notEmpty(await readTopics('schemas'));
});

test('every node type, effect, condition, format, common property and root of paths has an example that compiles and is there', () => {
  const { live, problems } = liveExamples(topics);
  assert.deepEqual(problems.filter(({ severity }) => severity === 'error').map(formatProblem), []);
  const shown = ['common', 'nodes', 'effects', 'conditions', 'formats', 'paths'];
  const missing = topics.filter(topic => shown.includes(topic.group) && !live.has(topic));
  assert.deepEqual(
    missing.map(({ group, name }) => `${group} ${name}`),
    [],
  );
});

test('every entry says what it is for, and so does every row of a table of names', () => {
  const plain = ['conditions', 'formats', 'tools'];
  const silent = topics.filter(({ group, says }) => !plain.includes(group) && says === '');
  const tables = ['values', 'paths', 'requirements', 'kinds', 'events', 'tools'];
  const rows = topics.filter(({ group }) => tables.includes(group)).flatMap(({ properties }) => properties);
  assert.ok(rows.length > 100);
  const silentRows = rows.filter(({ says }) => says === '');
  assert.deepEqual(
    [...silent, ...silentRows].map(({ name }) => name),
    [],
  );
});

/** Every title of a value in the schemas of the language. */
function titlesOf(schemas: unknown, found = new Set<string>()): Set<string> {
  if (schemas === null || typeof schemas !== 'object') return found;
  const { title } = schemas as { title?: unknown };
  if (typeof title === 'string') found.add(title);
  for (const [name, inner] of Object.entries(schemas)) if (name !== 'enum' && name !== 'const') titlesOf(inner, found);
  return found;
}

test('the reference has everything that there is: documents, values, paths, kinds, requirements, events, commands, tools', async () => {
  const shownRows = new Map(
    topics.flatMap(({ properties }) => properties.map(({ name, kind, says }) => [name, `${kind} ${says}`] as const)),
  );
  const shownHeads = new Set(topics.map(({ name }) => name));
  const events = [...Object.keys(serverEvents), ...Object.keys(pageEvents)];
  const rows = [
    ...Object.keys(requirement.properties),
    ...titlesOf([documentSchemas, nodeSchemas, effectSchemas, requirement, conditionShape, replyShape]),
    ...[...Object.keys(valueKinds), ...Object.keys(models), ...events],
    ...commandDeclarations.map(({ name }) => name),
    ...[...Object.keys(principalFacts), ...Object.keys(formFacts)],
  ];
  const heads = [documentSchemas, nodeSchemas, effectSchemas, common, operation.properties, pathRoots, schemasCommands]
    .flatMap(names => Object.keys(names))
    .concat(format.enum);
  assert.ok(rows.length > 100 && heads.length > 100, `${rows.length} rows, ${heads.length} heads`);
  const missing = [...rows.filter(name => !shownRows.has(name)), ...heads.filter(name => !shownHeads.has(name))];
  assert.deepEqual(missing, []);
  for (const { name, parameters = [], body = '' } of commandDeclarations)
    for (const word of [...parameters, body]) assert.ok(shownRows.get(name)?.includes(word), `${name}: ${word}`);
});

test('the documents of the reference make a portal without errors', () => {
  const sources = Object.entries(documents).map(([kind, json]) => {
    const source = parseSource(`${kind === 'texts' ? 'text/en/people' : `people/${kind}`}.json`, JSON.stringify(json));
    assert.ok('file' in source);
    return source;
  });
  assert.deepEqual(
    sources.map(({ kind }) => kind),
    Object.keys(documentSchemas),
  );
  const { compiled, problems } = compile(sources, []);
  const found = [...sources.flatMap(checkShape), ...problems, ...checkReach(compiled)];
  assert.deepEqual(found.map(formatProblem), []);
});

test('the example of a node type or effect uses it', () => {
  for (const { group, name, example } of notEmpty(
    topics.filter(({ group }) => group === 'nodes' || group === 'effects'),
  )) {
    // What closes a popup stands in the popup that the example opens.
    if (name !== 'close-popup')
      assert.ok(
        JSON.stringify(example).includes(`"${group === 'nodes' ? 'type' : 'do'}":"${name}"`),
        `${group} ${name}`,
      );
  }
});

test('every property of operations has an example, from the product or written for it', () => {
  const without = topics.filter(
    ({ group, example }) => group === 'operations' && Object.keys(example as object).length === 0,
  );
  assert.deepEqual(
    without.map(({ name }) => name),
    [],
  );
});

test('what an example holds cannot end its script', () => {
  const [first] = topics as readonly [Topic];
  const layout = { title: '</script><script>alert(1)</script>' };
  const html = page(topics, first, { layout } as unknown as Parameters<typeof page>[2]);
  assert.equal(html.split('</script>').length, 3);
});
