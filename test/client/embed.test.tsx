import '../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, waitForElementToBeRemoved } from '@testing-library/react';
import type { Node, PopupLayout } from '../../shared/language/types.ts';
import { mount } from './mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => page.unmount());

const rename: PopupLayout = {
  kind: 'popup',
  id: 'rename',
  title: 'Rename {{name}}',
  values: { name: 'popup.name' },
  data: { one: { operation: 'people.read' } },
  children: [
    {
      type: 'form',
      id: 'person',
      initial: 'data.one.Result',
      submit: 'Save',
      on: { submit: [{ do: 'call', operation: 'people.save' }, { do: 'close-popup' }] },
      children: [{ type: 'field', propertyName: 'Name', kind: 'text', label: 'Name' }],
    },
  ],
};
const opener = (popup: string): Node => ({
  type: 'button',
  id: 'open',
  text: 'Rename',
  on: { press: [{ do: 'open-popup', popup, with: { name: { value: 'Ada' } } }] },
});
const data = { one: { Succeed: true, Result: { Name: 'Ada' } } };
const press = (name: string) => page.user.click(screen.getByRole('button', { name }));

test('an embedded layout opens its popups over the same replies and sends what is typed there', async () => {
  page = await mount([opener('rename')], { data, popups: { rename } });
  await press('Rename');
  const dialog = await screen.findByRole('dialog', { name: 'Rename Ada' });
  const input = screen.getByLabelText('Name') as HTMLInputElement;
  assert.equal(input.value, 'Ada');
  assert.ok(document.activeElement === input);
  assert.equal(input.hasAttribute('autofocus'), false);
  await page.user.type(input, ' L');
  await page.user.click(screen.getByRole('button', { name: 'Save' }));
  if (dialog.isConnected) await waitForElementToBeRemoved(dialog);
  assert.deepEqual(page.calls, [{ operation: 'people.save', with: {}, body: { Name: 'Ada L' } }]);
  assert.ok(document.activeElement === screen.getByRole('button', { name: 'Rename' }));
});

test('a popup that an embedded layout was not given stays closed', async () => {
  page = await mount([opener('other')], { data, popups: { rename } });
  await press('Rename');
  assert.equal(screen.queryByRole('dialog'), null);
});
