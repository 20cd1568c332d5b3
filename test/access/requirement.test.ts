import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import { decide } from '../../server/access/requirement.ts';
import type { Requirement } from '../../shared/language/types.ts';
import { someone } from '../fixtures/schemas.ts';

const met = { met: true };
const refused = (because: string) => ({ met: false, because });
const given = (value: unknown) => value as Requirement;

test('nothing required is met by anyone', () => {
  assert.deepEqual(decide(undefined, publicPrincipal), met);
});

test('of a list of views any one will do', () => {
  const requirement = { views: ['customers', 'home'] };
  assert.deepEqual(decide(requirement, someone({ views: ['home'] })), met);
  assert.deepEqual(decide(requirement, someone({ views: ['billing'] })), refused('no view of customers, home'));
});

test('of a list of permissions any one will do', () => {
  const requirement = { permissions: ['add', 'edit'] };
  assert.deepEqual(decide(requirement, someone({ permissions: ['edit'] })), met);
  assert.deepEqual(decide(requirement, someone()), refused('no permission of add, edit'));
});

test('of a list of features any one will do', () => {
  const requirement = { features: ['New', 'Old'] };
  assert.deepEqual(decide(requirement, someone({ features: ['New'] })), met);
  assert.deepEqual(decide(requirement, someone({ features: ['Other'] })), refused('no feature of New, Old'));
});

test('of "all" every part is needed, and the first that is not met decides', () => {
  const requirement = { all: [{ features: ['New'] }, { features: ['Old'] }, { views: ['home'] }] };
  assert.deepEqual(decide(requirement, someone({ features: ['Old', 'New'], views: ['home'] })), met);
  assert.deepEqual(decide(requirement, someone({ features: ['New'] })), refused('no feature of Old'));
});

test('what "not" holds must not be so: of several keys not all of them', () => {
  const off = { not: { features: ['New', 'Old'] } };
  assert.deepEqual(decide(off, someone()), met);
  assert.deepEqual(decide(off, someone({ features: ['Old'] })), refused('excluded by features'));
  const both = { not: { userTypes: ['engineer'], switched: true } };
  assert.deepEqual(decide(both, someone({ type: 'engineer' })), met);
  assert.deepEqual(decide(both, someone({ switched: true })), met);
  assert.deepEqual(
    decide(both, someone({ type: 'engineer', switched: true })),
    refused('excluded by userTypes and switched'),
  );
});

test('"not" around a right denies: it would let a right take something away', () => {
  for (const not of [{ permissions: ['add'] }, { views: ['home'] }, { prices: true }, { any: [{ switched: true }] }])
    assert.equal(decide(given({ not }), someone({ prices: false })).met, false, JSON.stringify(not));
});

test('a user type must be among those listed', () => {
  assert.deepEqual(decide({ userTypes: ['reseller', 'engineer'] }, someone({ type: 'engineer' })), met);
  assert.deepEqual(decide({ userTypes: ['reseller'] }, publicPrincipal), refused('user type public'));
});

test('prices are there only for who sees prices', () => {
  assert.deepEqual(decide({ prices: true }, someone()), met);
  assert.deepEqual(decide({ prices: true }, someone({ prices: false })), refused('prices'));
});

test('a currency must be among those listed', () => {
  assert.deepEqual(decide({ currencies: ['EUR'] }, someone({ currency: 'EUR' })), met);
  assert.deepEqual(decide({ currencies: ['EUR'] }, someone()), refused('currency GBP'));
});

test('systems asks for one where the caller is at home; who is at none is refused', () => {
  const linked = someone({ systems: ['comms'] });
  assert.deepEqual(decide({ systems: ['hardware', 'comms'] }, linked), met);
  assert.deepEqual(decide({ systems: ['hardware', 'dashboard'] }, linked), refused('not at hardware, dashboard'));
  assert.deepEqual(decide({ systems: ['comms'] }, someone()), refused('not at comms'));
  assert.deepEqual(decide({ not: { systems: ['dashboard'] } }, linked), met);
  assert.deepEqual(decide({ not: { systems: ['comms'] } }, linked), refused('excluded by systems'));
});

test('jumped asks for a session by an admin jump, or for another', () => {
  const jumped = someone({ facts: { ...someone().facts, actor: 'priya' } });
  assert.deepEqual(decide({ jumped: true }, jumped), met);
  assert.deepEqual(decide({ jumped: true }, someone()), refused('jumped'));
  assert.deepEqual(decide({ jumped: false }, someone()), met);
  assert.deepEqual(decide({ jumped: false }, jumped), refused('jumped'));
});

