import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Principal } from '../access/principal.ts';
import type { Accounts, Tokens } from '../cloud/accounts.ts';
import { PortalError } from '../errors.ts';
import type { Store } from '../store/store.ts';
import { type Acting, writeActing } from './acting.ts';
import { createIdentifier, isIdentifier, keyOf } from './identifier.ts';
import { replaceSession } from './replace-session.ts';
import { createRights } from './rights.ts';
import { createSessionCache, type Entry, type Opening, type Session } from './session-cache.ts';
import { createEntries } from './session-entry.ts';
import { signInWayOf } from './sign-in-way.ts';
import { createSignOns, type SignOn, signOnOf } from './sign-ons.ts';
import { sealTokens, unsealTokens } from './tokens.ts';

/** Milliseconds. Idle: without a request that a person made; absolute: since signing in. */
export const idleLimit = 30 * 60_000;
export const absoluteLimit = 12 * 3_600_000;
/** How exactly the last request is kept in the database. */
const seenAccuracy = 30_000;
/** How long requests with the identifier from before may still be under way. */
const replacedFor = 60_000;

/** `replaced`: another has its place in the same browser. */
export type SessionChange =
  | { readonly kind: 'ended' | 'replaced' | 'changed'; readonly key: string }
  | { readonly kind: 'missed' };

export type Sessions = {
  /** Opens a session under a new identifier, which it gives for the cookie; the oldest of too many ends. */
  open(account: string, tokens: Tokens, principal: Principal, opening?: Opening): Promise<string>;
  /**
   * Goes on under a new identifier, which it gives for the cookie: the account is the same, how it acts may not be. The
   * old identifier is worth nothing from then on. Throws SESSION_ENDED, also where two do this at once.
   */
  replace(identifier: string, principal: Principal, acting: Acting): Promise<string>;
  /**
   * Undefined when there is no such session any more. `extend`: a person made this request. Answers at once what this
   * process knows for sure. `address`: from where it is asked; the cloud has let it in from there. Throws STORE_DOWN
   * and ADDRESS_NOT_ALLOWED.
   */
  find(identifier: string, extend: boolean, address: string): Session | undefined | Promise<Session | undefined>;
  /** True where `find` needs no look into the database: it is in memory, or no identifier at all. */
  isKnown(identifier: string): boolean;
  /** True where another session took its place just now, whose cookie is on its way to the browser. */
  isReplaced(identifier: string): boolean;
  /** The identity provider that a session was opened by. */
  connection(key: string): Promise<Opening['connection']>;
  /** How a browser signed in whose session has timed out, by its cookie of that (`signOnOf`). */
  lastSignOn(identifier: string | undefined): Promise<SignOn | undefined>;
  /**
   * Ends a session here and on every process; also at the cloud when its identifier is known. `replaced`: the browser
   * is about to have another in its place.
   */
  end(key: string, reason: string, identifier?: string, kind?: 'ended' | 'replaced'): Promise<void>;
  /** As `end`, every session of an account, whatever the case of its letters, but the one with the key `except`. */
  endAll(account: string, reason: string, except?: string): Promise<void>;
  /** Asks the cloud again what the caller may do, and about each address when it is next asked from there. */
  reread(identifier: string): Promise<void>;
  onChange(listener: (change: SessionChange) => void): () => void;
  /** Forgets what has timed out. */
  sweep(): Promise<void>;
  close(): void;
};

type Dependencies = {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly log: Logger;
  readonly now: () => number;
  readonly mostOfAccount: number;
};

/**
 * Creates the sessions of this process, over the database that all processes share. `mostOfAccount`: sessions that an
 * account may have at once.
 */
