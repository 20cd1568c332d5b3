import { findPostgres, freshDatabase, startPostgres } from '../../test/fixtures/postgres.ts';
import { type StartedSandbox, startSandbox } from '../../test/fixtures/sandbox.ts';
import { type Measure, median } from './report.ts';

/** `as`: who asks, where that is somebody else. */
type Question = { readonly what: string; readonly path: string; readonly as?: string };

/**
 * Starts a sandbox of its own on PostgreSQL, signs in as `account` and measures how long it takes to answer each
 * request.
 * @param limit milliseconds
 */
export async function benchSandbox(
  {
    seed,
    account,
    limit,
    prepare,
  }: {
    readonly seed: 'small' | 'large';
    readonly account: string;
    readonly limit: number;
    readonly prepare?: (sandbox: StartedSandbox) => Promise<void>;
  },
  questions: readonly Question[],
): Promise<Measure[]> {
  const folder = findPostgres();
  if (!folder) throw new Error('initdb and pg_ctl of PostgreSQL were not found on this machine.');
  const postgres = await startPostgres(folder);
  const database = await freshDatabase(postgres.url);
  const sandbox = await startSandbox({ storage: { databaseUrl: database.url }, seed });
  try {
    await prepare?.(sandbox);
    const measures: Measure[] = [];
    const tokens = new Map<string, string>();
    for (const { what, path, as = account } of questions) {
      const token = tokens.get(as) ?? (await sandbox.signIn(as));
      tokens.set(as, token);
      const times: number[] = [];
      for (let run = 0; run < 9; run++) {
        const from = performance.now();
        const reply = await sandbox.call(token, 'GET', path);
        times.push(performance.now() - from);
        if (reply.status !== 200) throw new Error(`${path} was answered ${reply.status}.`);
      }
      measures.push({ what, measured: median(times), limit, unit: 'ms' });
    }
    return measures;
  } finally {
    await sandbox.close();
    postgres.stop();
  }
}
