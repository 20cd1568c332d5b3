import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(cleanup);

const share = { done: 'data.it.Result.Done', of: 'data.it.Result.All' };
const bar = async (data: object) => {
  openNodes([{ type: 'progress', testId: 'bar', label: 'Orders', share }], data);
  const shown = (await screen.findByRole('progressbar', { name: 'Orders' })) as HTMLProgressElement;
  return [shown.position, shown.getAttribute('aria-valuetext'), screen.getByTestId('bar').textContent];
};

test('a bar says in words how much of how much is done', async () => {
  assert.deepEqual(await bar({ Done: 12, All: 48 }), [0.25, '12 of 48', 'Orders12 of 48']);
});

test('where nobody knows how much there is, work is only under way', async () => {
  for (const data of [{ Done: 1 }, { Done: null, All: 4 }, { Done: 0, All: 0 }]) {
    assert.deepEqual(await bar(data), [-1, 'Under way', 'OrdersUnder way']);
    cleanup();
  }
});
