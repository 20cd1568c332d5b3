import type { Store } from '../store/store.ts';
import { idleLimit } from './sessions.ts';

/** Milliseconds for which a count is good enough. */
const goodFor = 30_000;

/** Gives how many sessions are alive, of all processes together; NaN while the database does not say. */
export function createSessionCount(store: Store, now: () => number): () => Promise<number> {
  let count = Promise.resolve(Number.NaN);
  let until = 0;

  const look = async (): Promise<number> => {
    const row = await store.run(db =>
      db
        .selectFrom('sessions')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('expires_at', '>', new Date(now()))
        .where('seen_at', '>=', new Date(now() - idleLimit))
        .executeTakeFirstOrThrow(),
    );
    return Number(row.count);
  };

  return () => {
    if (now() < until) return count;
    until = now() + goodFor;
    count = look().catch(() => {
      until = 0;
      return Number.NaN;
    });
    return count;
  };
}
