import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'codes@northwind.test', 'engineer@northwind.test']);
type Who = 'reseller' | 'codes' | 'engineer';
const as = (who: Who, method: string, path: string, body?: unknown) => sandbox.call(tokens[who]!, method, path, body);
const own = '/api/account-settings/display';
const of = (name: string) => `${own}/${name}`;
const prices = (name: string, HidePricing: boolean) => as('reseller', 'POST', of(name), { HidePricing });
const refused = ({
  status,
  body,
}: {
  status: number;
  body: { Refusals?: readonly { Code: string; Data: object }[] };
}) => [status, body.Refusals?.map(({ Code, Data }) => [Code, Data])];

test('announcements are hidden by and from oneself alone, and shown again', async () => {
  const before = (await as('reseller', 'GET', '/api/announcement')).body.Result;
  assert.ok(before.length > 0);
  assert.equal((await as('reseller', 'POST', own, { HideBanner: true })).status, 200);
  assert.deepEqual((await as('reseller', 'GET', '/api/announcement')).body.Result, []);
  assert.equal((await as('reseller', 'GET', own)).body.Result.HideBanner, true);
  assert.equal((await as('engineer', 'GET', own)).body.Result.HideBanner, false);
  await as('reseller', 'POST', own, { HideBanner: false });
  assert.deepEqual((await as('reseller', 'GET', '/api/announcement')).body.Result, before);
});

test('nobody shows prices to themselves: by their own settings only announcements are changed', async () => {
  assert.equal((await as('codes', 'POST', own, { HideBanner: false, HidePricing: false })).status, 400);
  assert.equal((await as('codes', 'POST', of('codes@northwind.test'), { HidePricing: false })).status, 403);
  assert.equal((await as('codes', 'GET', own)).body.Result.HidePricing, true);
});

test('prices are shown to somebody and hidden again, roles stay, and the list says who sees them', async () => {
  const name = 'codes@northwind.test';
  const listed = async (word: string) =>
    (await as('reseller', 'GET', `/api/staff?team=own&prices=${word}&search=cora&pageSize=10`)).body.Result.Items.map(
      (one: { UserName: string; Prices: string }) => [one.UserName, one.Prices],
    );
  const { Roles } = (await as('reseller', 'GET', `/api/users/${name}/roles`)).body.Result;
  assert.deepEqual(await listed('Hidden'), [[name, 'Hidden']]);
  assert.equal((await prices(name, false)).status, 200);
  assert.equal((await as('codes', 'GET', own)).body.Result.HidePricing, false);
  assert.deepEqual([await listed('Seen'), await listed('Hidden')], [[[name, 'Seen']], []]);
  assert.deepEqual((await as('reseller', 'GET', `/api/users/${name}/roles`)).body.Result.Roles, Roles);
  assert.equal((await prices(name, true)).status, 200);
  assert.equal((await as('codes', 'GET', own)).body.Result.HidePricing, true);
});

test('prices that a role shows are hidden by the role alone, and those of a reseller never', async () => {
  const role = { Description: '', Views: ['customers'], Permissions: [], Prices: true, May: [], MayNot: [] };
  const made = await as('reseller', 'POST', '/api/roles', { ...role, Name: 'Buyers', UserType: 'admin' });
  const { RoleId } = made.body.Result;
  const { Version } = (await as('reseller', 'GET', '/api/users/codes@northwind.test/roles')).body.Result;
  const given = await as('reseller', 'POST', `/api/users/codes@northwind.test/roles/${RoleId}`, { Version });
  assert.equal(given.status, 200, JSON.stringify(given.body));
  assert.deepEqual(refused(await prices('codes@northwind.test', true)), [
    409,
    [['PricesByRole', { Name: 'Cora Odell', Roles: 'Buyers' }]],
  ]);
  assert.deepEqual(refused(await prices('single@northwind.test', true)), [
    409,
    [['PricesOfReseller', { Name: 'Silas Dunn' }]],
  ]);
  assert.equal((await prices('rival@southridge.test', true)).status, 404);
});
