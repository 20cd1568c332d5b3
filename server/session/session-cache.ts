import type { Principal } from '../access/principal.ts';
import type { Tokens } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';
import type { Acting } from './acting.ts';
import type { ConnectionName } from './identity-provider.ts';

export type Session = {
  /** Hash of the identifier; fit for logs. */
  readonly key: string;
  readonly account: string;
  readonly principal: Principal;
  readonly acting: Acting;
  readonly credentials: Credentials;
};

/** How a session was opened. */
export type Opening = {
  readonly acting?: Acting;
  /** Network address of the browser. */
  readonly address?: string;
  /** In short words (device.ts). */
  readonly device?: string;
  /** The identity provider that signed the user in, where signing out leads on to. */
  readonly connection?: ConnectionName;
  /** The second factor after the password: the code of an authenticator app, or a recovery code. */
  readonly factor?: 'app' | 'recovery';
};

/** A session as it is used from one address. */
export type Place = {
  /** Its calls name this address to the cloud. */
  readonly session: Session;
  /** When the cloud last let it in from there, in epoch milliseconds; 0 where it was not asked yet. */
  admittedAt: number;
};

/** A session as one process knows it. Moments are epoch milliseconds. */
export type Entry = {
  readonly key: string;
  readonly identifier: string;
  readonly account: string;
  readonly expiresAt: number;
  readonly acting: Acting;
  principal: Principal;
  /** By address, those asked from last. */
  readonly places: Places;
  /** When the cloud was last asked what the principal may do, and before when it is not asked again. */
  principalAt: number;
  retryAt: number;
  tokens: Tokens;
  /** The last request that a person made, and what of it the database knows. */
  seenAt: number;
  savedSeenAt: number;
};

export type Places = {
  /** The place of an address, which is new where nobody asked from there lately. */
  at(address: string): Place;
  /** The place that was asked from last. */
  last(): Place;
  all(): Iterable<Place>;
};

/** The sessions that this process has in memory. */
export type SessionCache = {
  find(identifier: string): Entry | undefined;
  get(key: string): Entry | undefined;
  keep(entry: Entry): void;
  drop(key: string): void;
  clear(): void;
};

const largest = 20_000;

/**
 * Creates the in-memory cache of sessions. It also finds an entry by the plain identifier, to save a hash on every
 * request; beyond `largest` entries it drops the oldest.
 */
export function createSessionCache(): SessionCache {
  const byIdentifier = new Map<string, Entry>();
  const byKey = new Map<string, Entry>();
  const drop = (key: string): void => {
    const entry = byKey.get(key);
    byKey.delete(key);
    if (entry) byIdentifier.delete(entry.identifier);
  };
  return {
    find: identifier => byIdentifier.get(identifier),
    get: key => byKey.get(key),
    keep(entry) {
      if (byKey.size >= largest) drop(byKey.keys().next().value as string);
      byKey.set(entry.key, entry);
      byIdentifier.set(entry.identifier, entry);
    },
    drop,
    clear() {
      byKey.clear();
      byIdentifier.clear();
    },
  };
}
