import type { Measure } from './report.ts';
import { benchSandbox } from './sandbox.ts';

const questions: Readonly<Record<string, string>> = {
  'page 1': 'page=1&pageSize=25&sort=Name',
  'page 1,000': 'page=1000&pageSize=25&sort=Name',
  search: 'page=1&pageSize=25&search=bright',
  sort: 'page=1&pageSize=25&sort=-MonthlySpend',
  'search of one letter': 'page=1&pageSize=25&search=b',
  'search of two letters': 'page=1&pageSize=25&search=br',
  'search with a status': 'page=1&pageSize=25&search=bright&status=Suspended',
};

/** Measures how fast the sandbox answers requests for the customers of its large reseller. */
export function benchCustomers(): Promise<Measure[]> {
  return benchSandbox(
    { seed: 'large', account: 'large@bigreseller.test', limit: 50 },
    Object.entries(questions).map(([name, query]) => ({
      what: `customers of the large seed, ${name}`,
      path: `/api/customers?${query}`,
    })),
  );
}
