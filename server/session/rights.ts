import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Accounts } from '../cloud/accounts.ts';
import { endsSession } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { readIdentity } from './identity.ts';
import type { Entry, Place } from './session-cache.ts';

/** Milliseconds after which the cloud's rights are read again. */
const limit = 60_000;
/** With the cloud out of reach, rights older than this are no rights. */
const grace = 10 * 60_000;
const retry = 15_000;
/** Milliseconds that a request waits for the cloud at most while it has rights within their grace. */
const patience = 300;

/** Keeps what sessions may do, and from where they are let in, in step with what the cloud says. */
export type Rights = {
  /** True while the last answer still counts for a place, at a moment in epoch milliseconds. */
  isFresh(entry: Entry, place: Place, at: number): boolean;
  /** Has the cloud asked again about every place that is asked from. */
  doubt(entry: Entry): void;
  /** Asks the cloud now; those who ask together from one address share the answer. Throws ADDRESS_NOT_ALLOWED. */
  reread(entry: Entry, place: Place): Promise<void>;
  /**
   * Asks when the answer is older than a minute, or was for another address. A cloud that takes long holds nobody whom
   * it has let in from there: the request goes on with what was known, and the answer counts when it comes. Throws
   * SESSION_ENDED, ADDRESS_NOT_ALLOWED, and UPSTREAM_… once the grace is over.
   */
  keep(entry: Entry, place: Place): Promise<void>;
};

type Dependencies = {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly now: () => number;
};

/** Creates the checks that reload a session's rights when they have changed in the cloud. */
export function createRights({ store, accounts, log, now }: Dependencies): Rights {
  const running = new Map<string, Promise<void>>();

  async function read(entry: Entry, place: Place): Promise<void> {
    const { credentials } = place.session;
    const { principal } = await readIdentity(accounts, credentials, entry.acting, entry.principal.facts);
    const json = JSON.stringify(principal);
    const changed = json !== JSON.stringify(entry.principal);
    // What did not change stays the same object: much is remembered by it.
    if (changed) entry.principal = principal;
    entry.principalAt = now();
    place.admittedAt = entry.principalAt;
    const row = {
      principal: json,
      principal_at: new Date(entry.principalAt),
      ...(credentials.address !== undefined && { address: credentials.address }),
    };
    await store.announce(async db => {
      await db.updateTable('sessions').set(row).where('key', '=', entry.key).execute();
      return changed ? { kind: 'changed', session: entry.key } : undefined;
    });
  }

  const reread = (entry: Entry, place: Place): Promise<void> => {
    const key = `${entry.key} ${place.session.credentials.address}`;
    let work = running.get(key);
    if (!work) {
      work = read(entry, place).finally(() => running.delete(key));
      running.set(key, work);
    }
    return work;
  };

  /** Below 0 after somebody has set the clock back: such an answer is of an unknown age. */
  const isYounger = (moment: number, at: number, most: number): boolean => at >= moment && at - moment < most;
  const isFresh = (entry: Entry, place: Place, at: number): boolean =>
    isYounger(entry.principalAt, at, limit) && isYounger(place.admittedAt, at, limit);
  const isPaused = ({ retryAt }: Entry): boolean => now() < retryAt && retryAt - now() <= retry;
  const pause = (entry: Entry): void => {
    entry.retryAt = now() + retry;
  };

  /** Waits no longer than the patience lasts; the reading goes on. */
  async function readInTime(entry: Entry, place: Place): Promise<void> {
    const work = reread(entry, place);
    // Who is told of a failure has gone on before it comes.
    work.catch(() => undefined);
    const waited = new AbortController();
    const late = sleep(patience, 'late', { signal: waited.signal }).catch(() => undefined);
    const first = await Promise.race([work, late]).finally(() => waited.abort());
    if (first === 'late') pause(entry);
  }

  return {
    isFresh,
    doubt(entry) {
      const stale = now() - limit;
      for (const place of entry.places.all()) place.admittedAt = Math.min(place.admittedAt, stale);
    },
    reread,
    async keep(entry, place) {
      if (isFresh(entry, place, now())) return;
      const within = (moment: number): boolean => Math.abs(now() - moment) < grace;
      if (!within(entry.principalAt) || !within(place.admittedAt)) return await reread(entry, place);
      if (isPaused(entry)) return;
      try {
        await readInTime(entry, place);
      } catch (error) {
        if (endsSession(error)) throw error;
        pause(entry);
        log.warn({ reason: (error as Error).message }, 'the rights of a session could not be read again');
      }
    },
  };
}
