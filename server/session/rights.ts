import type { Logger } from 'pino';
import type { Accounts } from '../cloud/accounts.ts';
import { PortalError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { readIdentity } from './identity.ts';
import type { Entry } from './session-cache.ts';

/** Milliseconds after which the cloud's rights are read again. */
const limit = 60_000;
/** With the cloud out of reach, rights older than this are no rights. */
const grace = 10 * 60_000;
const retry = 15_000;

/** Keeps what sessions may do in step with what the cloud says. */
export type Rights = {
  /** True while the last answer still counts, at a moment in epoch milliseconds. */
  isFresh(entry: Entry, at: number): boolean;
  /** Asks the cloud now; those who ask together share the answer. */
  reread(entry: Entry): Promise<void>;
  /** Asks when the answer is older than a minute. Throws SESSION_ENDED, and UPSTREAM_… once the grace is over. */
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
    const { principal } = await readIdentity(accounts, entry.session.credentials, entry.acting);
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

  return {
    isFresh: (entry, at) => at - entry.principalAt < limit,
    reread,
    async keep(entry) {
      const age = now() - entry.principalAt;
      if (age < limit || (now() < entry.retryAt && age < grace)) return;
      try {
        await reread(entry);
      } catch (error) {
        if ((error instanceof PortalError && error.code === 'SESSION_ENDED') || age >= grace) throw error;
        entry.retryAt = now() + retry;
        log.warn({ reason: (error as Error).message }, 'the rights of a session could not be read again');
      }
    },
  };
}
