import '../../dom.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { screen, waitFor } from '@testing-library/react';
import type { FieldNode, Node } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

const field = (propertyName: string, kind: FieldNode['kind']): FieldNode => ({
  type: 'field',
  propertyName,
  kind,
  label: propertyName,
});

test('what the server says of a value that no field shows is said in words, not to be looked for in the fields', async t => {
  const refusal = {
    Succeed: false,
    Error: 'Please check the highlighted fields.',
    Errors: { Id: ['- Invalid Id.'], Status: ['- Invalid characters in Status.'] },
    Resources: { code: 'FIELDS_INVALID' },
  };
  const press: Node = {
    type: 'button',
    text: 'Mark',
    on: { press: [{ do: 'call', operation: 'people.mark', body: { Id: 'row.Id' } }] },
  };
  const form: Node = {
    type: 'form',
    id: 'person',
    submit: 'Save',
    children: [field('Name', 'text'), field('Id', 'hidden'), field('Status', 'hidden')],
    on: { submit: [{ do: 'call', operation: 'people.save' }] },
  };
  const page = await mount([form, press], { replies: [refusal] });
  t.after(() => page.unmount());
  await page.user.type(screen.getByLabelText('Name'), 'Ada');
  await page.user.click(screen.getByRole('button', { name: 'Save' }));
  const said = '- Invalid Id. - Invalid characters in Status.';
  assert.ok((await screen.findByRole('alert')).textContent?.includes(said));
  assert.equal(screen.queryByText(refusal.Error), null);
  await page.user.click(screen.getByRole('button', { name: 'Mark' }));
  await waitFor(() => assert.equal(screen.getAllByText(said).length, 2));
});
