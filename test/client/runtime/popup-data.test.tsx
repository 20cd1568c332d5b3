import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { screen, within } from '@testing-library/react';
import type { PopupLayout } from '../../../shared/language/types.ts';
import { openPage, screenOf, startPortal, type TestPortal } from '../open-page.tsx';

let portal: TestPortal;
afterEach(() => portal.close());

const popup: PopupLayout = {
  kind: 'popup',
  id: 'order',
  title: 'Order {{number}}',
  values: { number: 'data.order.Result.Number' },
  data: { order: { operation: 'order.get' } },
  children: [
    {
      type: 'facts',
      items: [
        { label: 'Made by', path: 'data.order.Result.By' },
        { label: 'Sites', path: 'data.order.Result.Sites', when: { path: 'data.order.Result.Sites', empty: false } },
      ],
    },
  ],
};

test('a popup whose data are on their way shows bones, then its title and its values', async () => {
  const open = {
    type: 'button',
    id: 'open',
    text: 'Open',
    on: { press: [{ do: 'open-popup', popup: 'order' }] },
  } as const;
  portal = await startPortal([screenOf('one', [open]), popup]);
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  portal.answers.set('GET /ui/data/order.get', async () => {
    await held;
    return { body: { Succeed: true, Result: { Number: 'V-7', By: 'Ada', Sites: 2 } } };
  });
  const { user } = await openPage(portal, '/one');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  const dialog = await screen.findByRole('dialog', { name: 'Loading' });
  assert.equal(dialog.textContent?.includes('Order'), false);
  const early = dialog.querySelector('dl');
  // Its labels are not shown before their values have bones, and what goes by the data is not there at all.
  assert.ok(early?.classList.contains('facts--early') || early?.querySelector('dd .bone'));
  assert.equal(screen.queryByText('Sites'), null);
  assert.equal(screen.queryByText('–'), null);
  release();
  assert.ok(await screen.findByRole('dialog', { name: 'Order V-7' }));
  assert.ok(await screen.findByText('Ada'));
  assert.ok(screen.getByText('Sites'));
  assert.equal(dialog.querySelector('.bone'), null);
});

test('a page that names no popups asks for them once, and says so where that fails', async () => {
  const open = (id: string) =>
    ({ type: 'button', id, text: id, on: { press: [{ do: 'open-popup', popup: 'order' }] } }) as const;
  portal = await startPortal([screenOf('one', [open('Open'), open('Again')]), popup]);
  portal.answers.set('GET /ui/data/order.get', () => ({ body: { Succeed: true, Result: { Number: 'V-7' } } }));
  let isDown = true;
  portal.answers.set('GET /ui/popups', () =>
    isDown ? { status: 503, body: { Succeed: false, Messages: ['Not now.'] } } : { body: { order: 'order' } },
  );
  const { user } = await openPage(portal, '/one');
  await user.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByText('Not now.');
  isDown = false;
  for (const name of ['Open', 'Again']) {
    await user.click(screen.getByRole('button', { name }));
    const dialog = await screen.findByRole('dialog', { name: 'Order V-7' });
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  }
  const asked = portal.heard.map(({ url }) => url).filter(url => /popups|order\.get/.test(url));
  assert.deepEqual(
    asked.slice(asked.findIndex(url => url.includes('order.get'))).filter(url => url === '/ui/popups'),
    [],
  );
});
