import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBuiltPortal } from '../fixtures/built-portal.ts';

test('a browser story that finds no build says how to make one', async () => {
  await assert.rejects(startBuiltPortal({}, { program: 'test/scripts/no-build' }), {
    message: 'There is no build of the portal to start: run `npm run build` first, and again after each change.',
  });
});
