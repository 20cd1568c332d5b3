import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDurations } from '../../server/routes/request-durations.ts';

test('answers are counted by route and status, in cumulative buckets', () => {
  const durations = createDurations();
  for (const seconds of [0.004, 0.005, 0.2, 60]) durations.observe('GET', '/ui/boot', 200, seconds);
  durations.observe('GET', '/ui/boot', 304, 0.001);
  const lines = durations.write().split('\n');
  const labels = 'method="GET",route="/ui/boot",status="200"';
  for (const line of [
    '# TYPE http_request_duration_seconds histogram',
    `http_request_duration_seconds_bucket{${labels},le="0.005"} 2`,
    `http_request_duration_seconds_bucket{${labels},le="0.1"} 2`,
    `http_request_duration_seconds_bucket{${labels},le="0.25"} 3`,
    `http_request_duration_seconds_bucket{${labels},le="10"} 3`,
    `http_request_duration_seconds_bucket{${labels},le="+Inf"} 4`,
    `http_request_duration_seconds_sum{${labels}} 60.209`,
    `http_request_duration_seconds_count{${labels}} 4`,
    'http_request_duration_seconds_count{method="GET",route="/ui/boot",status="304"} 1',
  ])
    assert.ok(lines.includes(line), line);
});

test('a label cannot end its own quotes', () => {
  const durations = createDurations();
  durations.observe('GET', '/a"b\\c\nd', 200, 1);
  assert.match(durations.write(), /route="\/a\\"b\\\\c\\nd"/);
});
