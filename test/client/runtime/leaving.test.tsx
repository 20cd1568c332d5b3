import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { Node, ScreenLayout } from '../../../shared/language/types.ts';
import { openPage, screenOf, shown, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const quantity: Node = { type: 'field', propertyName: 'Quantity', kind: 'number', label: 'Quantity' };
const wizard: Node = {
  type: 'steps',
  id: 'order',
  label: 'Steps',
  back: 'Back',
  steps: [
    { id: 'details', title: 'Details', submit: 'Continue' },
    { id: 'check', title: 'Check', submit: 'Order' },
  ],
  on: { step: [{ do: 'command', command: 'order.step' }] },
};
const link: Node = { type: 'link', text: 'Away', to: '/two' };
const signOut: Node = { type: 'button', text: 'Sign out', on: { press: [{ do: 'sign-out' }] } };
const replies = [
  { Result: { step: 'details', children: [quantity], values: { Quantity: 1 } } },
  { Result: { step: 'check', children: [], values: {} } },
  { effects: [{ do: 'navigate', to: '/two' }] },
];

/** A screen with a wizard of two steps. */
async function open(more: Partial<ScreenLayout> = {}) {
  portal = await startPortal([screenOf('one', [wizard, link, signOut], more), screenOf('two', [])]);
  const order = [undefined, 'details', 'check'];
  portal.answers.set('POST /ui/command/order.step', ({ body }) => ({
    body: { Succeed: true, ...replies[order.indexOf(body?.body?.$step as string | undefined)] },
  }));
  portal.answers.set('POST /auth/sign-out', () => ({ body: { Succeed: true } }));
  return openPage(portal, '/one');
}

const press = (name: string) => screen.findByRole('button', { name });

async function typeQuantity(user: Awaited<ReturnType<typeof open>>['user']) {
  await user.type(await screen.findByRole('textbox', { name: /Quantity/ }), '5');
  await user.click(await press('Continue'));
  await press('Order');
}

const leavingAsks = () => {
  const unload = new Event('beforeunload', { cancelable: true });
  dispatchEvent(unload);
  return unload.defaultPrevented;
};

test('past its first step a wizard still holds what was typed: leaving, closing and signing out ask', async () => {
  const { user, left } = await open();
  await typeQuantity(user);
  assert.equal(leavingAsks(), true);
  for (const name of ['Away', 'Sign out']) {
    await user.click(screen.getByText(name));
    assert.ok(await screen.findByRole('alertdialog', { name: 'Leave without saving?' }), name);
    await user.click(await press('Stay'));
  }
  assert.equal(location.pathname, '/one');
  assert.deepEqual(left, []);
  await user.click(await press('Back'));
  assert.equal(((await screen.findByRole('textbox', { name: /Quantity/ })) as HTMLInputElement).value, '15');
  assert.equal(leavingAsks(), true);
});

test('a wizard that is through asks nothing', async () => {
  const { user } = await open();
  await typeQuantity(user);
  await user.click(await press('Order'));
  await shown('The two');
  assert.equal(leavingAsks(), false);
});

test('an expired session keeps what was typed in every step of a wizard', async () => {
  const { user } = await open();
  await typeQuantity(user);
  portal.answers.set('POST /ui/command/order.step', () => ({ status: 401, body: { Succeed: false } }));
  await user.click(await press('Order'));
  await waitFor(() => assert.match(JSON.stringify({ ...sessionStorage }), /Quantity.{1,5}15/));
});

test('a screen that asks before signing out asks once, whether anything was typed or not', async () => {
  const { user, left } = await open({ signOutQuestion: 'What is begun here ends.' });
  await user.click(await press('Sign out'));
  assert.ok(screen.getByText('What is begun here ends.'));
  await user.click(await press('Stay'));
  assert.deepEqual(left, []);
  await typeQuantity(user);
  await user.click(await press('Sign out'));
  await user.click(await press('Leave'));
  await waitFor(() => assert.deepEqual(left, ['/login']));
});
