import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createIdentifier, isIdentifier, keyOf, seal, unseal } from '../../server/session/identifier.ts';

test('identifiers are 256 random bits, never the same twice', () => {
  const all = Array.from({ length: 1000 }, createIdentifier);
  assert.equal(new Set(all).size, 1000);
  for (const one of all) assert.ok(isIdentifier(one) && Buffer.from(one, 'base64url').length === 32);
});

test('only what has the shape of an identifier is looked up', () => {
  for (const text of ['', 'a', 'x'.repeat(44), `${'x'.repeat(42)}=`, "' or 1=1 --".padEnd(43)])
    assert.equal(isIdentifier(text), false);
});

test('what is sealed under one identifier opens under no other, nor when changed, nor under the stored key', () => {
  const identifier = createIdentifier();
  const sealed = seal(identifier, 'token');
  assert.equal(unseal(identifier, sealed), 'token');
  assert.notEqual(seal(identifier, 'token'), sealed);
  assert.throws(() => unseal(createIdentifier(), sealed));
  assert.throws(() => unseal(keyOf(identifier), sealed));
  assert.throws(() => unseal(identifier, `${sealed.slice(0, -2)}AA`));
});
