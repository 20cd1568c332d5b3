import type { Store } from '../store/store.ts';
import { idleLimit } from './sessions.ts';

/** Milliseconds for which a count is kept. */
const goodFor = 30_000;

/**
 * Gives a function that counts the active sessions of all processes in the database. It keeps a count for `goodFor`; it
 * gives NaN, and never rejects, when the database cannot be read.
 */
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
