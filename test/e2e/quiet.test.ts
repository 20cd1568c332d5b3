import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBuiltPortal } from '../fixtures/built-portal.ts';

test('what a start prints is not buried by the requests that follow, those of the sandbox included', async t => {
  const portal = await startBuiltPortal({ LOG_LEVEL: 'info' });
  t.after(() => portal.stop());
  const from = portal.log().length;
  // The policy is the cloud's.
  const reply = await fetch(`${portal.url}/policies/privacy`);
  assert.equal(reply.status, 200);
  assert.equal(portal.log().slice(from), '');
});
