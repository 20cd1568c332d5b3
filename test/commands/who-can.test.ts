import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import { commandDeclarations } from '../../server/commands/index.ts';
import { pageOf, searched } from '../../server/commands/roles/act-rows.ts';
import { findReasons } from '../../server/commands/roles/role-reasons.ts';
import { type CloudRights, namesOf, principalWith, union } from '../../server/commands/roles/role-rights.ts';
import { findWays, userTypes, type Way } from '../../server/commands/roles/role-ways.ts';
import { readFolder, type Version } from '../../server/layouts/index.ts';
import { compiler } from '../fixtures/compiler.ts';
import { type Draw, drawFrom } from '../fixtures/draw.ts';
import { setUp } from '../fixtures/set-up.ts';

let version: Version;
let all: CloudRights;
let author: Principal;
setUp(async () => {
  const { compiled, version: made } = await readFolder(
    join(import.meta.dirname, '../../schemas'),
    commandDeclarations,
    compiler,
  );
  assert.ok(compiled && made);
  version = made;
  const { views, permissions, features } = compiled.names;
  all = { Views: [...views], Permissions: [...permissions], Prices: true };
  author = { ...publicPrincipal, type: 'reseller', features: [...features], prices: true };
});

const draws = (draw: Draw): CloudRights => ({
  Views: all.Views.filter(() => draw(2) === 0),
  Permissions: all.Permissions.filter(() => draw(2) === 0),
  Prices: draw(2) === 0,
});
const actsOf = (userType: string, rights: CloudRights) => version.acts(principalWith(author, userType, rights));
const isWithin = (way: Way, rights: CloudRights) => namesOf(way).every(name => namesOf(rights).includes(name));

test('somebody is among those who can do something just when it is among what they can do', async () => {
  const draw = drawFrom(4);
  const people = Array.from({ length: 12 }, (_, at) => ({
    userType: userTypes[at % userTypes.length]!,
    rights: draws(draw),
  }));
  const can = people.map(({ userType, rights }) => actsOf(userType, rights));
  const keys = [...new Set(userTypes.flatMap(type => [...actsOf(type, all).keys()]))];
  const asked = [...keys.filter(() => draw(14) === 0), 'customers.agreements', '/customers', 'staff.disable'];
  let mays = 0;
  for (const key of asked)
    for (const userType of userTypes) {
      const ways = await findWays(all, async rights => actsOf(userType, rights).has(key));
      for (const [at, person] of people.entries()) {
        if (person.userType !== userType) continue;
        const may = ways.some(way => isWithin(way, person.rights));
        assert.equal(may, can[at]!.has(key), `${key} for ${userType} with ${namesOf(person.rights)}`);
        mays += Number(may);
      }
    }
  assert.ok(mays > 20, `${mays} of them may`);
});

test('a way is the fewest rights that are enough, and each alternative is one', async () => {
  const rights: CloudRights = { Views: ['a', 'b', 'c', 'd'], Permissions: ['e'], Prices: true };
  const ways = (needs: (has: (name: string) => boolean) => boolean) =>
    findWays(rights, async held => needs(name => namesOf(held).includes(name)));
  const told = async (needs: (has: (name: string) => boolean) => boolean) =>
    (await ways(needs)).map(way => namesOf(way).join('+')).sort();
  assert.deepEqual(await told(has => has('a') && has('prices')), ['a+prices']);
  assert.deepEqual(await told(has => (has('a') || has('b')) && (has('c') || has('e'))), ['a+c', 'a+e', 'b+c', 'b+e']);
  assert.deepEqual(await told(() => true), ['']);
  assert.deepEqual(await told(() => false), []);
});

test('what somebody can do names acts by what they are and where they stand, and says until when', async () => {
  const people = { Views: ['manageUsers'], Permissions: ['createResellerEngineer'], Prices: false };
  const books = { Views: ['billing'], Permissions: [], Prices: true };
  const reasons = await findReasons(
    union(people, books),
    [
      { name: 'People', rights: people, until: null },
      { name: 'Books', rights: books, until: '2026-12-31' },
      { name: 'Books too', rights: books, until: '2027-01-31' },
    ],
    async held => actsOf('admin', held),
  );
  const of = (act: string) => reasons.filter(({ Act }) => Act === act);
  assert.deepEqual(
    of('staff.disable').map(({ Kind, Name, Detail, Right, From, Until }) => [
      Kind,
      Name,
      Detail,
      Right,
      From,
      Until,
    ])[0],
    ['Act', version.operations.get('staff.disable')?.description, 'Person', 'manageUsers', 'People', null],
  );
  assert.deepEqual(
    of('/billing/invoices').map(({ Right, From, Until }) => [Right, From, Until]),
    [
      ['billing', 'Books, Books too', '2027-01-31'],
      ['prices', 'Books, Books too', '2027-01-31'],
    ],
  );
  assert.deepEqual([...new Set(reasons.map(({ Kind }) => Kind))].sort(), ['Act', 'Data', 'File', 'Screen']);
});

test('acts are searched by name and place, and counted by kind whichever is chosen', () => {
  const row = (Act: string, Kind: 'Screen' | 'Act' | 'Data', Name: string, Detail: string) => ({
    Act,
    Kind,
    Name,
    Detail,
  });
  const rows = [
    row('staff.disable', 'Act', 'Disables somebody.', 'Person'),
    row('/people', 'Screen', 'People', '/people'),
    row('staff.disable', 'Act', 'Disables somebody.', 'Person'),
    row('staff.get', 'Data', 'One person.', 'Person'),
  ];
  const found = searched(rows, { search: 'PERSÓN' });
  assert.deepEqual(
    found.map(({ Act }) => Act),
    ['staff.disable', 'staff.disable', 'staff.get'],
  );
  const { Items, Total, Counts } = pageOf(found, { kind: 'Act', page: 2, pageSize: 1 });
  assert.deepEqual([Items.map(({ Act }) => Act), Total], [['staff.disable'], 2]);
  assert.deepEqual(Counts, { All: 2, Screen: 0, Act: 1, File: 0, Data: 1 });
});
