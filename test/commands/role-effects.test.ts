import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { compare } from '../../server/commands/roles/role-effects.ts';
import { findReasons } from '../../server/commands/roles/role-reasons.ts';
import {
  afterTicks,
  type CloudRights,
  heldBy,
  principalWith,
  union,
  within,
} from '../../server/commands/roles/role-rights.ts';
import { linesOf, runRoleTest } from '../../server/commands/roles/role-tests.ts';
import { type Access, readFolder, type Version } from '../../server/layouts/index.ts';
import type { Contract } from '../../server/layouts/names/contract.ts';
import { compiler } from '../fixtures/compiler.ts';
import { type Draw, drawFrom } from '../fixtures/draw.ts';
import { setUp } from '../fixtures/set-up.ts';

let version: Version;
let contracts: ReadonlyMap<string, Contract>;
let rights: { readonly views: readonly string[]; readonly permissions: readonly string[]; features: readonly string[] };
setUp(async () => {
  const { compiled, version: made } = await readFolder(
    join(import.meta.dirname, '../../schemas'),
    commandDeclarations,
    compiler,
  );
  assert.ok(compiled && made);
  version = made;
  ({ contracts } = compiled.names);
  const { views, permissions, features } = compiled.names;
  rights = { views: [...views], permissions: [...permissions], features: [...features] };
});

const userTypes = ['reseller', 'admin', 'endUserAdmin', 'endUser'];
/** A reseller with every right, who tries others out. */
const author = (): Principal => ({
  ...publicPrincipal,
  ...rights,
  type: 'reseller',
  prices: true,
  facts: { ...publicPrincipal.facts, type: 'reseller' },
});
const draws = (draw: Draw): CloudRights => ({
  Views: rights.views.filter(() => draw(2) === 0),
  Permissions: rights.permissions.filter(() => draw(2) === 0),
  Prices: draw(2) === 0,
});

/** Some value that keeps to a contract. */
function sampleOf(contract: Contract): unknown {
  if (contract.type === 'list') return [sampleOf(contract.item)];
  if (contract.type === 'map') return { some: sampleOf(contract.item) };
  if (contract.type === 'record')
    return Object.fromEntries([...contract.fields].map(([name, field]) => [name, sampleOf(field)]));
  if (contract.type === 'model') return {};
  const { kind, codes, limits } = contract;
  if (kind === 'yes-no') return true;
  if (kind === 'code') return codes?.[0] ?? 'Code';
  if (['count', 'number', 'percent', 'bytes'].includes(kind)) return limits?.min ?? 1;
  if (kind === 'money') return '1.00';
  if (kind === 'day') return '2026-01-02';
  if (kind === 'time') return '2026-01-02T03:04:05Z';
  if (kind === 'epoch') return '/1762560000000/';
  return 'x';
}

/** Paths of what is in a reply, through lists to their items. */
function leaves(value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(item => leaves(item, at));
  if (value === null || typeof value !== 'object') return at === '' ? [] : [at];
  return Object.entries(value).flatMap(([name, item]) => leaves(item, at === '' ? name : `${at}.${name}`));
}

/** Reads an access from outside: the routes that open, the calls that are let through, and what comes back. */
function seenOf(access: Access) {
  const calls = new Map([...access.reads, ...access.files, ...access.writes, ...access.commands]);
  const bodies = [...calls].flatMap(([name, { fields = [] }]) =>
    fields.map(field => `${name} body.${field.propertyName}`),
  );
  const replies = [...calls.keys()].flatMap(name => {
    const contract = contracts.get(name);
    if (!contract) return [];
    const { Result } = sampleOf(contract) as { Result?: unknown };
    const { Result: cut } = (access.project(name, { Result }) ?? {}) as { Result?: unknown };
    return leaves(cut).map(path => `${name} reply.${path}`);
  });
  return {
    screens: new Set(access.patterns),
    calls: new Set(calls.keys()),
    fields: new Set([...bodies, ...replies]),
  };
}

test('between random roles the editor counts and names what the compiled accesses differ in', () => {
  const draw = drawFrom(20_261);
  let differing = 0;
  for (let pair = 0; pair < 8; pair++) {
    const userType = userTypes[draw(userTypes.length)] as string;
    const [before, after] = [draws(draw), draws(draw)].map(held => principalWith(author(), userType, held)) as [
      Principal,
      Principal,
    ];
    const [old, next] = [version.outline(before), version.outline(after)];
    const [was, is] = [seenOf(version.access(before)), seenOf(version.access(after))];
    for (const kind of ['screens', 'calls', 'fields'] as const) {
      const { All, Appear, Vanish, Items } = compare(old[kind], next[kind]);
      const appear = [...is[kind]].filter(key => !was[kind].has(key));
      const vanish = [...was[kind]].filter(key => !is[kind].has(key));
      assert.deepEqual([All, Appear, Vanish], [is[kind].size, appear.length, vanish.length], `${kind} of ${userType}`);
      const told = Items.map(({ Key }) => Key);
      assert.deepEqual(told, [...told.filter(key => was[kind].has(key)), ...told.filter(key => is[kind].has(key))]);
      differing += Appear + Vanish;
    }
  }
  assert.ok(differing > 500, `${differing} differences`);
});

