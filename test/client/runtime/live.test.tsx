import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor, within } from '@testing-library/react';
import { Server } from 'socket.io';
import { listenForKeys } from '../../../client/runtime/page/shortcut.ts';
import { listenToServer } from '../../../client/runtime/page/socket.ts';
import { socketPath } from '../../../shared/contract/realtime.ts';
import type { ButtonNode, FormNode, Layout, PopupLayout, ScreenLayout } from '../../../shared/language/types.ts';
import { nextEvent } from '../../fixtures/wait.ts';
import { heardOf, openPage, screenOf, shown, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const form = (label: string): FormNode => ({
  type: 'form',
  id: 'f',
  submit: 'Save',
  children: [{ type: 'field', propertyName: 'Name', kind: 'text', label }],
  on: { submit: [] },
});
const opener = (popup: string): ButtonNode => ({
  type: 'button',
  id: 'open',
  text: 'Open',
  on: { press: [{ do: 'open-popup', popup, with: { name: { value: 'Ada' } } }] },
});
const popup = (more: Partial<PopupLayout> = {}): PopupLayout => ({
  kind: 'popup',
  id: 'rename',
  title: 'Rename {{name}}',
  values: { name: 'popup.name' },
  children: [form('New name')],
  ...more,
});
const open = async (...layouts: Layout[]) => {
  portal = await startPortal(layouts);
  return openPage(portal, '/one');
};

/** Saves a layout anew: it has another hash now. */
function edit(layout: ScreenLayout | PopupLayout, hash: string) {
  portal.layouts.set(hash, layout);
  portal.boot = {
    ...portal.boot,
    routes: portal.boot.routes.map(([pattern, id, old]) => [pattern, id, id === layout.id ? hash : old] as const),
    popups: { ...portal.boot.popups, ...(layout.kind === 'popup' && { [layout.id]: hash }) },
  };
}

test('what is edited while the page reads what was edited before is drawn too', async () => {
  const { host } = await open(screenOf('one', []));
  let answerFirst = () => {};
  portal.answers.set('GET /ui/boot', () => {
    const { boot } = portal;
    portal.answers.delete('GET /ui/boot');
    return new Promise(resolve => {
      answerFirst = () => resolve({ body: boot });
    });
  });
  edit(screenOf('one', [{ type: 'text', text: 'Edited' }]), 'one-2');
  void host.portal.host.readBoot();
  await heardOf(portal, 'GET /ui/boot');
  edit(screenOf('one', [{ type: 'text', text: 'Edited again' }]), 'one-3');
  void host.portal.host.readBoot();
  answerFirst();
  assert.ok(await screen.findByText('Edited again'));
});

test('an edited screen is drawn in place and keeps what was typed and what has the focus', async () => {
  const { host, user } = await open(screenOf('one', [form('Name')]));
  const input = screen.getByLabelText('Name') as HTMLInputElement;
  await user.type(input, 'Ada');
  edit(screenOf('one', [form('Full name'), { type: 'text', text: 'New here' }]), 'one-2');
  await host.portal.host.readBoot();
  assert.ok(await screen.findByText('New here'));
  assert.equal(screen.getByLabelText('Full name'), input);
  assert.equal(input.value, 'Ada');
  assert.ok(document.activeElement === input);
});

test('an open popup is edited in place', async () => {
  const { host, user } = await open(screenOf('one', [opener('rename')]), popup());
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog', { name: 'Rename Ada' });
  await user.type(screen.getByLabelText('New name'), 'Bob');
  edit(popup({ title: 'Another name' }), 'rename-2');
  await host.portal.host.readBoot();
  assert.ok(await screen.findByRole('dialog', { name: 'Another name' }));
  assert.equal((screen.getByLabelText('New name') as HTMLInputElement).value, 'Bob');
});

test('a popup that the caller may no longer have is closed', async () => {
  const { host, user } = await open(screenOf('one', [opener('rename')]), popup());
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog');
  portal.boot = { ...portal.boot, popups: {} };
  await host.portal.host.readBoot();
  await waitFor(() => assert.equal(screen.queryByRole('dialog'), null));
});

test('a screen that the caller may no longer have is asked for again', async () => {
  const { host } = await open(screenOf('one', []), screenOf('home', []));
  portal.boot = { ...portal.boot, routes: portal.boot.routes.filter(([, id]) => id !== 'one') };
  portal.answers.set('GET /ui/screen?path=%2Fone', () => ({ body: { redirect: '/home' } }));
  await host.portal.host.readBoot();
  await shown('The home');
});

for (const route of ['/access-denied/some.mark', '/access-denied'])
  test(`${route} opens the address that it refuses as soon as the caller has its screen, and not before`, () =>
    opensOnceGiven(route));

async function opensOnceGiven(route: string): Promise<void> {
  const address = `${route}?from=%2Fone%3Fpage%3D2`;
  const refusal: ScreenLayout = { ...screenOf('refusal', []), route };
  portal = await startPortal([refusal, screenOf('one', [])]);
  const { routes } = portal.boot;
  portal.boot = { ...portal.boot, routes: routes.filter(([, id]) => id !== 'one') };
  const { host } = await openPage(portal, address);
  await host.portal.host.readBoot();
  await shown('The refusal');
  portal.boot = { ...portal.boot, routes };
  portal.answers.set(`GET /ui/screen?path=${encodeURIComponent(address)}`, () => ({
    body: { redirect: '/one?page=2' },
  }));
  await host.portal.host.readBoot();
  await shown('The one');
}

test('newer code of the server is offered, not forced', async () => {
  const { host, user, left } = await open(screenOf('one', [form('Name')]));
  await user.type(screen.getByLabelText('Name'), 'Ada');
  portal.boot = { ...portal.boot, runtime: 'r2' };
  await host.portal.host.readBoot();
  assert.ok(await screen.findByText('A new version is ready'));
  assert.equal((screen.getByLabelText('Name') as HTMLInputElement).value, 'Ada');
  await user.click(screen.getByRole('button', { name: 'Reload' }));
  assert.deepEqual(left, ['reload']);
});

test('another user in the same session means another page', async () => {
  const { host, left } = await open(screenOf('one', []));
  portal.boot = { ...portal.boot, principal: { ...portal.boot.principal, userId: 'u2', identity: 'u2' } };
  await host.portal.host.readBoot();
  assert.deepEqual(left, ['reload']);
});

test('a popup has its own parameters, closes by Escape and gives the focus back', async () => {
  const { user } = await open(screenOf('one', [opener('rename')]), popup());
  const button = screen.getByRole('button', { name: 'Open' });
  await user.click(button);
  const dialog = await screen.findByRole('dialog', { name: 'Rename Ada' });
  assert.ok(document.activeElement === within(dialog).getByLabelText('New name'));
  await user.keyboard('{Escape}');
  await waitFor(() => assert.equal(screen.queryByRole('dialog'), null));
  assert.ok(document.activeElement === button);
});

test('a popup that must be answered has no way out', async () => {
  const { user } = await open(screenOf('one', [opener('rename')]), popup({ closeable: false }));
  await user.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = await screen.findByRole('dialog');
  assert.equal(within(dialog).queryByRole('button', { name: 'Close' }), null);
  await user.keyboard('{Escape}');
  assert.ok(dialog.isConnected);
});

test('a change of the route closes every popup', async () => {
  const inside: ButtonNode = {
    type: 'button',
    id: 'go',
    text: 'Go on',
    on: { press: [{ do: 'navigate', to: '/two' }] },
  };
  const { user } = await open(screenOf('one', [opener('rename')]), screenOf('two', []), popup({ children: [inside] }));
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await user.click(await screen.findByRole('button', { name: 'Go on' }));
  await shown('The two');
  assert.equal(screen.queryByRole('dialog'), null);
});

test('hints of the server: changed layouts are read, events are heard, the end of the session leads to sign in', async () => {
  const source = { operation: 'it.read', refreshOn: ['it-changed'] };
  const { host, left } = await open(
    screenOf('one', [{ type: 'text', path: 'data.it.Result' }], { data: { it: source } }),
  );
  portal.answers.set('GET /ui/data/it.read', () => ({ body: { Succeed: true, Result: 'Newer' } }));
  const server = new Server(portal.http, { path: socketPath, transports: ['websocket'] });
  const socket = listenToServer(host, () => undefined);
  try {
    await nextEvent(server, 'connection');
    await waitFor(() => assert.equal(socket.connected, true));
    await heardOf(portal, 'GET /ui/data/it.read');
    server.emit('publish', ['it-changed']);
    await heardOf(portal, 'GET /ui/data/it.read', 2);
    server.emit('boot', 'newer');
    await heardOf(portal, 'GET /ui/boot');
    server.emit('session-ended');
    await waitFor(() => assert.deepEqual(left, ['/login?return=%2Fone&notice=session-ended']));
    assert.equal(socket.active, false);
  } finally {
    socket.disconnect();
    await server.close();
  }
});

test('a page that a link leads to has no line to the server, as it may end the session itself; the next page has one', async () => {
  const go: ButtonNode = { type: 'button', id: 'go', text: 'Go on', on: { press: [{ do: 'navigate', to: '/two' }] } };
  const { host, user } = await open(screenOf('one', [go], { shell: 'gate' }), screenOf('two', []));
  const server = new Server(portal.http, { path: socketPath, transports: ['websocket'] });
  const socket = listenToServer(host, () => undefined);
  try {
    assert.equal(socket.active, false);
    await user.click(await screen.findByRole('button', { name: 'Go on' }));
    await shown('The two');
    await waitFor(() => assert.equal(socket.connected, true));
  } finally {
    socket.disconnect();
    await server.close();
  }
});

test('after the line was down, listening sources are read once more, nothing opens, and the server is told again what the page shows', async () => {
  const source = { operation: 'it.read', refreshOn: ['it-changed'] };
  const { host } = await open(screenOf('one', [{ type: 'text', path: 'data.it.Result' }], { data: { it: source } }));
  portal.first.set('/one', {});
  portal.answers.set('GET /ui/data/it.read', () => ({ body: { Succeed: true, Result: 'Newer' } }));
  const server = new Server(portal.http, { path: socketPath, transports: ['websocket'] });
  const told: unknown[] = [];
  server.on('connection', ({ handshake }) => void told.push(handshake.auth.boot));
  const socket = listenToServer(host, () => undefined);
  socket.io.reconnectionDelay(1);
  let opened = 0;
  const end = listenForKeys(host.portal, async () => ({
    openPalette: () => void opened++,
    pressLetter: () => undefined,
  }));
  try {
    await waitFor(() => assert.equal(socket.connected, true));
    await heardOf(portal, 'GET /ui/data/it.read');
    for (const { conn } of server.sockets.sockets.values()) conn.close();
    await heardOf(portal, 'GET /ui/data/it.read', 2);
    assert.deepEqual(told, ['h1', 'h1']);
    assert.equal(opened, 0);
  } finally {
    end();
    socket.disconnect();
    await server.close();
  }
});
