import { sql } from 'kysely';
import type { StartedSandbox } from '../../test/fixtures/sandbox.ts';
import type { Measure } from './report.ts';
import { benchSandbox } from './sandbox.ts';

/** `BENCH_LINES` measures fewer: the index of ten million takes a quarter of an hour. */
const lines = Number(process.env.BENCH_LINES ?? 10_000_000);

const questions: Readonly<Record<string, string>> = {
  'page 1': '',
  'page 400': 'page=400',
  'by me': 'show=ByMe',
  'what failed': 'show=Failed',
  yesterday: 'show=Yesterday',
  'of one person': 'actor=Ewan+Fraser',
  'one action': 'action=Service+deleted',
  'one customer': 'customer=10001',
  'a word of a few lines': 'search=number+7654321',
  'a word of every second line': 'search=ewan',
  'a word of none': 'search=nowhere',
  'what failed, with a word': 'show=Failed&search=ewan',
};

/** Adds lines of the last year, of all customers of a reseller; the index of words is made after them. */
async function addLines({ db }: StartedSandbox): Promise<void> {
  await db.connection().execute(async one => {
    const { rows } = await sql<{ readonly indexdef: string }>`
      select indexdef from pg_indexes where indexname = 'activity_search'`.execute(one);
    await sql`drop index activity_search`.execute(one);
    await sql`
      insert into activity (
        customer_id, reseller_id, account_id, at, actor, actor_type, action, target, detail, before, after)
      select c.ids[1 + n % array_length(c.ids, 1)], 1001, a.ids[1 + n % 2], now() - n * interval '3 seconds',
        (array['Priya Raman', 'Ewan Fraser'])[1 + n % 2], 'reseller',
        (array['Service ordered', 'Service activated', 'Service deleted', 'User created', 'Service activation failed'])[
          1 + (n / 7) % 5],
        'Service number ' || n, '', 'Before', 'After'
      from generate_series(1, ${lines}::int) n,
        (select array_agg(id) as ids from customers where reseller_id = 1001) c,
        (select array_agg(id order by username desc) as ids from accounts
          where username in ('reseller@northwind.test', 'engineer@northwind.test')) a`.execute(one);
    await sql`set maintenance_work_mem = '1GB'`.execute(one);
    await sql.raw(rows[0]!.indexdef).execute(one);
    await sql`analyze activity`.execute(one);
  });
}

/** Measures how fast the sandbox answers for the activity of a reseller with ten million lines. */
export function benchActivity(): Promise<Measure[]> {
  return benchSandbox(
    { seed: 'small', account: 'reseller@northwind.test', limit: 50, prepare: addLines },
    Object.entries(questions).map(([name, query]) => ({
      what: `activity of ${lines.toLocaleString('en')} lines, ${name}`,
      path: `/api/activity?${query}`,
    })),
  );
}
