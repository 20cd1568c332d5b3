import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { linksTo } from '../fixtures/mail-links.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const day = 86_400_000;
let now = Date.UTC(2027, 0, 4, 9);
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 30 * 86_400 });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test']);
const call = (who: string, method: string, path: string, body?: object, headers?: Record<string, string>) =>
  sandbox.call(tokens[who]!, method, path, body, headers);
const engineers = '/api/staff-invitations/engineer';
const administrators = '/api/customers/10001/administrator-invitations';
const person = (userName: string, verb = '') => `/api/staff/${encodeURIComponent(userName)}${verb && `/${verb}`}`;
const invite = async (Name: string, Email: string) => {
  const { status, body } = await call('reseller', 'POST', engineers, { Name, Email });
  assert.equal(status, 201, JSON.stringify(body));
  return body.Result as { UserName: string; ValidUntil: string };
};
/** Chooses a password by the newest link that was mailed to somebody. */
const accept = async (userName: string, newPassword: string, at = 0) => {
  const [, type, name, key] = ((await linksTo(sandbox, userName, 'accept-invitation'))[at] ?? '').split('/').slice(1);
  return await sandbox.call('', 'PUT', `/api/users/${type}/${name}/change-password`, {
    ...{ key, oldPassword: null, newPassword },
  });
};
const fieldFault = 'Somebody signs in with this address already.';

test('an engineer who is invited is listed as such, chooses a password by the mailed link once, and signs in', async () => {
  const { UserName, ValidUntil } = await invite('Leo Marsh', 'Leo@Northwind.test');
  assert.deepEqual([UserName, Date.parse(ValidUntil)], ['leo@northwind.test', now + 7 * day]);
  const { Result } = (await call('reseller', 'GET', person(UserName))).body;
  assert.deepEqual([Result.State, Result.Roles, Result.InvitedBy], ['Invited', 'Engineer', 'Priya Raman']);
  await assert.rejects(sandbox.signIn(UserName));
  assert.equal((await accept(UserName, 'Harbour-lantern-84')).status, 200);
  assert.equal((await accept(UserName, 'Harbour-lantern-85')).status, 410);
  const token = await sandbox.signIn(UserName, 'Harbour-lantern-84');
  assert.equal((await sandbox.call(token, 'GET', '/api/customers')).status, 200);
  assert.equal((await call('reseller', 'GET', person(UserName))).body.Result.State, 'Active');
});

test('an invitation ends after seven days, and a forgotten password is no way round; sent again it works, and the earlier link does not', async () => {
  const { UserName } = await invite('Late Lowe', 'late@northwind.test');
  now += 7 * day;
  assert.equal((await accept(UserName, 'Harbour-lantern-84')).status, 410);
  await sandbox.call('', 'POST', '/api/users/reset-password', { UserName });
  assert.deepEqual(await linksTo(sandbox, UserName, 'change-password'), []);
  const again = await call('reseller', 'POST', person(UserName, 'resend-invitation'));
  assert.equal(Date.parse(again.body.Result.ValidUntil), now + 7 * day);
  assert.equal((await accept(UserName, 'Harbour-lantern-84', 1)).status, 410);
  assert.equal((await accept(UserName, 'Harbour-lantern-84')).status, 200);
  const accepted = await call('reseller', 'POST', person(UserName, 'resend-invitation'));
  assert.equal(accepted.status, 409);
});

test('three mails with a link in a quarter of an hour are all that somebody gets', async () => {
  const { UserName } = await invite('Mo Flood', 'mo@northwind.test');
  const again = () => call('reseller', 'POST', person(UserName, 'resend-invitation'));
  assert.deepEqual([(await again()).status, (await again()).status, (await again()).status], [200, 200, 409]);
  assert.equal((await linksTo(sandbox, UserName, 'accept-invitation')).length, 3);
  now += 16 * 60_000;
  assert.equal((await again()).status, 200);
});

test('whoever is withdrawn is gone with the link, and can be invited anew', async () => {
  const { UserName } = await invite('Wanda Hill', 'wanda@northwind.test');
  assert.equal((await call('rival', 'POST', person(UserName, 'withdraw-invitation'))).status, 404);
  assert.equal((await call('reseller', 'POST', person(UserName, 'withdraw-invitation'))).status, 200);
  assert.equal((await accept(UserName, 'Harbour-lantern-84')).status, 410);
  assert.equal((await call('reseller', 'GET', person(UserName))).status, 404);
  await invite('Wanda Hill', UserName);
});

test('an address that somebody signs in with is refused at its field, whoever has it, also of two presses at once', async () => {
  for (const Email of ['engineer@northwind.test', 'ADMIN@contoso.test', 'rival@southridge.test']) {
    const { status, body } = await call('reseller', 'POST', engineers, { Name: 'X', Email });
    assert.deepEqual([status, body.Errors], [400, { Email: [fieldFault] }], Email);
  }
  const both = await Promise.all(
    [1, 2].map(() => call('reseller', 'POST', engineers, { Name: 'Twin', Email: 'twin@northwind.test' })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400]);
  const key = { 'idempotency-key': randomUUID() };
  const press = () => call('reseller', 'POST', engineers, { Name: 'Once', Email: 'once@northwind.test' }, key);
  assert.deepEqual((await press()).body, (await press()).body);
  assert.equal((await linksTo(sandbox, 'once@northwind.test', 'accept-invitation')).length, 1);
});

test('a customer’s administrator is invited as a user of the customer’s domain, and withdrawn with the user', async () => {
  const body = { FirstName: 'Ana', LastName: 'Pope', Email: 'ana@contoso.test' };
  const foreign = await call('reseller', 'POST', administrators, { ...body, Email: 'ana@elsewhere.test' });
  assert.deepEqual(foreign.body.Errors, { Email: ['Must be an address of contoso.test'] });
  const { Result } = (await call('reseller', 'POST', administrators, body)).body;
  assert.equal(Result.UserName, body.Email);
  const mails = await sandbox.db.selectFrom('outbox').select('subject').where('recipient', '=', body.Email).execute();
  assert.deepEqual(
    mails.map(({ subject }) => subject),
    ['Northwind invites you'],
  );
  const known = async () =>
    (await call('reseller', 'GET', '/api/customers/10001/users?search=ana@contoso.test')).body.Result.Total;
  assert.equal(await known(), 1);
  assert.equal((await call('reseller', 'POST', person(body.Email, 'withdraw-invitation'))).status, 200);
  assert.equal(await known(), 0);
});

test('nobody invites without the permission of the kind, or gives a role with rights that they lack', async () => {
  const grant = (permissions: string[]) =>
    call('reseller', 'PUT', '/api/permissions/engineer@northwind.test', {
      ...{ views: ['customers', 'manageUsers'], permissions },
    });
  await grant(['createResellerEngineer']);
  const engineer = { Name: 'New', Email: 'new@northwind.test' };
  const administrator = { FirstName: 'A', LastName: 'B', Email: 'a.b@contoso.test' };
  assert.equal((await call('engineer', 'POST', administrators, administrator)).status, 403);
  const refused = await call('engineer', 'POST', engineers, engineer);
  assert.deepEqual([refused.status, refused.body.Refusals[0].Code], [400, 'RightsNotHeld']);
  assert.deepEqual((await call('engineer', 'GET', engineers)).body.Result.Roles, []);
  await grant(['createCustomerAdmin']);
  assert.equal((await call('engineer', 'POST', engineers, engineer)).status, 403);
});
