import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refreshPredefined } from '../../server/sandbox/roles/predefined.ts';
import { holdersOf, settleRights } from '../../server/sandbox/roles/rights.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

let now = new Date();
const sandbox = withSandbox({ now: () => now, tokenSeconds: 9 * 86_400 });
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'engineer@northwind.test',
  'single@northwind.test',
  'rival@southridge.test',
]);
type Who = 'reseller' | 'engineer' | 'single' | 'rival';
const as = (who: Who, method: string, path: string, body?: unknown) => sandbox.call(tokens[who]!, method, path, body);
const nothing = { Views: [], Permissions: [], Prices: false, May: [], MayNot: [], Description: '' };
const refusalsOf = ({ status, body }: { status: number; body: { Refusals?: unknown } }) => [status, body.Refusals];

let count = 0;
/** Makes a role for engineers; gives its id. */
async function addRole(given: object, who: Who = 'reseller'): Promise<string> {
  count += 1;
  const made = await as(who, 'POST', '/api/roles', { ...nothing, Name: `Role ${count}`, UserType: 'admin', ...given });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.Result.RoleId;
}
const readRole = async (roleId: string) => (await as('reseller', 'GET', `/api/roles/${roleId}`)).body.Result;
async function changeRole(roleId: string, given: object, who: Who = 'reseller') {
  const { Name, Description, Views, Permissions, Prices, May, MayNot, Version } = await readRole(roleId);
  const body = { Name, Description, Views, Permissions, Prices, May, MayNot, Version, ...given };
  return as(who, 'PUT', `/api/roles/${roleId}`, body);
}
const accessOf = async (userName: string) => (await as('reseller', 'GET', `/api/users/${userName}/roles`)).body.Result;
/** Gives an account what it is to have, and reads what it then holds. */
async function give(userName: string, given: object) {
  const { Version } = await accessOf(userName);
  const none = { Roles: [], Views: [], Permissions: [], Prices: false };
  const reply = await as('reseller', 'PUT', `/api/users/${userName}/roles`, { ...none, Version, ...given });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return (await as('reseller', 'GET', `/api/permissions/${userName}`)).body.Result;
}
const role = (RoleId: string, Until: string | null = null) => ({ RoleId, Until });
const dayAfter = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);

/** Rights with their names in the order of the alphabet. */
const sorted = ({ Views, Permissions, Prices }: { Views: string[]; Permissions: string[]; Prices: boolean }) => ({
  Views: [...Views].sort(),
  Permissions: [...Permissions].sort(),
  Prices,
});

test('seeded accounts have the widest predefined role of what they held, and hold what they held', async () => {
  const engineer = await accessOf('sso@northwind.test');
  const names = engineer.Roles.map((one: { Name: string }) => one.Name);
  assert.deepEqual([names, engineer.Views, engineer.Permissions, engineer.Prices], [['Engineer'], [], [], true]);
  const all = { Views: ['customers', 'support'], Permissions: ['submitAndRespondToAllTickets'], Prices: true };
  assert.deepEqual(engineer.All, all);
  assert.deepEqual((await accessOf('noaccess@northwind.test')).Roles, []);
  const { Items, Counts } = (await as('reseller', 'GET', '/api/roles?pageSize=100')).body.Result;
  assert.equal(Items.length, Counts.All);
  assert.equal(Items.find((one: { Name: string }) => one.Name === 'Engineer').IsPredefined, true);
});

test('an account holds what its roles give and what it holds besides, prices included, with the next call', async () => {
  const sells = await addRole({ Views: ['customers', 'marketplaceOrder'], Permissions: ['addProducts'] });
  const bills = await addRole({ Views: ['billing'], Prices: true });
  const held = await give('engineer@northwind.test', { Roles: [role(sells), role(bills)], Views: ['home'] });
  const views = ['billing', 'customers', 'home', 'marketplaceOrder'];
  assert.deepEqual(sorted(held), { Views: views, Permissions: ['addProducts'], Prices: true });
  assert.equal((await as('engineer', 'GET', '/api/account-settings/display')).body.Result.HidePricing, false);
  assert.equal((await changeRole(bills, { Views: [], Prices: false })).status, 200);
  const { usersPermissions } = (await as('engineer', 'GET', '/api/permissions')).body.Result;
  assert.deepEqual([...usersPermissions.views].sort(), ['customers', 'home', 'marketplaceOrder']);
  assert.equal((await as('engineer', 'GET', '/api/account-settings/display')).body.Result.HidePricing, true);
  const rights = { views: ['support'], permissions: [] };
  assert.equal((await as('reseller', 'PUT', '/api/permissions/engineer@northwind.test', rights)).status, 200);
  const { Roles, Views } = await accessOf('engineer@northwind.test');
  assert.deepEqual([Roles, Views], [[], ['support']], 'rights one by one stand in place of the roles');
});