export function createSessions({ store, accounts, log, now, mostOfAccount }: Dependencies): Sessions {
  const cache = createSessionCache();
  const signOns = createSignOns(store, now);
  const rights = createRights({ store, accounts, log, now });
  const listeners = new Set<(change: SessionChange) => void>();
  /** Keys of sessions that another took the place of, and until when they are remembered. */
  const replaced = new Map<string, number>();
  /** Rises with every notice: what was read from the database before it may be out of date. */
  let epoch = 0;

  const tell = (change: SessionChange): void => {
    for (const listener of listeners) listener(change);
  };
  const stopListening = store.listen(notice => {
    if (notice.kind === 'exports') return;
    epoch += 1;
    if (notice.kind === 'missed') {
      cache.clear();
      return tell(notice);
    }
    cache.drop(notice.session);
    if (notice.kind === 'replaced') replaced.set(notice.session, now() + replacedFor);
    tell({ kind: notice.kind, key: notice.session });
  });

  /** Ends a session and gives the key of the sign-on that opened it. */
  const remove = async (
    key: string,
    reason: string,
    identifier?: string,
    kind: 'ended' | 'replaced' = 'ended',
  ): Promise<string | undefined> => {
    let signOn: string | null = null;
    const entry = cache.get(key) ?? (identifier === undefined ? undefined : await load(key, identifier));
    cache.drop(key);
    await store.announce(async db => {
      const gone = await db.deleteFrom('sessions').where('key', '=', key).returning('sign_on').executeTakeFirst();
      signOn = gone?.sign_on ?? null;
      return gone && { kind, session: key };
    });
    log.info({ session: key.slice(0, 8), reason }, 'session ended');
    if (entry) void signOutAtCloud(entry);
    return signOn ?? undefined;
  };
  const end: Sessions['end'] = async (...given) => {
    const signOn = await remove(...given);
    if (signOn !== undefined) await signOns.forget(signOn);
  };
  /** As `end`, but its browser goes back to the identity provider that it signed in by. */
  const timeOut = async (key: string, reason: string): Promise<void> => void (await remove(key, reason));

  /** Sessions at partner systems end first (document 1, section 4); what fails is logged and keeps nobody here. */
  const signOutAtCloud = async ({ tokens, places }: Entry): Promise<void> => {
    const { actor } = places.last().session.credentials;
    const failed = (what: string) => (error: Error) => log.warn({ reason: error.message }, what);
    await accounts.endPartnerSessions(tokens, actor).catch(failed('the partner systems did not take the sign-out'));
    await accounts.signOut(tokens, actor).catch(failed('the cloud did not take the sign-out'));
  };

  const openEntry = createEntries({ store, accounts, now, end: timeOut });

  /** Beyond as many sessions as an account may have, those go that were used longest ago. */
  const endOldest = async (account: string): Promise<void> => {
    const rows = await store.run(db =>
      db
        .selectFrom('sessions')
        .select('key')
        .where('account', '=', account)
        .orderBy('seen_at', 'desc')
        .orderBy('created_at', 'desc')
        .offset(mostOfAccount)
        .limit(100)
        .execute(),
    );
    for (const { key } of rows) await end(key, 'too many sessions of the account');
  };

  async function load(key: string, identifier: string): Promise<Entry | undefined> {
    for (let round = 0; ; round++) {
      const before = epoch;
      const row = await store.run(db =>
        db.selectFrom('sessions').selectAll().where('key', '=', key).executeTakeFirst(),
      );
      if (before !== epoch && round < 3) continue;
      if (!row) {
        cache.drop(key);
        return undefined;
      }
      const entry = openEntry({
        key,
        identifier,
        account: row.account,
        expiresAt: row.expires_at.getTime(),
        acting: JSON.parse(row.acting ?? '{}') as Acting,
        principal: JSON.parse(row.principal) as Principal,
        principalAt: row.principal_at.getTime(),
        address: row.address ?? '',
        tokens: unsealTokens(identifier, row.tokens),
        seenAt: Math.max(row.seen_at.getTime(), cache.get(key)?.seenAt ?? 0),
      });
      if (before === epoch) cache.keep(entry);
      return entry;
    }
  }

  const isOver = (entry: Entry, at: number): boolean => at >= entry.expiresAt || at - entry.seenAt >= idleLimit;

  const touch = (entry: Entry, at: number): void => {
    entry.seenAt = at;
    if (entry.seenAt - entry.savedSeenAt < seenAccuracy) return;
    entry.savedSeenAt = entry.seenAt;
    const seen_at = new Date(entry.seenAt);
    void store
      .run(db =>
        db
          .updateTable('sessions')
          .set({ seen_at })
          .where('key', '=', entry.key)
          .where('seen_at', '<', seen_at)
          .execute(),
      )
      .catch((error: Error) => log.warn({ reason: error.message }, 'the last request of a session could not be kept'));
  };

  async function lookUp(
    identifier: string,
    known: Entry | undefined,
    extend: boolean,
    address: string,
  ): Promise<Session | undefined> {
    const key = known?.key ?? keyOf(identifier);
    // A session that is over here may have been seen by another process since.
    const entry = known && !isOver(known, now()) ? known : await load(key, identifier);
    if (!entry) return undefined;
    if (isOver(entry, now())) {
      await timeOut(key, 'timed out');
      return undefined;
    }
    if (extend) touch(entry, now());
    const place = entry.places.at(address);
    try {
      await rights.keep(entry, place);
    } catch (error) {
      if (error instanceof PortalError && error.code === 'SESSION_ENDED') return undefined;
      throw error;
    }
    return place.session;
  }

  return {
    async open(account, tokens, principal, opening = {}) {
      const { acting = {}, address, device, connection } = opening;
      const identifier = createIdentifier();
      const at = new Date(now());
      const row = {
        key: keyOf(identifier),
        account,
        created_at: at,
        seen_at: at,
        expires_at: new Date(now() + absoluteLimit),
        tokens: sealTokens(identifier, tokens),
        exchanging_until: null,
        principal: JSON.stringify(principal),
        principal_at: at,
        acting: writeActing(acting),
        address: address ?? null,
        device: device ?? null,
        connection: connection ?? null,
        sign_on: connection === undefined ? null : keyOf(signOnOf(identifier)),
        way: signInWayOf(opening),
      };
      await store.run(db => db.insertInto('sessions').values(row).execute());
      if (connection !== undefined) await signOns.open(signOnOf(identifier), { connection, account });
      await endOldest(account);
      return identifier;
    },
    replace: (identifier, principal, acting) => replaceSession({ store, now }, identifier, principal, acting),
    find(identifier, extend, address) {
      const known = store.isListening() ? cache.find(identifier) : undefined;
      if (!known && !isIdentifier(identifier)) return undefined;
      const at = now();
      if (!known || isOver(known, at)) return lookUp(identifier, known, extend, address);
      const place = known.places.at(address);
      if (!rights.isFresh(known, place, at)) return lookUp(identifier, known, extend, address);
      if (extend) touch(known, at);
      return place.session;
    },
    isKnown: identifier => !isIdentifier(identifier) || (store.isListening() && cache.find(identifier) !== undefined),
    isReplaced: identifier => (replaced.get(keyOf(identifier)) ?? 0) > now(),
    end,
    async connection(key) {
      const row = await store.run(db =>
        db.selectFrom('sessions').select('connection').where('key', '=', key).executeTakeFirst(),
      );
      return row?.connection ?? undefined;
    },
    lastSignOn: signOns.find,
    async endAll(account, reason, except = '') {
      const rows = await store.run(db =>
        db
          .selectFrom('sessions')
          .select('key')
          .where(sql`lower(account)`, '=', account.toLowerCase())
          .where('key', '!=', except)
          .execute(),
      );
      await Promise.all(rows.map(({ key }) => end(key, reason)));
      const kept = await store.run(db =>
        db.selectFrom('sessions').select('sign_on').where('key', '=', except).executeTakeFirst(),
      );
      await signOns.forgetAll(account, kept?.sign_on ?? '');
    },
    async reread(identifier) {
      if (!isIdentifier(identifier)) return;
      const entry = cache.find(identifier) ?? (await load(keyOf(identifier), identifier));
      if (!entry) return;
      rights.doubt(entry);
      await rights.reread(entry, entry.places.last());
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async sweep() {
      for (const [key, until] of replaced) if (until <= now()) replaced.delete(key);
      const idle = new Date(now() - idleLimit);
      await store.run(db =>
        db
          .deleteFrom('sessions')
          .where(where => where.or([where('expires_at', '<', new Date(now())), where('seen_at', '<', idle)]))
          .execute(),
      );
      await signOns.sweep();
    },
    close: stopListening,
  };
}
