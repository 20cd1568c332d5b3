import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, screen, waitFor } from '@testing-library/react';
import type { FieldNode, LinkNode } from '../../../shared/language/types.ts';
import { heardOf, openPage, screenOf, shown, startPortal, type TestPortal } from '../open-page.tsx';

const link = (to: string): LinkNode => ({ type: 'link', text: `To ${to}`, to });
let portal: TestPortal;
afterEach(() => portal.close());

const open = async (...screens: Parameters<typeof startPortal>[0]) => {
  portal = await startPortal(screens);
  return openPage(portal, '/one');
};

test('the page is named after its screen and its product', async () => {
  await open(screenOf('one', []));
  await waitFor(() => assert.equal(document.title, 'The one · Fernhill Cloud'));
  assert.equal(portal.heard.length, 0);
});

test('a link opens a screen with one request, moves the focus to its heading and keeps the browser on the page', async () => {
  const { user, left } = await open(screenOf('one', [link('/two')]), screenOf('two', []));
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  const heading = await shown('The two');
  assert.ok(document.activeElement === heading);
  assert.equal(location.pathname, '/two');
  assert.equal(document.title, 'The two · Fernhill Cloud');
  assert.deepEqual(
    portal.heard.map(({ url }) => url),
    ['/ui/screen?path=%2Ftwo'],
  );
  assert.deepEqual(left, []);
});

test('the old screen stays, at its own address, until the new one is there', async () => {
  const { user } = await open(screenOf('one', [link('/two')]), screenOf('two', []));
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  portal.answers.set('GET /ui/screen', async () => {
    await held;
    return { body: { hash: 'two', route: {}, data: {}, layout: portal.layouts.get('two') } };
  });
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  await heardOf(portal, 'GET /ui/screen');
  assert.ok(screen.getByRole('heading', { name: 'The one' }));
  assert.equal(location.pathname, '/one');
  release();
  await shown('The two');
  assert.equal(location.pathname, '/two');
});

test('a screen whose layout is here already is shown at once and asks only for what changed', async () => {
  const { user } = await open(screenOf('one', [link('/two')]), screenOf('two', [link('/one')]));
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  await shown('The two');
  portal.answers.set('GET /ui/screen', () => new Promise(() => {}));
  await user.click(screen.getByRole('link', { name: 'To /one' }));
  assert.ok(screen.getByRole('heading', { name: 'The one' }));
  const [, again] = await heardOf(portal, 'GET /ui/screen', 2);
  assert.equal(again?.url, '/ui/screen?path=%2Fone&have=one');
});

test('pointing at a link loads its screen; following it asks no more', async () => {
  const { user } = await open(screenOf('one', [link('/two')]), screenOf('two', []));
  await user.hover(screen.getByRole('link', { name: 'To /two' }));
  await heardOf(portal, 'GET /ui/screen');
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  await shown('The two');
  assert.equal(portal.heard.length, 1);
});

test('a redirect of the server is followed and takes the place of the address', async () => {
  const { user } = await open(screenOf('one', [link('/two')]), screenOf('two', []), screenOf('three', []));
  portal.answers.set('GET /ui/screen?path=%2Ftwo', () => ({ body: { redirect: '/three' } }));
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  await shown('The three');
  assert.equal(location.pathname, '/three');
});

test('Back shows the screen before', async () => {
  const { user } = await open(screenOf('one', [link('/two')]), screenOf('two', []));
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  await shown('The two');
  await act(async () => history.back());
  await shown('The one');
  assert.equal(location.pathname, '/one');
});

test('a screen that cannot be read leaves the old one in place and offers to try again', async () => {
  const { user } = await open(screenOf('one', [link('/two')]), screenOf('two', []));
  portal.answers.set('GET /ui/screen', () => ({ status: 503, body: { Succeed: false, Error: 'Down for a moment' } }));
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  assert.ok(await screen.findByText('Down for a moment'));
  assert.equal(location.pathname, '/one');
  portal.answers.clear();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await shown('The two');
});

test('leaving asks first while a form holds changes', async () => {
  const field: FieldNode = { type: 'field', propertyName: 'Name', kind: 'text', label: 'Name' };
  const form = {
    type: 'form' as const,
    id: 'f',
    submit: 'Save',
    children: [field, { ...field, propertyName: 'Town', label: 'Town' }],
    on: { submit: [] },
  };
  const { user } = await open(screenOf('one', [link('/two'), form]), screenOf('two', []));
  await user.type(screen.getByLabelText('Name'), 'Ada');
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  assert.ok(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }));
  assert.equal(document.activeElement?.textContent, 'Stay');
  await user.click(screen.getByRole('button', { name: 'Stay' }));
  assert.equal((screen.getByLabelText('Name') as HTMLInputElement).value, 'Ada');
  assert.equal(location.pathname, '/one');
  const unload = new Event('beforeunload', { cancelable: true });
  dispatchEvent(unload);
  assert.equal(unload.defaultPrevented, true);
  await user.click(screen.getByRole('link', { name: 'To /two' }));
  await user.click(await screen.findByRole('button', { name: 'Leave' }));
  await shown('The two');
});

test('a click with a modifier is left to the browser', async () => {
  const { user } = await open(screenOf('one', [link('/two')]), screenOf('two', []));
  const anchor = screen.getByRole('link', { name: 'To /two' });
  let isPrevented: boolean | undefined;
  document.addEventListener(
    'click',
    event => {
      isPrevented = event.defaultPrevented;
      event.preventDefault();
    },
    { once: true },
  );
  await user.keyboard('{Control>}');
  await user.click(anchor);
  await user.keyboard('{/Control}');
  assert.equal(isPrevented, false);
  assert.ok(screen.getByRole('heading', { name: 'The one' }));
});
