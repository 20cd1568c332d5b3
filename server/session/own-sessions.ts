import type { Store } from '../store/store.ts';
import type { Session } from './session-cache.ts';
import { idleLimit, type Sessions } from './sessions.ts';

/** One of a user's open sessions, as its user may know it. */
export type OwnSession = {
  /** Names it to its user; good for nothing else. */
  readonly handle: string;
  readonly device: string | null;
  readonly address: string | null;
  readonly openedAt: Date;
  /** The last request that a person made, half a minute late at most. */
  readonly seenAt: Date;
  readonly isThis: boolean;
};

/** What a signed-in user sees and ends of their own sessions; those of others are not there. Throws STORE_DOWN. */
export type OwnSessions = {
  /** The newest use first. */
  list(own: Session): Promise<OwnSession[]>;
  /** False when the user has no such session. */
  end(own: Session, handle: string): Promise<boolean>;
};

/** Maximum number of sessions shown; a user with more sees the most recently used. */
const most = 100;

/** Creates the functions that list and end a user's own sessions on all devices. */
export function createOwnSessions(store: Store, sessions: Pick<Sessions, 'end'>, now: () => number): OwnSessions {
  const open = (account: string) =>
    store.run(db =>
      db
        .selectFrom('sessions')
        .select(['key', 'handle', 'device', 'address', 'created_at', 'seen_at'])
        .where('account', '=', account)
        .where('expires_at', '>', new Date(now()))
        .where('seen_at', '>', new Date(now() - idleLimit))
        .orderBy('seen_at', 'desc')
        .execute(),
    );
  return {
    async list({ account, key }) {
      const rows = await open(account);
      return rows.slice(0, most).map(row => ({
        handle: row.handle,
        device: row.device,
        address: row.address,
        openedAt: row.created_at,
        seenAt: row.seen_at,
        isThis: row.key === key,
      }));
    },
    async end({ account }, handle) {
      const row = (await open(account)).find(one => one.handle === handle);
      if (row) await sessions.end(row.key, 'ended by its user');
      return row !== undefined;
    },
  };
}
