import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parseExampleDocuments } from '../../scripts/docs/example-documents.ts';
import { type LiveExample, liveExamples } from '../../scripts/docs/examples.ts';
import { page, searchIndex } from '../../scripts/docs/page.ts';
import { searchTopics } from '../../scripts/docs/search-topics.ts';
import { readTopics } from '../../scripts/docs/site.ts';
import type { Topic } from '../../scripts/docs/topic.ts';
import { schemasCommands } from '../../scripts/schemas/commands.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { formatProblem } from '../../server/layouts/index.ts';
import { checkReach } from '../../server/layouts/trim/check-reach.ts';
import { documentSchemas } from '../../shared/language/documents.ts';
import { effectSchemas } from '../../shared/language/effects.ts';
import { pageEvents, serverEvents } from '../../shared/language/events.ts';
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
  const sources = parseExampleDocuments();
  assert.deepEqual(
    sources.map(({ kind }) => kind),
    Object.keys(documentSchemas),
  );
  const { compiled, problems } = compile(sources, []);
  const found = [...problems, ...checkReach(compiled)];
  assert.deepEqual(found.map(formatProblem), []);
});

test('the example of a node type or effect uses it', () => {
  for (const { group, name, example } of notEmpty(
    topics.filter(({ group }) => group === 'nodes' || group === 'effects'),
  )) {
    // What closes a popup stands in the popup that the example opens.
    if (name !== 'close-popup')
      assert.ok(
        new RegExp(`"${group === 'nodes' ? 'type' : 'do'}":"${name}"|"${name}":|"press":"${name}"`).test(
          JSON.stringify(example),
        ),
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
  const html = page(topics, first, { live: { layout } as unknown as LiveExample });
  assert.equal(html.split('</script>').length, 4);
});

test('an example is written as documents are: what has a short form is not written long', () => {
  const { long } = liveExamples(topics);
  const shown = notEmpty([...long]).filter(([{ group }]) => group === 'nodes' || group === 'effects');
  // These have no head: their main value is a place, or none of their properties is the main one.
  const headless = new Set(['bell', 'form', 'search', 'signature', 'text', 'transfer']);
  const written = shown.flatMap(([{ name, example }]) =>
    [...JSON.stringify(example).matchAll(/"(?:type|do)":"([a-z-]+)"/g)].flatMap(([, type = '']) =>
      headless.has(type) ? [] : [`${name}: ${type}`],
    ),
  );
  assert.deepEqual(written, []);
});

test('a page shows an example with its long form folded, and marks what may be left out', () => {
  const { long } = liveExamples(topics);
  const table = topics.find(({ group, name }) => group === 'nodes' && name === 'table') as Topic;
  const html = page(topics, table, { long: long.get(table) });
  assert.match(html, /<h2>Example<\/h2>[\s\S]*&quot;table&quot;: &quot;data\.customers\.Items&quot;/);
  assert.match(html, /<details><summary>Long form<\/summary>\n[\s\S]*&quot;type&quot;: &quot;table&quot;/);
  assert.match(html, /<code>key<\/code><\/th><td>KeyName<\/td><td>[^<]*<\/td><td>the first field of an item/);
  assert.match(
    html,
    /<code>rows<\/code> needed<\/th><td>Rows<\/td><td>[^<]*<\/td><td>the value of <code>&quot;table&quot;<\/code>/,
  );
});

test('the search finds a page by its name first, then by a property, then by what it says', () => {
  const index = searchIndex(topics);
  const namesOf = (asked: string): string[] => searchTopics(index, asked).map(({ group, name }) => `${group}: ${name}`);
  assert.equal(namesOf('table')[0], 'Node types: table');
  assert.ok(namesOf('chosenKeys').includes('Node types: table'));
  assert.ok(namesOf('rows chart').includes('Node types: chart'));
  assert.deepEqual(namesOf(' '), []);
  assert.deepEqual(namesOf('xyzzy'), []);
});
