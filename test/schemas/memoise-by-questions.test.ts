import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoiseByQuestions } from '../../scripts/schemas/diff/memoise-by-questions.ts';
import type { CallerFacts } from '../../server/layouts/pass.ts';

const caller = (type: CallerFacts['type'], dead: readonly string[], prices: boolean): CallerFacts => ({
  type,
  locale: 'en',
  meets: () => prices,
  lacks: document => dead.includes(document),
});

test('a pass runs once for callers who answer alike what it asks, and again for others', () => {
  let runs = 0;
  const requirement = { prices: true } as const;
  const run = memoiseByQuestions(({ type, meets, lacks }) => {
    runs++;
    if (type === 'public') return 'public';
    return lacks('popup:a') ? `${type} without` : `${type} ${meets(requirement) ? 'with' : 'free of'} prices`;
  });
  const asked = [
    caller('public', [], true),
    caller('public', ['popup:a'], false),
    caller('reseller', [], true),
    caller('reseller', ['popup:b'], true),
    caller('reseller', [], false),
    caller('reseller', ['popup:a'], false),
    caller('reseller', ['popup:a'], true),
    caller('engineer', [], true),
  ];
  const answers = [
    'public',
    'public',
    'reseller with prices',
    'reseller with prices',
    'reseller free of prices',
    'reseller without',
    'reseller without',
    'engineer with prices',
  ];
  assert.deepEqual(asked.map(run), answers);
  assert.equal(runs, 5);
  assert.deepEqual(asked.map(run), answers);
  assert.equal(runs, 5);
});
