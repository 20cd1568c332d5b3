import '../../dom.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act, screen } from '@testing-library/react';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import { hostedPageElement } from '../../../shared/contract/hosted-page.ts';
import type { HostedPageNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

const node: HostedPageNode = { type: 'hosted-page', id: 'provider', testId: 'provider', label: 'Card', over: 'Over' };

test('an answer of the provider that did not arrive is sent again by a button, as it was', async t => {
  // A page without a portal has no ticket in its address.
  const opened = { src: 'https://provider.test/form', nonce: 'n1', key: 'k1' };
  const inline = document.createElement('script');
  inline.type = 'application/json';
  inline.id = hostedPageElement;
  inline.textContent = JSON.stringify(opened);
  document.body.append(inline);
  t.after(() => inline.remove());
  const failed: Envelope = { Succeed: false, Errors: { '': ['The portal cannot be reached.'] } };
  const page = await mount([node], { replies: [failed, { Succeed: true }] });
  t.after(() => page.unmount());
  const source = screen.getByTestId<HTMLIFrameElement>('provider-frame').contentWindow;
  const data = { nonce: 'n1', kind: 'answer', fields: { Token: 'card-1' } };
  const say = () => Object.assign(new Event('message'), { source, origin: 'https://provider.test', data });
  await act(async () => void window.dispatchEvent(say()));
  await page.user.click(await screen.findByRole('button', { name: 'Try again' }));
  assert.equal(page.calls.length, 2);
  assert.deepEqual(page.calls[1], page.calls[0]);
  assert.equal(screen.queryByRole('button', { name: 'Try again' }), null);
});
