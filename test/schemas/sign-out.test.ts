import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

type Screen = { readonly route?: string; readonly aliases?: readonly string[]; readonly signOutQuestion?: string };

test('every screen that adds a service or chooses quick links asks before signing out (document 1, section 2.6)', () => {
  const screens = readdirSync('schemas', { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.json'))
    .map((file): Screen => JSON.parse(readFileSync(join('schemas', file), 'utf8')))
    .flatMap(({ route, aliases = [], signOutQuestion }) =>
      [route, ...aliases].map(address => ({ address, signOutQuestion })),
    )
    .filter(({ address }) => /\/add-services?\/|quick-links/.test(address ?? ''));
  assert.ok(screens.length >= 5);
  assert.deepEqual(
    screens.filter(({ signOutQuestion }) => !signOutQuestion),
    [],
  );
});
