import { createHash, randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { networkOf } from '../../shared/rules/ip-address.ts';
import type { Store } from '../store/store.ts';
import type { Tables } from '../store/tables.ts';

/**
 * The next attempt may come at once. Not the moment of the last one: of two at the same time the later to be counted
 * may have looked at its clock first.
 */
const anytime = new Date(0);

/** Milliseconds in which failures are counted together, and for which a lockout lasts at most. */
const window = 15 * 60_000;
/** An address that an account signed in from stays known for this long. */
const knownFor = 30 * 24 * 3_600_000;
/** Seconds that a growing delay grows to. */
const longestDelay = 60;
/** After so many failures the answer to "not a robot" is needed (document 1, section 4). */
export const robotAfter = 3;

/** After `free` attempts: none until the window ends, or ever longer pauses between them. */
type Rule = { readonly kind: 'pair' | 'account' | 'address'; readonly free: number; readonly growing: boolean };
/**
 * Guessing is stopped per account and address. The account as a whole has a far higher limit, which only slows down
 * and spares addresses that the account has signed in from: a stranger cannot keep its owner out.
 */
const pairRule: Rule = { kind: 'pair', free: 10, growing: false };
const accountRule: Rule = { kind: 'account', free: 100, growing: true };
const addressRule: Rule = { kind: 'address', free: 300, growing: true };
const linkRule: Rule = { kind: 'address', free: 30, growing: true };
/** Calls of an API key. */
const keyRule: Rule = { kind: 'pair', free: 3000, growing: false };
/** API keys from a network that nobody has seen to be good. */
const unknownKeyRule: Rule = { kind: 'address', free: 30, growing: true };
/** Requests of new resellers; the cloud has bounds of a day. */
const signUpRule: Rule = { kind: 'address', free: 10, growing: true };
const lookupRule: Rule = { kind: 'address', free: 60, growing: true };

/** Usernames that the cloud treats as the same account share one counter. */
const normalise = (account: string): string => account.normalize('NFKC').trim().toLowerCase();
const hash = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('base64url');

/** `robot`: the answer to "not a robot" is needed first; `locked`: no attempt now. */
export type Admission = 'admitted' | 'robot' | 'locked';

export type Attempts = {
  /** Counts an attempt as failed before it is made, in one statement with the limit: parallel attempts cannot pass it. */
  admit(account: string, address: string, robotAnswered: boolean): Promise<Admission>;
  /** The attempt just admitted was right, or could not be checked. */
  forgive(account: string, address: string, outcome: 'right' | 'unchecked'): Promise<void>;
  /** Failures that count for the account at this address. */
  failures(account: string, address: string): Promise<number>;
  /** Whether this address may ask about one more username now. */
  admitLookup(address: string): Promise<boolean>;
  /** Counts a link of a mail as wrong before it is tried: whether this address may try one more now. */
  admitLink(address: string): Promise<boolean>;
  /** Whether this address may ask for an account as a reseller once more now. */
  admitSignUp(address: string): Promise<boolean>;
  /** The link just admitted was right. */
  forgiveLink(address: string): Promise<void>;
  /** Whether an API key may make one more call now: 3,000 in a quarter of an hour, over all processes. */
  admitKey(keyId: string): Promise<boolean>;
  /**
   * Whether an API key may be looked at now. One that was good before always may, so that nobody who shares its network
   * holds it up; any other is counted as no good for its network, over all processes, before it is looked at.
   */
  admitUnopenedKey(key: string, address: string): Promise<'known' | 'unknown' | 'locked'>;
  /** The key just admitted is good: it is known from now on. */
  knowKey(key: string, address?: string): Promise<void>;
  /** A known key is no good any more. */
  forgetKey(key: string): Promise<void>;
  /** Forgets what is over. */
  sweep(): Promise<void>;
};

class Refused extends Error {
  readonly admission: Admission;
  constructor(admission: Admission) {
    super(admission);
    this.admission = admission;
  }
}

/**
 * Creates the limits on sign-in attempts, shared by all processes through the database. `now` gives epoch milliseconds.
 */
export function createAttempts(store: Store, now: () => number): Attempts {
  const pairKey = (account: string, address: string): string => `pair:${hash(normalise(account), networkOf(address))}`;
  const accountKey = (account: string): string => `account:${hash(normalise(account))}`;
  const addressKey = (address: string): string => `address:${hash(networkOf(address))}`;
  const lookupKey = (address: string): string => `lookup:${hash(networkOf(address))}`;
  const linkKey = (address: string): string => `link:${hash(networkOf(address))}`;
  const unknownKeysKey = (address: string): string => `unknown-keys:${hash(networkOf(address))}`;
  // Of 256 random bits nobody finds the key by its hash.
  const knownApiKey = (key: string): string => `known-key:${hash(key)}`;
  const knownKey = (account: string, address: string): string =>
    `known:${hash(normalise(account), networkOf(address))}`;

  async function reserve(
    db: Kysely<Tables>,
    key: string,
    { free, growing }: Rule,
  ): Promise<{ failures: number; allowed: boolean }> {
    const at = new Date(now());
    const ends = new Date(now() + window);
    const attempt = randomUUID();
    const later = growing
      ? sql`${at}::timestamptz + make_interval(secs => least(power(2, a.failures + 1 - ${free}::int), ${longestDelay}::int))`
      : sql`a.window_ends`;
    const found = await sql<{ failures: number; allowed: boolean }>`
      insert into portal.attempts as a (key, failures, window_ends, next_at, admitted)
      values (${key}, 1, ${ends}, ${anytime}, ${attempt})
      on conflict (key) do update set
        failures = case when a.window_ends <= ${at} then 1 when a.next_at > ${at} then a.failures else a.failures + 1 end,
        window_ends = case when a.window_ends <= ${at} then ${ends} else a.window_ends end,
        next_at = case when a.window_ends <= ${at} then ${anytime} when a.next_at > ${at} then a.next_at when a.failures + 1 < ${free}::int then ${anytime} else ${later} end,
        admitted = case when a.window_ends <= ${at} or a.next_at <= ${at} then ${attempt} else a.admitted end
      returning failures, admitted = ${attempt} as allowed`.execute(db);
    return found.rows[0] ?? { failures: 0, allowed: false };
  }

  const forgiveOne = (db: Kysely<Tables>, key: string) =>
    db
      .updateTable('attempts')
      .set({ failures: sql<number>`greatest(failures - 1, 0)`, next_at: anytime })
      .where('key', '=', key)
      .execute();

  const isKept = async (db: Kysely<Tables>, key: string): Promise<boolean> => {
    const found = await db
      .selectFrom('attempts')
      .select('key')
      .where('key', '=', key)
      .where('window_ends', '>', new Date(now()))
      .executeTakeFirst();
    return found !== undefined;
  };
  const isKnown = (db: Kysely<Tables>, account: string, address: string): Promise<boolean> =>
    isKept(db, knownKey(account, address));

  async function keepKnown(db: Kysely<Tables>, key: string): Promise<void> {
    const window_ends = new Date(now() + knownFor);
    await db
      .insertInto('attempts')
      .values({ key, failures: 0, window_ends, next_at: new Date(now()), admitted: null })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ window_ends }))
      .execute();
  }

  return {
    async admit(account, address, robotAnswered) {
      try {
        await store.run(db =>
          db.transaction().execute(async transaction => {
            const check = async (key: string, rule: Rule): Promise<void> => {
              const { failures, allowed } = await reserve(transaction, key, rule);
              if (!allowed) throw new Refused('locked');
              if (rule.kind !== 'address' && failures > robotAfter && !robotAnswered) throw new Refused('robot');
            };
            await check(pairKey(account, address), pairRule);
            if (!(await isKnown(transaction, account, address))) await check(accountKey(account), accountRule);
            await check(addressKey(address), addressRule);
          }),
        );
        return 'admitted';
      } catch (error) {
        if (error instanceof Refused) return error.admission;
        throw error;
      }
    },
    async forgive(account, address, outcome) {
      await store.run(db =>
        db.transaction().execute(async transaction => {
          if (outcome === 'right') {
            await transaction.deleteFrom('attempts').where('key', '=', pairKey(account, address)).execute();
          } else await forgiveOne(transaction, pairKey(account, address));
          if (!(await isKnown(transaction, account, address))) await forgiveOne(transaction, accountKey(account));
          await forgiveOne(transaction, addressKey(address));
          if (outcome === 'right') {
            // An office whose people all arrive at nine asks about many usernames.
            await forgiveOne(transaction, lookupKey(address));
            await keepKnown(transaction, knownKey(account, address));
          }
        }),
      );
    },
    async failures(account, address) {
      const rows = await store.run(async db => {
        const pair = pairKey(account, address);
        // As `admit`: where the account has signed in from, what strangers tried elsewhere does not count.
        const keys = (await isKnown(db, account, address)) ? [pair] : [pair, accountKey(account)];
        return await db
          .selectFrom('attempts')
          .select('failures')
          .where('key', 'in', keys)
          .where('window_ends', '>', new Date(now()))
          .execute();
      });
      return Math.max(0, ...rows.map(row => row.failures));
    },
    admitLookup: async address => (await store.run(db => reserve(db, lookupKey(address), lookupRule))).allowed,
    admitLink: async address => (await store.run(db => reserve(db, linkKey(address), linkRule))).allowed,
    admitSignUp: async address =>
      (await store.run(db => reserve(db, `sign-up:${hash(networkOf(address))}`, signUpRule))).allowed,
    admitKey: async keyId => (await store.run(db => reserve(db, `api-key:${hash(keyId)}`, keyRule))).allowed,
    admitUnopenedKey: (key, address) =>
      store.run(async db => {
        if (await isKept(db, knownApiKey(key))) return 'known';
        return (await reserve(db, unknownKeysKey(address), unknownKeyRule)).allowed ? 'unknown' : 'locked';
      }),
    async knowKey(key, address) {
      await store.run(async db => {
        if (address !== undefined) await forgiveOne(db, unknownKeysKey(address));
        await keepKnown(db, knownApiKey(key));
      });
    },
    async forgetKey(key) {
      await store.run(db => db.deleteFrom('attempts').where('key', '=', knownApiKey(key)).execute());
    },
    async forgiveLink(address) {
      await store.run(db => forgiveOne(db, linkKey(address)));
    },
    async sweep() {
      await store.run(db => db.deleteFrom('attempts').where('window_ends', '<', new Date(now())).execute());
    },
  };
}
