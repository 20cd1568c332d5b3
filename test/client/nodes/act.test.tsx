import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, cleanup, screen } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(cleanup);

const call = [{ do: 'call' as const, operation: 'customers.suspend' }];
const refusal = { status: 400, envelope: { Succeed: false, Messages: ['The customer is already suspended.'] } };
const success = { status: 200, envelope: { Succeed: true } };

test('a button runs its effects and names itself in the call', async () => {
  const { user, sent } = openNodes(
    [{ type: 'button', id: 'suspend', testId: 'suspend', text: 'Suspend', on: { press: call } }],
    undefined,
    { answers: [success] },
  );
  await user.click(screen.getByTestId('suspend'));
  assert.deepEqual(
    sent.map(({ name, node, layout }) => ({ name, node, layout })),
    [{ name: 'customers.suspend', node: 'suspend', layout: 'hash' }],
  );
});

test('a button says its busy word, stays focusable and cannot be pressed twice while its effects run', async () => {
  const { user, sent } = openNodes([
    { type: 'button', id: 'b', text: 'Suspend', busy: 'Suspending', on: { press: call } },
  ]);
  await user.click(screen.getByRole('button', { name: 'Suspend' }));
  const busy = screen.getByRole('button', { name: 'Suspending' });
  assert.equal(busy.getAttribute('aria-busy'), 'true');
  assert.ok(document.activeElement === busy);
  await user.click(busy);
  assert.equal(sent.length, 1);
});

test('what fails is told next to the button and is its description', async () => {
  const { user } = openNodes([{ type: 'button', id: 'b', text: 'Suspend', on: { press: call } }], undefined, {
    answers: [refusal],
  });
  await user.click(screen.getByRole('button', { name: 'Suspend' }));
  const alert = await screen.findByRole('alert');
  assert.equal(alert.textContent, 'The customer is already suspended.');
  assert.equal(screen.getByRole('button', { name: 'Suspend' }).getAttribute('aria-describedby'), alert.id);
});

test('the failure of a button goes with its next press', async () => {
  const { user } = openNodes([{ type: 'button', id: 'b', text: 'Suspend', on: { press: call } }], undefined, {
    answers: [refusal, success],
  });
  const button = screen.getByRole('button', { name: 'Suspend' });
  await user.click(button);
  await screen.findByRole('alert');
  await user.click(button);
  assert.equal(screen.queryByRole('alert'), null);
});

test('a button is off while its condition is met, and only then', () => {
  const button = (name: string, is: string) => ({
    type: 'button' as const,
    text: name,
    disabledWhen: { path: 'data.it.Result.Status', is },
    on: { press: [] },
  });
  openNodes([button('Off', 'Active'), button('On', 'Deleted')], { Status: 'Active' });
  assert.equal(screen.getByRole<HTMLButtonElement>('button', { name: 'Off' }).disabled, true);
  assert.equal(screen.getByRole<HTMLButtonElement>('button', { name: 'On' }).disabled, false);
});

test('a link fills its address, each part encoded by itself', () => {
  openNodes([{ type: 'link', text: 'Open', to: '/customers/{data.it.Result.Name}' }], { Name: 'a/b c' });
  assert.equal(screen.getByRole('link', { name: 'Open' }).getAttribute('href'), '/customers/a%2Fb%20c');
});

test('a link carries along the parameters it keeps, where they are there', async () => {
  const { portal } = openNodes([{ type: 'link', text: 'Edit', to: '/login', keep: ['username', 'return'] }]);
  assert.equal(screen.getByRole('link', { name: 'Edit' }).getAttribute('href'), '/login');
  act(() => portal.route.set({ username: 'priya@fernhill.test', other: 'x' }));
  assert.equal(
    screen.getByRole('link', { name: 'Edit' }).getAttribute('href'),
    '/login?username=priya%40fernhill.test',
  );
});

test('a link whose address has no value for a part is plain text', () => {
  openNodes([{ type: 'link', text: 'Open', to: '/customers/{data.it.Result.Id}' }], {});
  assert.equal(screen.queryByRole('link', { name: 'Open' }), null);
  assert.ok(screen.getByText('Open'));
});

test('a link outside opens a new tab, says so and gives nothing of this page away', () => {
  openNodes([{ type: 'link', text: 'Status page', external: 'https://status.test' }]);
  const link = screen.getByRole('link', { name: 'Status page (opens in a new tab)' });
  assert.equal(link.getAttribute('target'), '_blank');
  assert.equal(link.getAttribute('rel'), 'noopener noreferrer');
});

const items = [
  { id: 'edit', text: 'Edit {{name}}', on: { press: [{ do: 'navigate' as const, to: '/edit' }] } },
  { id: 'restore', text: 'Restore', when: { path: 'data.it.Result.Status', is: 'Deleted' }, on: { press: [] } },
  { id: 'suspend', text: 'Suspend', danger: true, divider: true, on: { press: call } },
];
const menu = { type: 'menu' as const, text: 'More', values: { name: 'data.it.Result.Name' }, items };

test('a menu holds the entries whose condition is met', async () => {
  const { user } = openNodes([menu], { Name: 'Ashdown', Status: 'Active' });
  await user.click(screen.getByRole('button', { name: 'More' }));
  assert.deepEqual(
    screen.getAllByRole('menuitem').map(one => one.textContent),
    ['Edit Ashdown', 'Suspend'],
  );
});

test('an entry of a menu names itself in the call, and its failure is told next to the menu', async () => {
  const { user, sent } = openNodes([menu], {}, { answers: [refusal] });
  const button = screen.getByRole('button', { name: 'More' });
  await user.click(button);
  await user.click(screen.getByRole('menuitem', { name: 'Suspend' }));
  const alert = await screen.findByRole('alert');
  assert.equal(sent[0]?.node, 'suspend');
  assert.equal(button.getAttribute('aria-describedby'), alert.id);
});

test('a menu without entries is not there', () => {
  openNodes([{ ...menu, items: [items[1] as (typeof items)[1]] }], { Status: 'Active' });
  assert.equal(screen.queryByRole('button', { name: 'More' }), null);
});
