import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  contrastsOf,
  defaultAccent,
  failuresOf,
  isLegible,
  nearestLegible,
  shadesOf,
} from '../../../shared/rules/accent.ts';

const colour = fc.integer({ min: 0, max: 0xffffff }).map(number => number.toString(16).padStart(6, '0'));

test('the accent of the portal itself is legible', () => {
  assert.deepEqual(failuresOf(defaultAccent), []);
  assert.equal(nearestLegible('A3341F'), 'a3341f');
});

test('texts in an accent and on it have 4.5 in both themes, whatever the accent', () => {
  fc.assert(
    fc.property(colour, hex => {
      const texts = contrastsOf(hex).filter(({ least }) => least === 4.5);
      assert.equal(texts.length, 4);
      for (const { ratio, part, theme } of texts) assert.ok(ratio >= 4.5, `${part} ${theme} of ${hex}: ${ratio}`);
    }),
    { numRuns: 400 },
  );
});

test('what is offered in place of any accent can be read in all its shades, in both themes', () => {
  fc.assert(
    fc.property(colour, hex => {
      const offered = nearestLegible(hex);
      assert.match(offered, /^[0-9a-f]{6}$/);
      assert.deepEqual(failuresOf(offered), []);
      if (isLegible(hex)) assert.equal(offered, hex);
    }),
    { numRuns: 200 },
  );
});

test('an accent that fails is told by what fails, and the offer keeps its hue', () => {
  const [failure, ...others] = failuresOf('ffff00');
  assert.deepEqual([failure?.theme, failure?.part, failure?.least, others], ['light', 'button', 3, []]);
  assert.ok((failure?.ratio ?? 9) < 1.1);
  assert.equal(nearestLegible('ffff00'), '948f00');
  assert.equal(nearestLegible('ffffff'), '8c8c8c');
});

test('shades are lighter and darker by 0.2, with black or white on them', () => {
  const shades = shadesOf('a3341f');
  assert.deepEqual([shades.lighter, shades.darker, shades.onAccent], ['b95f4d', '782414', 'ffffff']);
  assert.equal(shadesOf('ffff00').onAccent, '000000');
});
