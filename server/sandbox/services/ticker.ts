import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../database/connect.ts';
import { every, type Repeated } from '../every.ts';
import type { Write } from '../http/idempotency.ts';
import { runDueStep } from '../jobs/run.ts';
import { placeNextOfBulk } from '../orders/bulk.ts';
import { advanceVoiceOrders } from '../voice/place.ts';

export type Ticker = Repeated & {
  /** Places every order of a bulk that waits, and does every step that is due. */
  tickOnce(): Promise<void>;
};

/**
 * @param milliseconds between two ticks; 0: only `tickOnce` ticks
 * @param pause milliseconds between two steps of a job
 */
export function startTicker(
  db: Database,
  milliseconds: number,
  pause: number,
  now: () => Date,
  onError: (error: unknown) => void,
): Ticker {
  let month = '';

  async function tickOnce(): Promise<void> {
    const current = now().toISOString().slice(0, 7);
    if (current !== month) await closeMonth(db, now());
    month = current;
    // What is due goes first: a long bulk holds nobody else's change up.
    do {
      while (await inTurn(db, trx => runDueStep(trx, now(), pause)));
    } while (await inTurn(db, trx => placeNextOfBulk(trx, now())));
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

/** Writes down how the last month ended, once, for the dashboard to compare with. */
async function closeMonth(db: Database, now: Date): Promise<void> {
  await sql`
    insert into monthly_figures (reseller_id, month, customers, users, monthly_spend)
    select reseller_id, last_month, sum(customers), sum(users), sum(monthly_spend)
    from customer_counts, (select (date_trunc('month', ${now}::timestamptz at time zone 'UTC')
      - interval '1 month')::date as last_month) clock
    group by reseller_id, last_month
    on conflict do nothing`.execute(db);
}