test('a right only adds, and a role of all others changes nothing of the parts that stay', () => {
  const draw = drawFrom(7);
  for (let turn = 0; turn < 10; turn++) {
    const held = draws(draw);
    const wider = union(held, draws(draw));
    const [few, more] = [held, wider].map(one => version.outline(principalWith(author(), 'admin', one)));
    for (const kind of ['screens', 'calls', 'fields', 'parts'] as const)
      assert.equal(compare(few![kind], more![kind]).Vanish, 0, kind);
  }
});

test('what the billing view shows is named as people call it, with its address', () => {
  const of = (views: string[]) =>
    version.outline(principalWith(author(), 'admin', { Views: views, Permissions: [], Prices: true }));
  const { Items } = compare(of(['customers']).screens, of(['customers', 'billing']).screens);
  const invoices = Items.find(({ Key }) => Key === '/billing/invoices');
  assert.deepEqual(invoices, {
    ...{ Key: '/billing/invoices', Name: 'Invoices', Detail: '/billing/invoices', Change: 'Appears' },
  });
  const parts = compare(of(['customers']).parts, of(['customers', 'billing']).parts).Items;
  assert.ok(parts.some(({ Name }) => Name === 'Billing'));
});

test('nobody tries out a right that they lack, and what a role has of these stays as it is', () => {
  const held = heldBy({ ...author(), views: ['customers', 'manageUsers'], permissions: [], prices: false });
  const before = { Views: ['billing', 'customers'], Permissions: [], Prices: true };
  const after = afterTicks(
    before,
    { customers: false, billing: false, home: true, prices: false, hostedExchange: true },
    held,
  );
  assert.deepEqual(after, { Views: ['billing'], Permissions: ['hostedExchange'], Prices: true });
  assert.deepEqual(within(after, held), {
    seen: { Views: [], Permissions: ['hostedExchange'], Prices: false },
    hidden: 2,
  });
});

test('a test of a role passes, fails, or is unknown where rights that the author lacks could decide it', () => {
  const outline = version.outline(
    principalWith(author(), 'admin', { Views: ['customers'], Permissions: [], Prices: false }),
  );
  const judge = (what: string, may: boolean, isWhole = true) => runRoleTest({ what, may }, outline, isWhole);
  assert.deepEqual(linesOf(' /customers \n\n/customers\ncustomers.list'), ['/customers', 'customers.list']);
  assert.deepEqual(
    [judge('/customers', true), judge('/customers/customer/10001?tab=users', true), judge('customers.list', true)],
    ['Passes', 'Passes', 'Passes'],
  );
  assert.deepEqual([judge('/billing', true), judge('/billing', false)], ['Fails', 'Passes']);
  assert.deepEqual([judge('/customers', false), judge('/nowhere', true)], ['Fails', 'Fails']);
  assert.deepEqual([judge('/billing', true, false), judge('/billing', false, false)], ['Unknown', 'Unknown']);
});

test('why somebody can open a screen is the rights without which they could not, and the roles that give these', async () => {
  const actsOf = async (held: CloudRights) => version.acts(principalWith(author(), 'admin', held));
  const books = { Views: ['billing'], Permissions: [], Prices: true };
  const looks = { Views: ['customers', 'manageService'], Permissions: [], Prices: false };
  const reasons = await findReasons(
    union(books, looks),
    [
      { name: 'Books', rights: books, until: null },
      { name: 'Looks', rights: looks, until: '2026-12-31' },
      { name: 'Also books', rights: books, until: '2026-12-31' },
    ],
    actsOf,
  );
  const of = (address: string) =>
    reasons.filter(({ Detail }) => Detail === address).map(({ Right, From }) => [Right, From]);
  assert.deepEqual(of('/billing/invoices'), [
    ['billing', 'Books, Also books'],
    ['prices', 'Books, Also books'],
  ]);
  assert.deepEqual(of('/customers/customer/{orgId}'), [['several', '']]);
  assert.deepEqual(of('/account-setting/profile'), [['anyone', '']]);
  assert.deepEqual(of('/marketplace'), []);
});
