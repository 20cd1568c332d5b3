import assert from 'node:assert/strict';
import { test } from 'node:test';
import { principalWithAllRights } from '../../scripts/schemas/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { readFolder } from '../../server/layouts/index.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';
import { trim } from '../../server/layouts/trim/trim.ts';
import type { ScreenLayout } from '../../shared/language/types.ts';
import { compiler } from '../fixtures/compiler.ts';

test('every screen that adds a service or chooses quick links asks before signing out (document 1, section 2.6)', async () => {
  const compiled = (await readFolder('schemas', commandDeclarations, compiler)).compiled as Compiled;
  const { screens, aliases } = trim(compiled, principalWithAllRights(compiled, 'reseller'));
  const addresses = [...[...screens.keys()].map(route => [route, route] as const), ...aliases];
  const asking = addresses.filter(([address]) => /\/add-services?\/|quick-links/.test(address));
  assert.ok(asking.length >= 5);
  const silent = asking.filter(
    ([, route]) => !(screens.get(route)?.layout as ScreenLayout | undefined)?.signOutQuestion,
  );
  assert.deepEqual(silent, []);
});
