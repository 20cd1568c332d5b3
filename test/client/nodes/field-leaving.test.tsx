import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, screen } from '@testing-library/react';
import type { FieldNode, FormNode, Node } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

let page: Awaited<ReturnType<typeof mount>>;
afterEach(() => page.unmount());

const name: FieldNode = { type: 'field', propertyName: 'Name', kind: 'text', label: 'Name', mandatory: true };
const open = async (beside: readonly Node[], more: Partial<FormNode> = {}) => {
  page = await mount([
    { type: 'form', id: 'person', submit: 'Save', on: { submit: [] }, children: [name, ...beside], ...more },
  ]);
};
const input = (label: string) => screen.getByLabelText(label) as HTMLInputElement;

test('whoever leaves a field for a link, or for a button that does not send the form, is told nothing of it', async () => {
  const link: Node = { type: 'link', text: 'Away', to: '/away' };
  const button: Node = { type: 'button', text: 'Other', on: { press: [] } };
  await open([link, button], { cancel: 'Cancel', on: { submit: [], cancel: [] } });
  for (const text of ['Away', 'Other', 'Cancel']) {
    act(() => input('Name').focus());
    act(() => screen.getByText(text).closest<HTMLElement>('a, button')?.focus());
    assert.equal(screen.queryByText('Name is required'), null, text);
  }
});

test('what is wrong with a field that a press leaves is said once the press has ended, and the press is not lost', async () => {
  await open([{ type: 'field', propertyName: 'Admin', kind: 'checkbox', label: 'Admin' }]);
  await page.user.click(input('Name'));
  await page.user.pointer({ keys: '[MouseLeft>]', target: input('Admin') });
  assert.equal(document.activeElement, input('Admin'));
  assert.equal(screen.queryByText('Name is required'), null);
  await page.user.pointer('[/MouseLeft]');
  assert.equal(input('Admin').checked, true);
  assert.ok(await screen.findByText('Name is required'));
});
