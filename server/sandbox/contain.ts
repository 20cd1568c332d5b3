import { inSavepoint } from './savepoint.ts';
import type { Write } from './tables.ts';

/** Milliseconds until failed work is tried again the first time; twice as long after each further failure. */
const firstPause = 5000;
const longestPause = 15 * 60_000;

export type Containment = {
  /** Lists the ids whose work failed and is not to be tried again yet. */
  waiting(): number[];
  /**
   * Does the work of one id. What it throws is reported, and the id waits for a while.
   * @returns false where the work threw, and where the id waits and nothing was done
   */
  run(id: number, work: () => Promise<unknown>): Promise<boolean>;
  /** As `run`, within a transaction, of which all but the work that threw can still be committed. */
  runIn(trx: Write, id: number, work: () => Promise<unknown>): Promise<boolean>;
};

/**
 * Creates a containment for work that belongs to somebody, each by an id (of a reseller, invoice or payment): the
 * failure of one stops none of the others, is reported each time, and is tried again with growing pauses.
 */
export function createContainment(now: () => Date, onFailure: (error: unknown, id: number) => void): Containment {
  const failures = new Map<number, { readonly count: number; readonly until: number }>();
  const waits = (id: number) => (failures.get(id)?.until ?? 0) > now().getTime();
  const run: Containment['run'] = async (id, work) => {
    if (waits(id)) return false;
    try {
      await work();
      failures.delete(id);
      return true;
    } catch (error) {
      const count = (failures.get(id)?.count ?? 0) + 1;
      const pause = Math.min(firstPause * 2 ** (count - 1), longestPause);
      failures.set(id, { count, until: now().getTime() + pause });
      onFailure(error, id);
      return false;
    }
  };
  return {
    run,
    waiting: () => [...failures.keys()].filter(waits),
    runIn: (trx, id, work) => run(id, () => inSavepoint(trx, work, () => false)),
  };
}
