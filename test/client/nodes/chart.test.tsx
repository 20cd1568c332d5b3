import '../../dom.ts';
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import { act, cleanup, screen, within } from '@testing-library/react';
import '../../../client/nodes/chart/drawing.tsx';
import { openNodes } from '../shell/open-page.tsx';

afterEach(() => {
  cleanup();
  mock.timers.reset();
});

// JSDOM lays nothing out.
HTMLElement.prototype.getBoundingClientRect = function measure() {
  return this.classList.contains('recharts-responsive-container') ? new DOMRect(0, 0, 640, 288) : new DOMRect();
};

const chart = {
  type: 'chart' as const,
  look: 'bars' as const,
  label: 'Spend per day',
  rows: 'data.it.Result.Values',
  titlePath: 'row.Symbol',
  figure: 'row.Values',
  labels: 'data.it.Result.Label',
  labelFormat: 'date' as const,
  format: 'currency' as const,
  table: 'usage',
  empty: { title: 'No usage', text: 'Try a longer period.' },
};
const Label = ['2026-03-01', '2026-03-02'];
const reply = (Values: unknown) => ({ Label, Values });
const two = reply([
  { Symbol: 'rg-web', Values: [10, 20.5] },
  { Symbol: 'rg-data', Values: [7.5, 2] },
]);
const legend = () =>
  within(screen.getByRole('list', { name: 'Spend per day' }))
    .getAllByRole('listitem')
    .map(item => item.textContent);

test('each series has its sum and share in the legend, and bars of its own pattern', async () => {
  const { container } = openNodes([chart], two);
  assert.deepEqual(legend(), ['rg-web£30.5076%', 'rg-data£9.5024%']);
  assert.ok(await screen.findByText('01/03/2026'));
  const plot = screen.getByRole('img', { name: 'Spend per day' });
  const fills = [...plot.querySelectorAll('.recharts-bar-rectangle path')].map(bar => bar.getAttribute('fill'));
  assert.deepEqual([fills.length, new Set(fills).size], [4, 2]);
  for (const fill of fills) assert.ok(container.querySelector(`pattern[id="${fill?.slice(5, -1)}"]`), String(fill));
});

test('lines differ in dash and in the shape of their points', async () => {
  openNodes([{ ...chart, look: 'lines' }], two);
  await screen.findByText('01/03/2026');
  const plot = screen.getByRole('img', { name: 'Spend per day' });
  const dashes = [...plot.querySelectorAll('.recharts-line-curve')].map(line => line.getAttribute('stroke-dasharray'));
  const shapes = [...plot.querySelectorAll('.recharts-line-dots path')].map(dot => dot.getAttribute('d'));
  assert.deepEqual([dashes.length, new Set(dashes).size], [2, 2]);
  assert.deepEqual([shapes.length, new Set(shapes).size], [4, 2]);
});

test('without labels the rows are the points of one series, which needs no legend and is not added up', async () => {
  const { labels: _, ...points } = chart;
  openNodes(
    [{ ...points, rows: 'data.it.Result', titlePath: 'row.Month', labelFormat: 'month', figure: 'row.Spend' }],
    [
      { Month: '2026-02-01', Spend: 12 },
      { Month: '2026-03-01', Spend: 30 },
    ],
  );
  assert.ok(await screen.findByText('Mar 2026'));
  assert.equal(screen.queryByRole('list', { name: 'Spend per day' }), null);
  assert.equal(screen.queryByText('£42.00'), null);
});

test('what is no number counts for nothing', () => {
  openNodes(
    [chart],
    reply([{ Symbol: 'a', Values: [1, null, 5] }, { Values: 'x' }, { Symbol: 'c', Values: ['many', 2] }]),
  );
  assert.deepEqual(legend(), ['a£1.0033%', '£0.000%', 'c£2.0067%']);
});

test('areas are stacked, each of its own pattern, and a day without figures is a gap that is told', async () => {
  openNodes([{ ...chart, look: 'areas', testId: 'cost' }], {
    Label: [...Label, '2026-03-03', '2026-03-04', '2026-03-05'],
    Values: [
      { Symbol: 'Compute', Values: [1, 2, null, 0, 3] },
      { Symbol: 'Storage', Values: [1, 1, null, 0, 1] },
    ],
  });
  await screen.findByText('01/03/2026');
  const areas = [...screen.getByRole('img', { name: 'Spend per day' }).querySelectorAll('.recharts-area-area')];
  const fills = areas.map(area => area.getAttribute('fill'));
  assert.deepEqual([fills.length, new Set(fills).size], [2, 2]);
  // Each is drawn in two pieces.
  assert.deepEqual(
    areas.map(area => area.getAttribute('d')?.match(/Z/g)?.length),
    [2, 2],
  );
  assert.equal(screen.getByTestId('cost-gaps').textContent, 'No figures: 03/03/2026');
  assert.deepEqual(legend(), ['Compute£6.0067%', 'Storage£3.0033%']);
});

test('without figures the chart says so', () => {
  openNodes([chart], reply([]));
  assert.ok(screen.getByRole('heading', { name: 'No usage' }));
  assert.equal(screen.queryByRole('img'), null);
});

test('a chart that could not be read offers to try again', () => {
  const { portal } = openNodes([{ ...chart, rows: 'data.slow.Result' }]);
  const status = (loading: boolean, failed?: string) =>
    act(() => portal.screen.get()?.document.status.set({ slow: { loading, failed } }));
  status(false, 'The cloud did not answer.');
  assert.ok(screen.getByText('The cloud did not answer.'));
  assert.ok(screen.getByRole('button', { name: 'Try again' }));
});

test('a chart that has been loading for a while has a bone, and old figures stay while new ones load', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  const { portal, container } = openNodes([{ ...chart, rows: 'data.slow.Result' }]);
  act(() => portal.screen.get()?.document.status.set({ slow: { loading: true, failed: undefined } }));
  assert.equal(container.querySelector('.bone'), null);
  act(() => mock.timers.tick(400));
  assert.ok(container.querySelector('.bone'));
});
