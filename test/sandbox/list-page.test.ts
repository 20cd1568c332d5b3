import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { integer } from '../../server/sandbox/http/schema.ts';
import { fields } from '../../server/sandbox/resource/fields.ts';
import { listPage } from '../../server/sandbox/resource/list-page.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({});
const values = ['odd', 'even'] as const;

/** Lists the numbers from 1 to 30, odd ones first; a search finds those whose digits contain it. */
const list = (query: { readonly search?: string; readonly kind?: string }, upTo?: number) =>
  listPage(
    sandbox.db,
    { page: 1, pageSize: 2, ...query },
    {
      fields: fields('t', [{ name: 'N', shape: integer }]),
      from: sql`(select n, case n % 2 when 1 then 'odd' else 'even' end as kind from generate_series(1, 30) as g (n)) t`,
      filters: {
        search: (words: string) => sql`t.n::text like ${`%${words}%`}`,
        kind: (kind: string) => sql`t.kind = ${kind}`,
      },
      counts: { filter: 'kind', values, of: sql`t.kind` },
      ...(upTo !== undefined && { upTo }),
      order: sql`t.kind desc, t.n`,
    },
  );

test('a list counts all that it finds, and how many each value of a filter leaves', async () => {
  assert.deepEqual(await list({ search: '1', kind: 'even' }), {
    Items: [{ N: 10 }, { N: 12 }],
    Total: 5,
    TotalIsExact: true,
    Counts: { All: 12, odd: 7, even: 5 },
  });
});

test('a search that finds more than are counted says "at least", a filter that leaves few is counted on', async () => {
  const { Total, TotalIsExact, Counts } = await list({ search: '1' }, 8);
  assert.deepEqual([Total, TotalIsExact], [8, false]);
  assert.ok(Counts!.odd + Counts!.even > 8 && Counts!.odd <= 7 && Counts!.even <= 5, JSON.stringify(Counts));
  const even = await list({ search: '1', kind: 'even' }, 8);
  assert.deepEqual([even.Total, even.TotalIsExact], [5, true]);
});

test('without a search all are counted, however many', async () => {
  const { Total, TotalIsExact, Counts } = await list({}, 8);
  assert.deepEqual([Total, TotalIsExact, Counts], [30, true, { All: 30, odd: 15, even: 15 }]);
});