test('previousTypes asks for a switch, and from which type', () => {
  const requirement = { previousTypes: ['endUserAdmin'] };
  assert.deepEqual(decide(requirement, someone({ switched: true, previousType: 'endUserAdmin' })), met);
  assert.deepEqual(
    decide(requirement, someone({ switched: true, previousType: 'reseller' })),
    refused('previous type reseller'),
  );
  assert.deepEqual(decide(requirement, someone()), refused('previous type none'));
});

test('switched asks for acting as another, or for not doing so', () => {
  assert.deepEqual(decide({ switched: true }, someone({ switched: true })), met);
  assert.deepEqual(decide({ switched: true }, someone()), refused('switched'));
  assert.deepEqual(decide({ switched: false }, someone()), met);
  assert.deepEqual(decide({ switched: false }, someone({ switched: true })), refused('switched'));
});

test('all keys of one requirement are needed', () => {
  const requirement = { userTypes: ['reseller'], views: ['home'], permissions: ['add'] };
  assert.deepEqual(decide(requirement, someone({ views: ['home'], permissions: ['add'] })), met);
  assert.deepEqual(decide(requirement, someone({ views: ['home'] })), refused('no permission of add'));
  assert.deepEqual(decide(requirement, someone({ permissions: ['add'] })), refused('no view of home'));
});

test('the route guard of the spec, view or permission, is written with "any"', () => {
  const guard = { any: [{ views: ['customers'] }, { permissions: ['edit'] }] };
  assert.deepEqual(decide(guard, someone({ views: ['customers'] })), met);
  assert.deepEqual(decide(guard, someone({ permissions: ['edit'] })), met);
  assert.deepEqual(
    decide(guard, someone({ views: ['home'], permissions: ['add'] })),
    refused('none of the alternatives'),
  );
});

test('keys beside "any" are needed as well, and "any" nests', () => {
  const requirement = {
    userTypes: ['reseller'],
    any: [{ any: [{ views: ['home'] }] }, { prices: true as const, permissions: ['add'] }],
  };
  assert.deepEqual(decide(requirement, someone({ views: ['home'], prices: false })), met);
  assert.deepEqual(decide(requirement, someone({ permissions: ['add'] })), met);
  assert.deepEqual(
    decide(requirement, someone({ permissions: ['add'], prices: false })),
    refused('none of the alternatives'),
  );
  assert.deepEqual(decide(requirement, someone({ type: 'engineer', views: ['home'] })), refused('user type engineer'));
});

test('an unknown key denies, alone or beside keys that are met', () => {
  assert.deepEqual(decide(given({ roles: ['admin'] }), someone()), refused('unknown: roles'));
  assert.deepEqual(
    decide(given({ views: ['home'], view: ['home'] }), someone({ views: ['home'] })),
    refused('unknown: view'),
  );
  assert.deepEqual(decide(given({ any: [{ everyone: true }] }), someone()), refused('none of the alternatives'));
});

test('a right that nobody was given denies', () => {
  const everything = someone({ views: ['home'], permissions: ['add'], features: ['New'] });
  for (const requirement of [{ views: ['hom'] }, { permissions: ['Add'] }, { features: ['new'] }])
    assert.equal(decide(requirement, everything).met, false);
});

test('whatever is malformed denies', () => {
  const everything = someone({ views: ['home', ''], permissions: ['add'], features: ['New'] });
  const malformed: unknown[] = [
    null,
    true,
    1,
    'reseller',
    '',
    [],
    ['home'],
    {},
    () => true,
    { views: null },
    { views: 0 },
    { views: '' },
    { views: 'home' },
    { views: [] },
    { views: {} },
    { views: [['home']] },
    { views: [null] },
    { permissions: 'add' },
    { permissions: false },
    { features: [] },
    { features: 'New' },
    { features: [1] },
    { features: [''] },
    { features: ['!'] },
    { features: ['!Old'] },
    { userTypes: 'reseller' },
    { userTypes: null },
    { currencies: 'GBP' },
    { currencies: 0 },
    { prices: false },
    { prices: 'true' },
    { prices: null },
    { prices: 1 },
    { switched: null },
    { switched: 0 },
    { switched: 'false' },
    { any: null },
    { any: [] },
    { any: {} },
    { any: [null] },
    { any: [{}] },
    { any: [[]] },
    { any: 'all' },
    { any: ['seller'] },
    { all: null },
    { all: [] },
    { all: {} },
    { all: [null] },
    { all: [{}] },
    { all: [{ views: ['home'] }, {}] },
    { all: 'home' },
    { all: ['seller'] },
    { all: [{ views: ['home'] }, 'seller'] },
    { not: null },
    { not: true },
    { not: 'seller' },
    { not: [] },
    { not: {} },
    { not: [{ switched: true }] },
    { not: { features: [] } },
    { not: { features: 'Old' } },
    { not: { features: [1] } },
    { not: { features: [''] } },
    { not: { features: ['Old', null] } },
    { not: { userTypes: ['public'], features: 'Old' } },
    { not: { userTypes: 'public' } },
    { not: { switched: 'true' } },
    { not: { jumped: 1 } },
    { systems: 'comms' },
    { not: { systems: [] } },
    { not: { roles: ['admin'] } },
    { not: { not: { switched: true } } },
    { views: undefined },
  ];
  for (const requirement of malformed)
    assert.equal(decide(given(requirement), everything).met, false, JSON.stringify(requirement));
});

