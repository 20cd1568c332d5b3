import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Store } from '../store/store.ts';
import { isIdentifier, keyOf } from './identifier.ts';
import type { ConnectionName } from './identity-provider.ts';

/** Milliseconds for which a browser goes back to its identity provider by itself. */
const life = 7 * 86_400_000;

/** How a browser last signed in: by which identity provider, and as whom. */
export type SignOn = { readonly connection: ConnectionName; readonly account: string };

/**
 * Remembers which browsers signed in by an identity provider, so that one whose session times out goes there again
 * without typing anything. A session that is ended on purpose, by its user or an administrator, is forgotten with it: who
 * ended it means that it stays ended. Throws STORE_DOWN.
 */
export type SignOns = {
  open(identifier: string, signOn: SignOn): Promise<void>;
  /** Undefined for an identifier of none, and for one whose session was ended on purpose. */
  find(identifier: string | undefined): Promise<SignOn | undefined>;
  forget(key: string): Promise<void>;
  /** As `forget`, of an account, whatever the case of its letters, but for the one with the key `except`. */
  forgetAll(account: string, except: string): Promise<void>;
  sweep(): Promise<void>;
};

/** Gives the identifier of a sign-on from that of the session which it opened; the session's cannot be had from it. */
export const signOnOf = (identifier: string): string =>
  createHash('sha256').update(`sign-on ${identifier}`).digest('base64url');

/** Creates the memory of sign-ons, which all processes share. */
export function createSignOns(store: Store, now: () => number): SignOns {
  return {
    async open(identifier, { connection, account }) {
      const row = { key: keyOf(identifier), account, connection, expires_at: new Date(now() + life) };
      await store.run(db => db.insertInto('sign_ons').values(row).execute());
    },
    async find(identifier) {
      if (identifier === undefined || !isIdentifier(identifier)) return undefined;
      return store.run(db =>
        db
          .selectFrom('sign_ons')
          .select(['connection', 'account'])
          .where('key', '=', keyOf(identifier))
          .where('expires_at', '>', new Date(now()))
          .executeTakeFirst(),
      );
    },
    async forget(key) {
      await store.run(db => db.deleteFrom('sign_ons').where('key', '=', key).execute());
    },
    async forgetAll(account, except) {
      await store.run(db =>
        db
          .deleteFrom('sign_ons')
          .where(sql`lower(account)`, '=', account.toLowerCase())
          .where('key', '!=', except)
          .execute(),
      );
    },
    async sweep() {
      await store.run(db => db.deleteFrom('sign_ons').where('expires_at', '<', new Date(now())).execute());
    },
  };
}
