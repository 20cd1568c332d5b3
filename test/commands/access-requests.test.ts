import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Client } from '../fixtures/portal.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const asker = withClient(portal, 'engineer@northwind.test');
let manager: string;
setUp(async () => {
  manager = await sandbox.signIn('reseller@northwind.test');
});

const hold = async (views: readonly string[], permissions: readonly string[] = []) => {
  const path = '/api/permissions/engineer@northwind.test';
  const reply = await sandbox.call(manager, 'PUT', path, { views, permissions });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
};
const leadsTo = async (browser: Client, path: string) => {
  const answer = await browser.get(path, { accept: 'text/html' });
  return answer.headers.get('location') ?? String(answer.status);
};
const manageAccess = '/account-setting/manage-access';
const askPage = `/access-denied/staff.askToManage?from=${encodeURIComponent(`${manageAccess}?team=customers`)}`;
const rules = encodeURIComponent(`${manageAccess}/sign-in-rules`);
const formOf = async () => {
  const { screen } = await asker.page(askPage);
  assert.ok('layout' in screen);
  const layout = JSON.stringify(screen.layout);
  return { layout, node: /"id":"(ask-form)"/.exec(layout)?.[1] ?? '' };
};

test('a marked screen says what it is called and lets its caller ask; any other refuses as before', async () => {
  await hold(['home', 'customers']);
  assert.equal(await leadsTo(asker, `${manageAccess}?team=customers`), askPage);
  assert.equal(await leadsTo(asker, askPage), '403');
  assert.equal(await leadsTo(asker, `${manageAccess}/sign-in-rules`), `/access-denied?from=${rules}`);
  // A mark of others, one that there is not, and one of what the caller has are not told apart.
  await hold(['home', 'customers'], ['addOrEditCustomers']);
  const holder = await portal.signIn('engineer@northwind.test');
  for (const mark of ['customers.askToAdd', 'staff.askNothing', 'customers.title'])
    assert.equal(await leadsTo(holder, `/access-denied/${mark}`), '/access-denied', mark);
  const wanted = (await holder.page(askPage)).screen;
  const text = JSON.stringify(wanted);
  assert.match(text, /"Title":"Manage access"/);
  assert.doesNotMatch(text, /manageUsers|manage users|people-manager/);
});

test('who asks is given what the mark needs by one save, and their page leads on to what they asked for', async () => {
  await hold(['home', 'customers']);
  const { layout, node } = await formOf();
  assert.match(layout, /access\.ask/);
  const ask = (mark: string) =>
    asker.press('/access-denied/{mark}', node, 'command:access.ask', {
      with: { mark, from: `${manageAccess}?team=customers` },
      body: { Reason: 'I invite the new engineers' },
    });
  const refused = await ask('billing.nothing');
  assert.equal(refused.body.Succeed, false);
  const asked = await ask('staff.askToManage');
  assert.equal(asked.body.Succeed, true, JSON.stringify(asked.body));
  assert.equal((await ask('staff.askToManage')).body.Succeed, false, 'it waits already');
  const [request] = (await sandbox.call(manager, 'GET', '/api/access-requests')).body.Result.Items;
  assert.deepEqual(
    [request.UserName, request.Title, request.Rights, request.Reason],
    ['engineer@northwind.test', 'Manage access', ['manageUsers'], 'I invite the new engineers'],
  );

  const granter = await portal.signIn('reseller@northwind.test');
  const editor = `${manageAccess}/engineer@northwind.test/permissions/admin?request=${request.Id}`;
  const { screen } = await granter.page(editor);
  const data = JSON.stringify(screen);
  assert.match(data, /"manageUsers":true/);
  assert.match(data, /"Needs":"manage users"/);

  await hold(['home', 'customers', 'manageUsers']);
  const again = await portal.signIn('engineer@northwind.test');
  assert.equal(await leadsTo(again, askPage), `${manageAccess}?team=customers`);
  for (const page of ['/access-denied', '/access-denied/staff.askToManage'])
    for (const from of ['//evil.test/x', '/.//evil.test/x', 'https://evil.test/x', '/access-denied?from=/customers'])
      assert.match(await leadsTo(again, `${page}?from=${from}`), /^(403|\/access-denied)$/, `${page} ${from}`);
});

test('what nobody may ask for is refused by one page, which opens it once the caller has it', async () => {
  await hold(['home', 'customers']);
  const signedIn = await portal.signIn('engineer@northwind.test');
  const pageOf = async (address: string) => (await signedIn.get(address, { accept: 'text/html' })).text;
  assert.equal(await leadsTo(signedIn, `/access-denied?from=${rules}`), '403');
  assert.equal(await leadsTo(signedIn, `/access-denied/staff.nothing?from=${rules}`), `/access-denied?from=${rules}`);
  // Nothing tells a screen that there is from one that there is not.
  const { screen: refused } = await signedIn.page(`/access-denied?from=${rules}`);
  const { screen: nothing } = await signedIn.page('/access-denied?from=%2Fno%2Fsuch%2Fpage');
  assert.ok('hash' in refused && 'hash' in nothing);
  assert.equal(refused.hash, nothing.hash);
  assert.doesNotMatch(await pageOf(`/access-denied?from=${rules}`), /sign-in-rules|manageUsers/);
  await hold(['home', 'customers', 'manageUsers']);
  const again = await portal.signIn('engineer@northwind.test');
  assert.equal(await leadsTo(again, `/access-denied?from=${rules}`), `${manageAccess}/sign-in-rules`);
});
