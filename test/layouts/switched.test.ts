import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Principal } from '../../server/access/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { type Access, createLayouts, type Layouts } from '../../server/layouts/index.ts';
import { compiler } from '../fixtures/compiler.ts';
import { someone, trimFor } from '../fixtures/schemas.ts';
import { permissions } from './drawn-requirements.ts';
import { drawSet } from './drawn-set.ts';
import { expectedFor } from './reference-trimmer.ts';

let layouts: Layouts;
before(async () => {
  layouts = await createLayouts({ dir: 'schemas', commands: commandDeclarations, watch: false, compiler });
});
after(() => layouts.close());

const previousTypes = ['reseller', 'engineer', 'endUserAdmin'] as const;
const held = (names: readonly string[]): Partial<Principal> => ({ views: [], permissions: names, prices: false });

test('for who has switched, layouts are what the reference trimmer gives an end user, whatever they were before', () => {
  const types = fc.constantFrom(...previousTypes);
  const source = fc.infiniteStream(fc.nat({ max: 999 }));
  fc.assert(
    fc.property(types, fc.subarray(permissions), source, (previousType, names, numbers) => {
      const draw = (count: number): number => (numbers.next().value as number) % count;
      // Without requirements that ask for the switch itself.
      const { set, commands } = drawSet(draw, true);
      const switched = someone({ type: 'endUser', switched: true, previousType, ...held(names) });
      const endUser = someone({ type: 'endUser', ...held(names) });
      const access = trimFor(set, switched, commands);
      const expected = expectedFor(set, commands, endUser);
      assert.deepEqual(new Set(access.reads.keys()), expected.reads);
      assert.deepEqual(new Set(access.writes.keys()), expected.writes);
      assert.deepEqual(new Set(access.commands.keys()), expected.commands);
      const bytesOf = ({ byHash }: Access) => [...byHash.keys()].sort();
      assert.deepEqual(bytesOf(access), bytesOf(trimFor(set, endUser, commands)));
    }),
    { numRuns: 100 },
  );
});

/** The question of the My Account menu, as this caller has it. */
function questionFor(principal: Principal): string | undefined {
  const layout = layouts.current().access(principal).navigation?.layout;
  const entry =
    layout?.kind === 'navigation' ? layout.account?.items.find(({ id }) => /^switch-/.test(String(id))) : undefined;
  const confirm = entry?.on?.press[0];
  return confirm?.do === 'confirm' ? String(confirm.text) : undefined;
}

test('the question before a switch names the panel that one is in and the one that one goes to', () => {
  const before = { reseller: 'master', engineer: 'master', endUserAdmin: 'admin' } as const;
  for (const [type, panel] of Object.entries(before) as [(typeof previousTypes)[number], string][]) {
    const there = questionFor(someone({ type, views: ['switchUser'] }));
    assert.match(there ?? '', new RegExp(`You are in the ${panel} control panel. Switch to the mailbox control panel`));
    const back = questionFor(someone({ type: 'endUser', switched: true, previousType: type }));
    assert.match(
      back ?? '',
      new RegExp(`You are in the mailbox control panel. Switch back to the ${panel} control panel`),
    );
  }
});

test('who may not switch user is not asked, nor is an end user', () => {
  assert.equal(questionFor(someone({ type: 'endUserAdmin', views: ['customers'] })), undefined);
  assert.equal(questionFor(someone({ type: 'endUser' })), undefined);
});

test('each role lands on the first of its views by number whose screen there is', () => {
  const landing = (type: Principal['type'], ...views: string[]) =>
    layouts.current().access(someone({ type, views, permissions: type === 'endUser' ? ['hostedExchange'] : [] }))
      .landing;
  assert.equal(landing('endUser'), '/end-user');
  assert.equal(landing('mustSign'), '/account-setting/terms-conditions/0/true/true');
  assert.equal(landing('reseller', 'support', 'customers', 'home'), '/dashboard');
  assert.equal(landing('engineer', 'support', 'customers'), '/customers');
  assert.equal(landing('engineer', 'academy', 'community', 'support'), '/support');
  assert.equal(landing('engineer', 'academy', 'community'), '/no-access-resources');
  const own = '/customers/customer/{principal.organisationId}';
  assert.equal(landing('endUserAdmin', 'customers', 'manageService'), own);
  assert.equal(landing('endUserAdmin', 'manageService'), `${own}?tab=services`);
  assert.equal(landing('endUserAdmin'), '/no-access-resources');
});