test('a role is given and taken by itself, and only to its own kind of user', async () => {
  const path = (roleId: string) => `/api/users/noaccess@northwind.test/roles/${roleId}`;
  const roleId = await addRole({ Views: ['support'] });
  assert.equal((await as('reseller', 'POST', path(roleId), { Until: null })).status, 200);
  assert.deepEqual((await accessOf('noaccess@northwind.test')).All.Views, ['support']);
  assert.equal((await as('reseller', 'POST', `${path(roleId)}/take`, {})).status, 200);
  assert.deepEqual((await accessOf('noaccess@northwind.test')).All.Views, []);
  const ofUsers = await addRole({ UserType: 'endUser', Permissions: ['hostedExchange'] });
  const refused = await as('reseller', 'POST', path(ofUsers), { Until: null });
  assert.deepEqual(refusalsOf(refused), [400, [{ Field: 'RoleId', Code: 'RoleOfOthers' }]]);
  const offered = (await as('reseller', 'GET', '/api/users/noaccess@northwind.test/available-roles')).body.Result;
  const ids = offered.map(({ RoleId }: { RoleId: string }) => RoleId);
  assert.ok(ids.includes(roleId) && !ids.includes(ofUsers));
});

test('nobody gives what they lack, in a role, by a role or by itself', async () => {
  const manages = await addRole({ Views: ['manageUsers', 'customers'] });
  await give('engineer@northwind.test', { Roles: [role(manages)] });
  const lacking = (Rights: string) => [400, [{ Field: 'Rights', Code: 'RightsNotHeld', Data: { Rights } }]];
  const wide = { ...nothing, Name: 'Wide', UserType: 'admin', Views: ['customers', 'billing'], Prices: true };
  assert.deepEqual(refusalsOf(await as('engineer', 'POST', '/api/roles', wide)), lacking('billing, prices'));
  const bookkeeper = await addRole({ Views: ['billing', 'customers'] });
  assert.deepEqual(
    refusalsOf(await changeRole(bookkeeper, { Permissions: ['addProducts'] }, 'engineer')),
    lacking('addProducts'),
  );
  assert.equal(
    (await changeRole(bookkeeper, { Description: 'Keeps books' }, 'engineer')).status,
    200,
    'what was there stays',
  );
  const given = await as('engineer', 'POST', `/api/users/noaccess@northwind.test/roles/${bookkeeper}`, { Until: null });
  assert.deepEqual(refusalsOf(given), lacking('billing'));
  const own = { views: ['billing'], permissions: [] };
  const bare = await as('engineer', 'PUT', '/api/permissions/noaccess@northwind.test', own);
  assert.deepEqual(refusalsOf(bare), lacking('billing'));
  await give('engineer@northwind.test', { Views: ['customers'] });
});

test('who changes the own rights is asked again, and never takes the last of them', async () => {
  const manages = await addRole({ Views: ['manageUsers', 'support', 'home'] });
  await give('engineer@northwind.test', { Roles: [role(manages)] });
  const refused = await changeRole(manages, { Views: ['manageUsers', 'support'] }, 'engineer');
  assert.deepEqual(refusalsOf(refused), [409, [{ Code: 'OwnRights', Data: { Rights: 'home' } }]]);
  const confirmed = { Views: ['manageUsers', 'support'], Confirmed: true };
  assert.equal((await changeRole(manages, confirmed, 'engineer')).status, 200);
  const last = await changeRole(manages, { Views: [], Confirmed: true }, 'engineer');
  assert.deepEqual(refusalsOf(last), [409, [{ Code: 'OwnLastRight' }]]);
  assert.deepEqual((await readRole(manages)).Views, ['manageUsers', 'support']);
  await give('engineer@northwind.test', { Views: ['customers'] });
});

