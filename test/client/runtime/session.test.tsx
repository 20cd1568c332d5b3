import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { FieldNode, FormNode } from '../../../shared/language/types.ts';
import { heardOf, openPage, screenOf, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(async () => {
  sessionStorage.clear();
  await portal.close();
});

const field = (propertyName: string, more: Partial<FieldNode> = {}): FieldNode => ({
  type: 'field',
  propertyName,
  kind: 'text',
  label: propertyName,
  ...more,
});
const form: FormNode = {
  type: 'form',
  id: 'f',
  submit: 'Save',
  children: [field('Name'), field('Secret', { kind: 'password' })],
  on: { submit: [{ do: 'call', operation: 'people.save' }] },
};
const value = (name: string) => (screen.getByLabelText(name) as HTMLInputElement).value;

async function loseSession() {
  portal = await startPortal([screenOf('one', [form])]);
  portal.answers.set('POST /ui/call/people.save', () => ({
    status: 401,
    body: { Succeed: false, Error: 'Signed out' },
  }));
  const { user, left } = await openPage(portal, '/one?tab=a');
  await user.type(screen.getByLabelText('Name'), 'Ada');
  await user.type(screen.getByLabelText('Secret'), 'hush');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => assert.deepEqual(left, ['/login?return=%2Fone%3Ftab%3Da&notice=session-ended']));
}

test('an expired session leads to sign in and back; what was typed returns, passwords never', async () => {
  await loseSession();
  assert.equal(JSON.stringify(sessionStorage).includes('hush'), false);
  await openPage(portal, '/one?tab=a');
  assert.equal(value('Name'), 'Ada');
  assert.equal(value('Secret'), '');
  await openPage(portal, '/one?tab=a');
  assert.equal(value('Name'), '', 'returned once');
});

test('what one user typed is dropped when another signs in', async () => {
  await loseSession();
  portal.boot = { ...portal.boot, principal: { ...portal.boot.principal, userId: 'u2', identity: 'u2' } };
  await openPage(portal, '/one?tab=a');
  assert.equal(value('Name'), '');
  assert.equal(sessionStorage.length, 0);
});

test('the page of a caller who is signed out keeps what was typed for the one who was', async () => {
  await loseSession();
  const { principal } = portal.boot;
  portal.boot = { ...portal.boot, principal: { ...principal, type: 'public', userId: '', identity: '' } };
  await openPage(portal, '/one');
  portal.boot = { ...portal.boot, principal };
  await openPage(portal, '/one?tab=a');
  assert.equal(value('Name'), 'Ada');
});

test('a read that finds the session gone leads to sign in', async () => {
  portal = await startPortal([
    screenOf('one', [{ type: 'text', path: 'data.it.Result' }], { data: { it: { operation: 'it.read' } } }),
  ]);
  portal.answers.set('GET /ui/data', () => ({ status: 401, body: { Succeed: false } }));
  const { left } = await openPage(portal, '/one');
  await waitFor(() => assert.deepEqual(left, ['/login?return=%2Fone&notice=session-ended']));
});

test('what is being sent may end the session itself: its reply says where to go, not the news of the end', async () => {
  portal = await startPortal([
    screenOf('one', [
      {
        type: 'task',
        id: 'leave',
        on: { open: [{ do: 'command', command: 'links.leave' }] },
        children: [{ type: 'text', text: 'One moment' }],
      },
    ]),
  ]);
  let hearOfEnd: () => void = () => {};
  portal.answers.set('POST /ui/command/links.leave', async () => {
    hearOfEnd();
    await new Promise(resolve => setTimeout(resolve, 50));
    return {
      body: { Succeed: true, Resources: { code: 'SESSION_CHANGED' }, effects: [{ do: 'navigate', to: '/login' }] },
    };
  });
  const page = openPage(portal, '/one');
  hearOfEnd = () => void page.then(({ host }) => host.portal.host.sessionEnded());
  const { left } = await page;
  await waitFor(() => assert.deepEqual(left, ['/login']));
});

test('signing out forgets what was kept and leads to sign in', async () => {
  await loseSession();
  portal.answers.set('POST /auth/sign-out', () => ({ body: { Succeed: true } }));
  const { host, left } = await openPage(portal, '/one');
  await host.portal.host.signOut();
  assert.equal(sessionStorage.length, 0);
  assert.deepEqual(left, ['/login']);
  const [request] = await heardOf(portal, 'POST /auth/sign-out');
  assert.equal(request?.headers['x-portal'], '1');
});

test('a stage of signing in goes to /auth, and a changed session loads a page of its own', async () => {
  const signIn: FormNode = {
    ...form,
    on: { submit: [{ do: 'command', command: 'auth.sign-in', with: { return: 'route.return' } }] },
  };
  portal = await startPortal([screenOf('sign-in', [signIn])]);
  portal.boot = { ...portal.boot, principal: { ...portal.boot.principal, type: 'public', userId: '', identity: '' } };
  portal.answers.set('POST /auth/sign-in', () => ({
    body: {
      Succeed: true,
      Resources: { code: 'SESSION_CHANGED' },
      effects: [{ do: 'navigate', to: '/customers', replace: true }],
    },
  }));
  const { user, left } = await openPage(portal, '/sign-in?return=%2Fone');
  await user.type(screen.getByLabelText('Name'), 'ada');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => assert.deepEqual(left, ['/customers']));
  const [request] = await heardOf(portal, 'POST /auth/sign-in');
  assert.deepEqual(request?.body, { node: 'f', layout: 'sign-in', with: { return: '/one' }, body: { Name: 'ada' } });
});

test('a refused sign-in shows its message and counts as a failure, it ends no session', async () => {
  const robot = field('Robot', { kind: 'checkbox', when: { path: 'form.$failures', atLeast: 1 } });
  portal = await startPortal([screenOf('sign-in', [{ ...form, children: [field('Name'), robot] }])]);
  portal.boot = { ...portal.boot, principal: { ...portal.boot.principal, type: 'public', userId: '', identity: '' } };
  portal.answers.set('POST /ui/call/people.save', () => ({
    status: 401,
    body: { Succeed: false, Error: 'Wrong password' },
  }));
  const { user, left } = await openPage(portal, '/sign-in');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  assert.equal((await screen.findByRole('alert')).textContent, 'Wrong password');
  assert.ok(screen.getByLabelText('Robot'));
  assert.deepEqual(left, []);
});

test('an answer to somebody else is not shown: the page loads anew as whoever is signed in now', async () => {
  portal = await startPortal([screenOf('one', [form])]);
  const { host, left } = await openPage(portal, '/one');
  portal.answers.set('GET /ui/boot', () => ({ status: 412, body: { Succeed: false } }));
  void host.portal.host.readBoot();
  await waitFor(() => assert.deepEqual(left, ['reload']));
});
