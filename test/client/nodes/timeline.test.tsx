import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { cleanup, screen, within } from '@testing-library/react';
import { openNodes } from '../shell/open-page.tsx';

afterEach(cleanup);

const timeline = {
  type: 'timeline' as const,
  testId: 'history',
  label: 'What happened',
  rows: 'data.it.Result.Items',
  key: 'Id',
  at: 'row.At',
  titlePath: 'row.What',
  about: 'row.On',
  by: 'row.Who',
  facts: [{ label: 'Before', path: 'row.Before' }],
  status: 'row.End',
  catalogue: [
    { value: 'done', text: 'Done', kind: 'ok', icon: 'check-circle' },
    { value: 'failed', text: 'Failed', kind: 'bad', icon: 'alert' },
  ],
  empty: { title: 'Nothing yet' },
};
const event = (Id: number, At: string, more: object = {}) => ({ Id, At, What: `Event ${Id}`, ...more });

test('events stand in lists by day, each with its time, who, on what and how it ended', async () => {
  const Items = [
    event(1, '2026-03-02T14:05:00Z', { On: 'Mailbox', Who: 'Ada', End: 'failed', Before: 'Old' }),
    event(2, '2026-03-02T09:30:00Z', { End: 'done' }),
    event(3, '2026-03-01T23:00:00Z'),
  ];
  openNodes([timeline], { Items });
  const list = await screen.findByRole('list', { name: 'What happened' });
  assert.deepEqual(
    within(list)
      .getAllByRole('heading', { level: 2 })
      .map(({ textContent }) => textContent),
    ['02/03/2026', '01/03/2026'],
  );
  assert.deepEqual(
    [...list.querySelectorAll('ol')].map(day => [...day.children].map(({ textContent }) => textContent)),
    [['Event 1Mailbox · AdaBeforeOldFailed14:05', 'Event 2Done09:30'], ['Event 323:00']],
  );
  assert.equal(list.querySelector('time')?.getAttribute('datetime'), '2026-03-02T14:05:00Z');
  assert.equal(list.querySelectorAll('.status--bad').length, 1);
});

test('a timeline without events says so', async () => {
  openNodes([timeline], { Items: [] });
  assert.ok(await screen.findByRole('heading', { name: 'Nothing yet' }));
});