test('the last administrator stays, also one who would be left only until a day', async () => {
  const path = '/api/users/rival@southridge.test/roles';
  const { Version, Roles } = (await as('rival', 'GET', path)).body.Result;
  const none = { Views: ['home'], Permissions: [], Prices: false, Version, Confirmed: true };
  const refused = [409, [{ Code: 'LastAdministrator' }]];
  assert.deepEqual(refusalsOf(await as('rival', 'PUT', path, { ...none, Roles: [] })), refused);
  const untilTomorrow = { ...none, Roles: [role(Roles[0].RoleId, dayAfter(1))] };
  assert.deepEqual(refusalsOf(await as('rival', 'PUT', path, untilTomorrow)), refused);
  assert.equal((await as('rival', 'GET', path)).body.Result.Version, Version);
});

test('of two who change the same role or person the second is told, and nothing is lost', async () => {
  const roleId = await addRole({ Views: ['support'] });
  const { Version } = await readRole(roleId);
  assert.equal((await changeRole(roleId, { Views: ['customers'] })).status, 200);
  const late = await changeRole(roleId, { Views: [], Version }, 'single');
  assert.deepEqual(refusalsOf(late), [409, [{ Code: 'RoleChanged', Data: { By: 'Priya Raman' } }]]);
  assert.deepEqual((await readRole(roleId)).Views, ['customers']);
  const before = await accessOf('noaccess@northwind.test');
  await give('noaccess@northwind.test', { Views: ['support'] });
  const body = { Roles: [], Views: [], Permissions: [], Prices: false, Version: before.Version };
  const second = await as('single', 'PUT', '/api/users/noaccess@northwind.test/roles', body);
  assert.deepEqual(refusalsOf(second), [409, [{ Code: 'AccessChanged', Data: { Name: 'Nora Vale' } }]]);
});

test('of two who save at the same moment one is told', async () => {
  const roleId = await addRole({ Views: ['support'] });
  const { Version } = await readRole(roleId);
  const both = [changeRole(roleId, { Views: ['home'], Version }), changeRole(roleId, { Views: [], Version }, 'single')];
  assert.deepEqual((await Promise.all(both)).map(({ status }) => status).sort(), [200, 409]);
});

test('a role that somebody has, is predefined or has the name of another is refused with the reason', async () => {
  const roleId = await addRole({ Name: 'Kept', Views: ['support'] });
  await give('noaccess@northwind.test', { Roles: [role(roleId)] });
  const held = await as('reseller', 'DELETE', `/api/roles/${roleId}`);
  assert.deepEqual(refusalsOf(held), [409, [{ Code: 'RoleHeld', Data: { People: '1' } }]]);
  const taken = await as('reseller', 'POST', '/api/roles', { ...nothing, Name: 'kept', UserType: 'admin' });
  assert.deepEqual(refusalsOf(taken), [400, [{ Field: 'Name', Code: 'RoleNameTaken' }]]);
  const { Items } = (await as('reseller', 'GET', '/api/roles?search=bookkeeper')).body.Result;
  assert.deepEqual(refusalsOf(await changeRole(Items[0].RoleId, {})), [409, [{ Code: 'RolePredefined' }]]);
  await give('noaccess@northwind.test', {});
  assert.equal((await as('reseller', 'DELETE', `/api/roles/${roleId}`)).status, 200);
  assert.equal((await as('reseller', 'GET', `/api/roles/${roleId}`)).status, 404);
});

test('a role until a day ends when the day is over, and everything says so', async () => {
  const roleId = await addRole({ Name: 'For today', Views: ['billing'] });
  await give('noaccess@northwind.test', { Roles: [role(roleId, dayAfter(0))], Views: ['support'] });
  const over = { Roles: [role(roleId, dayAfter(-1))], Views: [], Permissions: [], Prices: false };
  const { Version } = await accessOf('noaccess@northwind.test');
  const refused = await as('reseller', 'PUT', '/api/users/noaccess@northwind.test/roles', { ...over, Version });
  assert.deepEqual(refusalsOf(refused), [400, [{ Field: 'Until', Code: 'DayOver' }]]);
  await sandbox.tickOnce();
  assert.deepEqual((await accessOf('noaccess@northwind.test')).All.Views, ['billing', 'support']);
  now = new Date(now.getTime() + 86_400_000);
  await sandbox.tickOnce();
  const { All, Roles } = await accessOf('noaccess@northwind.test');
  assert.deepEqual([All.Views, Roles], [['support'], []]);
  const { action, target, actor, before } = await sandbox.db
    .selectFrom('activity')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  assert.deepEqual([action, target, actor, before], ['Role ended', 'Nora Vale', 'Cloud', 'Roles: For today']);
});

