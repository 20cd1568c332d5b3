import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Containment } from '../contain.ts';
import { every, type Repeated } from '../every.ts';
import { runDuePhase } from '../jobs/run.ts';
import { placeNextOfBulk } from '../orders/bulk.ts';
import type { Database, Write } from '../tables.ts';
import { advanceVoiceOrders } from '../voice/place.ts';

export type Ticker = Repeated & {
  /** Places every order of a bulk that waits, and does every phase that is due. */
  tickOnce(): Promise<void>;
};

/**
 * Starts the timer of work that goes on by itself: phases of jobs that are due, and the next orders of bulk orders.
 * @param milliseconds between two ticks; 0: only `tickOnce` ticks
 * @param pause milliseconds between two phases of a job
 */
export function startTicker(
  db: Database,
  milliseconds: number,
  pause: number,
  now: () => Date,
  onError: (error: unknown) => void,
  contain: (whose: string) => Containment,
): Ticker {
  const [jobs, bulks] = [contain('jobId'), contain('bulkId')];

  async function tickOnce(): Promise<void> {
    // What is due goes first: a long bulk holds nobody else's change up.
    do {
      while (await inTurn(db, trx => runDuePhase(trx, now(), pause, jobs)));
    } while (await inTurn(db, trx => placeNextOfBulk(trx, now(), bulks)));
    await advanceVoiceOrders(db, now(), pause);
  }

  return { tickOnce, ...every(milliseconds, tickOnce, onError) };
}

/** One transaction; whoever has asked something meanwhile is heard before the next one. */
async function inTurn<T>(db: Database, work: (trx: Write) => Promise<T>): Promise<T> {
  const done = await db.transaction().execute(work);
  await nextTurn();
  return done;
}
