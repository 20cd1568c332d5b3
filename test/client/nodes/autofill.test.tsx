import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { act, screen, waitFor } from '@testing-library/react';
import type { FormNode, Node } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => {
  mock.timers.reset();
  page.unmount();
});

const signIn: FormNode = {
  type: 'form',
  id: 'sign-in',
  large: true,
  submit: 'Continue',
  children: [
    { type: 'field', propertyName: 'Username', kind: 'text', label: 'Username', mandatory: true },
    { type: 'field', propertyName: 'Password', kind: 'password', label: 'Password', mandatory: true },
    { type: 'text', text: 'Filled', when: { path: 'form.Password', empty: false } } as Node,
  ],
  on: { submit: [{ do: 'call', operation: 'people.save' }] },
};

/** Fills an input as a password manager does: without an event that the page hears. */
function fill(label: string, value: string): void {
  const input = screen.getByLabelText(label) as HTMLInputElement;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
}

test('half a second after it opens, sign-in knows the fields that the browser has filled', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  page = await mount([signIn]);
  fill('Username', 'ada@northwind.test');
  fill('Password', 'filled-in');
  act(() => mock.timers.tick(499));
  assert.equal(screen.queryByText('Filled'), null);
  act(() => mock.timers.tick(1));
  mock.timers.reset();
  assert.ok(await screen.findByText('Filled'));
  assert.equal((screen.getByLabelText('Password') as HTMLInputElement).value, 'filled-in');
});

test('what the browser filled in later is known when the form is sent', async () => {
  page = await mount([signIn]);
  fill('Username', 'ada@northwind.test');
  fill('Password', 'filled-in');
  await page.user.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() =>
    assert.deepEqual(page.calls.at(-1)?.body, { Username: 'ada@northwind.test', Password: 'filled-in' }),
  );
});
