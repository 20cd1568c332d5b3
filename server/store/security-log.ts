import { sql } from 'kysely';
import type { Store } from './store.ts';

/** One thing that happened to an account's own sign-in. */
export type SecurityEvent = {
  readonly id: string;
  readonly at: Date;
  /** One of `securityEvents`. */
  readonly event: string;
  readonly outcome: string;
  readonly device: string | null;
  readonly address: string | null;
};

/** The actions of the audit that have words of their own; every other is the last. */
export const securityEvents = [
  'session.sign-in',
  'session.second-factor',
  'session.recovery-code',
  'session.sign-out',
  'session.ended',
  'session.ended-others',
  'session.jump',
  'session.switch',
  'mfa.set-up',
  'mfa.reset',
  'mfa.recovery-codes',
  'password.changed',
  'password.link-asked',
  'account.link',
  'other',
] as const;

const known: ReadonlySet<string> = new Set(securityEvents);

/** Areas of the audit that are about signing in; the rest is about the product's data. */
const areas = '^(session|mfa|password|account)[.]';

/**
 * A page of what happened to the sign-in of `account`, the newest first, and how much there is: what the account did
 * itself, and what was tried in its name. Records of others are not there. Pages count from 1. Throws STORE_DOWN.
 */
export type SecurityLog = (
  account: string,
  page: number,
  size: number,
) => Promise<{ readonly events: readonly SecurityEvent[]; readonly total: number }>;

/**
 * Creates the function that reads a page of what happened to an account's own sign-in (sign-ins, passwords, second
 * factor) from the audit, the newest first.
 */
export const createSecurityLog =
  (store: Store): SecurityLog =>
  (account, page, size) =>
    store.run(async db => {
      const own = db
        .selectFrom('audit')
        .where(sql`lower(account)`, '=', account.toLowerCase())
        .where('action', '~', areas);
      const rows = await own
        .select(['id', 'at', 'action', 'outcome', 'device', 'address'])
        .orderBy('id', 'desc')
        .limit(size)
        .offset((page - 1) * size)
        .execute();
      const { total } = await own.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow();
      const events = rows.map(({ id, at, action, outcome, device, address }) => ({
        ...{ id: String(id), at, outcome, device, address },
        event: known.has(action) ? action : 'other',
      }));
      return { events, total: Number(total) };
    });
