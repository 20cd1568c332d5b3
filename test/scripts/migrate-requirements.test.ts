import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { migrateFolder } from '../../scripts/schemas/migrate.ts';
import { nameRequirements } from '../../scripts/schemas/migrations/requirements.ts';
import type { Principal } from '../../server/access/principal.ts';
import { decide } from '../../server/access/requirement.ts';
import { createRequirementNames } from '../../server/layouts/compile/requirement-names.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import { everyone, someone, writeSchemas } from '../fixtures/schemas.ts';

const reseller = { userTypes: ['reseller', 'engineer'] };
const shortAccess = { $schema: 'meta/access.schema.json', views: [], permissions: [], features: [] };

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
const readJson = async (folder: string, file: string) => JSON.parse(await readFile(join(folder, file), 'utf8'));

test('requirements of the first edition are written by name wherever they stand, and the names they use come along', async () => {
  await inFolder(async folder => {
    await writeSchemas(folder, {
      texts: { t: { note: [{ requires: { prices: true }, text: 'Costs' }, { text: 'None' }], requires: 'Requires' } },
      operations: {
        'a.list': {
          service: 'cloud',
          method: 'GET',
          path: '/a',
          elsewhere: [{ requires: { features: ['!UseNewPSAService'] }, path: '/b' }],
          requires: { userTypes: ['engineer', 'reseller'], views: ['pSA'], features: ['PSA-V2', 'UseNewPSAService'] },
          reply: { 'Result.Cost': { prices: true }, 'Result.Name': { views: ['home'] } },
        },
        'b.list': {
          service: 'cloud',
          method: 'GET',
          path: '/b',
          requires: { ...reseller, views: ['pSA'], prices: true },
        },
        // A contract of the second edition: a field of the reply may be called so.
        'c.list': {
          service: 'cloud',
          method: 'GET',
          path: '/c',
          reply: { requires: 'text', Cost: { kind: 'money', requires: { prices: true } } },
        },
      },
      screens: [
        {
          id: 'home',
          requires: everyone,
          children: [{ type: 'text', text: 't.a', requires: { any: [{ ...reseller, permissions: ['addProducts'] }] } }],
        },
      ],
    });
    await migrateFolder(folder);
    const { operations } = await readJson(folder, 'operations.json');
    assert.deepEqual(operations['a.list'], {
      service: 'cloud',
      method: 'GET',
      path: '/a',
      elsewhere: [{ requires: 'old-psa-service', path: '/b' }],
      requires: { all: ['psa-v2-user', { features: ['UseNewPSAService'] }] },
      reply: { 'Result.Cost': 'sees-prices', 'Result.Name': { views: ['home'] } },
    });
    assert.deepEqual(operations['b.list'].requires, { all: ['psa-user'], prices: true });
    assert.deepEqual(operations['c.list'].reply, {
      requires: 'text',
      Cost: { kind: 'money', requires: 'sees-prices' },
    });
    const { note, requires } = await readJson(folder, 'text/en/t.json');
    assert.deepEqual([note[0].requires, requires], ['sees-prices', 'Requires']);
    const home = await readJson(folder, 'screens/home.json');
    assert.equal(home.requires, 'anyone-but-must-sign');
    assert.deepEqual(home.children[0].requires, { any: ['seller'] });
    const { requirements } = await readJson(folder, 'access.json');
    assert.deepEqual(requirements.seller, { all: ['reseller-side', 'may-order'] });
    assert.ok('psa-v2-user' in requirements && 'psa-user' in requirements && !('dashboard-viewer' in requirements));
    assert.match(
      await readFile(join(folder, 'operations.json'), 'utf8'),
      /^ {6}"requires": \{ "all": \["psa-v2-user"/m,
    );
  });
});

test('what is migrated stays as it is, and what comes back of the first edition gets the same names', async () => {
  await inFolder(async folder => {
    const before = { screens: [{ id: 'home', requires: reseller, children: [{ type: 'text', text: 't.a' }] }] };
    await writeSchemas(folder, before);
    assert.notDeepEqual((await migrateFolder(folder)).files, []);
    assert.deepEqual((await migrateFolder(folder)).files, []);
    const migrated = await readJson(folder, 'screens/home.json');
    const access = await readJson(folder, 'access.json');
    await writeSchemas(folder, { ...before, access, operations: {} });
    await migrateFolder(folder);
    assert.deepEqual(await readJson(folder, 'screens/home.json'), migrated);
    assert.deepEqual(await readJson(folder, 'access.json'), access);
  });
});

/** As requirements of the first edition were judged. */
function wasMet(requirement: object, who: Principal): boolean {
  return Object.entries(requirement).every(([key, asked]) => {
    if (key === 'any') return asked.some((part: object) => wasMet(part, who));
    if (key === 'prices') return who.prices;
    if (key === 'switched') return who.switched === asked;
    if (key === 'userTypes') return asked.includes(who.type);
    if (key === 'features')
      return asked.every((name: string) => who.features.includes(name.replace('!', '')) !== name.startsWith('!'));
    return asked.some((name: string) => (key === 'views' ? who.views : who.permissions).includes(name));
  });
}

const names = {
  views: ['home', 'pSA', 'customers'],
  permissions: ['addProducts', 'addOrEditCustomers', 'signAgreements'],
  features: ['PSA-V2', 'UseNewPSAService'],
  userTypes: ['reseller', 'engineer', 'endUserAdmin', 'endUser'],
} as const;
const some = (list: readonly string[]) => fc.subarray([...list], { minLength: 1 });
const keys = {
  views: some(names.views),
  permissions: some(names.permissions),
  features: some([...names.features, ...names.features.map(name => `!${name}`)]),
  userTypes: fc.oneof(some(names.userTypes), fc.constantFrom(['reseller', 'engineer'], ['engineer', 'reseller'])),
  prices: fc.constant(true),
  switched: fc.boolean(),
};
const isShort = (value: object) => Object.keys(value).length > 0 && Object.keys(value).length < 4;
const flat = fc.record(keys, { requiredKeys: [] }).filter(isShort);
const requirements = fc
  .record({ ...keys, any: fc.array(flat, { minLength: 1, maxLength: 3 }) }, { requiredKeys: [] })
  .filter(isShort);
const principals = fc
  .record({
    type: fc.constantFrom(...names.userTypes),
    views: fc.subarray([...names.views]),
    permissions: fc.subarray([...names.permissions]),
    features: fc.subarray([...names.features]),
    prices: fc.boolean(),
    switched: fc.boolean(),
  })
  .map(someone);

test('a requirement that is migrated is met by exactly those who met it before', () => {
  const seen = { met: 0, named: 0 };
  fc.assert(
    fc.property(requirements, fc.array(principals, { minLength: 8, maxLength: 8 }), (requires, all) => {
      const write = (file: string, json: Record<string, unknown>) => ({ file, json, text: JSON.stringify(json) });
      const [access, home] = [write('access.json', shortAccess), write('home.json', { requires })];
      nameRequirements([access, home], undefined);
      const source = parseSource('access.json', access.text);
      assert.ok('file' in source);
      const now = JSON.parse(home.text).requires;
      const asked = { used: new Set<string>(), all: [] };
      const resolved = createRequirementNames(source, asked).resolver(asked)(now);
      for (const who of all) {
        const { met } = decide(resolved, who);
        assert.equal(met, wasMet(requires, who), `${JSON.stringify(requires)} ${JSON.stringify(now)}`);
        if (met) seen.met += 1;
      }
      if (/"(reseller-side|psa-|seller|may-)/.test(JSON.stringify(now))) seen.named += 1;
    }),
    { numRuns: 500 },
  );
  assert.ok(seen.met > 100 && seen.named > 100, JSON.stringify(seen));
});