test('a single right until a day ends when the day is over, keeps its day while others change, and may be kept', async () => {
  const userName = 'noaccess@northwind.test';
  const end = (Right: string, days: number) => ({ Right, Until: dayAfter(days) });
  const ends = async () => (await accessOf(userName)).Ends;
  await give(userName, { Views: ['support', 'home', 'customers'], Ends: [end('support', 0), end('home', 1)] });
  assert.deepEqual(await ends(), [end('support', 0), end('home', 1)]);
  const { Version } = await accessOf(userName);
  const late = { Roles: [], Views: ['support'], Permissions: [], Prices: false, Version, Ends: [end('support', -1)] };
  const refused = await as('reseller', 'PUT', `/api/users/${userName}/roles`, late);
  assert.deepEqual(refusalsOf(refused), [400, [{ Field: 'Until', Code: 'DayOver' }]]);
  // Whoever knows nothing of last days leaves them; a right that is taken away loses its day.
  await give(userName, { Views: ['support', 'home', 'customers', 'academy'] });
  assert.deepEqual(await ends(), [end('support', 0), end('home', 1)]);
  await give(userName, { Views: ['support', 'customers'], Prices: true, Ends: [end('support', 0), end('home', 1)] });
  assert.deepEqual(await ends(), [end('support', 0)]);
  await sandbox.tickOnce();
  assert.deepEqual((await accessOf(userName)).All.Views, ['customers', 'support']);
  now = new Date(now.getTime() + 86_400_000);
  await sandbox.tickOnce();
  assert.deepEqual([(await accessOf(userName)).All.Views, await ends()], [['customers'], []]);
  const told = await sandbox.db.selectFrom('activity').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();
  assert.deepEqual(
    [told.action, told.target, told.actor, told.before, told.after],
    ['Right ended', 'Nora Vale', 'Cloud', 'Rights: support', 'Rights: None'],
  );
  await give(userName, { Views: ['customers'], Ends: [end('customers', 1)] });
  await give(userName, { Views: ['customers'], Ends: [] });
  assert.deepEqual(await ends(), []);
  // Prices end as well, and who holds a right singly until a day is listed with it.
  await give(userName, { Views: ['customers'], Prices: true, Ends: [end('prices', 0)] });
  const { Items } = (await as('reseller', 'GET', '/api/right-holders?pageSize=100&ways=admin:customers%2Bprices')).body
    .Result;
  assert.equal(Items.find((one: { UserName: string }) => one.UserName === userName).Until, dayAfter(0));
  now = new Date(now.getTime() + 86_400_000);
  await sandbox.tickOnce();
  assert.equal((await accessOf(userName)).All.Prices, false);
  await give(userName, { Views: ['support'] });
});

test('a reseller keeps somebody who may change rights without a last day, also where the right is a single one', async () => {
  const people = { Views: ['manageUsers', 'support'], Permissions: ['createResellerEngineer'] };
  const { Items } = (await as('rival', 'GET', '/api/staff?pageSize=100&team=own')).body.Result;
  assert.equal(Items.filter(({ Kind }: { Kind: string }) => Kind === 'reseller').length, 1);
  const path = '/api/users/rival@southridge.test/roles';
  const { Version } = (await as('rival', 'GET', path)).body.Result;
  const body = { ...people, Roles: [], Prices: true, Version, Confirmed: true };
  const Ends = [{ Right: 'manageUsers', Until: dayAfter(9) }];
  const refused = await as('rival', 'PUT', path, { ...body, Ends });
  assert.deepEqual(refusalsOf(refused), [409, [{ Code: 'LastAdministrator' }]]);
});

