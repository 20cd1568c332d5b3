import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { drawnHere } from '../../../client/look/icon.tsx';
import { notEmpty } from '../../fixtures/rows.ts';

const sprite = readFileSync(new URL('../../../client/look/icons.svg', import.meta.url), 'utf8');

test('a symbol that travels with the code is the one of the sprite', () => {
  for (const [name, path] of notEmpty(Object.entries(drawnHere))) {
    assert.ok(sprite.includes(`<symbol id="${name}" viewBox="0 0 20 20"><path d="${path}"/></symbol>`), name);
  }
});
