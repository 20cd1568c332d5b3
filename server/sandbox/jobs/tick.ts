import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Running } from '../area.ts';
import type { Work } from '../every.ts';
import { placeNextOfBulk } from '../orders/bulk.ts';
import type { Database, Write } from '../tables.ts';
import { advanceVoiceOrders } from '../voice/place.ts';
import { runDuePhase } from './run.ts';

/** Places every order of a bulk that waits, and does every phase of a job that is due. */
export function createJobsTick({ db, now, phaseMilliseconds: pause, contain }: Running): Work {
  const [jobs, bulks] = [contain('jobId'), contain('bulkId')];
  return {
    async run() {
      // What is due goes first: a long bulk holds nobody else's change up.
      do {
        while (await inTurn(db, trx => runDuePhase(trx, now(), pause, jobs)));
      } while (await inTurn(db, trx => placeNextOfBulk(trx, now(), bulks)));
      await advanceVoiceOrders(db, now(), pause);
    },
  };
}

/** One transaction; whoever has asked something meanwhile is heard before the next one. */
async function inTurn<T>(db: Database, work: (trx: Write) => Promise<T>): Promise<T> {
  const done = await db.transaction().execute(work);
  await nextTurn();
  return done;
}