test('a requirement that asks for nothing, or for a list that is none, says so', () => {
  assert.deepEqual(decide(given({}), someone()), refused('malformed: nothing is asked for'));
  assert.deepEqual(decide(given({ views: [] }), someone()), refused('malformed: TypeError: not a list'));
  assert.deepEqual(decide(given(['home']), someone()), refused('malformed: TypeError: not an object'));
});

test('an exception while evaluating denies', () => {
  const broken = Object.defineProperty({}, 'views', { enumerable: true, get: () => assert.fail('out of order') });
  assert.deepEqual(
    decide(given(broken), someone()),
    refused('malformed: AssertionError [ERR_ASSERTION]: out of order'),
  );
});

test('a requirement that holds itself denies', () => {
  const circle: { any: unknown[] } = { any: [] };
  circle.any.push(circle);
  assert.equal(decide(given(circle), someone()).met, false);
});

test('a principal that is not one is denied', () => {
  assert.equal(decide({ views: ['home'] }, undefined as never).met, false);
  assert.equal(decide({ views: ['home'] }, {} as never).met, false);
  for (const not of [{ features: ['New'] }, { userTypes: ['public'] }, { switched: true }, { jumped: true }])
    for (const nobody of [undefined, {}, { type: 'reseller' }])
      assert.equal(decide({ not }, nobody as never).met, false);
});

const rights = { views: ['home', 'customers'], permissions: ['add', 'edit'], features: ['New', 'Old'] } as const;
const listOf = <T>(names: readonly T[]) => fc.subarray([...names], { minLength: 1 });
const excluded = fc.oneof(
  fc.record(
    { features: listOf(rights.features), userTypes: listOf(['reseller', 'endUser']), switched: fc.boolean() },
    { requiredKeys: ['features'] },
  ),
  fc.record({ userTypes: listOf(['reseller', 'endUser']) }),
  fc.record({ jumped: fc.boolean() }),
);
const plain = fc.oneof(
  fc.record({ views: listOf(rights.views) }),
  fc.record({ permissions: listOf(rights.permissions), features: listOf(rights.features) }),
  fc.record({ userTypes: listOf(['reseller', 'endUser']) }),
  fc.record({ prices: fc.constant(true as const) }),
  fc.record({ not: excluded, views: listOf(rights.views) }),
  fc.record({ not: excluded }),
);
const requirements: fc.Arbitrary<Requirement> = fc.letrec<{ any: Requirement }>(tie => ({
  any: fc.oneof(
    { maxDepth: 3 },
    plain,
    fc.record({ all: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('any'), { minLength: 1, maxLength: 3 }) }),
  ),
})).any;
const principals = fc
  .record({
    type: fc.constantFrom('reseller' as const, 'endUser' as const),
    views: fc.subarray([...rights.views]),
    permissions: fc.subarray([...rights.permissions]),
    features: fc.subarray([...rights.features]),
    prices: fc.boolean(),
    switched: fc.boolean(),
  })
  .map(someone);

test('a view, permission or prices more never turn a requirement that is met into one that is not', () => {
  let kept = 0;
  const gains = fc.constantFrom<(who: Principal) => Principal>(
    who => ({ ...who, views: rights.views }),
    who => ({ ...who, permissions: rights.permissions }),
    who => ({ ...who, permissions: [...who.permissions, 'edit'] }),
    who => ({ ...who, prices: true }),
  );
  fc.assert(
    fc.property(requirements, principals, gains, (requirement, who, gain) => {
      if (!decide(requirement, who).met) return;
      kept += 1;
      assert.deepEqual(decide(requirement, gain(who)), met);
    }),
    { numRuns: 2000 },
  );
  assert.ok(kept > 100, String(kept));
});
