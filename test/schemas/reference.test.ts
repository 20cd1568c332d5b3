import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { liveExamples } from '../../scripts/docs/examples.ts';
import { page } from '../../scripts/docs/page.ts';
import { readTopics } from '../../scripts/docs/site.ts';
import type { Topic } from '../../scripts/docs/topics.ts';
import { formatProblem } from '../../server/layouts/index.ts';
import { notEmpty } from '../fixtures/rows.ts';

let topics: readonly Topic[];
before(async () => {
  topics = notEmpty(await readTopics('schemas'));
});

test('every node type, effect, condition and format has an example that compiles and is there', () => {
  const { live, problems } = liveExamples(topics);
  assert.deepEqual(problems.filter(({ severity }) => severity === 'error').map(formatProblem), []);
  const missing = topics.filter(topic => topic.group !== 'operations' && !live.has(topic));
  assert.deepEqual(
    missing.map(({ group, name }) => `${group} ${name}`),
    [],
  );
});

test('every node type, effect and property of operations says what it is for', () => {
  const silent = topics.filter(({ group, says }) => ['nodes', 'effects', 'operations'].includes(group) && says === '');
  assert.deepEqual(
    silent.map(({ group, name }) => `${group} ${name}`),
    [],
  );
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