test('what is done to roles and people stands in the activity with before and after', async () => {
  const roleId = await addRole({ Name: 'Told', Views: ['support'] });
  await changeRole(roleId, { Views: ['support', 'home'], MayNot: ['/billing'] });
  await give('noaccess@northwind.test', { Roles: [role(roleId)] });
  const rows = await sandbox.db
    .selectFrom('activity')
    .select(['action', 'target', 'actor', 'before', 'after'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  assert.deepEqual(rows, [
    {
      ...{ action: 'Permissions changed', target: 'Nora Vale', actor: 'Priya Raman' },
      before: 'Roles: None; Views: support',
      after: 'Roles: Told; Views: None',
    },
    {
      ...{ action: 'Role changed', target: 'Told', actor: 'Priya Raman' },
      before: 'Views: support; May not open: No test',
      after: 'Views: support, home; May not open: /billing',
    },
  ]);
});

test('roles and people of another reseller are not there', async () => {
  const roleId = await addRole({ Views: ['support'] });
  const calls = [
    ['GET', `/api/roles/${roleId}`],
    ['PUT', `/api/roles/${roleId}`, { ...nothing, Name: 'Mine', Version: 1 }],
    ['DELETE', `/api/roles/${roleId}`],
    ['GET', '/api/users/engineer@northwind.test/roles'],
    ['GET', '/api/permissions/engineer@northwind.test'],
    ['POST', `/api/users/rival@southridge.test/roles/${roleId}`, { Until: null }],
  ] as const;
  for (const [method, path, body] of calls) assert.equal((await as('rival', method, path, body)).status, 404, path);
});

test('a predefined role that comes with other rights gives them to whoever has it', async () => {
  const { id } = await sandbox.db
    .updateTable('roles')
    .set({ views: ['support'] })
    .where('name', '=', 'Engineer')
    .where('reseller_id', 'is', null)
    .returning('id')
    .executeTakeFirstOrThrow();
  const held = async () => (await accessOf('sso@northwind.test')).All.Views;
  await settleRights(sandbox.db, await holdersOf(sandbox.db, id));
  assert.deepEqual(await held(), ['support']);
  await sandbox.db.transaction().execute(refreshPredefined);
  assert.deepEqual(await held(), ['customers', 'support']);
});

test('those who hold certain rights are listed with the roles that give them, also who is limited or cannot sign in', async () => {
  const holders = async (ways: string, more = '', who: Who = 'reseller') =>
    (await as(who, 'GET', `/api/right-holders?pageSize=100&ways=${encodeURIComponent(ways)}${more}`)).body.Result;
  const engineer = 'engineer@northwind.test';
  const find = async (name: string, ways = 'admin:customers') =>
    (await holders(ways)).Items.find((one: { UserName: string }) => one.UserName === name);
  const roleId = await addRole({ Name: 'Sees customers', Views: ['customers'] });
  await give(engineer, { Roles: [role(roleId, dayAfter(3))], Views: ['support', 'customers'] });
  const { Roles, Singly, Until, Outcome, UserType } = await find(engineer);
  assert.deepEqual([Roles, Singly, Until, Outcome, UserType], ['Sees customers', true, dayAfter(3), 'All', 'admin']);
  assert.equal(await find(engineer, 'admin:customers+prices|reseller:'), undefined);
  const limit = (Sees: string, more: object = {}) =>
    as('reseller', 'PUT', `/api/staff/${engineer}/customer-limit`, { Sees, ...more });
  assert.equal((await limit('Some', { Customers: ['10001'] })).status, 200);
  assert.equal((await find(engineer)).Outcome, 'Some');
  assert.equal((await limit('None')).status, 200);
  const none = await holders('admin:customers', '&outcome=None&search=engineer');
  assert.deepEqual([none.Items.map((one: { UserName: string }) => one.UserName), none.Total], [[engineer], 1]);
  assert.equal((await limit('All')).status, 200);
  assert.equal((await find('disabled@northwind.test', 'admin:|reseller:')).Outcome, 'Off');
  // What sums all customers up is not held by who sees certain ones.
  await give(engineer, { Views: ['billing'] });
  assert.ok(await find(engineer, 'admin:billing'));
  await limit('None');
  assert.equal(await find(engineer, 'admin:billing'), undefined);
  await limit('All');
  // Nobody of another reseller is there, and no other words are taken.
  const names = (await holders('admin:|reseller:|endUser:|endUserAdmin:', '', 'rival')).Items.map(
    (one: { UserName: string }) => one.UserName,
  );
  assert.ok(names.length > 1 && !names.some((name: string) => name.endsWith('@northwind.test')), names.join());
  for (const wrong of ['admin', 'nobody:', 'admin:owner', 'admin:customers:prices', ''])
    assert.equal((await as('reseller', 'GET', `/api/right-holders?ways=${wrong}`)).status, 400, wrong);
  await give(engineer, { Views: ['support', 'customers'] });
});
