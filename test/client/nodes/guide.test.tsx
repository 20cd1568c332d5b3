import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { openNodes } from '../shell/open-page.tsx';

afterEach(() => {
  cleanup();
  localStorage.clear();
});

const step = (title: string, name: string) => ({
  title,
  text: 'What to do.',
  done: { path: `data.it.Result.${name}`, is: true },
});
const guide = (data: object) =>
  openNodes(
    [
      {
        type: 'guide',
        id: 'set-up',
        testId: 'set-up',
        title: 'API',
        steps: [step('Make a key', 'A'), step('Call', 'B')],
      },
    ],
    data,
  );

test('a guide says in words how much is done, ticks what the server found, and is open while something is left', async () => {
  guide({ A: true, B: false });
  const toggle = await screen.findByRole('button', { name: 'API', expanded: true });
  assert.equal(screen.getByTestId('set-up-progress').textContent, '1 of 2 steps done');
  assert.ok(screen.getByRole('heading', { name: 'Make a key (Done)' }));
  assert.ok(screen.getByRole('heading', { name: 'Call (To do)' }));
  await userEvent.click(toggle);
  assert.ok(screen.getByRole('button', { name: 'API', expanded: false }));
  assert.equal(screen.queryByRole('heading', { name: 'Call (To do)' }), null);
  cleanup();
  guide({ A: true, B: false });
  assert.ok(await screen.findByRole('button', { name: 'API', expanded: false }), 'it is found as it was left');
});

test('a guide of which all is done is closed, and opens by the keys', async () => {
  guide({ A: true, B: true });
  const toggle = await screen.findByRole('button', { name: 'API', expanded: false });
  assert.equal(screen.getByTestId('set-up-progress').textContent, 'All steps done');
  toggle.focus();
  await userEvent.keyboard('{Enter}');
  assert.ok(screen.getByRole('heading', { name: 'Make a key (Done)' }));
});
