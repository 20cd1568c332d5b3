import type { Caller } from '../auth/caller.ts';
import { CloudError } from '../http/errors.ts';
import type { Database } from '../tables.ts';
import { PsaFailure } from './http.ts';
import { isDue, type PsaSync, readSync } from './sync.ts';
import type { CopyKind } from './tables.ts';

/** Messages where a list cannot be read (document 2, section 8). */
const failed: Readonly<Record<CopyKind, string>> = {
  customers: 'Customers failed to load from PSA',
  services: 'Services failed to load from PSA',
  contracts: 'Contracts failed to load from PSA',
};

/** Brings copies of business systems up to date. */
export type PsaCopies = {
  /**
   * With the cache a copy is asked for again in time; without it the business system is read now.
   * @throws {CloudError} 424 (RFC 4918) where it cannot be read: the cloud itself is well
   */
  freshen(caller: Caller, kind: CopyKind, isCached: boolean): Promise<void>;
  /** The same, and always now. */
  read(caller: Caller, kind: CopyKind): Promise<void>;
  /** The same, even where it was read a moment ago. */
  readAnew(caller: Caller, kind: CopyKind): Promise<void>;
};

/**
 * Creates the functions that bring the sandbox's copies of a business system's customers, services and contracts up to
 * date.
 */
export function createPsaCopies(db: Database, sync: PsaSync, now: () => Date): PsaCopies {
  const told = (kind: CopyKind) => (error: unknown) => {
    throw error instanceof PsaFailure ? new CloudError(424, 'PsaFailed', [failed[kind]]) : error;
  };
  const read: PsaCopies['read'] = ({ resellerId }, kind) => sync.readThrough(resellerId, kind).catch(told(kind));
  return {
    read,
    readAnew: ({ resellerId }, kind) => sync.readAnew(resellerId, kind).catch(told(kind)),
    async freshen(caller, kind, isCached) {
      if (!isCached) return read(caller, kind);
      const { completed = null } = (await readSync(db, caller.resellerId, kind)) ?? {};
      if (isDue(completed, now())) await sync.request(caller.resellerId, [kind], 'Setup');
    },
  };
}
