import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);

const ofPerson = '/account-setting/manage-access/{user}/sign-ins';
const ofUser = '/customers/user-details/sign-ins';
const staff = (kind: string, userName: string) => `/ui/data/staff.${kind}?userName=${encodeURIComponent(userName)}`;
const user = (kind: string) => `/ui/data/users.${kind}?customerId=10001&userId=20002`;
type Session = { Handle: string; Way: string | null; IsThis: boolean };
const sessionsAt = async (by: Client, path: string): Promise<Session[]> => (await by.get(path)).body.Result.Items;
const isOpen = async (browser: Client) => (await browser.get('/ui/data/sessions.mine')).status === 200;

test('who manages people sees how somebody signed in and what was refused, and ends one session or all at once', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const name = 'engineer@northwind.test';
  await signInAs(portal.client(), name, 'wrong');
  const [one, other] = [await portal.signIn(name), await portal.signIn(name)];
  const before = await sessionsAt(reseller, staff('sessions', name));
  assert.deepEqual(
    before.map(({ Way, IsThis }) => [Way, IsThis]),
    [
      ['password', false],
      ['password', false],
    ],
  );
  const call = { with: { userName: name, session: before[0]!.Handle } };
  const ended = await reseller.press(ofPerson, 'end-session', 'call:staff.endSession', call);
  assert.equal(ended.status, 200, ended.text);
  assert.deepEqual([await isOpen(one), await isOpen(other)].toSorted(), [false, true]);
  const again = await portal.signIn(name);
  const log = (await again.get('/ui/data/security.log')).body.Result.Items;
  assert.deepEqual(
    log.map(({ Event, Outcome, Way, By }: Record<string, string>) => [Event, Outcome, Way, By]),
    [
      ['session.sign-in', 'done', 'password', null],
      ['session.ended-by-other', 'done', null, 'reseller@northwind.test'],
      ['session.sign-in', 'done', 'password', null],
      ['session.sign-in', 'done', 'password', null],
      ['session.sign-in', 'refused', null, null],
    ],
  );
  const refused = (await reseller.get(`${staff('securityLog', name)}&show=refused`)).body.Result;
  assert.deepEqual([refused.Total, refused.Items[0].Outcome], [1, 'refused']);
  const all = await reseller.press(ofPerson, 'end-all', 'call:staff.endSessions', { with: { userName: name } });
  assert.equal(all.status, 200, all.text);
  for (const browser of [one, other, again]) assert.equal(await isOpen(browser), false);
  assert.deepEqual(await sessionsAt(reseller, staff('sessions', name)), []);
  const [latest] = (await reseller.get('/ui/data/activity.list')).body.Result.Items;
  assert.equal(latest.Action, 'Signed out everywhere');
});

test('an administrator of a customer does so for its users, and nobody for a person that they may not act upon', async () => {
  const admin = await portal.signIn('admin@contoso.test');
  const theirs = await portal.signIn('user@contoso.test');
  const [open] = await sessionsAt(admin, '/ui/data/users.sessions?userId=20002');
  const asked = { with: { userId: '20002', session: open!.Handle } };
  const ended = await admin.press(ofUser, 'end-session', 'call:users.endSession', asked);
  assert.equal(ended.status, 200, ended.text);
  assert.equal(await isOpen(theirs), false);
  assert.equal((await admin.get(staff('sessions', 'reseller@northwind.test'))).status, 403);
  const rival = await portal.signIn('rival@southridge.test');
  assert.equal((await rival.get(staff('sessions', 'engineer@northwind.test'))).status, 404);
  assert.equal((await rival.get(user('securityLog'))).status, 404);
  const engineer = await portal.signIn('engineer@northwind.test');
  assert.equal((await engineer.get(staff('securityLog', 'reseller@northwind.test'))).status, 403);
});
