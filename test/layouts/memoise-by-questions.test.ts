import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallerFacts } from '../../server/layouts/names/pass.ts';
import { createFollower } from '../../server/layouts/trim/follow-documents.ts';
import { memoiseByQuestions } from '../../server/layouts/trim/memoise-by-questions.ts';
import { emitDocument, emitUntilStable } from '../../server/layouts/trim/trim.ts';
import { compile } from '../fixtures/compiler.ts';
import { drawFrom } from '../fixtures/draw.ts';
import { schemaSet } from '../fixtures/schemas.ts';
import { drawPrincipal } from './drawn-principal.ts';
import { drawSet } from './drawn-set.ts';

const caller = (type: CallerFacts['type'], dead: readonly string[], prices: boolean): CallerFacts => ({
  type,
  locale: 'en',
  meets: () => prices,
  mayAsk: () => false,
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

test('a caller that answers as one before gets what it would get by itself', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const draw = drawFrom(seed);
    const { set, commands } = drawSet(draw, false);
    const { compiled } = compile(schemaSet(set), commands);
    let passes = 0;
    const runs = new Map(
      [...compiled.documents].map(([key, document]) => [
        key,
        memoiseByQuestions(one => {
          passes += 1;
          return emitDocument(compiled, document, one);
        }),
      ]),
    );
    let asked = 0;
    for (const principal of Array.from({ length: 8 }, () => drawPrincipal(draw))) {
      const plainly = emitUntilStable(compiled, principal, emitDocument);
      const remembered = emitUntilStable(compiled, principal, (_, { key }, one) => {
        asked += 1;
        return runs.get(key)?.(one);
      });
      assert.deepEqual(remembered, plainly, `seed ${seed}`);
    }
    assert.ok(passes < asked, `seed ${seed}: ${passes} passes for ${asked} questions`);
  }
});

test('whoever is followed after others gets what they would get by themselves', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const draw = drawFrom(seed);
    const { set, commands } = drawSet(draw, false);
    const { compiled } = compile(schemaSet(set), commands);
    let passes = 0;
    const layoutsOf = createFollower(compiled, (document, caller) => {
      passes++;
      return emitDocument(compiled, document, caller)?.layout;
    });
    for (let turn = 0; turn < 40; turn++) {
      const principal = drawPrincipal(draw);
      const alone = emitUntilStable(compiled, principal, (...all) => emitDocument(...all)?.layout);
      const followed = layoutsOf(principal).results;
      assert.deepEqual(Object.fromEntries(followed), Object.fromEntries(alone), `seed ${seed}, turn ${turn}`);
    }
    assert.ok(passes < 40 * compiled.documents.size, `seed ${seed}: ${passes} passes`);
  }
});
