import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundStep, nextStep, type StepProgress, stepStates } from '../../server/commands/wizard/step-order.ts';

const flags = fc.record({ isHidden: fc.boolean(), isDone: fc.boolean() });
/** Wizards with at least one step that is there. */
const wizards = fc
  .array(flags, { minLength: 1, maxLength: 8 })
  .map((list): StepProgress[] => list.map((step, index) => ({ id: `s${index}`, ...step })))
  .filter(steps => steps.some(({ isHidden }) => !isHidden));
const wishes = fc.tuple(wizards, fc.integer({ min: -1, max: 9 })).map(([steps, at]) => ({ steps, wanted: `s${at}` }));

const shown = (steps: readonly StepProgress[]) => steps.filter(({ isHidden }) => !isHidden);
/** How many steps one may go to, said in another way: those before the first that is not done, and that one. */
const reach = (steps: readonly StepProgress[]) => {
  let count = 0;
  for (const { isDone } of shown(steps)) {
    count += 1;
    if (!isDone) break;
  }
  return count;
};

test('hidden steps are none: the others keep their order, and those up to the first that is not done are open', () => {
  fc.assert(
    fc.property(wizards, steps => {
      const states = stepStates(steps);
      assert.deepEqual(
        states.map(({ id }) => id),
        shown(steps).map(({ id }) => id),
      );
      assert.deepEqual(
        states.map(({ isOpen }) => isOpen),
        states.map((_, index) => index < reach(steps)),
      );
    }),
  );
});

test('whatever is wished for, a jump ends at a step that is there and open, and where one may go it goes', () => {
  fc.assert(
    fc.property(wishes, ({ steps, wanted }) => {
      const open = shown(steps).slice(0, reach(steps));
      const at = boundStep(steps, wanted);
      assert.ok(open.some(({ id }) => id === at));
      if (open.some(({ id }) => id === wanted)) assert.equal(at, wanted);
      else assert.equal(at, open.at(-1)?.id);
    }),
  );
});

test('next skips hidden steps, never goes further than one may, and from step to step comes to the first not done', () => {
  fc.assert(
    fc.property(wizards, steps => {
      const open = shown(steps).slice(0, reach(steps));
      let at = open[0]!.id;
      for (const { id } of open) {
        assert.equal(at, id);
        at = nextStep(steps, at);
      }
      assert.equal(at, open.at(-1)!.id);
    }),
  );
});
