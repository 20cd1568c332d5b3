import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { act, cleanup, screen } from '@testing-library/react';
import type { Portal } from '../../../client/runtime/state/portal.ts';
import type { Node } from '../../../shared/language/types.ts';
import { openPage } from './open-page.tsx';

afterEach(cleanup);

const news: Node = {
  type: 'alert',
  id: 'news',
  testId: 'news',
  kind: 'info',
  text: '{{title}}',
  values: { title: 'data.news.Result.Title' },
  when: { path: 'data.news.Result.Title', empty: false },
  actions: [{ type: 'button', id: 'close', text: 'Close', on: { press: [] } }],
};
const open = (first?: string) =>
  openPage({
    navigation: { notice: [news] },
    navigationData: first === undefined ? {} : { news: { Succeed: true, Result: { Title: first } } },
  });

/** The cloud says another thing, or nothing any more. */
const say = (portal: Portal, Title?: string) =>
  act(() => portal.navigation.get()!.data.set({ news: { Succeed: true, Result: { Title } } }));
const goOn = (portal: Portal) => act(() => portal.screen.set({ ...portal.screen.get()!, pathname: '/there' }));
const place = () => (screen.getByTestId('news').closest('.notice__late') ? 'over the page' : 'in the strip');

test('a notice that is there when the page opens stands in the strip, and stays when it ends meanwhile', () => {
  const { portal } = open('Hello');
  assert.equal(place(), 'in the strip');
  say(portal);
  assert.equal(screen.getByTestId('news').textContent?.includes('Hello'), true);
  goOn(portal);
  assert.equal(screen.queryByTestId('news'), null);
});

test('what comes while one reads lies over the page, and in the strip of the next screen', () => {
  const { portal } = open();
  assert.equal(screen.queryByTestId('news'), null);
  say(portal, 'Hello');
  assert.equal(place(), 'over the page');
  goOn(portal);
  assert.equal(place(), 'in the strip');
});

test('what a press in the strip brings takes the place of what it ended', async () => {
  const { portal, user } = open('Hello');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  say(portal, 'And then');
  assert.equal(screen.getAllByTestId('news').length, 1);
  assert.equal(place(), 'in the strip');
  assert.match(screen.getByTestId('news').textContent ?? '', /And then/);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  say(portal);
  assert.equal(screen.queryByTestId('news'), null);
});
