import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import type { ButtonNode, FormNode, Layout, LinkNode, PopupLayout } from '../../../shared/language/types.ts';
import { languageVersion } from '../../../shared/language/version.ts';
import { heardOf, openPage, screenOf, shown, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(async () => {
  sessionStorage.clear();
  await portal.close();
});

const newer = { language: languageVersion + 1 };
const form: FormNode = {
  type: 'form',
  id: 'f',
  submit: 'Save',
  children: [{ type: 'field', propertyName: 'Name', kind: 'text', label: 'Name' }],
  on: { submit: [{ do: 'call', operation: 'people.save' }] },
};
const opener: ButtonNode = {
  type: 'button',
  id: 'open',
  text: 'Open',
  on: { press: [{ do: 'open-popup', popup: 'rename' }] },
};
const link: LinkNode = { type: 'link', text: 'To two', to: '/two' };
const popup = (more: Partial<PopupLayout> = {}): PopupLayout => ({
  kind: 'popup',
  id: 'rename',
  title: 'Rename',
  children: [form],
  ...more,
});
const open = async (...layouts: Layout[]) => {
  portal = await startPortal(layouts);
  return openPage(portal, '/one');
};
const name = () => screen.getByLabelText('Name') as HTMLInputElement;

test('a screen in a newer language is not drawn: the one before stays at its address and offers to reload', async () => {
  const { user, left } = await open(screenOf('one', [link]), screenOf('two', [], newer));
  await user.click(screen.getByRole('link', { name: 'To two' }));
  assert.ok(await screen.findByText('This needs the new version'));
  assert.ok(screen.getByRole('heading', { level: 1, name: 'The one' }));
  assert.equal(location.pathname, '/one');
  await user.click(screen.getByRole('button', { name: 'Reload' }));
  assert.deepEqual(left, ['reload']);
});

test('pointing at a link to a screen in a newer language says nothing', async () => {
  const { user } = await open(screenOf('one', [link]), screenOf('two', [], newer));
  await user.hover(screen.getByRole('link', { name: 'To two' }));
  await heardOf(portal, 'GET /ui/screen');
  await new Promise(resolve => setTimeout(resolve, 50));
  assert.equal(screen.queryByText('This needs the new version'), null);
});

test('who puts the reload off is offered it again when it is needed again', async () => {
  const { user } = await open(screenOf('one', [opener]), popup(newer));
  for (let count = 1; count <= 2; count++) {
    await user.click(screen.getByRole('button', { name: 'Open' }));
    await screen.findByText('This needs the new version');
    assert.equal(screen.queryByRole('dialog'), null);
    await user.click(screen.getByRole('button', { name: 'Later' }));
    assert.equal(screen.queryByText('This needs the new version'), null);
  }
});

test('a screen that is drawn works on when its layout and the menu come in a newer language', async () => {
  const { host, user } = await open(screenOf('one', [form, link]), screenOf('two', []));
  await user.type(name(), 'Ada');
  portal.layouts.set('one-2', screenOf('one', [{ type: 'text', text: 'New here' }], newer));
  portal.boot = {
    ...portal.boot,
    routes: portal.boot.routes.map(([pattern, id, hash]) => [pattern, id, id === 'one' ? 'one-2' : hash] as const),
    navigation: { kind: 'navigation', id: 'navigation', productName: 'New', landing: [], menu: [], ...newer } as never,
  };
  await host.portal.host.readBoot();
  assert.ok(await screen.findByText('A new version is ready'));
  assert.equal(host.portal.navigation.get(), undefined);
  assert.equal(name().value, 'Ada');
  portal.answers.set('POST /ui/call/people.save', () => ({ body: { Succeed: true } }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await heardOf(portal, 'POST /ui/call/people.save');
  await user.click(screen.getByRole('link', { name: 'To two' }));
  await shown('The two');
});

test('a screen that was drawn before is drawn again from what the page has', async () => {
  const { user } = await open(screenOf('one', [link]), screenOf('two', [{ type: 'link', text: 'To one', to: '/one' }]));
  await user.click(screen.getByRole('link', { name: 'To two' }));
  await shown('The two');
  portal.answers.set('GET /ui/screen?path=%2Fone', () => ({
    body: { hash: 'one-2', route: {}, data: {}, layout: screenOf('one', [{ type: 'text', text: 'New here' }], newer) },
  }));
  await user.click(screen.getByRole('link', { name: 'To one' }));
  await shown('The one');
  assert.ok(await screen.findByText('This needs the new version'));
  assert.ok(screen.getByRole('link', { name: 'To two' }));
});

test('a press that a newer layout answers keeps the form, and the offer stands over an open popup', async () => {
  const { user, left } = await open(screenOf('one', [opener]), popup());
  await user.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(name(), 'Ada');
  portal.answers.set('POST /ui/call/people.save', () => ({
    status: 409,
    body: { Succeed: false, Resources: { hash: 'rename-2', layout: popup({ title: 'Newer', ...newer }) } },
  }));
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  assert.ok(await within(dialog).findByText('This needs the new version'));
  assert.ok(screen.getByRole('dialog', { name: 'Rename' }));
  await user.click(within(dialog).getByRole('button', { name: 'Reload' }));
  assert.deepEqual(left, ['reload']);
  await openPage(portal, '/one');
  await screen.findByRole('dialog', { name: 'Rename' });
  await waitFor(() => assert.equal(name().value, 'Ada'));
});

test('a reload keeps nothing of a page before the sign-in, and leaves what is kept for its user', async () => {
  portal = await startPortal([screenOf('one', [form])]);
  const { principal } = portal.boot;
  const signedIn = await openPage(portal, '/one');
  await signedIn.user.type(name(), 'Ada');
  signedIn.host.portal.host.reload();
  portal.boot = { ...portal.boot, principal: { ...principal, type: 'public', userId: '', identity: '' } };
  const stranger = await openPage(portal, '/one');
  await stranger.user.type(name(), 'Bob');
  stranger.host.portal.host.reload();
  portal.boot = { ...portal.boot, principal };
  await openPage(portal, '/one');
  assert.equal(name().value, 'Ada');
});

test('a page before the sign-in offers to reload and does not promise to keep what is typed', async () => {
  portal = await startPortal([screenOf('one', [link]), screenOf('two', [], newer)]);
  portal.boot = { ...portal.boot, principal: { ...portal.boot.principal, type: 'public', userId: '', identity: '' } };
  const { user } = await openPage(portal, '/one');
  await user.click(screen.getByRole('link', { name: 'To two' }));
  assert.ok(await screen.findByText('A new version is ready'));
});
