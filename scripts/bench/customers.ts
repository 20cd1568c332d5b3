import { findPostgres, freshDatabase, startPostgres } from '../../test/fixtures/postgres.ts';
import { startSandbox } from '../../test/fixtures/sandbox.ts';
import { type Measure, median } from './report.ts';

const questions: Readonly<Record<string, string>> = {
  'page 1': 'page=1&pageSize=25&sort=Name',
  'page 1,000': 'page=1000&pageSize=25&sort=Name',
  search: 'page=1&pageSize=25&search=bright',
  sort: 'page=1&pageSize=25&sort=-MonthlySpend',
  'search of one letter': 'page=1&pageSize=25&search=b',
  'search of two letters': 'page=1&pageSize=25&search=br',
  'search with a status': 'page=1&pageSize=25&search=bright&status=Suspended',
};

/** The list of customers of the sandbox's large reseller on PostgreSQL: each question as its server answers it. */
export async function benchCustomers(): Promise<Measure[]> {
  const folder = findPostgres();
  if (!folder) throw new Error('initdb and pg_ctl of PostgreSQL were not found on this machine.');
  const postgres = await startPostgres(folder);
  const database = await freshDatabase(postgres.url);
  const sandbox = await startSandbox({ storage: { databaseUrl: database.url }, seed: 'large' });
  try {
    const token = await sandbox.signIn('large@bigreseller.test');
    const measures: Measure[] = [];
    for (const [name, query] of Object.entries(questions)) {
      const times: number[] = [];
      for (let run = 0; run < 9; run++) {
        const from = performance.now();
        const reply = await sandbox.call(token, 'GET', `/api/customers?${query}`);
        times.push(performance.now() - from);
        if (reply.status !== 200) throw new Error(`The list answered ${reply.status} to ${query}.`);
      }
      measures.push({ what: `customers of the large seed, ${name}`, measured: median(times), limit: 50, unit: 'ms' });
    }
    return measures;
  } finally {
    await sandbox.close();
    postgres.stop();
  }
}
