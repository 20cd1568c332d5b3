import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { idleLimit, type Sessions } from './sessions.ts';

/** One of the open sessions of an account, as its user and whoever manages that user may know it. */
export type AccountSession = {
  /** Names it to them; good for nothing else. */
  readonly handle: string;
  readonly device: string | null;
  readonly address: string | null;
  /** How it was opened (`sign-in-way.ts`); null where that is not known. */
  readonly way: string | null;
  readonly openedAt: Date;
  /** The last request that a person made, half a minute late at most. */
  readonly seenAt: Date;
  readonly isThis: boolean;
};

/** Lists and ends the sessions of one account; those of others are not there. Throws STORE_DOWN. */
export type AccountSessions = {
  /** The newest use first. `key`: that of the session that asks. */
  list(account: string, key?: string): Promise<AccountSession[]>;
  /** False when the account has no such session. */
  end(account: string, handle: string, reason: string): Promise<boolean>;
};

/** Maximum number of sessions shown; an account with more has the most recently used. */
const most = 100;

/** Creates the functions that list and end the sessions of an account on all devices. */
export function createAccountSessions(
  store: Store,
  sessions: Pick<Sessions, 'end'>,
  now: () => number,
): AccountSessions {
  const open = (account: string) =>
    store.run(db =>
      db
        .selectFrom('sessions')
        .select(['key', 'handle', 'device', 'address', 'way', 'created_at', 'seen_at'])
        .where(sql`lower(account)`, '=', account.toLowerCase())
        .where('expires_at', '>', new Date(now()))
        .where('seen_at', '>', new Date(now() - idleLimit))
        .orderBy('seen_at', 'desc')
        .execute(),
    );
  return {
    async list(account, key) {
      const rows = await open(account);
      return rows.slice(0, most).map(({ handle, device, address, way, ...row }) => ({
        ...{ handle, device, address, way },
        ...{ openedAt: row.created_at, seenAt: row.seen_at, isThis: row.key === key },
      }));
    },
    async end(account, handle, reason) {
      const row = (await open(account)).find(one => one.handle === handle);
      if (row) await sessions.end(row.key, reason);
      return row !== undefined;
    },
  };
}
