import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(cleanup);

const stat = (more: object) => ({
  ...{
    type: 'stat' as const,
    label: 'Users',
    testId: 'users',
    path: 'data.it.Result.Users',
    format: 'number' as const,
  },
  ...more,
});
const earlier = { path: 'data.it.Result.Before', text: 'since March', better: 'more' as const };
const shown = async (more: object, data: object): Promise<string> => {
  openNodes([stat(more)], data);
  const text = (await screen.findByTestId('users')).textContent;
  cleanup();
  return text;
};

test('a figure says by how much it is up or down, by sign and word, and whether that is good', async () => {
  assert.equal(await shown({ earlier }, { Users: 1050, Before: 1000 }), 'Users1,050Up 50 (+5%)(better) since March');
  assert.equal(await shown({ earlier }, { Users: 900, Before: 1000 }), 'Users900Down 100 (−10%)(worse) since March');
  const { better: _, ...plain } = earlier;
  assert.equal(await shown({ earlier: plain }, { Users: 3, Before: 0 }), 'Users3Up 3 since March');
  assert.equal(await shown({ earlier }, { Users: 3, Before: 3 }), 'Users3No change since March');
});

test('less is better where the document says so, and money is exact', async () => {
  const spend = { format: 'currency', earlier: { ...earlier, better: 'less' } };
  const text = await shown(spend, { Users: '0.30', Before: '0.10' });
  assert.equal(text, 'Users£0.30Up £0.20 (+200%)(worse) since March');
});

test('without an earlier value nothing is said of a change, and without a value there is a dash', async () => {
  assert.equal(await shown({ earlier }, { Users: 5 }), 'Users5');
  assert.equal(await shown({ earlier }, { Users: null, Before: 5 }), 'Users–');
});

test('the line has a gap where a figure is missing', async () => {
  const trend = { rows: 'data.it.Result.Months', figure: 'row.Spend' };
  const months = [1, 2, null, 4, 5].map((Spend, index) => ({ Id: index, Spend }));
  const { container } = openNodes([stat({ trend })], { Users: 5, Months: months });
  await screen.findByTestId('users');
  const line = container.querySelector('.spark path')?.getAttribute('d') ?? '';
  assert.equal(line.match(/M/g)?.length, 2, line);
  assert.equal(line.match(/L/g)?.length, 2, line);
});
