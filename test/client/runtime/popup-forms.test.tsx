import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { FieldNode, FormNode, PopupLayout } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(async () => {
  sessionStorage.clear();
  await portal.close();
});

const field = (propertyName: string, kind: FieldNode['kind'] = 'text'): FieldNode => ({
  type: 'field',
  propertyName,
  kind,
  label: propertyName,
});
const form: FormNode = {
  type: 'form',
  id: 'f',
  submit: 'Save',
  children: [field('Name'), field('Code', 'one-time-code')],
  on: { submit: [{ do: 'call', operation: 'people.save' }] },
};
const popup: PopupLayout = {
  kind: 'popup',
  id: 'edit',
  title: 'Edit',
  children: [{ type: 'text', path: 'popup.who' }, form],
};
const opener = {
  type: 'button' as const,
  text: 'Open',
  on: { press: [{ do: 'open-popup' as const, popup: 'edit', with: { who: { value: 'Number 7' } } }] },
};
const dialog = () => screen.queryByRole('dialog', { name: 'Edit' });

/** Opens the popup and types into it. */
async function type(text: string) {
  portal = await startPortal([screenOf('one', [opener]), screenOf('two', []), popup]);
  const page = await openPage(portal, '/one');
  await page.user.click(screen.getByRole('button', { name: 'Open' }));
  const input = await screen.findByLabelText('Name');
  if (text) await page.user.type(input, text);
  return page;
}

test('Back asks before what was typed into a popup is lost', async () => {
  const { user, host } = await type('');
  await user.keyboard('{Escape}');
  await host.portal.host.navigate('/two');
  await host.portal.host.navigate('/one');
  await user.click(await screen.findByRole('button', { name: 'Open' }));
  await user.type(await screen.findByLabelText('Name'), 'Ada');
  history.back();
  await user.click(await screen.findByRole('button', { name: 'Stay' }));
  await waitFor(() => assert.equal(location.pathname, '/one'));
  assert.equal((screen.getByLabelText('Name') as HTMLInputElement).value, 'Ada');
});

test('a popup that was typed into is open again after signing in anew, without its codes', async () => {
  const { user, left } = await type('Ada');
  await user.type(screen.getByLabelText('Code'), '123456');
  portal.answers.set('POST /ui/call/people.save', () => ({ status: 401, body: { Succeed: false } }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => assert.equal(left.length, 1));
  assert.equal(JSON.stringify(sessionStorage).includes('123456'), false);
  await openPage(portal, '/one');
  assert.equal(((await screen.findByLabelText('Name')) as HTMLInputElement).value, 'Ada');
  assert.equal((screen.getByLabelText('Code') as HTMLInputElement).value, '');
  assert.ok(screen.getByText('Number 7'));
});

for (const [way, leave] of [
  ['Escape', 'keyboard'],
  ['Close', 'click'],
] as const) {
  test(`${way} asks before what was typed into a popup is lost`, async () => {
    const { user } = await type('Ada');
    const close = () =>
      leave === 'click' ? user.click(screen.getByRole('button', { name: 'Close' })) : user.keyboard('{Escape}');
    await close();
    await user.click(await screen.findByRole('button', { name: 'Stay' }));
    assert.ok(dialog());
    await close();
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
    await waitFor(() => assert.ok(dialog() === null));
  });
}

test('a popup in which nothing has changed closes at once', async () => {
  const { user } = await type('');
  await user.keyboard('{Escape}');
  await waitFor(() => assert.ok(dialog() === null));
});

test('what the server said of a field goes as the form is sent again', async () => {
  let answer: (said: { body: unknown }) => void = () => {};
  const { user } = await type('Ada');
  const refused = { Succeed: false, Errors: { Name: ['Taken already'] } };
  portal.answers.set('POST /ui/call/people.save', () => ({ status: 422, body: refused }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  assert.ok(await screen.findByText('Taken already'));
  portal.answers.set('POST /ui/call/people.save', () => new Promise(resolve => (answer = resolve)));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => assert.equal(screen.queryByText('Taken already'), null));
  answer({ body: { Succeed: true } });
});
