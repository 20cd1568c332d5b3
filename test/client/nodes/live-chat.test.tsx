import '../../dom.ts';
import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { act, screen } from '@testing-library/react';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import { liveChatElement } from '../../../shared/contract/live-chat.ts';
import type { LiveChatNode } from '../../../shared/language/types.ts';
import { mount } from '../mount.ts';

const origin = 'https://chat.test';
const node: LiveChatNode = {
  type: 'live-chat',
  id: 'chat',
  testId: 'chat',
  label: 'Chat with support',
  over: 'This chat is not open any more',
  late: 'The chat does not answer',
  again: 'Open it again',
  on: { again: [{ do: 'command', command: 'site.live-chat' }] },
};

/** Draws the node as the page of a chat that was just opened has it; without `isOpen`, as after a reload. */
async function draw(t: TestContext, { isOpen = true, replies = [] as readonly Envelope[] } = {}) {
  if (isOpen) {
    const inline = document.createElement('script');
    inline.type = 'application/json';
    inline.id = liveChatElement;
    // A page without a portal has no ticket in its address.
    inline.textContent = JSON.stringify({ src: '/live-chat/frame', origin });
    document.body.append(inline);
    t.after(() => inline.remove());
  }
  const page = await mount([node], replies.length > 0 ? { replies } : {});
  t.after(() => page.unmount());
  return page;
}
const frame = () => screen.getByTestId<HTMLIFrameElement>('chat-frame');
/** Says something in the window as the chat would, or somebody who is not the chat. */
async function say(told: {
  readonly source?: unknown;
  readonly origin?: string;
  readonly data?: unknown;
}): Promise<void> {
  const given = { source: frame().contentWindow, origin, data: { kind: 'ready' }, ...told };
  await act(async () => void window.dispatchEvent(Object.assign(new Event('message'), given)));
}
const late = () => screen.queryByTestId('chat-late');
const wait = (milliseconds: number) => act(async () => mock.timers.tick(milliseconds));
function withTimers(t: TestContext): void {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => mock.timers.reset());
}

test('the chat is framed, its host named', async t => {
  await draw(t);
  assert.equal(frame().getAttribute('src'), '/live-chat/frame');
  assert.equal(frame().title, 'Chat with support');
  assert.match(screen.getByTestId('chat').textContent ?? '', /chat\.test/);
});

test('a chat that says nothing for ten seconds is told as late, and no more once it says that it is there', async t => {
  withTimers(t);
  await draw(t);
  await wait(9999);
  assert.equal(late(), null);
  await wait(1);
  assert.match(late()?.textContent ?? '', /does not answer/);
  await say({});
  assert.equal(late(), null);
});

test('a chat that says in time that it is there is not told as late', async t => {
  withTimers(t);
  await draw(t);
  await say({});
  await wait(60_000);
  assert.equal(late(), null);
});

test('nobody but the chat in this very frame says that it is there', async t => {
  withTimers(t);
  await draw(t);
  for (const told of [
    { origin: 'https://evil.test' },
    { source: window },
    { source: null },
    { data: { kind: 'other' } },
    { data: null },
    { data: 'ready' },
  ])
    await say(told);
  await wait(10_000);
  assert.ok(late());
});

test('a chat that is not open here any more is said so, and opened again by a button', async t => {
  const page = await draw(t, { isOpen: false, replies: [{ Succeed: false, Messages: ['Support is busy.'] }] });
  assert.equal(screen.queryByTestId('chat-frame'), null);
  assert.match(screen.getByTestId('chat-over').textContent ?? '', /not open any more/);
  await page.user.click(screen.getByRole('button', { name: 'Open it again' }));
  assert.deepEqual(
    page.calls.map(({ command }) => command),
    ['site.live-chat'],
  );
  assert.match((await screen.findByTestId('chat-failure')).textContent ?? '', /Support is busy/);
});

test('one who does not wait for a late chat opens it again', async t => {
  withTimers(t);
  const page = await draw(t);
  await wait(10_000);
  await act(async () => screen.getByRole('button', { name: 'Open it again' }).click());
  assert.equal(page.calls.length, 1);
});
