import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Accounts } from '../cloud/accounts.ts';
import { endsSession } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { readIdentity } from './identity.ts';
import type { Entry } from './session-cache.ts';

/** Milliseconds after which the cloud's rights are read again. */
const limit = 60_000;
/** With the cloud out of reach, rights older than this are no rights. */
const grace = 10 * 60_000;
const retry = 15_000;
/** Milliseconds that a request waits for the cloud at most while it has rights within their grace. */
const patience = 300;

/** Keeps what sessions may do in step with what the cloud says. */
export type Rights = {
  /** True while the last answer still counts, at a moment in epoch milliseconds. */
  isFresh(entry: Entry, at: number): boolean;
  /** Asks the cloud now; those who ask together share the answer. */
  reread(entry: Entry): Promise<void>;
  /**
   * Asks when the answer is older than a minute. A cloud that takes long holds nobody: the request goes on with what was
   * known, and the answer counts when it comes. Throws SESSION_ENDED, and UPSTREAM_… once the grace is over.
   */
  keep(entry: Entry): Promise<void>;
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

  async function read(entry: Entry): Promise<void> {
    const { principal } = await readIdentity(accounts, entry.session.credentials, entry.acting, entry.principal.facts);
    const json = JSON.stringify(principal);
    const changed = json !== JSON.stringify(entry.principal);
    // What did not change stays the same object: much is remembered by it.
    if (changed) entry.principal = principal;
    entry.principalAt = now();
    const row = { principal: json, principal_at: new Date(entry.principalAt) };
    await store.announce(async db => {
      await db.updateTable('sessions').set(row).where('key', '=', entry.key).execute();
      return changed ? { kind: 'changed', session: entry.key } : undefined;
    });
  }

  const reread = (entry: Entry): Promise<void> => {
    let work = running.get(entry.key);
    if (!work) {
      work = read(entry).finally(() => running.delete(entry.key));
      running.set(entry.key, work);
    }
    return work;
  };

  /** Below 0 after somebody has set the clock back: such an answer is of an unknown age. */
  const ageOf = (entry: Entry, at: number): number => at - entry.principalAt;
  const isFresh = (entry: Entry, at: number): boolean => ageOf(entry, at) >= 0 && ageOf(entry, at) < limit;
  const isPaused = ({ retryAt }: Entry): boolean => now() < retryAt && retryAt - now() <= retry;
  const pause = (entry: Entry): void => {
    entry.retryAt = now() + retry;
  };

  /** Waits no longer than the patience lasts; the reading goes on. */
  async function readInTime(entry: Entry): Promise<void> {
    const work = reread(entry);
    // Who is told of a failure has gone on before it comes.
    work.catch(() => undefined);
    const waited = new AbortController();
    const late = sleep(patience, 'late', { signal: waited.signal }).catch(() => undefined);
    const first = await Promise.race([work, late]).finally(() => waited.abort());
    if (first === 'late') pause(entry);
  }

  return {
    isFresh,
    reread,
    async keep(entry) {
      if (isFresh(entry, now())) return;
      const inGrace = Math.abs(ageOf(entry, now())) < grace;
      if (!inGrace) return await reread(entry);
      if (isPaused(entry)) return;
      try {
        await readInTime(entry);
      } catch (error) {
        if (endsSession(error)) throw error;
        pause(entry);
        log.warn({ reason: (error as Error).message }, 'the rights of a session could not be read again');
      }
    },
  };
}
